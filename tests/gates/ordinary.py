"""Ordinary set-ups: what platform teams keep in files and programs, which no gate may stop without a reason that they accept.

`setups` has a folder for each: manifests as they lie in a repository, or a program of Pulumi.
`python -m tests.gates.ordinary` prints what stops each of them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.stack import stack_file
from pulumi_cutlist.stack.gate import gate_stack

from cutlist import PlanSettings, gate
from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.core.records import data_of
from cutlist.documents.collecting import collect_documents
from cutlist.documents.folders import Reading
from cutlist.planning.document_inputs import inputs_of
from cutlist.policy.gates import Gates, Report, read_gates
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Profile, Resource
from cutlist.policy.rules.nodepools.choice import EXTERNAL, class_is_there
from cutlist.policy.rules.tokens import NODE_PLAN
from cutlist.verbs.gate.answer import resources_of
from cutlist.verbs.plan.answer import plan_with_measures
from tests.gates.trick import REGION, TODAY, Wanted, spoken_by_pack

FOLDER: Final = Path(__file__).parent / "setups"
STACK: Final = "prod"
_AWS: Final = PlanSettings(region=REGION, recursive=True)


@dataclass(frozen=True, slots=True)
class SetUp:
    """A set-up in a folder, and why rules may stop it: what its owner would answer, by rule.

    `settings` are options of the command, and `gates` what its owner has set.
    """

    name: str
    accepted: Mapping[str, str] = field(default_factory=dict)
    settings: PlanSettings = field(default_factory=lambda: _AWS)
    gates: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""

    @property
    def folder(self) -> Path:
        """Return the folder that is judged."""
        return FOLDER / self.name / self.path

    @property
    def is_program(self) -> bool:
        """Tell whether it is a program of Pulumi."""
        return (self.folder / "__main__.py").exists()

    def report(self) -> Report:
        """Return what the gate without an engine says in the strictest profile."""
        if self.is_program:
            return gate_stack(self.folder, STACK, TODAY, profile=Profile.STRICT).report
        return gate([str(self.folder)], self._read_gates(), TODAY, self.settings).report

    def stopped_by_pack(self) -> set[str]:
        """Return the rules by which the pack stops it. A pack cannot know which node classes are elsewhere; gates can."""
        elsewhere = self.settings.get("external_classes", ())
        gates = self._read_gates({EXTERNAL.name: [f"EC2NodeClass/{name}" for name in elsewhere]})
        return {rule for rule, wanted in spoken_by_pack(self._resources(), gates) if wanted is Wanted.STOPS}

    def _read_gates(self, external: Mapping[str, Any] | None = None) -> Gates:
        whole = {"rules": {**self.gates, **({class_is_there.id: external} if external else {})}}
        return read_gates(whole, ALL, profile=Profile.STRICT)

    def _resources(self) -> list[Resource]:
        if self.is_program:
            with stack_file.working_in(self.folder):
                file = stack_file.load(Path(), STACK)
                program = Program(file.program, file.root, file.project, file.stack, file.config, file.secrets)
                return recorded_resources(program.run(Mode.PREVIEW))
        problems, notes = Problems(), Notes()
        documents = collect_documents([str(self.folder)], problems, None, Reading.of(self.settings), notes)
        _, measures = plan_with_measures(inputs_of(documents, self.settings, problems, notes, self.name))
        plan = Resource(NODE_PLAN, "nodes", {"region": self.settings["region"], "measures": data_of(measures)})
        numbered = enumerate((*resources_of(documents), plan))
        return [replace(r, urn=f"urn:pulumi:prod::shop::{r.type}::{r.name}-{number}") for number, r in numbered]


_AZURE: Final = PlanSettings(region="eastus", recursive=True)
_AUTO: Final = ("general-purpose", "system")
SETUPS: Final = (
    SetUp(
        "getting-started",
        {
            "NP-01": "cpu alone lets memory grow: a limit on memory is one more line",
            "NP-04": "a pod with an endless grace period keeps its node; a bound is one more line",
        },
    ),
    SetUp("blueprint"),
    SetUp("spot-and-on-demand"),
    SetUp("spot-ratio"),
    SetUp("gpu"),
    SetUp("neuron"),
    SetUp("bottlerocket"),
    SetUp("windows"),
    SetUp("tenants"),
    SetUp("private"),
    SetUp("own-images"),
    SetUp("fixed-images"),
    SetUp("graviton"),
    SetUp("multi-arch", gates={"NP-13": {"multiArch": True}}),
    SetUp("static"),
    SetUp("critical"),
    SetUp("kustomize", path="overlays/prod"),
    SetUp("flux"),
    SetUp("argo"),
    SetUp("helm-values"),
    SetUp("auto-mode"),
    SetUp("auto-mode-built-in", settings=PlanSettings(region=REGION, built_in_pools=_AUTO, recursive=True)),
    SetUp("auto-mode-default-class"),
    SetUp("aks", settings=_AZURE),
    SetUp("aks-spot", settings=_AZURE),
    SetUp("reservations"),
    SetUp("batch"),
    SetUp("local-disks"),
    SetUp("class-of-terraform", settings=PlanSettings(region=REGION, external_classes=("default",), recursive=True)),
    SetUp("cluster-dump"),
    SetUp("overlay"),
    SetUp("nodegroup-migration"),
    SetUp("pulumi-identities"),
    SetUp(
        "pulumi-service-accounts",
        {"IF-02": "Velero's policy tags anything: who writes Karpenter's tags decides what it owns; a condition is a line"},
    ),
    SetUp("pulumi-eks"),
    SetUp("pulumi-aks"),
    SetUp("pulumi-add-ons"),
)


def main() -> int:
    """Print what stops each set-up, and how many are stopped without an accepted reason."""
    lines, surprised = [], 0
    for setup in SETUPS:
        stopping = setup.report().stopping
        surprised += any(outcome.rule not in setup.accepted for outcome in stopping)
        lines += [f"{setup.name}: {outcome.rule} {outcome.sentence}" for outcome in stopping]
    sys.stdout.write("\n".join((*lines, f"{len(SETUPS)} set-ups, {surprised} stopped without an accepted reason\n")))
    return int(surprised > 0)


if __name__ == "__main__":
    sys.exit(main())
