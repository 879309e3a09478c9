"""What a launch template says to EC2, user data aside, as a request of the EC2 API (spec: AWS 2.3, 5.10, 6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import RESERVED, SPOT
from cutlist.core.quantity import MEBI
from cutlist.providers.aws.families import CUSTOM, FAMILIES, AmiFamily
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.request import LaunchSettings
from cutlist.providers.aws.launch.templates import LaunchTemplate
from cutlist.providers.aws.offerings import CAPACITY_BLOCK
from cutlist.providers.aws.profile import EFA_ONLY
from cutlist.providers.aws.volumes import bottlerocket_root

if TYPE_CHECKING:
    from cutlist import EC2NodeClass

# Under the name of v1.14 and under that of later versions; either switches Nitro Enclaves on.
ENCLAVES: Final = frozenset(("eks.amazonaws.com/nip-slots", "eks.amazonaws.com/nitro-sandbox"))
_NO_IPV6_METADATA: Final = frozenset(
    ("us-iso-east-1", "us-iso-west-1", "us-isob-east-1", "us-isob-west-1", "us-isof-south-1", "us-isof-east-1")
)
_BOTTLEROCKET_SYSTEM: Final = "/dev/xvda"  # the disk that holds the operating system

_GIBI: Final = 1024 * MEBI

Request = dict[str, Any]


def template_request(
    template: LaunchTemplate, request: FleetRequest, node_class: EC2NodeClass, settings: LaunchSettings, region: str
) -> Request:
    """Return the template's data with the tags of the template itself, members without a value left out."""
    tagged = ["network-interface", *(["spot-instances-request"] if request.capacity_type == SPOT else [])]
    return _without_empty(
        {
            "ImageId": template.image_id,
            "BlockDeviceMappings": _disks(node_class),
            "CpuOptions": _cpu_options(node_class),
            "IamInstanceProfile": {"Name": node_class.status.instance_profile},
            "Monitoring": {"Enabled": bool(node_class.detailed_monitoring)},
            "MetadataOptions": _metadata(node_class, region),
            "NetworkInterfaces": _interfaces(template, node_class, settings),
            "Placement": _placement(request),
            "EnclaveOptions": {"Enabled": _runs_enclaves(request, node_class)},
            "CapacityReservationSpecification": _reservation(template, request, settings),
            "InstanceMarketOptions": _market(template, settings),
            "TagSpecifications": [{"ResourceType": kind, "Tags": dict(request.tags)} for kind in tagged],
            "TemplateTagSpecifications": [{"ResourceType": "launch-template", "Tags": dict(request.tags)}],
        }
    )


def _runs_enclaves(request: FleetRequest, node_class: EC2NodeClass) -> bool:
    """Enclaves are an option of the class since 1.15; before, a resource that the claim requests (VA15-51, VA15-52)."""
    if node_class.karpenter.does(Behaviour.ENCLAVES_ARE_AN_OPTION):
        return node_class.enclave_options is not None and node_class.enclave_options.enabled
    return not ENCLAVES.isdisjoint(request.requested)


def _disks(node_class: EC2NodeClass) -> list[Request]:
    """Return the NodeClass' mappings as written, or else those of its family; sizes are rounded up to whole GiB (A-26)."""
    if not node_class.block_device_mappings:
        return _default_disks(FAMILIES.get(node_class.resolved_ami_family, CUSTOM), bottlerocket_root(node_class.karpenter))
    return [{"DeviceName": m.device_name, "Ebs": _volume(m.ebs)} for m in node_class.block_device_mappings]


def _volume(ebs: Any) -> Request:
    return {
        "DeleteOnTermination": ebs.delete_on_termination,
        "Encrypted": ebs.encrypted,
        "VolumeType": ebs.volume_type,
        "Iops": ebs.iops or None,
        "Throughput": ebs.throughput or None,
        "KmsKeyId": ebs.kms_key_id,
        "SnapshotId": ebs.snapshot_id,
        "VolumeInitializationRate": ebs.volume_initialization_rate,
        "VolumeSize": None if ebs.volume_size is None else -(-ebs.volume_size.nanos // _GIBI),
    }


def _default_disks(family: AmiFamily, system: int) -> list[Request]:
    if not family.ephemeral_device:
        return []
    disks = [(family.ephemeral_device, family.default_disk // _GIBI)]
    if family.name == "Bottlerocket":
        disks.insert(0, (_BOTTLEROCKET_SYSTEM, system))
    return [{"DeviceName": d, "Ebs": {"Encrypted": True, "VolumeSize": size, "VolumeType": "gp3"}} for d, size in disks]


def _cpu_options(node_class: EC2NodeClass) -> Request:
    options = node_class.cpu_options
    return {"NestedVirtualization": options.nested_virtualization} if options else {}


def _metadata(node_class: EC2NodeClass, region: str) -> Request:
    """Return how instances reach their metadata; tags in it stay off, some of Karpenter's are not allowed there."""
    options = node_class.metadata_options
    return {
        "HttpEndpoint": options.http_endpoint,
        "HttpProtocolIpv6": None if region in _NO_IPV6_METADATA else options.http_protocol_ipv6,
        "HttpPutResponseHopLimit": options.http_put_response_hop_limit,
        "HttpTokens": options.http_tokens,
        "InstanceMetadataTags": "disabled",
    }


def _interfaces(template: LaunchTemplate, node_class: EC2NodeClass, settings: LaunchSettings) -> list[Request]:
    """Return the NodeClass' interfaces as written; else all EFA interfaces where EFA is asked for; else one plain interface."""
    groups = {"Groups": [group.id for group in node_class.status.security_groups]}
    addresses = _addresses(node_class, settings)
    if node_class.network_interfaces:
        return [
            {
                "NetworkCardIndex": i.network_card_index,
                "DeviceIndex": i.device_index,
                "InterfaceType": i.interface_type,
                **groups,
                **({} if i.interface_type == EFA_ONLY else addresses),
            }
            for i in node_class.network_interfaces
        ]
    if template.efa_interfaces:
        return [
            {"NetworkCardIndex": card, "DeviceIndex": min(card, 1), "InterfaceType": "efa", **groups, **addresses}
            for card in range(template.efa_interfaces)
        ]
    return [{"DeviceIndex": 0, **groups, **addresses}]


def _addresses(node_class: EC2NodeClass, settings: LaunchSettings) -> Request:
    """Return what an interface says of its addresses; EC2 refuses it on interfaces that carry EFA only."""
    tracking = node_class.connection_tracking
    found: Request = {"AssociatePublicIpAddress": node_class.associate_public_ip_address}
    if settings.is_ipv6:
        found |= {"PrimaryIpv6": True, "Ipv6AddressCount": 1, "Ipv6PrefixCount": node_class.ip_prefix_count}
    else:
        found["Ipv4PrefixCount"] = node_class.ip_prefix_count
    if tracking is not None:
        found["ConnectionTrackingSpecification"] = {
            "TcpEstablishedTimeout": tracking.tcp_established_timeout,
            "UdpStreamTimeout": tracking.udp_stream_timeout,
            "UdpTimeout": tracking.udp_timeout,
        }
    return found


def _placement(request: FleetRequest) -> Request:
    group = request.placement_group
    return {
        "Tenancy": request.tenancy,
        "GroupId": group.group_id if group else None,
        "PartitionNumber": request.partition or None,
    }


def _reservation(template: LaunchTemplate, request: FleetRequest, settings: LaunchSettings) -> Request:
    """Without a reservation to launch into, open ones are avoided on purpose (A-62)."""
    if not settings.reserved_capacity:
        return {}
    if request.capacity_type != RESERVED or template.reservation is None:
        return {"CapacityReservationPreference": "none"}
    target = {"CapacityReservationId": template.reservation.id}
    return {"CapacityReservationPreference": "capacity-reservations-only", "CapacityReservationTarget": target}


def _market(template: LaunchTemplate, settings: LaunchSettings) -> Request:
    reservation = template.reservation
    if reservation is None or not settings.reserved_capacity:
        return {}
    if reservation.type == CAPACITY_BLOCK:
        return {"MarketType": CAPACITY_BLOCK}
    return {"MarketType": "interruptible-capacity-reservation"} if reservation.interruptible else {}


def _without_empty(members: Mapping[str, Any]) -> Request:
    cleaned = {key: _cleaned(value) for key, value in members.items()}
    return {key: value for key, value in cleaned.items() if value is not None and value not in ("", [], {})}


def _cleaned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _without_empty(value)
    return [_cleaned(item) for item in value] if isinstance(value, list) else value
