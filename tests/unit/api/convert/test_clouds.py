"""The class that a v1beta1 reference means if it has no more than a name."""

from __future__ import annotations

import pytest
import yaml

from cutlist.api.convert import convert
from cutlist.planning.read_inputs import read_inputs
from tests.unit.api.convert.manifests import documents

AKS = ("karpenter.azure.com", "AKSNodeClass")
EC2 = ("karpenter.k8s.aws", "EC2NodeClass")
AKS_CLASS = "apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: default}\nspec: {}"
EC2_CLASS = """
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiFamily: AL2023
  role: nodes
  subnetSelectorTerms: [{id: subnet-0123456789abcdef0}]
  securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]
"""


def pool(requirement: str = "", reference: str = "{name: default}", labels: str = "{}", name: str = "p") -> str:
    return f"""
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {{name: {name}}}
spec:
  disruption: {{consolidationPolicy: WhenUnderutilized, expireAfter: Never}}
  template:
    metadata: {{labels: {labels}}}
    spec:
      nodeClassRef: {reference}
      requirements: [{requirement}]
"""


def meant(*texts: str, name: str = "p") -> tuple[tuple[str, str], str]:
    """Return the class that the converted NodePool refers to, and the kind of the change that says so."""
    found = convert(documents(*map(yaml.safe_load, texts)))
    (new,) = [o for c in found.converted for o in c.objects if o["kind"] == "NodePool" and o["metadata"]["name"] == name]
    reference = new["spec"]["template"]["spec"]["nodeClassRef"]
    of_pool = [r.change for r in found.changes if r.subject == f"NodePool {name}" and r.change.new.endswith("nodeClassRef")]
    return (reference["group"], reference["kind"]), of_pool[0].kind


def requires(key: str, *values: str) -> str:
    return f"{{key: {key}, operator: In, values: [{', '.join(values)}]}}"


@pytest.mark.parametrize(
    ("text", "cloud"),
    [
        (pool(requires("karpenter.azure.com/sku-cpu", '"8"')), AKS),  # K-129
        (pool(requires("kubernetes.azure.com/mode", "user")), AKS),
        (pool(labels="{kubernetes.azure.com/ebpf-dataplane: cilium}"), AKS),
        (pool(requires("node.kubernetes.io/instance-type", "Standard_D8_v4")), AKS),
        (pool(requires("topology.kubernetes.io/zone", "westeurope-1")), AKS),
        (pool(requires("topology.kubernetes.io/region", "japaneast")), AKS),
        (pool(reference="{kind: AKSNodeClass, name: default}"), AKS),
        (pool(reference="{apiVersion: karpenter.azure.com/v1alpha2, name: default}"), AKS),
        (pool(requires("karpenter.k8s.aws/instance-cpu", '"8"')), EC2),
        (pool(requires("node.kubernetes.io/instance-type", "m5.large", "u-6tb1.56xlarge")), EC2),
        (pool(requires("topology.kubernetes.io/zone", "us-west-2a")), EC2),
        (pool(requires("topology.k8s.aws/zone-id", "usw2-az1")), EC2),
    ],
)
def test_labels_decide(text, cloud):
    """Of the object itself, whatever else is in the input."""  # Z-72
    found, kind = meant(text)
    assert found == cloud
    assert kind == "changed default"
    assert meant(text, EC2_CLASS if cloud == AKS else AKS_CLASS)[0] == cloud


@pytest.mark.parametrize(("classes", "cloud"), [((AKS_CLASS,), AKS), ((EC2_CLASS,), EC2)])
def test_then_the_class_of_the_name(classes, cloud):
    assert meant(pool(), *classes) == (cloud, "changed default")  # Z-72


def test_then_the_other_objects_of_the_input():
    """If all of them are for one cloud: other NodePools, and workloads that select its labels."""  # Z-72
    other = pool(requires("karpenter.azure.com/sku-family", "E"), name="other")
    selecting = """
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {nodeSelector: {karpenter.azure.com/sku-family: D}, containers: [{name: c, image: nginx}]}
"""
    assert meant(pool(), other) == (AKS, "changed default")
    assert meant(pool(), selecting) == (AKS, "changed default")


@pytest.mark.parametrize(
    "others",
    [
        (),
        (AKS_CLASS, EC2_CLASS),
        (pool(requires("karpenter.azure.com/sku-family", "E"), name="o"), EC2_CLASS.replace("default", "x")),
    ],
)
def test_without_a_sign_the_user_decides(others):
    """It is said, and what Karpenter on AWS filled in stands there."""  # Z-72
    assert meant(pool(requires("kubernetes.io/arch", "amd64")), *others) == (EC2, "needs a decision")


def test_a_plan_asks_its_region_last():
    """Where nothing in the input decides."""  # Z-72
    text = pool(requires("kubernetes.io/arch", "amd64"))
    (read,) = read_inputs(["-"], region="westeurope", stdin=text).node_pools
    assert (read.node_class_ref.group, read.node_class_ref.kind) == AKS


def test_the_signs_of_both_clouds_decide_nothing():
    both = pool(f"{requires('karpenter.azure.com/sku-cpu', '8')}, {requires('karpenter.k8s.aws/instance-cpu', '8')}")
    assert meant(both.replace("[8]", '["8"]'))[1] == "needs a decision"  # Z-72
