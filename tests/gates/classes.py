"""Node classes: images, selectors, volumes, the metadata service."""

from __future__ import annotations

from typing import Any

from cutlist.policy.rules import Resource
from cutlist.policy.rules.tokens import AUTO_NODE_CLASS
from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

ACCOUNT = "999988887777"


def node_class(path: str, value: Any) -> tuple[s.Resource, ...]:
    """Return the node class with another value at a path."""
    return (s.put(s.CLASS, path, value),)


def auto_class(member: str, value: str) -> Resource:
    """Return a class of Auto Mode that selects some resources by the value of a tag."""
    terms = {
        "subnetSelectorTerms": [{"id": "subnet-0123456789abcdef0"}],
        "securityGroupSelectorTerms": [{"id": "sg-0123456789abcdef0"}],
        "podSubnetSelectorTerms": [{"id": "subnet-0123456789abcdef1"}],
        "podSecurityGroupSelectorTerms": [{"id": "sg-0123456789abcdef1"}],
    }
    spec = {"role": "KarpenterNodeRole-demo", **terms, member: [{"tags": {"Name": value}}]}
    data = {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "auto"}, "spec": spec}
    return Resource(AUTO_NODE_CLASS, "auto", data)


def images(*terms: dict[str, Any]) -> tuple[s.Resource, ...]:
    """Return the node class with these terms for images."""
    return (s.put(s.put(s.CLASS, "spec.amiFamily", "AL2023"), "spec.amiSelectorTerms", list(terms)),)


ANYTHING = ("*", "**", "?*", "*?", "", "*a*", "*-private-*", "a*", "??-demo")
SPECIFIC = ("demo", "demo-private-*", "prod-eu-??")
MAPPING = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": "50Gi", "volumeType": "gp3", "encrypted": True}}

TRICKS = (
    *(
        Trick(f"{member} by {value!r}", node_class(f"spec.{member}", [{"tags": {"Name": value}}]), "NC-09")
        for member in ("subnetSelectorTerms", "securityGroupSelectorTerms", "capacityReservationSelectorTerms")
        for value in ANYTHING
    ),
    *(
        Trick(
            f"subnets by {value!r}", node_class("spec.subnetSelectorTerms", [{"tags": {"Name": value}}]), "NC-09", Wanted.PASSES
        )
        for value in SPECIFIC
    ),
    *(
        Trick(f"a group named {value!r}", node_class("spec.securityGroupSelectorTerms", [{"name": value}]), "NC-09")
        for value in ("*", "?*", "*nodes*")
    ),
    *(
        Trick(
            f"subnets by the key {key}", node_class("spec.subnetSelectorTerms", [{"tags": {key: "*"}}]), "NC-09", Wanted.PASSES
        )
        for key in ("kubernetes.io/cluster/demo", "karpenter.sh/discovery/demo")
    ),
    *(
        Trick(f"subnets by the key {key!r}", node_class("spec.subnetSelectorTerms", [{"tags": {key: "*"}}]), "NC-09")
        for key in (
            "kubernetes.io/cluster/",
            "karpenter.sh/discovery/",
            "kubernetes.io/role/internal-elb",
            "karpenter.sh/discovery",
        )
    ),
    Trick("images of a stranger by name", images({"name": "golden-1", "owner": ACCOUNT}), "NC-04"),
    Trick("images of a stranger by tags", images({"tags": {"a": "b"}, "owner": ACCOUNT}), "NC-04"),
    Trick("images of the marketplace", images({"name": "golden-1", "owner": "aws-marketplace"}), "NC-04"),
    Trick("images by name of nobody", images({"name": "golden-1"}), "NC-04"),
    Trick("images by tags of nobody", images({"tags": {"role": "node"}}), "NC-04"),
    Trick(
        "images of a trusted account",
        images({"name": "golden-1", "owner": ACCOUNT}),
        "NC-04",
        Wanted.PASSES,
        {"rules": {"NC-04": {"owners": ["self", ACCOUNT]}}},
    ),
    Trick(
        "a parameter of a stranger",
        images({"ssmParameter": f"arn:aws:ssm:us-west-2:{ACCOUNT}:parameter/golden"}),
        "NC-04",
    ),
    Trick(
        "a parameter of a trusted account",
        images({"ssmParameter": f"arn:aws:ssm:us-west-2:{ACCOUNT}:parameter/golden"}),
        "NC-04",
        Wanted.PASSES,
        {"rules": {"NC-04": {"owners": ["self", ACCOUNT]}}},
    ),
    *(
        Trick(f"images of the owner {owner!r}", images({"name": "golden-1", "owner": owner}), "NC-04")
        for owner in ("*", " ", "Self", f"self,{ACCOUNT}", "679593333241", "aws-marketplace,self")
    ),
    *(
        Trick(f"own images named {name!r}", images({"name": name, "owner": "self"}), "NC-03")
        for name in ("*", "*eks*", "golden-*", "golden-?")
    ),
    Trick("own images by a tag with any value", images({"tags": {"role": "?*"}, "owner": "self"}), "NC-03"),
    Trick(
        "subnets by a tag that all clusters have",
        node_class("spec.subnetSelectorTerms", [{"tags": {"kubernetes.io/role/internal-elb": "1"}}]),
        "NC-09",
    ),
    Trick(
        "subnets by two tags that all clusters have",
        node_class("spec.subnetSelectorTerms", [{"tags": {"kubernetes.io/role/internal-elb": "1", "Name": "*"}}]),
        "NC-09",
    ),
    Trick(
        "a second term for everything",
        node_class("spec.subnetSelectorTerms", [{"tags": {"karpenter.sh/discovery": "demo"}}, {"tags": {"Name": "*"}}]),
        "NC-09",
    ),
    Trick(
        "a tag of the cluster and one with any value",
        node_class("spec.subnetSelectorTerms", [{"tags": {"karpenter.sh/discovery": "demo", "Name": "*"}}]),
        "NC-09",
        Wanted.PASSES,
    ),
    Trick(
        "a tag of the cluster and one of its role",
        node_class(
            "spec.subnetSelectorTerms",
            [{"tags": {"karpenter.sh/discovery": "demo", "kubernetes.io/role/internal-elb": "1"}}],
        ),
        "NC-09",
        Wanted.PASSES,
    ),
    Trick(
        "the default group of every network",
        node_class("spec.securityGroupSelectorTerms", [{"name": "default"}]),
        "NC-09",
    ),
    Trick(
        "mappings that leave the root volume to the image",
        node_class("spec.blockDeviceMappings", [{**MAPPING, "deviceName": "/dev/xvdz"}]),
        "NC-02",
    ),
    Trick(
        "a root volume under another name",
        node_class("spec.blockDeviceMappings", [{**MAPPING, "deviceName": "/dev/nvme0n1", "rootVolume": True}]),
        "NC-02",
        Wanted.PASSES,
    ),
    Trick(
        "own images by tags with a version",
        images({"tags": {"release": "2026-05-02"}, "owner": "self"}),
        "NC-03",
        Wanted.PASSES,
    ),
    Trick("own images by a tag that any may have", images({"tags": {"Name": "golden"}, "owner": "self"}), "NC-03"),
    Trick("own images by any tag", images({"tags": {"role": "*"}, "owner": "self"}), "NC-03"),
    Trick("own images by a part of a tag", images({"tags": {"role": "no*"}, "owner": "self"}), "NC-03"),
    Trick("own images by no tag", images({"tags": {}, "owner": "self"}), "NC-03"),
    Trick("Amazon's images by tags", images({"tags": {"role": "node"}, "owner": "amazon"}), "NC-03"),
    Trick("the newest by name", images({"name": "golden-*", "owner": "self"}), "NC-03"),
    Trick("the newest by alias", node_class("spec.amiSelectorTerms", [{"alias": "al2023@latest"}]), "NC-03"),
    Trick("the newest by a parameter", images({"ssmParameter": "/golden/image"}), "NC-03"),
    Trick("a second term that is not pinned", images({"id": "ami-1"}, {"name": "*", "owner": "self"}), "NC-03"),
    Trick(
        "a custom family without volumes",
        (s.put(s.drop(s.CLASS, "spec.blockDeviceMappings"), "spec.amiFamily", "Custom"),),
        "NC-02",
    ),
    Trick(
        "a custom family with an empty list",
        node_class("spec", {**s.CLASS.data["spec"], "amiFamily": "Custom", "blockDeviceMappings": []}),
        "NC-02",
    ),
    Trick("a custom family with volumes", node_class("spec.amiFamily", "Custom"), "NC-02", Wanted.PASSES),
    Trick("volumes in the clear", node_class("spec.blockDeviceMappings[0].ebs.encrypted", False), "NC-02"),
    Trick("volumes in the clear, as text", node_class("spec.blockDeviceMappings[0].ebs.encrypted", "false"), "NC-02"),
    Trick(
        "a second volume in the clear",
        node_class("spec.blockDeviceMappings", [MAPPING, {"ebs": {"volumeType": "gp3"}}]),
        "NC-02",
    ),
    Trick("no tokens", node_class("spec.metadataOptions.httpTokens", "optional"), "NC-01"),
    Trick("tokens in capitals", node_class("spec.metadataOptions.httpTokens", "Required"), "NC-01"),
    Trick(
        "no metadata service at all",
        node_class("spec.metadataOptions", {"httpEndpoint": "disabled", "httpTokens": "optional"}),
        "NC-01",
        Wanted.PASSES,
    ),
    *(
        Trick(f"{member} of Auto Mode by {value!r}", (auto_class(member, value),), "NC-09")
        for member in ("subnetSelectorTerms", "podSubnetSelectorTerms", "podSecurityGroupSelectorTerms")
        for value in ("*", "?*", "*-private")
    ),
    Trick("a second hop", node_class("spec.metadataOptions.httpPutResponseHopLimit", 2), "NC-01"),
    Trick("the metadata service on IPv6", node_class("spec.metadataOptions.httpProtocolIPv6", "enabled"), "NC-01"),
    Trick("a role by its ARN", node_class("spec.role", "arn:aws:iam::111122223333:role/nodes"), "NC-05"),
    Trick("public addresses", node_class("spec.associatePublicIPAddress", True), "NC-06"),
    Trick("subnets of one zone", node_class("status.subnets", [{"id": "subnet-1", "zone": "us-west-2a"}]), "NC-06"),
    Trick("a tag of Karpenter's own", node_class("spec.tags", {"karpenter.sh/nodepool": "x"}), "NC-07"),
    Trick("a tag that is missing", node_class("spec.tags", {}), "NC-07", gates={"rules": {"NC-07": {"required": ["team"]}}}),
    Trick("an ordinary class", (s.CLASS,), "", Wanted.PASSES),
)
