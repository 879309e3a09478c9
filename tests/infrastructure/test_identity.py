"""Identities and the interruption queue as resources: what is registered, with which options, in a preview and in an update."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from pulumi_cutlist.program.offline import Echo, Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.core.errors import InputError
from tests.documentation import section
from tests.infrastructure.aws_stand_in import accepted
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
import json, pathlib, pulumi
from pulumi_cutlist.aws import ControllerIdentity, Interruption, NodeIdentity

given = json.loads(pathlib.Path("inputs.json").read_text())
cluster = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "111122223333", **given.get("cluster", {})}
nodes = NodeIdentity("nodes", {**cluster, **given.get("nodes", {})})
controller = {**cluster, "karpenter_version": "1.14.1"}
warnings = Interruption("warnings", {**controller, **given.get("warnings", {})})
identity = ControllerIdentity(
    "controller",
    {
        **controller,
        "node_role_arns": [nodes.role_arn],
        "queue_arn": warnings.queue_arn,
        **({"queue_key_arn": warnings.queue_key_arn} if given.get("warnings", {}).get("encryption") else {}),
        **given.get("controller", {}),
    },
)
pulumi.CustomResource(
    "test:index:Release", "release", {}, pulumi.ResourceOptions(depends_on=[nodes, warnings, identity])
)
for name, component in {"nodes": nodes, "warnings": warnings, "controller": identity}.items():
    for output in ("role_name", "role_arn", "instance_profile_name", "queue_name", "queue_arn", "queue_key_arn", "rule_arns",
                   "service_account_annotations", "identity_hash", "documents_hash", "entry_type"):
        if hasattr(component, output):
            pulumi.export(f"{name}.{output}", getattr(component, output))
pulumi.export("admits", nodes.access_entry is not None)
"""
COMPUTED = {
    "aws:iam/role:Role": {"arn": "arn:aws:iam::111122223333:role/made", "uniqueId": "AROA1", "name": "made"},
    "aws:sqs/queue:Queue": {"arn": "arn:aws:sqs:eu-west-1:111122223333:made", "name": "made"},
    "aws:cloudwatch/eventRule:EventRule": {"arn": "arn:aws:events:eu-west-1:111122223333:rule/made"},
    "aws:kms/key:Key": {"arn": "arn:aws:kms:eu-west-1:111122223333:key/made", "keyId": "made"},
    "aws:iam/policy:Policy": {"arn": "arn:aws:iam::111122223333:policy/made"},
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": {"associationId": "a-1"},
}
ROLE = "aws:iam/role:Role"
POLICY = "aws:iam/policy:Policy"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ENTRY = "aws:eks/accessEntry:AccessEntry"
ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
QUEUE = "aws:sqs/queue:Queue"
QUEUE_POLICY = "aws:sqs/queuePolicy:QueuePolicy"
RULE = "aws:cloudwatch/eventRule:EventRule"
TARGET = "aws:cloudwatch/eventTarget:EventTarget"
PATCH = "kubernetes:core/v1:ConfigMapPatch"


class Cloud(Echo):
    """A provider that keeps what a program gave and adds what it could not know."""

    def new_resource(self, args):
        id_, outputs = super().new_resource(args)
        url = {"url": f"https://sqs/111122223333/{args.name}"} if id_ and args.typ == QUEUE else {}
        return id_, {**outputs, **url, **args.inputs}


@pytest.fixture
def run(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, computed: dict[str, dict[str, str]] | None = None, **inputs: object) -> Recording:
        (tmp_path / "__main__.py").write_text(PROGRAM)
        (tmp_path / "inputs.json").write_text(json.dumps(inputs))
        made = {token: {**outputs, **(computed or {}).get(token, {})} for token, outputs in COMPUTED.items()}
        return accepted(Program(tmp_path, tmp_path, "shop", "dev").run(mode, Cloud(mode, made)))

    return make


def only(recording: Recording, token: str) -> Registration:
    (found,) = recording.of_type(token)
    return found


def named(recording: Recording, token: str, name: str) -> Registration:
    return next(r for r in recording.of_type(token) if r.name == name)


def reachable(recording: Recording, start: Registration) -> set[str]:
    """The URNs that a resource waits for, directly or by way of others."""
    found: set[str] = set()
    todo = list(start.request.dependencies)
    while todo:
        urn = todo.pop()
        if urn not in found:
            found.add(urn)
            todo.extend(recording.resources[urn].request.dependencies)
    return found


@pytest.mark.parametrize("mode", Mode)
def test_what_decides_is_known_in_a_preview(run, mode):
    """Names, trust, documents and rules are complete before anything is made; in an update nothing is unknown."""
    recording = run(mode)
    unknown = {r.name for r in recording.resources.values() if has_unknowns(r)}
    attachments = {r.name for r in recording.of_type(ATTACHMENT) if r.name.startswith("controller-")}
    expected = {"warnings-policy", *attachments} if mode is Mode.PREVIEW else set()
    assert unknown == expected
    for policy in recording.of_type(POLICY):
        assert json.loads(policy.inputs["policy"])["Statement"]
    assert recording.exports["nodes.role_name"] == "KarpenterNodeRole-shop"
    assert recording.exports["warnings.queue_name"] == "shop"  # I-41
    assert len(recording.exports["warnings.rule_arns"]) == 5
    assert len(recording.exports["controller.documents_hash"]) == 16


@pytest.mark.parametrize(
    ("region", "partition", "service"),
    [
        ("eu-west-1", "aws", "ec2.amazonaws.com"),
        ("cn-north-1", "aws-cn", "ec2.amazonaws.com.cn"),
        ("us-gov-west-1", "aws-us-gov", "ec2.amazonaws.com"),
    ],
)
def test_every_arn_is_of_the_partition(run, region, partition, service):  # I-16 I-40
    recording = run(cluster={"region": region})
    trust = json.loads(named(recording, ROLE, "nodes-role").inputs["assumeRolePolicy"])
    assert trust["Statement"][0]["Principal"] == {"Service": service}
    given = [r for r in recording.resources.values() if r.type.startswith("aws:") and r.type != ATTACHMENT]
    texts = [json.dumps(r.inputs) for r in given] + [
        named(recording, ATTACHMENT, "nodes-AmazonEKSWorkerNodePolicy").inputs["policyArn"]
    ]
    assert all(
        text.replace("arn:aws:sqs:eu-west-1:111122223333:made", "").count("arn:") == text.count(f"arn:{partition}:")
        for text in texts
    )
    (allow, _) = json.loads(only(recording, QUEUE_POLICY).inputs["policy"])["Statement"]
    assert allow["Principal"] == {"Service": "events.amazonaws.com"}


def policies_of_nodes(recording: Recording) -> set[str]:
    return {r.inputs["policyArn"].rpartition("/")[2] for r in recording.of_type(ATTACHMENT) if r.name.startswith("nodes-")}


def test_nodes_get_the_policies_that_they_need(run):  # I-16 I-17 K-12
    usual = {"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"}
    assert policies_of_nodes(run()) == usual | {"AmazonEKS_CNI_Policy", "AmazonSSMManagedInstanceCore"}
    assert policies_of_nodes(run(nodes={"cni_has_identity": True, "sessions": False})) == usual
    own = "arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy"
    assert "CloudWatchAgentServerPolicy" in policies_of_nodes(run(nodes={"extra_policy_arns": [own]}))
    ipv6 = run(nodes={"ip_family": "ipv6"})
    assert "AmazonEKS_CNI_Policy" not in policies_of_nodes(ipv6)
    assert "ec2:AssignIpv6Addresses" in only(ipv6, "aws:iam/rolePolicy:RolePolicy").inputs["policy"]


@pytest.mark.parametrize(("family", "kind"), [("Bottlerocket", "EC2_LINUX"), ("Windows2022", "EC2_WINDOWS")])
def test_the_access_entry(run, family, kind):  # I-18 I-19 I-20 K-14 K-15
    """Its type follows the images, EKS chooses name and groups, and a new role makes a new entry."""
    recording = run(nodes={"ami_families": [family], "path": "/team/"})
    entry = only(recording, ENTRY)
    arn = "arn:aws:iam::111122223333:role/team/KarpenterNodeRole-shop"
    assert entry.inputs == {"region": "eu-west-1", "clusterName": "shop", "principalArn": arn, "type": kind}
    assert entry.request.deleteBeforeReplace
    assert entry.request.replacement_trigger.string_value == "AROA1"
    assert named(recording, ROLE, "nodes-role").urn in entry.request.dependencies
    renewed = run(nodes={"ami_families": [family], "path": "/team/"}, computed={ROLE: {"uniqueId": "AROA2"}})
    assert only(renewed, ENTRY).request.replacement_trigger.string_value == "AROA2"


def test_a_role_of_a_node_group_has_its_entry_already(run):  # I-21
    """A second one would fail, and the message says why."""
    recording = run(nodes={"node_group_role": True})
    assert recording.of_type(ENTRY) == []
    assert recording.exports["admits"] is False
    assert any("EKS made the access entry" in log.message for log in recording.logs)


def test_nodes_join_an_old_cluster_by_its_map(run):  # I-24
    other = {"rolearn": "arn:aws:iam::111122223333:role/admin", "username": "admin", "groups": ["system:masters"]}
    recording = run(nodes={"authentication_mode": "CONFIG_MAP", "other_map_roles": [other], "path": "/team/"})
    assert recording.of_type(ENTRY) == []
    patch = only(recording, PATCH)
    assert (patch.inputs["metadata"]["namespace"], patch.inputs["metadata"]["name"]) == ("kube-system", "aws-auth")
    lines = yaml.safe_load(patch.inputs["data"]["mapRoles"])
    assert [line["rolearn"] for line in lines] == [other["rolearn"], "arn:aws:iam::111122223333:role/KarpenterNodeRole-shop"]
    assert patch.request.retainOnDelete  # taking the text back would lock everybody out


@pytest.mark.parametrize("inputs", [{}, {"other_map_roles": [], "map_owner": "pulumi_eks"}])
def test_the_map_is_not_touched_when_that_could_lock_out(run, inputs):  # I-24
    with pytest.raises(InputError):
        run(nodes={"authentication_mode": "CONFIG_MAP", **inputs})


def test_a_static_profile(run):  # I-23
    """NodeClasses name the profile; the controller may give the role, and write no profile."""
    recording = run(nodes={"static_profile": True}, controller={"without": ["instance-profiles"]})
    profile = only(recording, "aws:iam/instanceProfile:InstanceProfile")
    assert profile.inputs["role"] == "KarpenterNodeRole-shop"
    assert recording.exports["nodes.instance_profile_name"] == "KarpenterNodeProfile-shop"
    document = json.loads(named(recording, POLICY, "controller-IAMIntegration").inputs["policy"])
    assert [statement["Sid"] for statement in document["Statement"]] == ["AllowPassingInstanceRole"]
    assert "nodes.instance_profile_name" not in run().exports  # an output without a value


def test_the_controllers_policies(run):  # I-30
    """A policy and an attachment for each document; none for what the cluster does not have."""
    recording = run()
    parts = ["EKSIntegration", "IAMIntegration", "Interruption", "NodeLifecycle", "ResourceDiscovery"]
    assert [policy.name for policy in recording.of_type(POLICY)] == [f"controller-{part}" for part in parts]
    assert [policy.inputs["name"] for policy in recording.of_type(POLICY)] == [
        f"KarpenterController{p}Policy-shop" for p in parts
    ]
    attached = [r.name for r in recording.of_type(ATTACHMENT) if r.name.startswith("controller-")]
    assert attached == [f"controller-{part}" for part in parts]
    shifting = run(controller={"zonal_shift": True})
    assert "controller-ZonalShift" in [policy.name for policy in shifting.of_type(POLICY)]


def test_policies_inside_the_role(run):
    recording = run(controller={"policy_form": "inline"})
    assert recording.of_type(POLICY) == []
    assert len(recording.of_type("aws:iam/rolePolicy:RolePolicy")) == 5


def test_pod_identity(run):  # I-31 K-8
    recording = run(controller={"namespace": "karpenter", "service_account": "controller"})
    association = only(recording, ASSOCIATION)
    assert association.inputs == {
        "region": "eu-west-1",
        "clusterName": "shop",
        "namespace": "karpenter",
        "serviceAccount": "controller",
        "roleArn": "arn:aws:iam::111122223333:role/KarpenterController-shop",
    }
    assert association.request.deleteBeforeReplace
    trust = json.loads(named(recording, ROLE, "controller-role").inputs["assumeRolePolicy"])["Statement"][0]
    assert trust["Condition"] == {
        "StringEquals": {
            "aws:SourceAccount": "111122223333",
            "aws:RequestTag/eks-cluster-arn": "arn:aws:eks:eu-west-1:111122223333:cluster/shop",
            "aws:RequestTag/kubernetes-namespace": "karpenter",
            "aws:RequestTag/kubernetes-service-account": "controller",
        }
    }
    assert recording.exports["controller.service_account_annotations"] == {}


def test_the_source_of_requests_is_in_the_trust_on_demand(run):  # I-31
    recording = run(controller={"trust_source_arn": True})
    trust = json.loads(named(recording, ROLE, "controller-role").inputs["assumeRolePolicy"])["Statement"][0]
    assert trust["Condition"]["ArnEquals"] == {"aws:SourceArn": "arn:aws:eks:eu-west-1:111122223333:cluster/shop"}
    assert len(trust["Condition"]["StringEquals"]) == 4
    with pytest.raises(InputError, match=r"trust_source_arn.*irsa"):
        run(controller={**IRSA, "trust_source_arn": True})


ISSUER = "oidc.eks.eu-west-1.amazonaws.com/id/ABC"
IRSA = {
    "credentials": "irsa",
    "oidc_provider_arn": f"arn:aws:iam::111122223333:oidc-provider/{ISSUER}",
    "oidc_issuer": f"https://{ISSUER}",
}


def test_irsa(run):  # I-31 K-7
    recording = run(controller={**IRSA, "service_account_annotations": {"team": "shop"}})
    assert recording.of_type(ASSOCIATION) == []
    trust = json.loads(named(recording, ROLE, "controller-role").inputs["assumeRolePolicy"])["Statement"][0]
    assert trust["Condition"]["StringEquals"][f"{ISSUER}:sub"] == "system:serviceaccount:kube-system:karpenter"
    role = "arn:aws:iam::111122223333:role/KarpenterController-shop"
    reported = {"team": "shop", "eks.amazonaws.com/role-arn": role}
    assert recording.exports["controller.service_account_annotations"] == reported


@pytest.mark.parametrize("controller", [{}, IRSA])
def test_what_waits_for_the_components_waits_for_all_of_it(run, controller):  # I-32
    """Association or role, all attachments, the queue's policy, the rules and their targets, and the entry of nodes."""
    recording = run(controller=controller)
    waited = reachable(recording, only(recording, "test:index:Release"))
    needed = (ROLE, POLICY, ATTACHMENT, ASSOCIATION, ENTRY, QUEUE, QUEUE_POLICY, RULE, TARGET)
    assert {r.urn for token in needed for r in recording.of_type(token)} <= waited


CHANGES = {
    "a feature less": {"controller": {"without": ["price-list"]}},
    "another role": {"controller": {"path": "/team/"}},
    "another queue": {"cluster": {"name_style": "regional"}},
    "a statement more": {
        "controller": {"extra_statements": [{"Effect": "Allow", "Action": "ec2:DescribeTags", "Resource": "*"}]}
    },
    "irsa": {"controller": IRSA},
    "an older controller": {"controller": {"karpenter_version": "1.11.0"}},
}


@pytest.mark.parametrize("change", CHANGES)
def test_pods_start_anew_when_the_identity_changes(run, change):  # I-33
    before, after = run().exports, run(**CHANGES[change]).exports
    assert before["controller.identity_hash"] != after["controller.identity_hash"]


@pytest.mark.parametrize("change", sorted(CHANGES.keys() - {"irsa"}))
def test_node_classes_prove_documents_anew_when_they_change(run, change):  # I-35
    before, after = run().exports, run(**CHANGES[change]).exports
    assert before["controller.documents_hash"] != after["controller.documents_hash"]


@pytest.mark.parametrize("computed", [{ASSOCIATION: {"associationId": "a-2"}}, {ROLE: {"uniqueId": "AROA2"}}])
def test_pods_start_anew_when_the_cloud_made_something_anew(run, computed):  # I-33
    before, after = run().exports, run(computed=computed).exports
    assert before["controller.identity_hash"] != after["controller.identity_hash"]
    assert before["controller.documents_hash"] == after["controller.documents_hash"]


def test_the_queue(run):  # I-36 K-20
    recording = run()
    queue = only(recording, QUEUE)
    assert queue.inputs == {
        "region": "eu-west-1",
        "name": "shop",
        "messageRetentionSeconds": 300,
        "sqsManagedSseEnabled": True,
    }


@pytest.mark.parametrize(
    ("warnings", "key"),
    [
        ({"encryption": "own-key"}, "arn:aws:kms:eu-west-1:111122223333:key/made"),
        (
            {"encryption": "given-key", "kms_key_arn": "arn:aws:kms:eu-west-1:111122223333:key/mine"},
            "arn:aws:kms:eu-west-1:111122223333:key/mine",
        ),
    ],
)
def test_a_key_of_your_own(run, warnings, key):  # I-36
    """The queue is never encrypted twice, and the controller may decrypt."""
    recording = run(warnings=warnings)
    queue = only(recording, QUEUE).inputs
    assert queue["kmsMasterKeyId"] == key
    assert "sqsManagedSseEnabled" not in queue
    assert len(recording.of_type("aws:kms/key:Key")) == (warnings["encryption"] == "own-key")
    document = json.loads(named(recording, POLICY, "controller-Interruption").inputs["policy"])
    assert document["Statement"][1]["Resource"] == key


def test_the_rules(run):  # I-37 I-38 K-21
    recording = run()
    rules = recording.of_type(RULE)
    assert len(rules) == len(recording.of_type(TARGET)) == 5
    assert len(run(warnings={"rebalance": False}).of_type(RULE)) == 4
    assert len(run(warnings={"karpenter_version": "1.9.0"}).of_type(RULE)) == 4
    (allow, deny) = json.loads(only(recording, QUEUE_POLICY).inputs["policy"])["Statement"]
    arns = {f"arn:aws:events:eu-west-1:111122223333:rule/{rule.inputs['name']}" for rule in rules}
    assert set(allow["Condition"]["ArnEquals"]["aws:SourceArn"]) == arns
    assert deny["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    for target in recording.of_type(TARGET):
        assert target.inputs["targetId"] == "KarpenterInterruptionQueueTarget"
        assert target.inputs["arn"] == allow["Resource"]
        assert target.inputs["retryPolicy"] == {"maximumEventAgeInSeconds": 300, "maximumRetryAttempts": 10}


def test_narrow_patterns_unless_broad_ones_are_asked_for(run):  # I-39
    def pattern(recording: Recording) -> dict[str, object]:
        return json.loads(named(recording, RULE, "warnings-InstanceStateChange").inputs["eventPattern"])

    assert pattern(run())["detail"] == {"state": ["stopping", "stopped", "shutting-down", "terminated"]}
    assert "detail" not in pattern(run(warnings={"breadth": "broad"}))


def test_undelivered_events_and_an_alarm(run):
    recording = run(warnings={"dead_letters": True, "alarm_actions": ["arn:aws:sns:eu-west-1:111122223333:oncall"]})
    dead = named(recording, QUEUE, "warnings-dead-letters")
    assert (dead.inputs["name"], dead.inputs["sqsManagedSseEnabled"]) == ("Karpenter-undelivered-shop", True)
    assert len(recording.of_type(QUEUE_POLICY)) == 2
    letters = {target.inputs["deadLetterConfig"]["arn"].rpartition(":")[2] for target in recording.of_type(TARGET)}
    assert letters == {"Karpenter-undelivered-shop"}
    alarm = only(recording, "aws:cloudwatch/metricAlarm:MetricAlarm").inputs
    assert (alarm["metricName"], alarm["threshold"], alarm["period"]) == ("ApproximateAgeOfOldestMessage", 120, 300)
    assert alarm["dimensions"] == {"QueueName": "shop"}
    assert run().of_type("aws:cloudwatch/metricAlarm:MetricAlarm") == []


@pytest.mark.parametrize("mode", Mode)
def test_names_can_be_left_to_the_engine(run, mode):
    """Then a preview knows no ARN; an update has all of them, in the documents as well."""
    recording = run(mode, cluster={"name_style": "auto"})
    role = named(recording, ROLE, "nodes-role")
    assert "name" not in role.inputs
    if mode is Mode.UPDATE:
        document = named(recording, POLICY, "controller-IAMIntegration").inputs["policy"]
        assert json.loads(document)["Statement"][0]["Resource"] == "arn:aws:iam::111122223333:role/made"


def test_tags_are_on_everything_that_can_have_them(run):
    tags = {"team": "shop"}
    recording = run(nodes={"tags": tags, "static_profile": True}, warnings={"tags": tags}, controller={"tags": tags})
    without = {ATTACHMENT, QUEUE_POLICY, TARGET}
    tagged = [r for r in recording.resources.values() if r.type.startswith("aws:") and r.type not in without]
    assert [r.name for r in tagged if r.inputs.get("tags") != tags] == []


ALL_WRONG = {
    "cluster_name": "x" * 101,
    "account_id": "1234",
    "karpenter_version": "9.9",
    "name_style": "regionall",
    "credentials": "isra",
    "policy_form": "inlined",
    "path": "team",
    "without": ["price-lists"],
    "strict": ["price-list"],
    "extra_statements": [{"Effect": "Allow", "Action": "iam:PassRole", "Resource": "*"}, {"Efect": "Allow"}],
    "boundary_statements": [{"Effect": "Allow", "Action": "ec2:*", "Resource": "*"}],
    "discovery_tag": {"kee": "a"},
}


def test_all_mistakes_are_reported_before_anything_is_registered(run, tmp_path):
    """One run, every mistake, under the names of the inputs."""
    (tmp_path / "alone.py").write_text(
        "import json, pathlib\nfrom pulumi_cutlist.aws import ControllerIdentity\n"
        "given = json.loads(pathlib.Path('wrong.json').read_text())\nControllerIdentity('controller', given)\n"
    )
    given = {"region": "eu-west-1", "node_role_arns": [], **ALL_WRONG}
    (tmp_path / "wrong.json").write_text(json.dumps(given))
    with pytest.raises(InputError) as error:
        Program(tmp_path / "alone.py", tmp_path, "shop", "dev").run(Mode.PREVIEW)
    paths = {str(problem.place).partition("[")[0].partition(".")[0] for problem in error.value.problems}
    assert paths == {
        "account_id",
        "boundary_statements",
        "cluster_name",
        "karpenter_version",
        "credentials",
        "discovery_tag",
        "extra_statements",
        "name_style",
        "node_role_arns",
        "path",
        "policy_form",
        "strict",
        "without",
    }


@pytest.mark.parametrize(
    ("controller", "path"),
    [
        ({"zonal_shift": True, "karpenter_version": "1.11.0"}, "zonal_shift"),
        ({"reboot_for_repair": True, "karpenter_version": "1.14.3"}, "reboot_for_repair"),  # VA15-114
        ({**IRSA, "credentials": "pod-identity"}, "oidc_provider_arn"),  # I-34
        ({"volume_key_arns": ["alias/ebs"]}, "volume_key_arns[0]"),
        ({"image_parameter_arns": ["/images/web"]}, "image_parameter_arns[0]"),
        ({"volume_key_arns": [f"arn:aws:kms:eu-west-1:111122223333:key/{n:036}" for n in range(60)]}, "policies"),
    ],
)
def test_what_cannot_be_is_refused(run, controller, path):
    with pytest.raises(InputError) as error:
        run(controller=controller)
    assert path in {str(problem.place) for problem in error.value.problems}


@pytest.mark.parametrize(
    ("warnings", "path"),
    [
        ({"encryption": "given-key"}, "encryption"),
        ({"kms_key_arn": "arn:aws:kms:eu-west-1:111122223333:key/mine"}, "encryption"),
        ({"encryption": "given-key", "kms_key_arn": "alias/aws/sqs"}, "kms_key_arn"),
        ({"encryption": "given-key", "kms_key_arn": "arn:aws:kms:us-east-1:111122223333:key/mine"}, "kms_key_arn"),
        ({"breadth": "wide"}, "breadth"),
    ],
)
def test_a_queue_that_cannot_be_is_refused(run, warnings, path):  # I-36
    with pytest.raises(InputError) as error:
        run(warnings=warnings)
    assert [str(problem.place) for problem in error.value.problems] == [path]


@pytest.mark.parametrize("mode", Mode)
def test_the_programs_on_the_page_run(tmp_path, mode):
    """What the page shows makes a role for each identity, a queue and the rules."""
    page = section("cluster.md", "Identities")
    (tmp_path / "__main__.py").write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)))
    recording = accepted(Program(tmp_path, tmp_path, "shop", "dev").run(mode, Cloud(mode, COMPUTED)))
    assert [role.name for role in recording.of_type(ROLE)] == [
        "balancers-role",
        "controller-role",
        "dns-role",
        "nodes-role",
        "uploads-role",
    ]
    assert len(recording.of_type(QUEUE)) == 1


def test_an_input_that_turns_out_empty_is_reported(run, tmp_path):
    """A queue was promised, and none came; a key that turns out to be none means that SQS encrypts by itself."""
    source = (
        "import pulumi\nfrom pulumi_cutlist.aws import ControllerIdentity\n"
        "nothing = pulumi.Output.from_input(None)\n"
        "cluster = {'cluster_name': 'shop', 'region': 'eu-west-1', 'account_id': '111122223333'}\n"
        "roles = {'karpenter_version': '1.14.1', 'node_role_arns': ['arn:aws:iam::111122223333:role/nodes']}\n"
        "ControllerIdentity('controller', {**cluster, **roles, 'queue_arn': QUEUE, 'queue_key_arn': nothing})\n"
    )
    (tmp_path / "alone.py").write_text(source.replace("QUEUE", "nothing"))
    with pytest.raises(InputError, match="queueArn or queueKeyArn: turned out to be empty"):
        Program(tmp_path / "alone.py", tmp_path, "shop", "dev").run(Mode.PREVIEW)
    (tmp_path / "alone.py").write_text(source.replace("QUEUE", "'arn:aws:sqs:eu-west-1:111122223333:shop'"))
    recording = Program(tmp_path / "alone.py", tmp_path, "shop", "dev").run(Mode.PREVIEW)
    document = json.loads(named(recording, POLICY, "controller-Interruption").inputs["policy"])
    assert [statement["Sid"] for statement in document["Statement"]] == ["AllowInterruptionQueueActions"]


def test_nodes_may_have_a_role_that_exists_already(run):  # I-99
    """It keeps its policies; the cluster lets it in, and the profile and the controller name it."""
    recording = run(nodes={"role_name": "Nodes", "path": "/team/", "static_profile": True})
    arn = "arn:aws:iam::111122223333:role/team/Nodes"
    assert [one.name for one in recording.of_type(ROLE) if one.name.startswith("nodes")] == []
    assert [one.name for one in recording.of_type(ATTACHMENT) if one.name.startswith("nodes")] == []
    assert (recording.exports["nodes.role_name"], recording.exports["nodes.role_arn"]) == ("Nodes", arn)
    [entry] = [one for one in recording.of_type(ENTRY) if one.name.startswith("nodes")]
    assert entry.inputs["principalArn"] == arn
    [profile] = recording.of_type("aws:iam/instanceProfile:InstanceProfile")
    assert profile.inputs["role"] == "Nodes"
    assert any(arn in one.inputs["policy"] for one in recording.of_type(POLICY))


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (
            {"role_name": "arn:aws:iam::111122223333:role/Nodes"},
            r"role_name: .* is not the name of a role; .*; did you mean Nodes",
        ),
        (
            {"role_name": "Nodes", "extra_policy_arns": ["arn:aws:iam::aws:policy/A"]},
            "extra_policy_arns: policies beside a role",
        ),
    ],
)
def test_an_existing_role_is_named_and_gets_no_policies(run, nodes, said):  # I-99
    with pytest.raises(InputError, match=said):
        run(nodes=nodes)
