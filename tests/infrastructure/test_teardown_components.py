"""Teardown, the second interface pass and the drain gate in a program: their place in the order, and what they do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pulumi.dynamic.dynamic import serialize_provider
from pulumi_cutlist.aws.at_delete import DrainAtDelete, SweepAtDelete
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from cutlist_live.errors import NotSweptError, RefusedError
from tests.infrastructure.deletion_order import Part
from tests.infrastructure.graph import Graph
from tests.infrastructure.sweep_account import ACCOUNT, REGION, Cloud, Karpenter
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
import json, pathlib, pulumi
from pulumi_cutlist.aws import DrainGate, InterfacePass, Teardown

given = json.loads(pathlib.Path("given.json").read_text())
made = {}

def needs(name, *others):
    return pulumi.ResourceOptions(depends_on=[made[other] for other in others if [name, other] not in given["without"]])

def part(name, *others):
    made[name] = pulumi.CustomResource("test:index:Part", name, {}, needs(name, *others))

where = {"cluster_name": "shop", "region": "us-west-2", "account_id": "123456789012"}
part("network")
vpc = {**where, "vpc_id": made["network"].id}
made["last"] = InterfacePass("last", vpc, needs("last", "network"))
part("cluster", "network", "last")
part("early", "cluster")
part("capacity", "early", "cluster")
part("late", "capacity")
part("nodes", "cluster")
part("queue")
part("identity", "cluster", "nodes", "queue")
part("discovery", "network", "cluster")
made["sweep"] = Teardown("sweep", vpc, needs("sweep", "network", "cluster", "nodes", "discovery"))
part("crds", "cluster", "capacity", "sweep")
part("controller", "early", "capacity", "late", "nodes", "identity", "queue", "discovery", "sweep", "crds")
made["gate"] = DrainGate("gate", {**where, **given["gate"]}, needs("gate", "controller"))
part("classes", "gate", "nodes")
part("pools", "classes")
part("workloads", "pools")
"""

PARTS = {
    "network": Part.NETWORK,
    "last-interfaces": Part.LAST_INTERFACES,
    "cluster": Part.CLUSTER,
    "early": Part.EARLY_ADDONS,
    "capacity": Part.SYSTEM_CAPACITY,
    "late": Part.LATE_ADDONS,
    "nodes": Part.NODE_IDENTITY,
    "queue": Part.INTERRUPTION,
    "identity": Part.CONTROLLER_IDENTITY,
    "discovery": Part.DISCOVERY,
    "sweep-sweep": Part.SWEEP,
    "crds": Part.CRDS,
    "controller": Part.CONTROLLER,
    "gate-gate": Part.DRAIN_GATE,
    "classes": Part.NODE_CLASSES,
    "pools": Part.NODE_POOLS,
    "workloads": Part.WORKLOADS,
}


def lacking(recording: Recording) -> list[str]:
    parts = {urn: PARTS[one.name] for urn, one in recording.resources.items() if one.name in PARTS}
    return Graph.of(recording).lacks(parts)


@pytest.fixture
def run(tmp_path: Path):
    def make(playing: Mode = Mode.PREVIEW, *without: tuple[str, str], **gate: object) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        (tmp_path / "given.json").write_text(json.dumps({"without": without, "gate": gate}))
        return Program(tmp_path, tmp_path, "shop", "dev").run(playing)

    return make


def named(recording: Recording, name: str) -> Registration:
    [found] = [one for one in recording.resources.values() if one.name == name]
    return found


@pytest.mark.parametrize("mode", Mode)
def test_a_stack_with_the_edges_of_the_table_comes_down_in_order(run, mode):  # I-56 I-70
    recording = run(mode)
    assert {PARTS[one.name] for one in recording.resources.values() if one.name in PARTS} == set(Part)
    assert lacking(recording) == []


def test_the_interfaces_go_after_the_cluster_and_before_the_network(run):  # I-70
    recording = run()
    waves = Graph.of(recording).deletions()
    at = {recording.resources[urn].name: number for number, wave in enumerate(waves) for urn in wave}
    assert at["gate-gate"] < at["controller"] < at["sweep-sweep"] < at["cluster"] < at["last-interfaces"] < at["network"]


@pytest.mark.parametrize(
    ("without", "missing"),
    [
        (("cluster", "last"), "cluster (cluster) must be deleted before"),
        (("classes", "gate"), "EC2NodeClasses) must be deleted before"),
        (("sweep", "discovery"), "(discovery tags): otherwise classes are not Ready"),
    ],
)
def test_an_edge_that_is_left_out_is_noticed(run, without, missing):  # I-56
    found = lacking(run(Mode.PREVIEW, without))
    assert any(missing in line for line in found)


@pytest.mark.parametrize("mode", Mode)
def test_what_is_recorded_is_all_that_the_delete_needs(run, mode):
    """Nothing is asked of a cloud; the network alone may become known during an update."""
    recording = run(mode)
    sweep, last, gate = (named(recording, name) for name in ("sweep-sweep", "last-interfaces", "gate-gate"))
    where = {"cluster": "shop", "region": "us-west-2", "account": "123456789012"}
    for one in (sweep, last, gate):
        assert where.items() <= one.inputs.items()
    assert (sweep.inputs["scope"], last.inputs["scope"]) == ("all", "interfaces")
    assert (gate.inputs["mode"], gate.inputs["node_pools"], gate.inputs["minutes"]) == ("fail", [], 30)
    assert not has_unknowns(gate)
    assert has_unknowns(sweep) is (mode is Mode.PREVIEW)


def test_nothing_that_tears_down_is_skipped_or_kept(run):  # I-57
    """A resource with one of these options would vanish from the stack without its work."""
    for one in run().resources.values():
        assert not one.request.deletedWith
        assert not one.request.retainOnDelete


def test_the_engine_waits_longer_than_the_drain_does(run):  # I-57
    recording = run(Mode.PREVIEW, minutes=90)
    assert named(recording, "gate-gate").request.customTimeouts.delete == "100m"
    assert named(run(), "gate-gate").request.customTimeouts.delete == "40m"
    assert named(recording, "sweep-sweep").request.customTimeouts.delete == "45m"


def test_a_mode_that_there_is_not_is_refused_with_everything_else(run):
    with pytest.raises(InputError) as refused:
        run(Mode.PREVIEW, mode="delte", minutes=0)
    assert [str(problem) for problem in refused.value.problems] == [
        "minutes: 0 minutes; allowed: more than 0",
        "mode: unknown value 'delte'; allowed: fail, delete, ignore; did you mean delete?",
    ]


@pytest.mark.parametrize("provider", [SweepAtDelete(), DrainAtDelete()])
def test_a_stack_stores_the_name_of_the_handler_and_not_its_code(provider):
    """So that the Cutlist that is installed at the destroy does the work, whichever version made the stack."""
    assert len(serialize_provider(provider)) < 200
    assert not provider.serialize_as_secret_always
    assert type(provider).__module__ == "pulumi_cutlist.aws.at_delete"  # what stacks that were made before have stored


def test_only_another_cluster_is_another_resource():  # I-69
    """A replacement would sweep: a change of limits must not lead to one."""
    where = {"cluster": "shop", "region": REGION, "account": ACCOUNT}
    provider, old = SweepAtDelete(), {**where, "maximum_instances": 200, "__provider": "a"}
    unchanged = provider.diff("id", old, {**old, "__provider": "b"})
    more = provider.diff("id", old, {**old, "maximum_instances": 500})
    moved = provider.diff("id", old, {**old, "region": "eu-west-1"})
    assert (unchanged.changes, more.changes, more.replaces, moved.replaces) == (False, True, [], ["region"])
    assert provider.create(old).id == f"{ACCOUNT}/shop/{REGION}"


@pytest.fixture
def karpenter(aws_account: Cloud, monkeypatch: pytest.MonkeyPatch) -> Karpenter:
    """The account that the environment's credentials lead to."""
    aws_account.lead(monkeypatch)
    return Karpenter.of(aws_account)


def recorded(**more: object) -> dict[str, object]:
    """As the engine hands it over: numbers are floats."""
    where = {"cluster": "shop", "region": REGION, "account": ACCOUNT}
    return {**where, "scope": "all", "maximum_instances": 200.0, "vpc_id": None, **more}


def test_deleting_the_sweep_sweeps(karpenter):  # I-60
    left, others = karpenter.left("shop", 1), karpenter.left("shop-2", 1)
    SweepAtDelete().delete("id", recorded())
    assert not left.ids & karpenter.there()
    assert others.ids <= karpenter.there()


def test_a_refused_sweep_fails_the_delete_with_its_report(karpenter):  # I-62 I-63
    """The resource then stays in the stack, and the destroy can be repeated."""
    left = karpenter.left("shop", 1)
    with pytest.raises(NotSweptError, match="the credentials are of account"):
        SweepAtDelete().delete("id", recorded(account="999999999999"))
    assert left.ids <= karpenter.there()


def test_deleting_the_gate_of_a_cluster_that_is_gone_does_nothing(karpenter):
    gate = {**recorded(), "mode": "fail", "node_pools": [], "minutes": 30.0}
    DrainAtDelete().delete("id", gate)
    with pytest.raises(RefusedError):
        DrainAtDelete().delete("id", {**gate, "account": "999999999999"})
