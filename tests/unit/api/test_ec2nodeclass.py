"""The structure of an EC2NodeClass and the rules on it."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import AmiSelectorTerm, BlockDeviceMapping, Ebs, EC2NodeClass, Kubelet, MetadataOptions
from cutlist.api.ec2nodeclass_fields import EC2NodeClassSpec, NetworkInterface
from cutlist.api.ec2nodeclass_status import SecurityGroup, Subnet
from cutlist.core.errors import Problems
from cutlist.core.quantity import Quantity
from cutlist.documents.parsing import parse_documents
from tests.unit.api.manifests import CLASS, REMOVED, class_problems, node_class

FULL = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: full, labels: {team: platform}}
spec:
  amiFamily: AL2023
  amiSelectorTerms:
  - {name: my-image-*, owner: self}
  - {id: ami-0123}
  - {ssmParameter: /my/image}
  - {tags: {team: platform}}
  subnetSelectorTerms: [{id: subnet-0123}, {tags: {Name: private-*}}]
  securityGroupSelectorTerms: [{name: nodes}]
  capacityReservationSelectorTerms: [{ownerID: "123456789012", tags: {a: b}, instanceMatchCriteria: open}]
  placementGroupSelector: {name: near}
  associatePublicIPAddress: false
  ipPrefixCount: 2
  instanceProfile: nodes
  userData: "#!/bin/sh"
  tags: {Name: node, team: platform}
  kubelet:
    clusterDNS: [10.0.1.100]
    maxPods: 20
    podsPerCore: 2
    systemReserved: {cpu: 100m, memory: 100Mi}
    kubeReserved: {cpu: "1", ephemeral-storage: 3Gi}
    evictionHard: {memory.available: 5%, nodefs.inodesFree: 200Mi}
    evictionSoft: {memory.available: 500Mi}
    evictionSoftGracePeriod: {memory.available: 1m30s}
    evictionMaxPodGracePeriod: 60
    imageGCHighThresholdPercent: 85
    imageGCLowThresholdPercent: 80
    cpuCFSQuota: true
  blockDeviceMappings:
  - deviceName: /dev/xvda
    rootVolume: true
    ebs: {volumeSize: 100Gi, volumeType: gp3, iops: 3000, throughput: 125, encrypted: true, deleteOnTermination: true,
          kmsKeyID: alias/a, snapshotID: snap-1, volumeInitializationRate: 100}
  instanceStorePolicy: RAID0
  networkInterfaces: [{networkCardIndex: 0, deviceIndex: 0, interfaceType: interface}]
  detailedMonitoring: true
  metadataOptions: {httpTokens: optional, httpProtocolIPv6: enabled}
  connectionTracking: {tcpEstablishedTimeout: 600, udpStreamTimeout: 60, udpTimeout: 30}
  context: c
  cpuOptions: {nestedVirtualization: enabled}
status:
  subnets: [{id: subnet-0123, zone: us-west-2a, zoneID: usw2-az1}]
  securityGroups: [{id: sg-1, name: nodes}]
  amis:
  - id: ami-0123
    requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}, {key: x, operator: DoesNotExist}]
  capacityReservations:
  - {id: cr-1, availabilityZone: us-west-2a, instanceType: m5.large, ownerID: "123456789012", instanceMatchCriteria: open}
  instanceProfile: made
  newer: than we are
"""


def read(text: str) -> EC2NodeClass:
    (document,) = parse_documents(text, "classes.yaml", Problems())
    return EC2NodeClass.read(document)


def test_every_field_is_read() -> None:
    """K-5, K-16, K-65: nothing of a full class is lost."""
    full = read(FULL)
    assert (full.name, full.labels, full.ami_family, full.instance_profile, full.role) == (
        "full", {"team": "platform"}, "AL2023", "nodes", None)  # fmt: skip
    assert full.ami_selector_terms[0] == AmiSelectorTerm(name="my-image-*", owner="self")
    assert [t.ssm_parameter for t in full.ami_selector_terms] == [None, None, "/my/image", None]
    assert (full.associate_public_ip_address, full.ip_prefix_count, full.context) == (False, 2, "c")
    assert full.capacity_reservation_selector_terms[0].owner_id == "123456789012"
    assert full.placement_group_selector is not None
    assert full.placement_group_selector.name == "near"
    assert full.kubelet is not None
    assert full.kubelet.cluster_dns == ("10.0.1.100",)
    assert full.kubelet.system_reserved == {"cpu": Quantity.parse("100m"), "memory": Quantity.parse("100Mi")}
    assert full.kubelet.eviction_hard == {"memory.available": "5%", "nodefs.inodesFree": "200Mi"}
    assert (full.kubelet.image_gc_high_threshold_percent, full.kubelet.cpu_cfs_quota) == (85, True)
    (disk,) = full.block_device_mappings
    assert (disk.device_name, disk.root_volume, disk.ebs.volume_size) == ("/dev/xvda", True, Quantity.parse("100Gi"))
    assert (disk.ebs.kms_key_id, disk.ebs.snapshot_id, disk.ebs.volume_initialization_rate) == ("alias/a", "snap-1", 100)
    assert full.network_interfaces == (NetworkInterface(network_card_index=0, device_index=0, interface_type="interface"),)
    assert full.metadata_options == MetadataOptions(http_tokens="optional", http_protocol_ipv6="enabled")
    assert full.connection_tracking is not None
    assert full.connection_tracking.udp_timeout == 30
    assert full.cpu_options is not None
    assert full.cpu_options.nested_virtualization == "enabled"


def test_the_status_is_read() -> None:
    """K-77: what the controller found, with fields of newer releases passed over."""
    full = read(FULL)
    assert full.subnets == (Subnet(id="subnet-0123", zone="us-west-2a", zone_id="usw2-az1"),)
    assert full.security_groups == (SecurityGroup(id="sg-1", name="nodes"),)
    assert [r.operator for r in full.amis[0].requirements] == ["In", "DoesNotExist"]
    assert full.capacity_reservations[0].reservation_type == "default"
    assert node_class().subnets == ()


def test_what_was_written_comes_back() -> None:
    """As it was, and no default is added."""
    (document,) = parse_documents(FULL, "classes.yaml", Problems())
    assert EC2NodeClass.read(document).manifest() == document.data
    assert node_class().manifest() == CLASS


def test_the_object_has_every_field_of_the_structure() -> None:
    """A field that is added to the structure cannot be forgotten in the object."""
    assert set(EC2NodeClassSpec.model_fields) <= set(EC2NodeClass.model_fields)


def test_metadata_options_keep_their_other_defaults() -> None:
    """V-101"""
    plain = node_class().metadata_options
    assert (plain.http_endpoint, plain.http_protocol_ipv6, plain.http_put_response_hop_limit, plain.http_tokens) == (
        "enabled", "disabled", 1, "required")  # fmt: skip
    assert node_class({"metadataOptions": {"httpTokens": "optional"}}).metadata_options.http_put_response_hop_limit == 1
    assert "allowed: at most 64" in class_problems({"metadataOptions": {"httpPutResponseHopLimit": 65}})[0]


@pytest.mark.parametrize(
    ("changes", "family"),
    [
        ({}, "AL2023"),
        ({"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]}, "Bottlerocket"),
        ({"amiFamily": "Custom"}, "Custom"),
        ({"amiFamily": "AL2", "amiSelectorTerms": [{"id": "ami-1"}]}, "AL2"),
    ],
)
def test_the_resolved_family(changes: dict[str, Any], family: str) -> None:
    """V-72: the one written, else the alias's."""
    assert node_class(changes).resolved_ami_family == family


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"role": REMOVED}, ": must specify exactly one of ['role', 'instanceProfile']"),  # V-70
        ({"instanceProfile": "a"}, ": must specify exactly one of ['role', 'instanceProfile']"),
        ({"role": ""}, "role: role cannot be empty"),
        ({"amiFamily": "Ubuntu"}, "amiFamily: found the text 'Ubuntu'; allowed: AL2, AL2023,"),  # V-71
        ({"amiFamily": "AL2"}, "amiFamily: if set, amiFamily must be 'AL2023' or 'Custom' when using an AL2023 alias"),  # V-72
        (
            {"amiSelectorTerms": [{"id": "ami-1"}]},
            ": must specify amiFamily if amiSelectorTerms does not contain an alias",
        ),  # V-73
        ({"amiSelectorTerms": REMOVED}, "amiSelectorTerms: is missing and required"),
        ({"amiSelectorTerms": []}, "amiSelectorTerms: is empty; allowed: at least 1 entry"),  # V-81
        ({"subnetSelectorTerms": []}, "subnetSelectorTerms: subnetSelectorTerms cannot be empty"),  # V-82
        ({"securityGroupSelectorTerms": []}, "securityGroupSelectorTerms: securityGroupSelectorTerms cannot be empty"),
        ({"capacityReservationSelectorTerms": []}, "capacityReservationSelectorTerms: is empty; leave it out instead"),  # V-87
        ({"subnetSelectorTerms": [{"id": "subnet-XYZ"}]}, "subnetSelectorTerms[0].id: 'subnet-XYZ' is not valid here"),  # V-86
        ({"ephemeralStorage": {}}, "ephemeralStorage: unknown field 'ephemeralStorage': it belongs to the NodeClass of EKS"),
        (
            {"subnetSelector": {}},
            "subnetSelector: unknown field 'subnetSelector': today it is the list spec.subnetSelectorTerms",
        ),
        ({"kubelet": {"containerRuntime": "containerd"}}, "kubelet.containerRuntime: unknown field 'containerRuntime': it was"),
        (
            {"kubelet": {"imageGCHighThresholdPercent": 101}},
            "kubelet.imageGCHighThresholdPercent: found 101; allowed: at most 100",
        ),
        (
            {"kubelet": {"kubeReserved": {"cpu": 1}}},
            'kubelet.kubeReserved.cpu: found the number 1 where text is needed; did you mean "1"',
        ),
        ({"connectionTracking": {}}, "connectionTracking: at least one of tcpEstablishedTimeout"),  # V-102
        ({"connectionTracking": {"udpTimeout": 61}}, "connectionTracking.udpTimeout: found 61; allowed: at most 60"),
        ({"placementGroupSelector": {}}, "placementGroupSelector: expected at least one, got none, ['name', 'id']"),  # V-88
        (
            {"placementGroupSelector": {"id": "pg-1", "name": "a"}},
            "placementGroupSelector: 'name' and 'id' are mutually exclusive",
        ),
        (
            {"detailedMonitoring": "yes"},
            "detailedMonitoring: found the text 'yes' where true or false is needed; did you mean true?",
        ),
    ],
)
def test_what_is_refused(changes: dict[str, Any], said: str) -> None:
    """Each with its path and the fixed message."""
    (found,) = class_problems(changes)
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("alias", "said", "near"),
    [
        ("al2023", "'alias' is improperly formatted, must match the format 'family@version'", "al2023@latest"),  # V-74
        ("AL2023@latest", "family is not supported, must be one of the following: 'al2', 'al2023'", "al2023@latest"),
        ("ubuntu@latest", "family is not supported", ""),
        ("windows2022@v1.0", "windows families may only specify version 'latest'", "windows2022@latest"),  # V-75
        ("al2023@" + "v" * 24, "has 31 characters; allowed: at most 30 characters", ""),  # V-76
        ("al2@a@b", "'alias' is improperly formatted", ""),
    ],
)
def test_aliases(alias: str, said: str, near: str) -> None:
    """With the alias that was meant."""
    (found,) = class_problems({"amiSelectorTerms": [{"alias": alias}]})
    assert found.startswith(f"amiSelectorTerms[0].alias: {said}")
    assert found.endswith(f"did you mean {near}?") if near else "did you mean" not in found


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (
            {"id": "ami-1", "name": "a"},
            "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
        ),  # V-78
        (
            {"alias": "al2@latest", "ssmParameter": "/a"},
            "'alias' is mutually exclusive, cannot be set with a combination of other",
        ),  # V-80
        ({"owner": "self"}, "expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']"),  # V-79
        ({"tags": {}}, "expected at least one, got none"),  # V-84
        ({"tags": {"a": ""}}, "empty tag keys or values aren't supported"),  # V-85
        ({"tags": {f"k{i}": "a" for i in range(21)}}, "has 21 entries; allowed: at most 20 entries"),
        ({"id": "xx-ami-1"}, "'xx-ami-1' is not valid here"),  # V-86
    ],
)
def test_ami_terms(term: dict[str, Any], said: str) -> None:
    """V-77 to V-86"""
    found = class_problems({"amiFamily": "AL2", "amiSelectorTerms": [term]})
    assert len(found) == 1
    assert found[0].startswith("amiSelectorTerms[0]")
    assert said in found[0]


@pytest.mark.parametrize("role", ["arn:aws:iam::111122223333:role/team/nodes", "team/nodes"])
def test_a_role_is_named_without_its_path(role: str) -> None:  # I-22
    """With an ARN or a path the controller makes instance profiles until the account has no more of them."""
    (said_of_it,) = class_problems({"role": role})
    assert (
        said_of_it == f"role: {role!r} is not a role's name; allowed: the name alone, without ARN or path; did you mean nodes?"
    )


def test_an_alias_stands_alone() -> None:
    """V-77"""
    terms = [{"alias": "al2023@latest"}, {"id": "ami-1"}]
    assert class_problems({"amiSelectorTerms": terms}) == [
        "amiSelectorTerms[0].alias: 'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms"
    ]


@pytest.mark.parametrize("field", ["subnetSelectorTerms", "securityGroupSelectorTerms"])
def test_mixed_terms(field: str) -> None:
    """V-83: also beside a clean one, where Karpenter would ignore the tags silently."""
    prefix = "subnet" if field.startswith("subnet") else "sg"
    (said,) = class_problems({field: [{"tags": {"a": "b"}}, {"id": f"{prefix}-1", "tags": {"a": "b"}}]})
    assert said.startswith(f"{field}[1]: 'id' is mutually exclusive")


@pytest.mark.parametrize(
    "tag",
    ["kubernetes.io/clusterfoo", "karpenter.sh/nodepool", "karpenter.sh/nodeclaim", "karpenter.k8s.aws/ec2nodeclass",
     "eks:eks-cluster-name"],
)  # fmt: skip
def test_restricted_tags(tag: str) -> None:  # K-123
    """V-89, V-90"""  # K-28
    (said,) = class_problems({"tags": {"team": "a", tag: "b"}})
    assert said.startswith(f"tags.{tag}: tag contains a restricted tag matching ")


def test_free_tags() -> None:  # K-123
    """V-90"""  # K-28
    assert node_class({"tags": {"Name": "a", "karpenter.sh/managed-by": "b", "c": ""}}).tags["c"] == ""


@pytest.mark.parametrize(
    ("kubelet", "path", "said"),
    [
        ({"kubeReserved": {"gpu": "1"}}, "kubeReserved.gpu", "valid keys for kubeReserved are ['cpu','memory',"),  # V-91
        (
            {"systemReserved": {"cpu": "-1"}},
            "systemReserved.cpu",
            "systemReserved value cannot be a negative resource quantity",
        ),
        ({"evictionHard": {"memory": "1Gi"}}, "evictionHard.memory", "valid keys for evictionHard are ['memory.available',"),
        ({"evictionHard": {"memory.available": "101%"}}, "evictionHard.memory.available", "'101%' is not valid here"),  # V-92
        ({"evictionHard": {"memory.available": ""}}, "evictionHard.memory.available", "'' is not valid here"),
        (
            {"evictionSoft": {"memory.available": "1Gi"}},
            "evictionSoft.memory.available",
            "evictionSoft OwnerKey does not have",
        ),  # V-93
        (
            {"evictionSoftGracePeriod": {"memory.available": "1m"}},
            "evictionSoftGracePeriod.memory.available",
            "evictionSoftGrace",
        ),
        (
            {"imageGCHighThresholdPercent": 50, "imageGCLowThresholdPercent": 50},  # V-94
            "imageGCHighThresholdPercent",
            "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
        ),
        ({"maxPods": -1}, "maxPods", "found -1; allowed: at least 0"),
    ],
)
def test_kubelet(kubelet: dict[str, Any], path: str, said: str) -> None:
    """V-91 to V-94"""
    (found,) = class_problems({"kubelet": kubelet})
    assert found.startswith(f"kubelet.{path}: {said}")


def test_a_grace_period_is_a_duration() -> None:
    """The kubelet would not start with anything else."""
    kubelet = {"evictionSoft": {"memory.available": "1Gi"}, "evictionSoftGracePeriod": {"memory.available": "1d"}}
    (said,) = class_problems({"kubelet": kubelet})
    assert said.startswith("kubelet.evictionSoftGracePeriod.memory.available: '1d' is not a duration")


@pytest.mark.parametrize("size", ["1Gi", "59000Gi", "64000G", "58Ti", "64T"])
def test_volume_sizes(size: str) -> None:
    """V-98"""
    mapping = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": size}}
    assert node_class({"blockDeviceMappings": [mapping]}).block_device_mappings[0].ebs.volume_size == Quantity.parse(size)


@pytest.mark.parametrize(
    ("size", "near"),
    [("0Gi", ""), ("59001Gi", ""), ("100Mi", ""), ("1.5Ti", "1536Gi"), ("100", "100Gi"), ("18Ti", "18432Gi"), ("Ti", ""),
     ("100GB", "100Gi"), ("T", ""), ("1Gi ", "")],
)  # fmt: skip
def test_wrong_volume_sizes(size: str, near: str) -> None:
    """V-98: with the size in Gi that was meant."""
    (said,) = class_problems({"blockDeviceMappings": [{"deviceName": "a", "ebs": {"volumeSize": size}}]})
    assert said.startswith(f"blockDeviceMappings[0].ebs.volumeSize: {size!r} is not a volume size")
    assert said.endswith(f"did you mean {near}?") if near else "did you mean" not in said


@pytest.mark.parametrize(
    ("mappings", "said"),
    [
        ([{"deviceName": "a", "ebs": {}}], "blockDeviceMappings[0].ebs: snapshotID or volumeSize must be defined"),  # V-97
        (
            [{"deviceName": "a", "ebs": {"volumeSize": "1Gi", "volumeInitializationRate": 100}}],
            "blockDeviceMappings[0].ebs: snapshotID must be set when volumeInitializationRate is set",
        ),
        ([{"ebs": {"volumeSize": "1Gi"}}], "blockDeviceMappings[0].deviceName: is missing and required"),  # V-99
        ([{"deviceName": "a"}], "blockDeviceMappings[0].ebs: is missing and required"),
        (
            [{"deviceName": d, "rootVolume": True, "ebs": {"volumeSize": "1Gi"}} for d in "ab"],  # V-96
            "blockDeviceMappings: must have only one blockDeviceMappings with rootVolume",
        ),
    ],
)
def test_block_devices(mappings: list[dict[str, Any]], said: str) -> None:
    """V-96, V-97, V-99"""
    (found,) = class_problems({"blockDeviceMappings": mappings})
    assert found.startswith(said)


def test_network_interfaces() -> None:
    """V-100"""
    primary = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    efa = {"networkCardIndex": 1, "deviceIndex": 1, "interfaceType": "efa-only"}
    assert node_class({"networkInterfaces": []}).network_interfaces == ()
    assert len(node_class({"networkInterfaces": [primary, efa]}).network_interfaces) == 2
    assert "must include a primary interface" in class_problems({"networkInterfaces": [efa]})[0]
    assert "must not have duplicate" in class_problems({"networkInterfaces": [primary, primary]})[0]
    assert "at most one efa device" in class_problems({"networkInterfaces": [primary, efa, {**efa, "deviceIndex": 2}]})[0]


def test_it_is_built_in_python() -> None:
    """Parts are given as objects, and written back as a manifest has them."""
    built = EC2NodeClass(
        name="default",
        role="KarpenterNodeRole-demo",
        ami="al2023@v20260625",
        discovery="demo",
        kubelet=Kubelet(max_pods=20, kube_reserved={"cpu": Quantity.parse("1")}),
        block_device_mappings=[
            BlockDeviceMapping(device_name="/dev/xvda", ebs=Ebs(volume_size=Quantity.parse("100Gi"), kms_key_id="alias/a"))
        ],
    )
    assert built.manifest()["spec"] == {
        **CLASS["spec"],
        "kubelet": {"maxPods": 20, "kubeReserved": {"cpu": "1"}},
        "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "100Gi", "kmsKeyID": "alias/a"}}],
    }
