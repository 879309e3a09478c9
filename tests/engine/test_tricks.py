"""Tricks at the gate of a real engine: its pack says what the gate without an engine says."""

from __future__ import annotations

import contextlib
import json
import re
import runpy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pulumi
import pytest
from cutlist_policies.gates import gates_of
from pulumi import automation
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc
from pulumi_cutlist.day import today
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources

from cutlist.policy.gates import Report, Verdict, judge
from cutlist.policy.registry import ALL
from tests.engine.engine import ROOT, Engine
from tests.engine.provider import StandIn
from tests.engine.rows import PACKAGES
from tests.engine.serving import serving
from tests.infrastructure.test_gate import POOL
from tests.policies.test_options import LEFT_OPEN, PROGRAM, SEEN

pytestmark = pytest.mark.xdist_group("engine-tricks")

Said = set[tuple[str, str]]
"""Rules and their sentences, or the names of what they are about."""
_MARKUP: Final = re.compile(r"<\{%[^%]*%\}>|\x1b\[[0-9;]*m")
_OPEN: Final = re.compile(r"(?:^|; |: )([A-Z]{2}-\d{2}) [^;]*?: cannot tell ")
_OFFLINE_ALONE: Final = frozenset(("IF-16",))
"""Rules about options that an engine does not show to a pack: docs/gates.md."""
_ADVICE: Final = {"profile": "strict", "rules": {r.id: {"level": "advisory", "reason": "all are to be heard"} for r in ALL}}
"""Gates under which no finding ends a preview before the others."""
_OTHER_STACK: Final = "organization/network/prod"
_EXPORTED: Final = {"limits": {}, "policyArn": "arn:aws:iam::aws:policy/AdministratorAccess"}
ROWS: Final = "from tests.engine.rows import register\nregister()\n"


class Willing(StandIn):
    """A provider that takes everything: tricks are not whole resources."""

    def Check(self, request: Any, context: Any) -> provider_pb2.CheckResponse:  # noqa: N802 - as of every provider
        return provider_pb2.CheckResponse(inputs=request.news)

    def Create(self, request: Any, context: Any) -> provider_pb2.CreateResponse:  # noqa: N802
        return provider_pb2.CreateResponse(id="", properties=request.properties)

    def Read(self, request: Any, context: Any) -> provider_pb2.ReadResponse:  # noqa: N802
        return provider_pb2.ReadResponse(id=request.id, properties=request.inputs, inputs=request.inputs)


@pytest.fixture(scope="module")
def willing(engine_with_plugins: Engine) -> Iterator[Engine]:
    """An engine whose providers take everything."""
    with ExitStack() as servers:
        ports = {}
        for package in PACKAGES:
            provider = Willing(package, "1.0.0", engine_with_plugins.journal)

            def add(server: Any, provider: Willing = provider) -> None:
                provider_pb2_grpc.add_ResourceProviderServicer_to_server(provider, server)

            ports[package] = servers.enter_context(serving(add))[1]
        yield replace(engine_with_plugins, ports=ports)


def written(folder: Path, program: str) -> Path:
    """Write a project with a program and a stack, and return its folder."""
    (folder / "pool.yaml").write_text(POOL)
    (folder / "__main__.py").write_text(program)
    (folder / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    (folder / "Pulumi.tricks.yaml").write_text(json.dumps({"config": {"cutlist:gates": _ADVICE}}))
    return folder


def without_engine(folder: Path) -> Report:
    """Return what the gate says of a program without an engine."""
    gates = gates_of({"cutlist:gates": json.dumps(_ADVICE)}, "cutlist")
    recording = Program(folder, folder, "cutlist", "tricks").run(Mode.PREVIEW)
    return judge(recorded_resources(recording), gates, today())


def in_engine(engine: Engine, folder: Path) -> tuple[Said, set[str]]:
    """Return what the pack says in the preview of a program, and the rules that an unknown value leaves open."""
    violations: Said = set()
    left_open: set[str] = set()

    def hear(event: automation.EngineEvent) -> None:
        if event.policy_event is None:
            return
        text = _MARKUP.sub("", event.policy_event.message).strip()
        left_open.update(_OPEN.findall(text))
        for line, sentence in re.findall(r"^([A-Z]{2}-\d{2} [^\n]*)\n([^\n]*)$", text, re.MULTILINE):
            violations.add((line[:5], sentence.strip()))

    stack = engine.stack("tricks", folder, run_in(folder))
    try:
        with contextlib.suppress(automation.CommandError):  # what is mandatory is still heard
            stack.preview(color="never", policy_packs=[str(ROOT / "policies")], on_event=hear)
    finally:
        stack.workspace.remove_stack("tricks")
    return violations, left_open


def run_in(folder: Path) -> Callable[[], None]:
    """Return the program of a folder."""

    def program() -> None:
        runpy.run_path(str(folder / "__main__.py"), run_name="__main__")

    return program


def violated(report: Report) -> Said:
    outcomes = (outcome for outcome in report.outcomes if outcome.verdict is Verdict.VIOLATED)
    return {(outcome.rule, outcome.sentence) for outcome in outcomes if outcome.rule not in _OFFLINE_ALONE}


def names(said: Said) -> Said:
    """Return the rules with the names of what they speak about."""
    return {(rule, sentence.partition(":")[0].rpartition("/")[2]) for rule, sentence in said}


def test_rows_of_the_table_are_judged_alike(willing: Engine, tmp_path: Path):
    """The same program, with and without an engine: findings are the same, word for word."""
    folder = written(tmp_path, ROWS)
    report = without_engine(folder)
    heard, left_open = in_engine(willing, folder)
    assert len({rule for rule, _ in heard}) >= 40
    assert heard == violated(report)
    assert left_open <= {outcome.rule for outcome in report.outcomes if outcome.verdict is Verdict.UNKNOWN}


def test_tricks_of_pulumi_itself_are_judged_alike(willing: Engine, tmp_path: Path):
    """An engine knows the outputs of another stack, and breaks the rule that is open without it."""

    def exported() -> None:
        for name, value in _EXPORTED.items():
            pulumi.export(name, value)

    options = automation.LocalWorkspaceOptions(
        pulumi_command=willing.command, pulumi_home=str(willing.home), env_vars=willing.environment
    )
    automation.create_stack("prod", project_name="network", program=exported, opts=options).up(color="never")
    folder = written(tmp_path, PROGRAM.replace("shop/network/prod", _OTHER_STACK))
    report = without_engine(folder)
    heard, left_open = in_engine(willing, folder)
    of_stack = {(rule, name) for name, rule in LEFT_OPEN.items() if name.endswith("of-a-stack")}
    assert names(heard) == names(violated(report)) | of_stack
    assert {(rule, name) for name, rule in SEEN.items()} <= names(heard)
    assert left_open >= {rule for name, rule in LEFT_OPEN.items() if not name.endswith("of-a-stack")}
