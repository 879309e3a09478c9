"""What a stack costs, among the messages of its preview on an engine."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest
from pulumi_cutlist import engine_bill
from pulumi_cutlist.program import offline
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.preview import preview
from pulumi_cutlist.stack.stack_file import load

from cutlist.verbs.preview.text import render_bill

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """\
import pulumi_aws
from pulumi_cutlist.engine_bill import log_bill

log_bill()
address = pulumi_aws.ec2.Eip("nat", region="us-west-2")
pulumi_aws.ec2.NatGateway("nat", region="us-west-2", allocation_id=address.id, subnet_id="subnet-1")
"""


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The monitor that plays an engine is taken for one."""

    class Other:
        pass

    monkeypatch.setattr(engine_bill, "MockMonitor", Other)
    monkeypatch.setattr(offline, "can_look_up", lambda _: False)


def bills(recording: Recording) -> list[str]:
    return [log.message for log in recording.logs if "What it costs" in log.message]


def run(folder: Path, mode: Mode, more: str = "") -> Recording:
    (folder / "__main__.py").write_text(PROGRAM + more)
    return Program(folder, folder, "shop", "dev").run(mode)


@pytest.mark.usefixtures("engine")
def test_a_preview_on_an_engine_says_what_is_registered_costs(tmp_path: Path):
    """By the month, resources beside the stack as well as what components make."""
    recording = run(tmp_path, Mode.PREVIEW)
    [bill] = bills(recording)
    assert "NAT gateway" in bill
    assert "public IPv4 address" in bill
    assert len(recording.resources) == 3


@pytest.mark.usefixtures("engine")
def test_what_waits_for_other_resources_is_billed(tmp_path: Path):
    """A resource that is only registered once another one is known is in the one bill, too."""
    later = "address.urn.apply(lambda _: pulumi_aws.ec2.Eip('later', region='us-west-2'))"
    [bill] = bills(run(tmp_path, Mode.PREVIEW, later))
    [line] = [line for line in bill.splitlines() if "public IPv4 address" in line]
    assert line.split()[3:] == ["2", "7.30"]


@pytest.mark.usefixtures("engine")
def test_nodes_of_every_plan_are_in_the_total(tmp_path: Path):
    """The plans are found without naming them; the bill is a message about the first."""
    plans = """
from pulumi_cutlist.plan import NodePlan
pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [
    {"name": "web", "image": "nginx", "resources": {"requests": {"cpu": "1"}}}]}}
pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": {"template": {"spec": {
    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}, "requirements": []}}}}
for name in ("one", "two"):
    NodePlan(name, {"region": "us-west-2", "manifests": [pod, pool], "external_classes": ["default"]})
"""
    recording = run(tmp_path, Mode.PREVIEW, plans)
    [log] = [log for log in recording.logs if "What it costs" in log.message]
    assert log.urn.endswith("cutlist:index:NodePlan::one")
    assert "nodes of the plan" in log.message


@pytest.mark.usefixtures("engine")
def test_an_update_says_it_no_more(tmp_path: Path):
    """A preview comes before it."""
    assert bills(run(tmp_path, Mode.UPDATE)) == []


def test_a_run_without_an_engine_leaves_it_to_whoever_runs_it(tmp_path: Path):
    recording = run(tmp_path, Mode.PREVIEW)
    assert bills(recording) == []
    assert len(recording.resources) == 3


@pytest.mark.usefixtures("engine")
def test_the_bill_is_that_of_the_offline_preview(monkeypatch: pytest.MonkeyPatch):
    """To the letter, for the program of this repository."""
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "info", lambda message, **_: shown.append(message))
    file = load(ROOT, "aks")
    Program(file.program, file.root, file.project, file.stack, file.config, file.secrets).run(Mode.PREVIEW)
    monkeypatch.undo()
    bill = preview(ROOT, "aks").bill
    assert f"\n{render_bill(bill)}" in shown
