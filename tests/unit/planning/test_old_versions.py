"""Objects of old versions are planned as `cutlist convert` rewrites them, and a plan says so."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from tests.unit.planning.manifests import NODE_CLASS, deployment

V1BETA1 = """
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiFamily: AL2023
  role: node
  subnetSelectorTerms: [{tags: {team: a}}]
  securityGroupSelectorTerms: [{tags: {team: a}}]
---
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: default}
spec:
  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 720h}
  template:
    spec:
      nodeClassRef: {name: default}
      requirements:
        - {key: node.kubernetes.io/instance-type, operator: In, values: [m7g.xlarge]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      kubelet: {maxPods: 20}
"""
TEMPLATE = """
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: shared}
spec:
  subnetSelector: {team: a}
  securityGroupSelector: {team: a}
"""
INLINE = "provider: {subnetSelector: {team: a}, securityGroupSelector: {team: a}, instanceProfile: node}"


def provisioner(provider: str, name: str = "old") -> str:
    return f"""
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {{name: {name}}}
spec:
  requirements:
    - {{key: node.kubernetes.io/instance-type, operator: In, values: [m5.xlarge]}}
    - {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}
  ttlSecondsAfterEmpty: 30
  {provider}
"""


def planned(*texts: str) -> Plan:
    return plan(read_inputs(["-"], stdin="\n---\n".join(texts), region="us-west-2"))


def refused(*texts: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        planned(*texts)
    return [problem.message for problem in caught.value.problems]


SMALL = deployment("web", 30, cpu="50m", memory="64Mi")


def test_objects_of_v1beta1_are_planned_as_converted():
    """The kubelet of the NodePool moves to the class: 20 pods on a node."""
    whole = planned(V1BETA1, SMALL)
    assert (whole.totals.nodes, whole.totals.pending) == (2, 0)


def test_one_warning_names_old_objects_and_the_command_that_rewrites_them():
    (text,) = [note.text for note in planned(V1BETA1, SMALL).warnings if note.code == "old-version"]
    assert text == (
        "EC2NodeClass default of karpenter.k8s.aws/v1beta1; NodePool default of karpenter.sh/v1beta1: "
        "no longer served by Karpenter, and planned as `cutlist convert` rewrites them"
    )


@pytest.mark.parametrize(
    "texts",
    [(provisioner("providerRef: {name: shared}"), TEMPLATE), (provisioner(INLINE),)],
    ids=["AWSNodeTemplate", "inline"],
)
def test_a_provisioner_is_planned_with_its_settings_of_aws(texts: tuple[str, ...]):
    """An instance profile that only settings elsewhere name changes no plan."""
    whole = planned(*texts, SMALL)
    assert {(node.node_pool, node.instance_type) for node in whole.nodes} == {("old", "m5.xlarge")}


def test_settings_inside_a_provisioner_do_not_take_the_name_of_another_class():
    whole = planned(provisioner(INLINE, "shared"), TEMPLATE, provisioner("providerRef: {name: shared}", "other"), SMALL)
    assert whole.totals.pending == 0


def test_an_old_pool_may_refer_to_a_class_of_today():
    whole = planned(V1BETA1.split("---")[1], NODE_CLASS, SMALL)
    assert (whole.totals.nodes, whole.totals.pending) == (2, 0)


def test_what_cannot_be_converted_is_the_only_mistake():
    """Nothing follows from it: no missing NodePool, no reference to an unknown class."""
    wrong = TEMPLATE.replace("spec:", "spec:\n  launchTemplate: mine")
    assert refused(provisioner("providerRef: {name: shared}"), wrong, SMALL) == ["your own launch templates have no successor"]


def test_a_mistake_in_a_provisioner_with_settings_is_reported_once():
    messages = refused(provisioner(INLINE, "'${name}'"), SMALL)
    assert len(messages) == 1
    assert "is not a name" in messages[0]


def test_a_kubelet_whose_class_is_elsewhere_is_said_to_be_left_out():
    """Its settings belong to the class since v1: nothing else in the input can have them."""
    text = "\n---\n".join((V1BETA1.split("---")[1], SMALL))
    for said, nodes in (("default", 1), ("default:maxPods=20", 2)):
        whole = plan(read_inputs(["-"], stdin=text, region="us-west-2", external_classes=[said]))
        assert whole.totals.nodes == nodes
        (note,) = [note.text for note in whole.warnings if note.code == "old-kubelet"]
        assert note.startswith("the kubelet of NodePool default belongs to its class default since v1, which is elsewhere")


def test_a_missing_class_of_an_old_pool_is_a_missing_class():
    (message,) = refused(V1BETA1.split("---")[1], SMALL)
    assert message == "NodePool default refers to the EC2NodeClass 'default', which is not in the input"


def test_settings_inside_a_provisioner_are_named():
    """`cutlist convert` does not rewrite these."""
    texts = [note.text for note in planned(provisioner(INLINE), SMALL).warnings if note.code == "old-version"]
    assert any(
        text.startswith("the settings of AWS inside Provisioner old are planned as an AWSNodeTemplate") for text in texts
    )


def test_settings_of_old_charts_are_not_looked_at():
    """They change no plan, so a key that no chart knows does not stop one."""
    settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: karpenter-global-settings}\ndata: {aws.what: a}"
    assert planned(provisioner("providerRef: {name: shared}"), TEMPLATE, settings, SMALL).totals.pending == 0
