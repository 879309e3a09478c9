"""Stacks for EKS Auto Mode: its node classes as components, and what EKS makes by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.stack_file import load

from cutlist.providers.eks_auto import DEFAULT_PROFILE
from cutlist_cli import main
from tests.infrastructure.unknowns import has_unknowns
from tests.unit.planning.manifests import NODE_CLASS, auto_pool, deployment
from tests.unit.planning.manifests import pool as self_managed_pool
from tests.unit.planning.test_auto_mode import NOT_AUTO, ON_AUTO

ROOT = Path(__file__).resolve().parents[2]
OWN_CLASS = """
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: default-storage}
spec:
  role: NodeRole
  subnetSelectorTerms: [{tags: {team: a}}]
  securityGroupSelectorTerms: [{tags: {team: a}}]
"""
MANAGED_POOL = auto_pool(name="general-purpose").replace(
    "{name: general-purpose}", "{name: general-purpose, labels: {app.kubernetes.io/managed-by: eks}}"
)
STACK = """
config:
  cutlist:region: us-west-2
  cutlist:nodePools: [stacks/auto/pools.yaml]
  cutlist:workloads: [stacks/auto/app.yaml]
"""
CLASS = "cutlist:index:AutoNodeClass"
EC2_CLASS = "cutlist:index:EC2NodeClass"
POOL = "cutlist:index:NodePool"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("Pulumi.yaml", "__main__.py"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "stacks/auto").mkdir(parents=True)
    (tmp_path / "stacks/auto/app.yaml").write_text(deployment("a", extra=ON_AUTO))
    (tmp_path / "stacks/Pulumi.auto.yaml").write_text(STACK)
    return tmp_path


def record(project: Path, *objects: str, stack: str = "", mode: Mode = Mode.PREVIEW) -> Recording:
    if objects:
        (project / "stacks/auto/pools.yaml").write_text("\n---\n".join(objects))
    settings = STACK if objects else STACK.replace("[stacks/auto/pools.yaml]", "[]")
    (project / "stacks/Pulumi.auto.yaml").write_text(settings + stack)
    file = load(project, "auto")
    assert file.problems == ()
    return Program(file.program, file.root, file.project, file.stack, file.config, file.secrets).run(mode)


def preview(project: Path) -> Result:
    return CliRunner().invoke(main, ["preview", "--stack", "auto", "--project-dir", str(project)])


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_a_node_class_of_auto_mode_is_a_component(project, mode):
    """The object is its child as it was written, and the NodePool that refers to it waits for it."""
    recording = record(project, OWN_CLASS, auto_pool(node_class="default-storage"), mode=mode)
    [component] = recording.of_type(CLASS)
    [child] = recording.children(component.urn)
    assert (child.type, child.name) == ("kubernetes:eks.amazonaws.com/v1:NodeClass", "default-storage")
    assert child.inputs["spec"]["role"] == "NodeRole"
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    assert list(pool.request.dependencies) == [child.urn]
    assert not has_unknowns(pool)


def test_a_pool_of_the_managed_class_waits_for_nothing(project):
    """The class that EKS makes is not a resource of the stack; the NodePool keeps its reference."""
    recording = record(project, auto_pool())
    assert recording.of_type(CLASS) == []
    [pool] = recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    assert list(pool.request.dependencies) == []
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "default"


def test_each_pool_waits_for_the_class_of_its_own_kind(project):
    """A NodeClass and an EC2NodeClass may share a name."""
    own = OWN_CLASS.replace("default-storage", "shared")
    theirs = NODE_CLASS.replace("name: default", "name: shared")
    pools = (auto_pool(node_class="shared"), self_managed_pool("own").replace("name: default", "name: shared"))
    (project / "stacks/auto/app.yaml").write_text(deployment("a", extra=ON_AUTO) + "---" + deployment("b", extra=NOT_AUTO))
    recording = record(project, own, theirs, *pools)
    [auto], [ec2] = (recording.children(c.urn) for kind in (CLASS, EC2_CLASS) for c in recording.of_type(kind))
    waits = {p.name: list(p.request.dependencies) for p in recording.of_type("kubernetes:karpenter.sh/v1:NodePool")}
    assert waits == {"auto": [auto.urn], "own": [ec2.urn]}


def test_built_in_pools_are_planned_and_not_made(project):
    """EKS makes them itself: the plan has their nodes, the stack no resource of them."""
    recording = record(project, stack="  cutlist:builtInPools: [general-purpose]\n")
    assert list(recording.exports["plan"]["nodePools"]) == ["general-purpose"]
    assert recording.of_type(POOL) == []


def test_what_eks_made_and_somebody_saved_is_not_made_again(project):
    """A built-in NodePool read back from a cluster has the label of EKS and stays EKS's."""
    managed = OWN_CLASS.replace("{name: default-storage}", "{name: default, labels: {app.kubernetes.io/managed-by: eks}}")
    recording = record(project, managed, MANAGED_POOL)
    assert list(recording.exports["plan"]["nodePools"]) == ["general-purpose"]
    assert recording.of_type(POOL) == recording.of_type(CLASS) == []


def test_the_profile_is_a_setting(project):
    """What nodes keep for themselves decides how many there are: 1480m of a c5.large are for pods, or 1780m."""
    (project / "stacks/auto/app.yaml").write_text(deployment("a", cpu="1600m", extra=ON_AUTO))
    assert record(project, auto_pool()).exports["plan"]["pending"] != {}
    assert record(project, auto_pool(), stack="  cutlist:overheadProfile: 2025-node\n").exports["plan"]["pending"] == {}


def test_mistaken_settings_are_reported_where_they_stand(project):
    """Both names are checked against what there is, with line, path and the nearest."""
    wrong = "  cutlist:builtInPools: [system, general]\n  cutlist:overheadProfile: 2025-nodes\n"
    (project / "stacks/Pulumi.auto.yaml").write_text(STACK + wrong)
    result = preview(project)
    reported = " ".join(result.stderr.split())
    places = "".join(result.stderr.split())  # long paths are broken where the width ends
    assert (result.exit_code, result.stdout) == (2, "")
    assert "stacks/Pulumi.auto.yaml:6config.cutlist:builtInPools[1]:" in places
    assert "unknown builtInPools 'general'" in reported
    assert "allowed: general-purpose, system" in reported
    assert "stacks/Pulumi.auto.yaml:7config.cutlist:overheadProfile:" in places
    assert "unknown overheadProfile '2025-nodes'" in reported
    assert "did you mean 2025-node?" in reported


def test_the_projects_default_is_the_planners(project):
    """A stack that names no profile plans as `cutlist plan` does."""
    assert load(project, "auto").config["cutlist:overheadProfile"] == DEFAULT_PROFILE
