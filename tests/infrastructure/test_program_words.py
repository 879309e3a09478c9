"""Mistakes in inputs in the words of the program that has them."""

from __future__ import annotations

from typing import Any

import pulumi
import pytest
from pulumi_cutlist.inputs.program_words import ProgramWords
from pulumi_cutlist.program.offline import Mode, Program

from cutlist import EC2NodeClass, NodePool, Taint
from cutlist.core.errors import InputError, Place, Problem
from tests.infrastructure.aws_stand_in import run
from tests.infrastructure.joined_program import NEW, OBJECTS

CLASS = {"name": "default", "ami": "al2023@v20260625", "discovery": "shop"}
NODES = EC2NodeClass(**CLASS, role="KarpenterNodeRole-shop")


def mistakes(folder, given: dict[str, Any], component: str = "KarpenterCluster") -> list[str]:
    with pytest.raises(InputError) as error:
        run(folder, f"from pulumi_cutlist.aws import {component}\n{component}('shop', given)\n", Mode.PREVIEW, given=given)
    assert isinstance(error.value, pulumi.RunError)
    return str(error.value).splitlines()


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ({"kubernetes_version": "1.29"}, "kubernetes_version: Kubernetes '1.29' is not one that a Karpenter is known for"),
        ({"network": {"own": {"private_prefix": 30}}}, "network.own.private_prefix: a subnet of /30"),
        ({"charts": {"service_account": "K"}}, "charts.service_account: 'K' is not a name"),
        ({"kubernets": "1.35"}, "kubernets: unknown input 'kubernets'"),
        ({"control_plane": {"encrypt_secret": True}}, "control_plane.encrypt_secret: unknown input 'encrypt_secret'"),
        ({"add_ons": {"some-mesh": {"configuration": 3}}}, "add_ons.some-mesh.configuration: expected a mapping"),
    ],
)
def test_a_program_in_python_reads_its_own_names(tmp_path, edit, says):
    given = {**NEW, **OBJECTS, **edit}
    found = mistakes(tmp_path, given)
    assert any(line.startswith(says) for line in found), found


def test_a_program_that_writes_camel_case_reads_it_again(tmp_path):
    given = {
        "clusterName": "shop",
        "region": "eu-west-1",
        "accountId": "1",
        "kubernetesVersion": "1.35",
        "admins": NEW["admins"],
    }
    assert mistakes(tmp_path, given)[0].startswith("accountId: ")


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ({"public_access_cidrs": "203.0.113.7/32"}, "found '203.0.113.7/32'; did you mean [\"203.0.113.7/32\"]?"),
        ({"admins": ["a"]}, "admins: expected a mapping, found a list; allowed: a mapping: a name for each value"),
        ({"spot_role": []}, "spot_role: expected text, found a list"),
        ({"interruption": 1}, "interruption: expected a mapping, found 1"),
        ({"workloads": {"a": 1}}, "workloads: expected a list, found a mapping; allowed: a list, also of one"),
    ],
)
def test_another_form_than_that_of_an_input_is_reported_with_what_is_meant(tmp_path, edit, says):
    found = mistakes(tmp_path, {**NEW, **OBJECTS, **edit})
    assert any(says in line for line in found), found


def test_arns_of_another_kind_or_region_are_reported(tmp_path):
    """A name in place of a role's ARN, and the queue of another region: IAM would take neither, or mean another queue."""
    where = {key: NEW[key] for key in ("cluster_name", "region", "account_id")}
    arns = {"node_role_arns": ["KarpenterNodeRole-shop"], "queue_arn": "arn:aws:sqs:us-east-1:111122223333:shop"}
    found = mistakes(tmp_path, {**where, **arns, "karpenter_version": "1.15.0"}, "ControllerIdentity")
    assert found == [
        "node_role_arns[0]: 'KarpenterNodeRole-shop' is not the ARN of a role; allowed: such as "
        "arn:aws:iam::111122223333:role/Deployer",
        "queue_arn: arn:aws:sqs:us-east-1:111122223333:shop is in us-east-1, and the cluster in eu-west-1; allowed: a queue "
        "there, such as arn:aws:sqs:eu-west-1:111122223333:shop",
    ]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("('shop', cluster_name='shop')", "KarpenterCluster: inputs are not keyword arguments: cluster_name; allowed: "),
        ("('shop')", "KarpenterCluster: missing a required argument: 'args'; allowed: KarpenterCluster(\"NAME\", "),
        ("(given)", "KarpenterCluster: missing a required argument: 'args'"),
        ("('shop', given, None, 1)", "KarpenterCluster: too many positional arguments"),
        ("(5, given)", "KarpenterCluster: the name is not text: found 5"),
        ("(pulumi.Output.from_input('a'), given)", "KarpenterCluster: the name is not text: found an Output"),
        ("('shop', None)", "KarpenterCluster/shop: the inputs are not a mapping: found nothing"),
        ("('shop', given, {'protect': True})", "allowed: pulumi.ResourceOptions(protect=...)"),
    ],
)
def test_a_call_of_another_form_is_a_mistake_in_input(tmp_path, call, says):
    """Python would report it as a fault of the component."""
    with pytest.raises(InputError) as error:
        run(
            tmp_path,
            f"import pulumi\nfrom pulumi_cutlist.aws import KarpenterCluster\nKarpenterCluster{call}\n",
            Mode.PREVIEW,
            given={**NEW, **OBJECTS},
        )
    assert says in str(error.value)


def test_what_is_data_keeps_its_names():
    """Fields of Kubernetes and names of the user's own, in a path and in words."""
    from pulumi_cutlist.aws.whole_cluster.args import KarpenterClusterArgs

    words = ProgramWords(KarpenterClusterArgs)
    paths = {
        "addOns.coredns.configuration.nodeSelector": "add_ons.coredns.configuration.nodeSelector",
        "nodePools[0] spec.template.spec.nodeClassRef.name": "node_pools[0] spec.template.spec.nodeClassRef.name",
        "network.own.publicPrefix": "network.own.public_prefix",
        "admins.clusterName": "admins.clusterName",
    }
    assert {path: words.problem(Problem(Place(path=path), "")).place.path for path in paths} == paths
    problem = words.problem(
        Problem(Place("NodePool/general", path="spec.nodeSelector"), "add it to nodeClasses, or nodeSelector")
    )
    assert str(problem) == "NodePool/general spec.nodeSelector: add it to node_classes, or nodeSelector"


def test_objects_of_python_report_their_arguments():
    """Each with the argument, and what it was probably meant to be."""
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"taints": ["a=b:NoSchedule"]}, "taints[0]: expected a taint, found 'a=b:NoSchedule'; allowed: such as Taint("),
        ({"taints": "a:NoExecute"}, "did you mean [Taint(key='a', effect='NoExecute')]?"),
        ({"limit": {"cpu": 1}}, "limit: unknown argument 'limit'"),
        ({"requirements": ["spot"]}, "requirements[0]: expected a requirement, found 'spot'"),
        ({"requirements": {"kubernetes.io/arch": {"In": "arm64"}}}, "requirements['kubernetes.io/arch']: expected a value"),
        ({"limits": {"cpu": None}}, "limits.cpu: found nothing where a quantity is needed"),
        ({"node_class": 3}, "node_class: found 3"),
    ]
    for arguments, says in wrong:
        with pytest.raises(InputError) as error:
            NodePool(**{"name": "general", "node_class": NODES, **arguments})
        assert str(error.value).startswith("NodePool/general ")
        assert says in str(error.value)
    with pytest.raises(InputError, match=r"EC2NodeClass/default roles: unknown argument 'roles'; .* did you mean role"):
        EC2NodeClass(**CLASS, roles="x")
    assert NodePool(name="a", node_class=NODES, taints=[Taint("a", "NoExecute")]).taints == (Taint("a", "NoExecute"),)


def test_a_node_class_takes_outputs(tmp_path):
    """Where the page says so; elsewhere it says what has to be known."""
    program = """
import pulumi, pulumi_aws as aws
from cutlist import EC2NodeClass, NodePool
from pulumi_cutlist.aws import KarpenterCluster
key = aws.kms.Key("key", region="eu-west-1")
nodes = EC2NodeClass(
    name="default", role=key.key_id.apply(lambda _: "KarpenterNodeRole-shop"), ami="al2023@v20260625", discovery="shop",
    tags={"key": key.arn},
)
pool = NodePool(name="general", node_class=nodes, requirements={"kubernetes.io/arch": ["amd64"]}, limits={"cpu": 8})
KarpenterCluster("shop", {**given, "node_pools": [pool], "node_classes": [nodes]})
"""
    recording = run(tmp_path, program, Mode.UPDATE, given=NEW)
    [made] = recording.of_type("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass")
    assert made.inputs["spec"]["role"] == "KarpenterNodeRole-shop"
    assert made.inputs["spec"]["tags"]["key"].startswith("arn:aws:kms:")
    with pytest.raises(InputError, match=r"spec\.amiSelectorTerms\[0\]\.alias: known only during an update"):
        EC2NodeClass(name="default", role="x", ami=_Late(), discovery="shop")
    with pytest.raises(InputError, match=r"^EC2NodeClass metadata\.name: known only during an update"):
        EC2NodeClass(name=_Late(), role="x", ami="al2023@v20260625", discovery="shop")


def test_the_text_of_an_output_is_not_its_value(tmp_path):
    """An f-string has it, whatever else is in it."""
    program = (
        "import pulumi\nfrom cutlist import EC2NodeClass\nEC2NodeClass(**given, role=f'{pulumi.Output.from_input(1)}-nodes')\n"
    )
    with pytest.raises(
        InputError, match=r"EC2NodeClass/default spec\.role: has the text of an Output in it, and not its value"
    ):
        run(tmp_path, program, Mode.PREVIEW, given=CLASS)


class _Late:
    """What has what an Output has, outside of a program."""

    def apply(self, func: Any) -> Any:
        return func

    def future(self) -> Any:
        return None


def test_a_run_of_a_program_reports_an_object_of_python(tmp_path):
    (tmp_path / "__main__.py").write_text("from cutlist import NodePool\nNodePool(name='a', node_class='b', limit=1)\n")
    with pytest.raises(pulumi.RunError, match="did you mean limits"):
        Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW)
