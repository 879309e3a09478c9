"""Every option of a search, written into files by the code of `--write`, is planned at the price that was reported for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import yaml

from cutlist import Allowances, plan, read_inputs
from cutlist.core.errors import Problems
from cutlist.documents.collecting import collect_texts
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.suggest.edits import unwritten, written
from cutlist.verbs.suggest.suggestions import Suggestion
from cutlist_cli.files import write_file
from tests.unit.planning.manifests import AUTO_CLASS, NODE_CLASS, ON_DEMAND, auto_pool, deployment, overlay, pool
from tests.unit.property.planned_inputs import AZURE_REGION, REGION, small_region
from tests.unit.verbs.few_types import suggested

AMD64 = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
SPREAD = """topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
         labelSelector: {matchLabels: {app: web}}}"""
TAINTED = pool("other", spec="weight: 3", extra="taints: [{key: team, value: b, effect: NoSchedule}]")
TOLERATION = "tolerations: [{key: team, value: b}]"
FEW = 8
WEB, DATA = deployment("web", 9, "900m", "1Gi", SPREAD), deployment("data", 5, "1", "7Gi")
DAEMONS = deployment("logs", cpu="100m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
AZURE = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: default}
spec: {}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
"""


def as_list(text: str) -> str:
    """Return manifests as kubectl prints them."""
    items = [document for document in yaml.safe_load_all(text) if document]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2)


@dataclass(frozen=True)
class Set:
    """What a search is given: each text is a file. Some searches last until an option has a copy of a NodePool."""

    texts: tuple[str, ...]
    allowances: Allowances = field(default_factory=Allowances)
    region: str = REGION
    plans: int = FEW


SETS = {
    "alone": Set((NODE_CLASS, f"# the only pool\n{pool(requirements=f'[{ON_DEMAND}, {AMD64}] # for now')}", WEB, DATA)),
    "wider": Set((NODE_CLASS, pool(requirements=f"[{ON_DEMAND}, {AMD64}]"), WEB, DATA), Allowances(arm64=True, spot=True)),
    "limits": Set((NODE_CLASS, pool(spec="limits: {cpu: 200, memory: 900Gi}"), WEB, DATA, DAEMONS)),
    "two pools": Set(
        (f"{NODE_CLASS}---{pool(requirements=f'[{ON_DEMAND}]')}---{TAINTED}",
         f"{WEB}---{deployment('batch', 7, '2', '3Gi', TOLERATION)}"),
        Allowances(types=True),
    ),
    "kept for some": Set((NODE_CLASS, pool(requirements=f"[{ON_DEMAND}]"), WEB, DATA, DAEMONS), Allowances(workloads=True)),
    "spare room": Set((NODE_CLASS, pool(), WEB, DATA), Allowances(spare=25), plans=36),
    "pending": Set((NODE_CLASS, pool(spec="limits: {cpu: 12}"), deployment("huge", 1, "900"), WEB, DATA), plans=36),
    "list": Set((as_list(f"{NODE_CLASS}---{pool()}---{WEB}---{overlay('{requirements: [], priceAdjustment: -10%}')}"), DATA)),
    "auto mode": Set((AUTO_CLASS, auto_pool("[]", node_class="own"), WEB, DATA), Allowances(spot=True), plans=36),
    "azure": Set((AZURE, deployment("web", 9, "900m"), DATA), region=AZURE_REGION, plans=36),
}  # fmt: skip


def read(folder: Path, region: str) -> PlanInputs:
    return replace(read_inputs([str(folder)], region=region), catalog=small_region(region))


def files_in(folder: Path, texts: tuple[str, ...]) -> None:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(text)


def write(option: Suggestion, folder: Path) -> None:
    """Write an option into files, as `--write` does."""
    problems = Problems()
    edited = [written(option.written, text) for text in collect_texts([str(folder)], problems)]
    assert not problems
    assert unwritten(option.written, edited) == []
    for text in edited:
        write_file(text.source, text.text)


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if case.plans > FEW else []) for name, case in SETS.items()]
)
def test_each_option_is_planned_from_its_files_at_its_price(name: str, tmp_path: Path):
    case = SETS[name]
    files_in(tmp_path / "now", case.texts)
    inputs = read(tmp_path / "now", case.region)
    answer = suggested(inputs, case.allowances, plans=case.plans)
    for number, option in enumerate(answer.options):
        folder = tmp_path / str(number)
        files_in(folder, case.texts)
        write(option, folder)
        again = read(folder, case.region)
        assert CostAndRisk.of(plan(again)) == option.figures
        for scenario, today, then in zip(answer.outlook.scenarios[1:], answer.outlook.today[1:], option.elsewhere, strict=True):
            assert then.pending_pods <= today.pending_pods
            if scenario.more:
                assert CostAndRisk.of(plan(scenario.on(again))) == then
