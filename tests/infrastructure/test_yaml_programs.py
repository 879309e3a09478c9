"""Programs in YAML, run without an engine (pulumi 4.8)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from pulumi.output import Unknown
from pulumi_cutlist.program.language import Language
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.preview import preview

from cutlist.core.errors import InputError
from cutlist_cli import main
from tests.infrastructure.looked_up import lacking, run_with_look_ups

ROOT = Path(__file__).resolve().parents[2]
HEAD = "name: shop\nruntime: yaml\n"


@pytest.fixture
def run(tmp_path: Path):
    def made(source: str, config: dict[str, str] | None = None) -> Recording:
        return run_with_look_ups(tmp_path, HEAD + source, config, language=Language.YAML)

    return made


def inputs(recording: Recording, type_: str, name: str) -> dict[str, object]:
    return next(resource.inputs for resource in recording.of_type(type_) if resource.name == name)


VALUES = """
config:
  size: {type: integer, default: 2}
  env: {type: string, default: dev}
  listed: {type: array, items: {type: string}}
variables:
  joined: {"fn::join": ["-", [a, "${env}", "${size}"]]}
  picked: {"fn::select": [1, {"fn::split": [",", "x,y"]}]}
  packed: {"fn::toJSON": {b: "<${env}>", a: ["${size}", true]}}
  coded: {"fn::toBase64": "${env}"}
  plain: {"fn::fromBase64": "ZGV2"}
  nested: {one: [{"k.v": deep}]}
  text: {"fn::readFile": note.txt}
outputs:
  values: ["${joined}", "${picked}", "${packed}", "${coded}", "${plain}", "${text}", "${listed[1]}"]
  deep: ${nested.one[0]["k.v"]}
  dollar: a $${env} ${env}$
  where: ${pulumi.project}/${pulumi.stack}
  size: ${size}
  hidden: {"fn::secret": x}
"""


def test_values_are_those_of_pulumis_own_language_host(run, tmp_path):
    """Built-in functions, references into values, configuration in its declared type, and dollar signs."""
    (tmp_path / "note.txt").write_text("note\n")
    exports = run(VALUES, {"shop:listed": '["p", "q"]'}).exports
    assert exports["values"] == ["a-dev-2", "y", '{"a":[2,true],"b":"\\u003cdev\\u003e"}', "ZGV2", "dev", "note\n", "q"]
    assert (exports["deep"], exports["dollar"], exports["where"], exports["size"]) == ("deep", "a ${env} dev$", "shop/dev", 2)


RESOURCES = """
resources:
  use1:
    type: pulumi:providers:aws
    defaultProvider: true
    properties: {region: us-east-1, allowedAccountIds: ["111122223333"]}
  policy:
    type: aws:s3:BucketPolicy
    properties:
      bucket: ${bucket.bucket}
      policy: {"fn::toJSON": {Resource: "${bucket.arn}/*"}}
    options: {dependsOn: ["${role}"], protect: true, parent: "${bucket}"}
  bucket:
    type: aws:s3:Bucket
    name: logs
    properties: {bucket: "logs-${me.accountId}", tags: {zone: "${zones.names[0]}"}}
  role:
    type: aws:iam:Role
    properties: {assumeRolePolicy: "${trust}"}
    options: {ignoreChanges: [tags], retainOnDelete: true}
  vpc: {type: aws:ec2:Vpc, get: {id: vpc-0abc}}
  subnet:
    type: aws:ec2:Subnet
    properties: {vpcId: "${vpc.id}", cidrBlock: "${vpc.cidrBlock}", outpostArn: "${ami.arn}"}
  net: {type: "pulumi:pulumi:StackReference", properties: {name: org/net/prod}}
  group: {type: aws:ec2:SecurityGroup, properties: {vpcId: "${net.outputs[\\"vpcId\\"]}"}}
variables:
  me: {"fn::invoke": {function: aws:getCallerIdentity}}
  zones: {"fn::aws:getAvailabilityZones": {state: available}}
  ami: {"fn::invoke": {function: aws:ec2:getAmi, arguments: {mostRecent: true}}}
  trust:
    fn::invoke:
      function: aws:iam:getPolicyDocument
      arguments: {statements: [{actions: [sts:AssumeRole]}]}
      return: json
"""


def test_resources_are_registered_with_their_options_and_providers(run):
    """In an order that works, under their canonical types and the names that they are given."""
    recording = run(RESOURCES)
    bucket = inputs(recording, "aws:s3/bucket:Bucket", "logs")
    assert bucket == {"bucket": "logs-111122223333", "tags": {"zone": "us-east-1a"}}
    [policy] = recording.of_type("aws:s3/bucketPolicy:BucketPolicy")
    assert policy.parent.endswith("::logs")
    assert policy.request.protect
    assert isinstance(policy.inputs["policy"], Unknown)
    assert policy.request.provider.partition("::pulumi:providers:aws::")[2].startswith("use1")
    assert any(urn.endswith("Role::role") for urn in policy.request.dependencies)
    [role] = recording.of_type("aws:iam/role:Role")
    assert (list(role.request.ignoreChanges), role.request.retainOnDelete) == (["tags"], True)
    assert json.loads(role.inputs["assumeRolePolicy"])["Statement"] == [{"Effect": "Allow", "Action": "sts:AssumeRole"}]


def test_look_ups_without_an_answer_are_unknown_at_their_lines(run):
    recording = run(RESOURCES)
    assert inputs(recording, "aws:ec2/subnet:Subnet", "subnet")["vpcId"] == "vpc-0abc"
    assert lacking(recording, "vpc-0abc") == {"Subnet/subnet": ("cidrBlock",)}
    assert lacking(recording, "getAmi") == {"Subnet/subnet": ("outpostArn",)}
    assert lacking(recording, "org/net/prod") == {"SecurityGroup/group": ("vpcId",)}
    lines = {look_up.question.token: look_up.question.line for look_up in recording.book.look_ups}
    assert lines["aws:ec2/getAmi:getAmi"] == HEAD.count("\n") + RESOURCES[: RESOURCES.index("  ami:")].count("\n") + 1


def test_what_cannot_be_evaluated_is_named_and_unknown(run):
    recording = run('outputs: {id: {"fn::uuid": {}}}\n')
    assert isinstance(recording.exports["id"], Unknown)
    assert [log.message for log in recording.logs] == [
        "Pulumi.yaml:3: fn::uuid cannot be evaluated offline: what it gives is unknown here"
    ]


@pytest.mark.parametrize(
    "part", ["properties: [1]", "options: 3", "get: 3", "get: {id: a, state: [1]}", "options: {aliases: 3}"]
)
def test_a_part_of_another_form_is_a_mistake(run, part):
    with pytest.raises(InputError, match="is not a "):
        run(f"resources: {{a: {{type: aws:s3:Bucket, {part}}}}}\n")


def test_names_may_follow_each_other_in_order_and_not_endlessly_against_it(run):
    chain = [f"  v{number}: ${{v{number - 1}}}\n" for number in range(1, 1200)]
    assert run(f"variables:\n  v0: 1\n{''.join(chain)}outputs: {{o: '${{v1199}}'}}\n").exports == {"o": 1}
    with pytest.raises(InputError, match="nested too deeply; allowed: variables and resources in the order"):
        run(f"variables:\n{''.join(reversed(chain))}  v0: 1\n")


def test_all_mistakes_of_a_program_are_found_together(run):
    """Types, properties, outputs, references, circles and keys, each with its line and what may be meant."""
    source = """
resources:
  a: {type: aws:s3:Buckt}
  b: {type: aws:s3:Bucket, properties: {bukcet: x, tags: {k: "${nope.x}"}}, optoins: {}}
  c: {type: aws:ec2:Subnet, properties: {vpcId: "${b.arnn}"}}
  d: {properties: {}}
variables: {x: "${y}", y: "${x}"}
outputs: {o: "${b.arn"}
components: {own: {}}
"""
    with pytest.raises(InputError) as error:
        run(source)
    found = {problem.place.path: (problem.place.line, problem.nearest) for problem in error.value.problems}
    assert found == {
        "resources.a.type": (5, "aws:s3:Bucket"),
        "resources.b.properties.bukcet": (6, "bucket"),
        "resources.b.properties.tags.k": (6, ""),
        "resources.b.optoins": (6, "options"),
        "resources.c.properties.vpcId": (7, "arn"),
        "resources.d": (8, ""),
        "variables.x": (9, ""),
        "outputs.o": (10, ""),
        "components": (11, ""),
    }


@pytest.mark.parametrize(
    ("type_", "instead"),
    [
        ("kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v4:Chart"),
        ("kubernetes:apiextensions.k8s.io:CustomResource", "kubernetes:yaml/v2:ConfigGroup"),
        ("kubernetes:karpenter.sh/v1:NodePool", "cutlist:NodePool"),
    ],
)
def test_types_that_yaml_cannot_have_are_refused_with_what_to_write(run, type_, instead):
    with pytest.raises(InputError) as error:
        run(f'resources: {{a: {{type: "{type_}"}}}}\n')
    assert instead in error.value.problems[0].allowed


def test_components_of_other_processes_are_one_resource_with_unknown_outputs(run):
    """An engine asks the package of `eks` to make the cluster; a preview without one shows it without what is in it."""
    recording = run('resources: {c: {type: eks:Cluster, properties: {version: "1.35"}}}\noutputs: {k: "${c.kubeconfig}"}\n')
    [cluster] = recording.of_type("eks:index:Cluster")
    assert cluster.request.remote
    assert isinstance(recording.exports["k"], Unknown)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('{"fn::selct": [0, []]}', "no built-in function 'fn::selct'"),
        ('{"fn::select": [3, [a]]}', "no member 3 in a list of 1"),
        ('{"fn::join": [a]}', "not a list of two"),
        ('{"fn::join": ["-", b]}', "what is joined is not a list"),
        ('{"fn::split": [",", 3]}', "what is split is not a text"),
        ('{"fn::select": ["x", [a]]}', "not a whole number and a list"),
        ('{"fn::fromBase64": "#"}', "not a text in base64"),
        ('{"fn::split": [",", "${z}"]}', "what is split is not a text"),
        ('{"fn::invoke": {function: aws:getRegion, options: 3}}', "options of aws:getRegion is not a mapping"),
        ('{"fn::stackReference": [1, a]}', "the name of the stack is not a text"),
        ('{"fn::readFile": none.txt}', "cannot read 'none.txt'"),
        ('{"fn::readFile": ../secret}', "'../secret' is outside the project"),
        ('{"fn::invoke": {function: aws:ec2:getVpcx}}', "no function 'aws:ec2:getVpcx' in package aws"),
        ('{"fn::invoke": {}}', "has no function"),
        ("${v.b}", "v.b has no member 'b'"),
        ("${z.namez}", "z.namez has no member 'namez'"),
    ],
)
def test_a_value_that_cannot_be_computed_is_a_mistake_at_its_place(run, value, said):
    source = 'variables: {v: {a: 1}, z: {"fn::invoke": {function: aws:getAvailabilityZones}}}\n'
    with pytest.raises(InputError, match=said) as error:
        run(f"{source}outputs: {{o: {json.dumps(value) if value[0] == '$' else value}}}\n")
    assert error.value.problems[0].place.line == HEAD.count("\n") + 2


def test_cutlists_components_are_made_with_their_plan(tmp_path):
    """The project's example: a class, a NodePool that waits for it, and the nodes that it gives."""
    shutil.copytree(ROOT / "examples/yaml", tmp_path, dirs_exist_ok=True)
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    previewed = preview(tmp_path, "dev")
    [plan] = previewed.plans
    assert (plan.region, bool(plan.nodes)) == ("us-west-2", True)
    assert previewed.recording.exports["totals"]["nodes"] == plan.totals.nodes
    [pool] = previewed.recording.of_type("kubernetes:karpenter.sh/v1:NodePool")
    assert any("EC2NodeClass" in urn for urn in pool.request.dependencies)


OF_LOOK_UPS = """
resources:
  nodes:
    type: cutlist:NodeIdentity
    properties: {clusterName: shop, region: "${where.region}", accountId: "${me.accountId}"}
variables:
  where: {"fn::invoke": {function: aws:getRegion}}
  me: {"fn::invoke": {function: aws:getCallerIdentity}}
outputs: {role: "${nodes.roleName}"}
"""


@pytest.mark.parametrize("account", ["111122223333", ""])
def test_a_component_gets_what_look_ups_answer_as_plain_values(run, account):
    """As an engine gives them to the package's process: a region has to be known, an account may come later."""
    recording = run(OF_LOOK_UPS, {"aws:region": "eu-west-1", "aws:allowedAccountIds": f'["{account}"]' if account else ""})
    assert recording.exports["role"] == "KarpenterNodeRole-shop"
    assert (lacking(recording, "getCallerIdentity") == {}) is bool(account)


def test_mistakes_in_a_component_have_their_lines_and_what_a_preview_shows(tmp_path):
    (tmp_path / "Pulumi.yaml").write_text(
        f"{HEAD}resources:\n  k:\n    type: cutlist:KarpenterCluster\n    properties:\n      clusterName: shop\n"
        '      region: eu-wst-1\n      accountId: "1"\n      kubernetesVersion: "1.35"\n      admins: {}\n'
        "      charts: {replicsa: 3}\n      zonalshift: true\n"
    )
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    result = CliRunner().invoke(main, ["preview", "--stack", "dev", "--project-dir", str(tmp_path)])
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "Pulumi.yaml:8 resources.k.properties.region: no region 'eu-wst-1' is known" in said
    assert "Pulumi.yaml:9 resources.k.properties.accountId" in said
    assert "Pulumi.yaml:12 resources.k.properties.charts.replicsa: unknown input 'replicsa'" in said
    assert "did you mean zonalShift?" in said
    assert "Traceback" not in said


OF_CLUSTER = """
resources:
  batch:
    type: cutlist:AutoModeCluster
    properties:
      clusterName: batch
      region: eu-west-1
      accountId: "111122223333"
      kubernetesVersion: "1.35"
      admins: {ci: "arn:aws:iam::111122223333:role/ci"}
      nodePools:
        - apiVersion: karpenter.sh/v1
          kind: NodePool
          metadata: {name: own}
          spec: {template: {spec: {nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}}}}
outputs: {kubeconfig: "${batch.kubeconfig}"}
"""


@pytest.mark.parametrize(
    ("written", "wrong", "said"),
    [
        (
            "AutoModeCluster",
            "AutoModeClustr",
            "batch.type: no component 'cutlist:index:AutoModeClustr' in package cutlist; did ",
        ),
        ("clusterName", "cluster_name", "properties.cluster_name: unknown input 'cluster_name'; did you mean clusterName?"),
        ("batch.kubeconfig", "batch.kubeconfg", "AutoModeCluster has no output 'kubeconfg'; did you mean kubeconfig?"),
        ('"1.35"', "1.30", '.kubernetesVersion: 1.3 is not text; allowed: in quotes, "1.3" or "1.30"'),
        ("spec: {template: {spec:", "spec: {limit: 1, template: {spec:", ".nodePools[0] spec.limit: unknown field 'limit'"),
    ],
)
def test_a_mistake_about_a_component_has_its_place(run, written, wrong, said):
    """A plugin would not take Python's spelling, and an engine knows the outputs from the schema."""
    assert written in OF_CLUSTER
    with pytest.raises(InputError) as error:
        run(OF_CLUSTER.replace(written, wrong))
    found = {str(problem): problem.place.line for problem in error.value.problems if said in str(problem)}
    assert found, str(error.value)
    assert min(found.values()) > 0
