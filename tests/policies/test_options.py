"""What Pulumi can do to a resource besides its inputs: the pack over its protocol and the gate without an engine see the same.

Unknown outputs, aliases, transforms, parents, references to other stacks, providers of one's own and options.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from cutlist_policies.gates import gates_of
from pulumi_cutlist.day import today
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources

from cutlist.policy.gates import Verdict, judge
from tests.infrastructure.test_gate import POOL
from tests.policies.pack import running

pytestmark = pytest.mark.xdist_group("pack")

PROGRAM: Final = """
import copy, json, pulumi, yaml
from pathlib import Path

GOOD = next(yaml.safe_load_all(Path(__file__).with_name("pool.yaml").read_text()))
ALL = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
EVERYTHING = json.dumps(ALL)
NODE_POOL, ROLE_POLICY = "kubernetes:karpenter.sh/v1:NodePool", "aws:iam/rolePolicy:RolePolicy"
INSTANCE, COMMAND = "aws:ec2/instance:Instance", "command:local:Command"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"


class Made(pulumi.CustomResource):
    def __init__(self, type_, name, inputs, **options):
        super().__init__(type_, name, inputs, pulumi.ResourceOptions(**options))


class Team(pulumi.ComponentResource):
    def __init__(self, name, **options):
        super().__init__("shop:index:Team", name, {}, pulumi.ResourceOptions(**options))


def pool(name, limits=GOOD["spec"]["limits"], **options):
    data = copy.deepcopy(GOOD)
    data["metadata"]["name"] = name
    data["spec"]["limits"] = limits
    return Made(NODE_POOL, name, data, **options)


def unlimited(args):
    if "spec" not in args.props:
        return None
    spec = {key: value for key, value in args.props["spec"].items() if key != "limits"}
    return pulumi.ResourceTransformationResult({**args.props, "spec": spec}, args.opts)


def larger(args):
    return pulumi.ResourceTransformResult({**args.props, "instanceType": "p5.48xlarge"}, args.opts)


other = Made("random:index/randomPet:RandomPet", "other", {})
stack = pulumi.StackReference("shop/network/prod")
provider = pulumi.ProviderResource("kubernetes", "elsewhere", {"renderYamlToDirectory": "out"})
aws = pulumi.ProviderResource("aws", "admin", {"region": "us-west-2", "assumeRole": {"roleArn": "arn:aws:iam::1:role/x"}})
team = Team("team")
moved = Team("moved", transformations=[unlimited])

pool("unknown-limits", {"cpu": other.id, "memory": "400Gi"})
pool("limits-of-a-stack", stack.get_output("limits"))
pool("limits-of-a-secret", pulumi.Output.secret({}))
pool("limits-of-an-output", pulumi.Output.from_input({"x": 1}).apply(lambda given: {}))
pool("renamed", {}, aliases=[pulumi.Alias(name="general")])
pool("of-another-parent", {}, aliases=[pulumi.Alias(parent=pulumi.ROOT_STACK_RESOURCE)], parent=team)
pool("transformed", transformations=[unlimited])
pool("transformed-by-its-parent", parent=moved)
pool("in-a-component", {}, parent=team)
pool("of-another-provider", {}, provider=provider)
pool("limits-ignored", ignore_changes=["spec.limits"])
pool("spec-ignored", ignore_changes=["spec"])
pool("all-ignored", ignore_changes=["*"])
pool("ignored-in-brackets", ignore_changes=['["spec"]["limits"]'])
pool("kept", {}, retain_on_delete=True, protect=True)
pool("imported", {}, import_="general")
pool("after-others", {}, depends_on=[other], delete_before_replace=True)

Made(INSTANCE, "unknown-type", {"instanceType": other.id})
Made(INSTANCE, "transformed-type", {"instanceType": "t3.micro"}, transforms=[larger])
Made(INSTANCE, "type-of-another-account", {"instanceType": "p5.48xlarge"}, provider=aws)
Made(ROLE_POLICY, "unknown-policy", {"role": "apps", "policy": other.id})
Made(ROLE_POLICY, "policy-in-part", {"role": "apps", "policy": pulumi.Output.json_dumps({**ALL, "Id": other.id})})
Made(ROLE_POLICY, "secret-policy", {"role": "apps", "policy": pulumi.Output.secret(EVERYTHING)})
Made(ROLE_POLICY, "policy-by-an-output", {"role": "apps", "policy": pulumi.Output.from_input(EVERYTHING)})
Made(ROLE_POLICY, "policy-of-an-alias", {"role": "a", "policy": EVERYTHING}, aliases=["urn:pulumi:dev::demo::x:y:Z::old"])
Made(ATTACHMENT, "policy-of-a-stack", {"role": "apps", "policyArn": stack.get_output("policyArn")})
Made(COMMAND, "unknown-command", {"create": other.id})
Made(COMMAND, "command-in-part", {"create": pulumi.Output.concat("kubectl patch nodepool ", "general")})
Made("kubernetes:yaml/v2:ConfigGroup", "unknown-yaml", {"yaml": other.id})
"""
SEEN: Final = {
    "all-ignored": "OB-04",
    "after-others": "NP-01",
    "command-in-part": "OB-04",
    "ignored-in-brackets": "OB-04",
    "imported": "NP-01",
    "in-a-component": "NP-01",
    "kept": "NP-01",
    "limits-ignored": "OB-04",
    "limits-of-a-secret": "NP-01",
    "limits-of-an-output": "NP-01",
    "of-another-parent": "NP-01",
    "of-another-provider": "NP-01",
    "policy-by-an-output": "IF-21",
    "policy-of-an-alias": "IF-21",
    "renamed": "NP-01",
    "secret-policy": "IF-21",
    "spec-ignored": "OB-04",
    "transformed": "NP-01",
    "transformed-by-its-parent": "NP-01",
    "transformed-type": "NP-18",
    "type-of-another-account": "NP-18",
}
"""The rule that speaks of each trick whose values are known."""
LEFT_OPEN: Final = {
    "limits-of-a-stack": "NP-01",
    "policy-in-part": "IF-21",
    "policy-of-a-stack": "IF-21",
    "unknown-command": "OB-04",
    "unknown-limits": "NP-01",
    "unknown-policy": "IF-21",
    "unknown-type": "NP-18",
    "unknown-yaml": "OB-02",
}
"""The rule that says of each other trick that it cannot tell."""
_OFFLINE_ALONE: Final = ("IF-16",)
"""Rules about options that an engine does not show to a pack: docs/gates.md."""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[str, str]]]:
    """Rule and name of the resource of every violation, of the pack and of the gate without an engine, and what that leaves
    open."""
    folder: Path = tmp_path_factory.mktemp("program")
    (folder / "pool.yaml").write_text(POOL)
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "Pulumi.yaml").write_text("name: cutlist\nruntime: python\n")
    recording = Program(folder, folder, "cutlist", "dev").run(Mode.PREVIEW)
    report = judge(recorded_resources(recording), gates_of({}, "cutlist"), today())
    with running() as started:
        pack = started.program(recording)

    def of(verdict: Verdict) -> set[tuple[str, str]]:
        found = (outcome for outcome in report.outcomes if outcome.verdict is verdict)
        return {(outcome.rule, outcome.about.rpartition("/")[2]) for outcome in found}

    by_pack = {(rule, sentence.partition(":")[0].rpartition("/")[2]) for rule, sentence, _ in pack.violations}
    open_ = {(rule, "") for rule in (*pack.unknown, *pack.not_applicable)}
    return {"offline": of(Verdict.VIOLATED), "open": of(Verdict.UNKNOWN), "pack": by_pack, "open in the pack": open_}


def test_both_ways_find_the_same(said: dict[str, set[tuple[str, str]]]) -> None:
    offline = {(rule, name) for rule, name in said["offline"] if rule not in _OFFLINE_ALONE}
    assert said["pack"] == offline


@pytest.mark.parametrize(("name", "rule"), SEEN.items())
def test_a_trick_of_known_values_is_found(said: dict[str, set[tuple[str, str]]], name: str, rule: str) -> None:
    assert (rule, name) in said["offline"] & said["pack"]


@pytest.mark.parametrize(("name", "rule"), LEFT_OPEN.items())
def test_a_trick_of_unknown_values_is_open(said: dict[str, set[tuple[str, str]]], name: str, rule: str) -> None:
    assert (rule, name) in said["open"]
    assert (rule, "") in said["open in the pack"]
