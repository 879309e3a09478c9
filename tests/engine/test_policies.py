"""A policy pack at the gate of a real engine: it hears of every resource, and what it refuses stops the preview."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pulumi
import pytest
from pulumi.automation import CommandError, Stack
from pulumi_aws.iam import Policy

from tests.engine.engine import ROOT, Engine, copied, program

pytestmark = pytest.mark.xdist_group("engine-policies")

RULES = """
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

def limited(args, report):
    if args.resource_type == "kubernetes:karpenter.sh/v1:NodePool" and "limits" not in set(args.props["spec"]):
        report(f"NodePool {args.name} has no limits")

RULE = ResourceValidationPolicy("limited", "every NodePool has limits", limited, EnforcementLevel.MANDATORY)
PolicyPack(name="small", policies=[RULE])
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with one rule."""
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "__main__.py").write_text(RULES)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of this repository's project."""
    return copied(tmp_path / "project")


@pytest.fixture
def stack(engine: Engine, project: Path) -> Iterator[Stack]:
    """The dev stack, of which nothing exists; it is removed after the test, so that the next one can have it."""
    made = engine.stack("dev", project, program(project))
    yield made
    made.workspace.remove_stack("dev")


def test_what_keeps_the_rules_passes(stack: Stack, pack: Path):
    """The preview ends well and names the packs. The repository's own reads the gates out of the stack's configuration, as an
    engine hands it over."""
    shown = stack.preview(color="never", policy_packs=[str(pack), str(ROOT / "policies")])
    assert "small" in shown.stdout
    assert "cutlist" in shown.stdout
    assert "NP-04" in shown.stdout  # advice in development
    assert "[mandatory]" not in shown.stdout
    assert shown.change_summary


def test_what_breaks_a_rule_is_refused_in_the_preview(stack: Stack, project: Path, pack: Path):
    """A NodePool without limits: the preview fails and says which rule, and which pool."""
    pools = project / "stacks" / "dev" / "node-pools.yaml"
    pools.write_text(pools.read_text().replace('  limits: {cpu: "64"}\n', ""))
    with pytest.raises(CommandError, match="NodePool eks-nodes-batch has no limits"):
        stack.preview(color="never", policy_packs=[str(pack)])


def test_the_repositorys_own_pack_stops_what_they_do_not_allow(stack: Stack, project: Path):
    """The same stack gated as strictly as can be: the preview fails by the rule that the gate without an engine names."""
    file = project / "stacks" / "Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("environment: development", "environment: production\n    profile: strict"))
    with pytest.raises(CommandError, match="NP-04"):
        stack.preview(color="never", policy_packs=[str(ROOT / "policies")])


def test_what_a_program_marks_as_secret_no_policy_repeats(engine: Engine, tmp_path: Path):
    """An engine sends the marks to a pack, under whatever name the value stands."""
    (tmp_path / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    (tmp_path / "Pulumi.marked.yaml").write_text("config: {cutlist:gates: {profile: recommended}}\n")
    statement = {"Effect": "Allow", "Action": "iam:PassRole", "Resource": "arn:aws:iam::111122223333:role/marked-*"}

    def of_secrets() -> None:
        Policy("rights", policy=pulumi.Output.secret(json.dumps({"Version": "2012-10-17", "Statement": [statement]})))

    stack = engine.stack("marked", tmp_path, of_secrets)
    with pytest.raises(CommandError) as refused:
        stack.preview(color="never", policy_packs=[str(ROOT / "policies")])
    stack.workspace.remove_stack("marked")
    assert "IF-01" in str(refused.value)
    assert "[secret]" in str(refused.value)
    assert "role/marked-" not in str(refused.value)
