"""The models of GPUs of a machine, by the labels of its type."""

from __future__ import annotations

import re
from typing import Final

from cutlist.core.labels import (
    AUTO_GPU_NAME,
    AUTO_GROUP,
    AWS_GPU_NAME,
    AWS_GROUP,
)
from cutlist.planning.gpu_sharing.counts import label_of
from cutlist.providers.instance_types import InstanceType
from cutlist.providers.mig_profiles import A100_40, A100_80, H100_80, H100_94, H200, MigModel, model_by_labels

NAMES: Final = (AWS_GPU_NAME, AUTO_GPU_NAME)
MEMORIES: Final = (f"{AWS_GROUP}/instance-gpu-memory", f"{AUTO_GROUP}/instance-gpu-memory")
_SIZES: Final = (
    (re.compile(r"Standard_NC\w+_A100_v4"), A100_80),
    (re.compile(r"Standard_ND\d+am\w+_v4"), A100_80),
    (re.compile(r"Standard_ND\d+as\w+_v4"), A100_40),
    (re.compile(r"Standard_NC\w+_H100_v5"), H100_94),
    (re.compile(r"Standard_ND\w+_H100_v5"), H100_80),
    (re.compile(r"Standard_ND\w+_H200_v5"), H200),
)
"""The models of Azure's sizes, whose labels have no memory of GPUs."""


def model_of(instance_type: InstanceType) -> MigModel | None:
    """Return the model of a machine's GPUs, None for GPUs that cannot be partitioned or that are not known."""
    name, memory = label_of(instance_type, NAMES), label_of(instance_type, MEMORIES)
    if name:
        return model_by_labels(name, int(memory) if memory.isdecimal() else 0)
    return next((model for size, model in _SIZES if size.fullmatch(instance_type.name)), None)
