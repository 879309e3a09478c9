"""The volumes of an EC2NodeClass: fields, types, ranges (spec: api-objects 3)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from cutlist.api.fields import Field, FieldRefusal, PlainValidator, WithJsonSchema
from cutlist.api.model import (
    REQUIRED_HERE,
    Int32,
    Model,
    help_text,
)
from cutlist.api.patterns import VOLUME_SIZE_OF_CRD
from cutlist.core.quantity import Quantity

_VOLUME_SIZE: Final = re.compile(
    r"((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G"
    r"|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-3]|64)T)"
)
"""The CRD's pattern without its empty alternatives, which let a bare `Ti` through and read it as a size of 0."""
_VOLUME_SIZES: Final = "1Gi to 59000Gi, 1G to 64000G or 1T to 64T, in whole numbers"

VolumeType = Literal["standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"]


def _volume_size(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        value = str(value)
    if not isinstance(value, str):
        raise FieldRefusal("string_type")
    if not _VOLUME_SIZE.fullmatch(value):
        context = {"value": repr(value), "allowed": _VOLUME_SIZES}
        raise FieldRefusal("volume_size", context)
    return Quantity.parse(value)


VolumeSize = Annotated[
    Quantity,
    PlainValidator(_volume_size),
    WithJsonSchema({"type": "string", "pattern": VOLUME_SIZE_OF_CRD}),
]


class Ebs(Model):
    """A volume. `throughput` and `volume_initialization_rate` are in MiB/s."""

    volume_size: Annotated[VolumeSize | None, help_text("In whole Gi, G, Ti or T, such as 100Gi.")] = None
    volume_type: VolumeType | None = None
    iops: int | None = None
    throughput: int | None = None
    encrypted: bool | None = None
    delete_on_termination: bool | None = None
    kms_key_id: str | None = None
    snapshot_id: str | None = None
    volume_initialization_rate: Annotated[Int32, Field(ge=100, le=300)] | None = None


class BlockDeviceMapping(Model):
    """A volume and the device that it appears as. Without either, the controller crashes, so both are required here (spec
    3.8)."""

    device_name: Annotated[str, REQUIRED_HERE]
    root_volume: Annotated[bool, help_text("Marks the volume whose size is the node's ephemeral storage.")] = False
    ebs: Annotated[Ebs, REQUIRED_HERE]
