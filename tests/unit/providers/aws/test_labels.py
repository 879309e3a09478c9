"""Labels of instance types (spec: AWS 1)."""

from __future__ import annotations

from functools import lru_cache

import pytest

from cutlist.providers.aws import Observed, PlacementGroup
from cutlist.providers.instance_types import InstanceType
from tests.unit.providers.aws.node_classes import SUBNETS, node_class, resolve, values

OWN = "karpenter.k8s.aws/instance-"


@lru_cache
def types() -> dict[str, InstanceType]:
    return resolve(region="us-west-2") | resolve(region="us-east-1")


def own(name: str, label: str) -> str | None:
    """The one value of an instance label; None when the type does not have it."""
    found = values(types()[name], OWN + label)
    assert found is not None, "the key must be stored"
    assert len(found) < 2
    return next(iter(found), None)


#
@pytest.mark.parametrize(
    ("name", "label", "value"),
    [
        ("t4g.small", "memory", "2048"),
        ("m5.large", "cpu", "2"),
        ("m5.metal", "hypervisor", ""),
        ("m5.large", "hypervisor", "nitro"),
        ("t1.micro", "cpu-sustained-clock-speed-mhz", "0"),
        ("m5.large", "cpu-sustained-clock-speed-mhz", "3100"),
        ("c7i-flex.large", "capability-flex", "true"),
        ("c7i.large", "capability-flex", "false"),
        ("m5d.large", "local-nvme", "75"),
        ("m3.large", "local-nvme", None),
        ("m5.large", "local-nvme", None),
        ("m5.large", "ebs-bandwidth", "4750"),
        ("c3.xlarge", "ebs-bandwidth", None),
        ("c4.large", "network-bandwidth", None),
        ("m5.large", "network-bandwidth", "750"),
        ("m5a.large", "cpu-manufacturer", "amd"),
        ("c6g.large", "cpu-manufacturer", "aws"),
        ("m5n.large", "encryption-in-transit-supported", "true"),
        ("m5.large", "encryption-in-transit-supported", "false"),
    ],
)
def test_label(name: str, label: str, value: str | None):
    """A label has the value that the hardware gives it, or does not exist."""
    assert own(name, label) == value


#
@pytest.mark.parametrize(
    ("name", "category", "generation", "family", "size"),
    [
        ("u-6tb1.112xlarge", "u", "1", "u-6tb1", "112xlarge"),
        ("u7in-16tb.224xlarge", "u", "7", "u7in-16tb", "224xlarge"),
        ("p6-b200.48xlarge", "p", "6", "p6-b200", "48xlarge"),
        ("im4gn.large", "im", "4", "im4gn", "large"),
        ("m5.metal", "m", "5", "m5", "metal"),
    ],
)
def test_labels_from_the_name(name: str, category: str, generation: str, family: str, size: str):
    """Category, generation, family and size come from the name; terabytes in it are not a generation."""
    assert (own(name, "category"), own(name, "generation"), own(name, "family"), own(name, "size")) == (
        category,
        generation,
        family,
        size,
    )


def test_gpus():
    """GPU labels name the model in lower case and count memory per GPU."""
    labels = {label: own("p5.48xlarge", f"gpu-{label}") for label in ("name", "manufacturer", "count", "memory")}
    assert labels == {"name": "h100", "manufacturer": "nvidia", "count": "8", "memory": "81920"}
    assert own("p5.48xlarge", "network-bandwidth") == "3200000"


def test_a_fraction_of_a_gpu():
    """A type with a part of a GPU has the label with 0, and no GPU to request."""
    assert own("g6f.large", "gpu-count") == "0"
    assert types()["g6f.large"].capacity["nvidia.com/gpu"] == 0


def test_accelerators():
    """Neuron and other accelerators have labels of their own and none of GPUs."""
    inf2 = [own("inf2.xlarge", f"accelerator-{label}") for label in ("name", "manufacturer", "count")]
    dl2q = [own("dl2q.24xlarge", f"accelerator-{label}") for label in ("name", "manufacturer", "count")]
    assert inf2 == ["inferentia2", "aws", "1"]
    assert dl2q == ["qualcomm-ai100", "qualcomm", "8"]
    assert own("inf2.xlarge", "gpu-count") is None


def test_which_types_are_listed():
    """Mac types are not, old types of i386 and x86_64 are, as amd64."""
    assert not any(name.startswith("mac") for name in types())
    assert values(types()["t2.micro"], "kubernetes.io/arch") == {"amd64"}
    assert values(types()["m6g.large"], "kubernetes.io/arch") == {"arm64"}


def test_tenancy_is_open():
    """Both tenancies are possible before launch."""
    assert values(types()["m5.large"], OWN + "tenancy") == {"default", "dedicated"}


def test_zones_are_offered_and_subnetted():
    """Zone and zone id are those offered in which the NodeClass has a subnet."""
    m5 = resolve()["m5.large"]
    assert values(m5, "topology.kubernetes.io/zone") == {"us-west-2a", "us-west-2b"}
    assert values(m5, "topology.k8s.aws/zone-id") == {"usw2-az1", "usw2-az2"}
    assert values(m5, "topology.kubernetes.io/region") == {"us-west-2"}


def test_without_a_fitting_zone_the_type_stays_listed():
    """The zone does not exist, the zone id is not said at all, and nothing is available."""
    a1 = resolve(node_class("bottlerocket@latest", subnets=SUBNETS[1:]))["a1.large"]
    assert values(a1, "topology.kubernetes.io/zone") == frozenset()
    assert values(a1, "topology.k8s.aws/zone-id") is None
    assert not any(offering.available for offering in a1.offerings)


def test_windows():
    """Windows has its OS and build on amd64; on arm64 there is no OS for it."""
    found = resolve(node_class("windows2022@latest"))
    assert values(found["m5.large"], "kubernetes.io/os") == {"windows"}
    assert values(found["m5.large"], "node.kubernetes.io/windows-build") == {"10.0.20348"}
    assert values(found["m6g.large"], "kubernetes.io/os") == frozenset()


def test_capacity_types():
    """Capacity blocks are not a capacity type; types that are not sold as spot have none."""
    key = "karpenter.sh/capacity-type"
    assert values(types()["m5.large"], key) == {"on-demand", "spot"}
    assert values(types()["p5.48xlarge"], key) == {"on-demand", "spot"}
    assert values(types()["t2.nano"], key) == {"on-demand"}


def test_there_is_no_label_for_pods():
    """The label that old documentation lists does not exist."""
    assert "karpenter.k8s.aws/instance-pods" not in types()["m5.large"].requirements


def test_placement_group_labels():
    """A partition group adds its id and partitions; without a group neither is said."""
    group = PlacementGroup("pg-01", "team", "partition", 3)
    with_group = resolve(node_class(placementGroupSelector={"name": "team"}), Observed(placement_groups=(group,)))["m5.large"]
    assert values(with_group, "karpenter.k8s.aws/placement-group-id") == {"pg-01"}
    assert values(with_group, "karpenter.k8s.aws/placement-group-partition") == {"1", "2", "3"}
    assert values(types()["m5.large"], "karpenter.k8s.aws/placement-group-id") is None


def test_equal_label_sets_are_shared():
    """The requirements of a type are one object for NodeClasses that say the same of labels."""
    assert resolve()["m5.large"].requirements is resolve(node_class(kubelet={"maxPods": 20}))["m5.large"].requirements
