"""The launch template of a managed node group: a safe metadata service and encrypted disks (spec: aws-infrastructure 1.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from cutlist.infrastructure.names import ClusterFacts
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane


@dataclass(frozen=True, slots=True)
class ReadyCluster:
    """A cluster that nodes can join. `needs` has to exist before the first node and outlives the last."""

    names: ClusterFacts
    control_plane: ControlPlane
    cluster: aws.eks.Cluster
    needs: Sequence[pulumi.Resource]
    repairs: bool = False
    """Whether an agent watches nodes, so that EKS can replace broken ones."""


@dataclass(frozen=True, slots=True)
class TemplateFacts:
    """What a group decides of its launch template: disks by device name, with sizes in GiB, where None keeps the image's own;
    the hop limit of the metadata service: with 1, pods do not reach it; and the id of the capacity reservation in which its
    nodes start, which may be a capacity block."""

    devices: Mapping[str, int | None]
    hop_limit: int = 1
    reservation: pulumi.Input[str] | None = None
    is_block: bool = False


def launch_template(
    parent: pulumi.Resource, name: str, of_instances: str, facts: TemplateFacts, cluster: ReadyCluster
) -> aws.ec2.LaunchTemplate:
    """Register the launch template of a group whose instances are named `of_instances`."""
    tags = cluster.control_plane.get("tags")
    of_instance = pulumi.Output.from_input(tags or {}).apply(lambda own: {"Name": of_instances, **own})
    return aws.ec2.LaunchTemplate(
        name,
        region=cluster.names.region,
        metadata_options={
            "http_endpoint": "enabled",
            "http_tokens": "required",
            "http_put_response_hop_limit": facts.hop_limit,
            "instance_metadata_tags": "disabled",
        },
        block_device_mappings=[{"device_name": device, "ebs": _disk(size)} for device, size in facts.devices.items()],
        tag_specifications=[
            {"resource_type": kind, "tags": of_instance} for kind in ("instance", "volume", "network-interface")
        ],
        instance_market_options={"market_type": "capacity-block"} if facts.is_block else None,
        capacity_reservation_specification=_reserved(facts),
        update_default_version=True,
        tags=tags,
        opts=pulumi.ResourceOptions(parent=parent),
    )


def _reserved(facts: TemplateFacts) -> aws.ec2.LaunchTemplateCapacityReservationSpecificationArgsDict | None:
    if facts.reservation is None:
        return None
    return {"capacity_reservation_target": {"capacity_reservation_id": facts.reservation}}


def _disk(size: int | None) -> aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgsDict:
    disk: aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgsDict = {
        "encrypted": "true",
        "volume_type": "gp3",
        "delete_on_termination": "true",
    }
    if size is not None:
        disk["volume_size"] = size
    return disk
