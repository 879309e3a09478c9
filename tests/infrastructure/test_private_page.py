"""The page on private clusters: what it shows of the stack `private`, what it tells of mistakes, and what it has one copy."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml
from click.testing import CliRunner
from pulumi_cutlist.program.offline import Mode

from cutlist.infrastructure.endpoints import REQUIRED
from cutlist_cli import main
from tests.documentation import section
from tests.infrastructure.joined_program import ADMINS, NEW, OBJECTS, SUBNETS, WHERE, joined
from tests.infrastructure.projects import ROOT, record
from tests.infrastructure.test_karpenter_cluster import MIRRORED, mistakes, profiled

PAGE = section("cluster.md", "A private cluster")
COST, FORGOTTEN, ROLE, WATCHED = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [shlex.split(line) for line in re.findall(r"^\$ cutlist ((?:preview|gate) .*)$", PAGE, re.MULTILINE)]
RELEASE = "kubernetes:helm.sh/v3:Release"
PRIVATE = {**NEW, **OBJECTS, "network": {"own": {"nat": "none"}}}


@pytest.fixture(scope="module")
def stack():
    return record(ROOT, "private", Mode.PREVIEW)


@pytest.mark.parametrize(("command", "shown"), list(zip(COMMANDS, [COST, "Passed: "], strict=True)), ids=["preview", "gate"])
def test_commands_on_the_page_answer(command, shown, monkeypatch):
    """The preview with the very costs of the page; the gates let the stack pass."""
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert shown in result.stdout


def test_the_page_shows_what_the_stack_file_says():
    """The sections that make the cluster a private one."""
    (shown,) = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    said = yaml.safe_load((ROOT / "stacks" / "Pulumi.private.yaml").read_text())["config"]["cutlist:karpenterCluster"]
    assert shown == {key: said[key] for key in shown}


def test_the_stack_makes_the_endpoints_and_no_gateway(stack):  # K-30
    """As many as the page counts, and the one of S3."""
    services = {
        one.inputs["serviceName"].partition("eu-central-1.")[2] for one in stack.of_type("aws:ec2/vpcEndpoint:VpcEndpoint")
    }
    assert services == {endpoint.name for endpoint in REQUIRED}
    assert len(services) == 8 + 1
    assert stack.of_type("aws:ec2/natGateway:NatGateway") == []
    assert stack.of_type("aws:ec2/internetGateway:InternetGateway") == []


def test_what_is_forgotten_is_reported_in_the_words_of_the_page():
    problems = mistakes({**PRIVATE, "static_profile": False})
    assert sorted(problems.values()) == FORGOTTEN.splitlines()
    problems = mistakes({**PRIVATE, "charts": MIRRORED})
    assert list(problems.values()) == ROLE.splitlines()


def test_what_could_not_start_is_refused_in_the_words_of_the_page():
    """In Auto Mode too, and in a VPC that is adopted; with internet access it is taken."""
    watched = {"observability": {"grafana_password": "secret"}}
    alone = {"vpc_id": "vpc-01", "private_subnets": [{**subnet, "has_default_route": False} for subnet in SUBNETS]}
    auto = {**WHERE, "kubernetes_version": "1.35", "admins": ADMINS, **watched}
    for network in (PRIVATE["network"], {"adopted": {**alone, "endpoints": [endpoint.name for endpoint in REQUIRED]}}):
        problems = mistakes({**PRIVATE, **watched, "node_classes": [profiled()], "charts": MIRRORED, "network": network})
        assert list(problems.values()) == WATCHED.splitlines()
        problems = mistakes({**auto, "network": network}, "AutoModeCluster")
        assert list(problems.values()) == WATCHED.splitlines()
    assert joined("AutoModeCluster", auto).of_type("cutlist:index:Observability")


def test_what_is_copied_is_what_the_stack_asks_for(stack):
    """Both charts and the image, from where they are public, at the version of the stack, to where the stack looks."""
    pulled = dict(re.findall(r"^\$ helm pull (oci://\S+) --version (\S+)$", PAGE, re.MULTILINE))
    pushed = {f"{to}/{chart}": version for chart, version, to in re.findall(r"helm push (\S+?)-(\d\S+)\.tgz (\S+)", PAGE)}
    asked = {one.inputs["chart"]: one.inputs["version"] for one in stack.of_type(RELEASE)}
    assert pushed == asked
    assert pulled == {f"oci://public.ecr.aws/karpenter/{chart.rpartition('/')[2]}": asked[chart] for chart in asked}
    [controller] = [one for one in stack.of_type(RELEASE) if one.inputs["name"] == "karpenter"]
    [(source, target)] = re.findall(r"crane copy (\S+) (\S+)", PAGE)
    assert target == f"{controller.inputs['values']['controller']['image']['repository']}:{controller.inputs['version']}"
    assert source == f"public.ecr.aws/karpenter/controller:{controller.inputs['version']}"
