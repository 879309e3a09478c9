"""The page about clusters: its programs run, and the types it names exist."""

from __future__ import annotations

import re

import pulumi_aws
import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT

from tests.documentation import section
from tests.infrastructure.aws_stand_in import run

PAGE = section("cluster.md", "The cluster")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("mode", Mode)
def test_the_programs_on_the_page_run(tmp_path, mode):
    body = "\n".join(program for program in PROGRAMS if not any(word in program for word in ("pulumi_eks", "import_=")))
    recording = run(tmp_path, body, mode)
    made = {(r.type.rsplit(":", 1)[1], r.name) for r in recording.resources.values() if r.type.startswith("cutlist:")}
    protections = {("Protection", f"{name}-protection{HOW_TO_LIFT}") for name in ("shop", "batch")}
    assert made == {("Cluster", "shop"), ("AutoMode", "batch"), ("AdoptedCluster", "old"), *protections}


def test_parts_of_a_component_are_imported_by_type_and_name(tmp_path):
    """Those that the program on the page names, a role, a VPC and a cluster, and nothing else."""
    [program] = [program for program in PROGRAMS if "import_=" in program]
    resources = run(tmp_path, program, Mode.PREVIEW).resources.values()
    assert {(one.type, one.request.importId) for one in resources if one.request.importId} == {
        ("aws:ec2/vpc:Vpc", "vpc-0a1b2c3d4e5f60718"),
        ("aws:eks/cluster:Cluster", "taken"),
        ("aws:iam/role:Role", "KarpenterNodeRole-taken"),
    }


def test_the_program_with_pulumi_eks_on_the_page_runs(tmp_path):
    """In a preview: what its component turns out to have, only its own provider knows."""
    [program] = [program for program in PROGRAMS if "pulumi_eks" in program]
    made = run(tmp_path, program, Mode.PREVIEW).resources.values()
    assert {"eks:index:Cluster", "cutlist:index:KarpenterCluster"} <= {one.type for one in made}


@pytest.mark.parametrize("token", sorted(set(re.findall(r"`(aws:[^`]+)`", PAGE))))
def test_the_types_to_import_are_those_of_the_sdk(token):
    """The module's folder and class of a token are those that a program would import."""
    module, kind = re.fullmatch(r"aws:(\w+)/\w+:(\w+)", token).groups()
    assert hasattr(getattr(pulumi_aws, module), kind)
