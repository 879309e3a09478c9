"""The page about clusters in one call: its programs run, and its tables name what there is."""

from __future__ import annotations

import re

import pytest
from pulumi_cutlist import aws, kubernetes
from pulumi_cutlist.aws import KarpenterClusterArgs
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT, Protection
from pulumi_cutlist.recorded.recording import Recording

from tests.documentation import section
from tests.infrastructure.aws_stand_in import run

PAGE = section("karpenter-cluster.md", "A cluster in one call")
CALLS = (
    "One call",
    "Reserved machines",
    "Inputs from other resources",
    "Who updates, and from where",
    "On an existing cluster",
    "In Auto Mode",
)
PROGRAMS = re.findall(r"```python\n(.*?)```", section("karpenter-cluster.md", *CALLS), re.DOTALL)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    return [run(tmp_path_factory.mktemp("page"), body, Mode.PREVIEW) for body in PROGRAMS]


def components(recording: Recording) -> set[str]:
    return {one.type.rpartition(":")[2] for one in recording.resources.values() if one.type.startswith("cutlist:")}


def test_the_programs_on_the_page_run(recordings):
    """Each by itself, without an account: a new cluster, one with reserved machines, one in a VPC of the same program, one in
    another account, an adopted one, one in Auto Mode."""
    made = [
        components(recording) & {"KarpenterCluster", "Cluster", "AdoptedCluster", "AutoModeCluster"} for recording in recordings
    ]
    new, adopted = {"KarpenterCluster", "Cluster"}, {"KarpenterCluster", "AdoptedCluster"}
    assert made == [new, new, new, new, adopted, {"AutoModeCluster"}]


def test_the_table_of_parts_is_what_one_call_makes(recordings):
    """Every part has a row, and every row is a part; single objects and what asks for nothing by itself have none."""
    table = PAGE.partition("| part |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.partition("|")[2].partition("|")[0])}
    without_row = {"KarpenterCluster", "NodePool", "EC2NodeClass", Protection.__name__}
    assert named == (components(recordings[0]) - without_row) | {"ExternalDnsIdentity", "Observability"}
    assert all(hasattr(aws, name) or hasattr(kubernetes, name) for name in named)


def test_the_table_of_inputs_has_all_of_them():
    table = PAGE.partition("| theme |")[2].partition("\n\n")[0]
    assert set(KarpenterClusterArgs.__annotations__) <= set(re.findall(r"`(\w+)`", table))


def test_the_page_says_what_protects(recordings):
    """The resource that a destroy of production ends at, and that of the cluster by itself."""
    protections = {one.name for one in recordings[0].of_type("cutlist:index:Protection")}
    assert protections == {f"shop-protection{HOW_TO_LIFT}", f"shop-cluster-protection{HOW_TO_LIFT}"}
