"""The features that a cluster uses: the choices that decide which permissions the controller gets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.errors import InputError, Place


class Feature(StrEnum):
    """A feature that needs its own permissions, or narrows others (spec: aws-infrastructure 3.5, 3.6)."""

    INSTANCE_PROFILES = "instance-profiles"
    """The controller creates and removes instance profiles. Without it, NodeClasses name an existing profile."""
    IMAGE_ALIASES = "image-aliases"
    """NodeClasses select images by alias, which is looked up in AWS's own SSM parameters."""
    CAPACITY_RESERVATIONS = "capacity-reservations"
    """NodeClasses select capacity reservations."""
    PLACEMENT_GROUPS = "placement-groups"
    """NodeClasses select placement groups."""
    PRICE_LIST = "price-list"
    """The controller reads the price list. A VPC without internet access cannot reach it."""
    ZONAL_SHIFT = "zonal-shift"
    """The controller avoids zones that traffic was shifted away from. From 1.12 on."""
    REBOOT_FOR_REPAIR = "reboot-for-repair"
    """The controller reboots nodes whose GPUs have faults that a reboot clears: the feature gate of that name. From 1.15 on."""
    STRICT_NETWORK = "strict-network"
    """Launches use only subnets and security groups with the discovery tag. Unproven: try it until a NodeClass is Ready."""
    STRICT_IMAGES = "strict-images"
    """Launches use only images of Amazon and of the account. Unproven, as above."""
    STRICT_METADATA = "strict-metadata"
    """Instances must require session tokens for their metadata service. Unproven, as above."""
    STRICT_PROFILES = "strict-profiles"
    """Instance profiles must lie at the path of the cluster. Unproven; not for clusters with profiles from before 1.7."""


USUAL: Final = frozenset(
    {
        Feature.INSTANCE_PROFILES,
        Feature.IMAGE_ALIASES,
        Feature.CAPACITY_RESERVATIONS,
        Feature.PLACEMENT_GROUPS,
        Feature.PRICE_LIST,
    }
)
STRICT: Final = frozenset(feature for feature in Feature if feature.startswith("strict-"))


class CallerResource(StrEnum):
    """Resources that the permissions cover and that only the caller can name."""

    NODE_ROLES = "node roles"
    QUEUE = "queue"
    QUEUE_KEY = "key of the queue"
    VOLUME_KEYS = "keys of volumes"
    IMAGE_PARAMETERS = "image parameters"


@dataclass(frozen=True, slots=True)
class Discovery:
    """The tag by which subnets and security groups are found; the value may have wildcards."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What the permissions of one cluster's controller cover. All resources are full ARNs; an empty field grants nothing.
    `node_roles` are the roles that nodes may get, with their paths; without one, the controller cannot launch anything, so that
    is an InputError. `queue_key` encrypts the queue, `volume_keys` the volumes of nodes, `image_parameters` are SSM parameters
    of your own that hold image ids. `discovery` is the tag that STRICT_NETWORK requires; None for `karpenter.sh/discovery` with
    the cluster's name.
    """

    node_roles: tuple[str, ...]
    queue: str = ""
    queue_key: str = ""
    volume_keys: tuple[str, ...] = ()
    image_parameters: tuple[str, ...] = ()
    features: frozenset[Feature] = USUAL
    discovery: Discovery | None = None

    def __post_init__(self) -> None:
        if not self.node_roles:
            raise InputError.one(
                Place(path="nodeRoleArns"), "no node role is given", "the ARN of each role that nodes may have"
            )

    def given(self, what: CallerResource) -> tuple[str, ...]:
        """Return the ARNs that the caller gave for a resource."""
        named = {
            CallerResource.NODE_ROLES: self.node_roles,
            CallerResource.QUEUE: (self.queue,),
            CallerResource.QUEUE_KEY: (self.queue_key,),
            CallerResource.VOLUME_KEYS: self.volume_keys,
            CallerResource.IMAGE_PARAMETERS: self.image_parameters,
        }
        return tuple(arn for arn in named[what] if arn)
