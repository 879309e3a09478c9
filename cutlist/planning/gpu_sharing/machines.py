"""The GPUs of a machine, by the labels of its type: how many, of which model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cutlist.core.labels import (
    AUTO_GPU_COUNT,
    AUTO_GPU_NAME,
    AUTO_GROUP,
    AWS_GPU_COUNT,
    AWS_GPU_NAME,
    AWS_GROUP,
    AZURE_GPU_COUNT,
)
from cutlist.core.quantity import NANO
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType
from cutlist.providers.mig_profiles import A100_40, A100_80, H100_80, H100_94, H200, MigModel, model_by_labels

COUNTS: Final = (AWS_GPU_COUNT, AUTO_GPU_COUNT, AZURE_GPU_COUNT)
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


def gpus_of(instance_type: InstanceType) -> int:
    """Return how many GPUs a machine has, whatever NodeOverlays say of its capacity."""
    count = label_of(instance_type, COUNTS)
    return int(count) if count.isdecimal() else instance_type.capacity.get(NVIDIA_GPU, 0) // NANO


def label_of(instance_type: InstanceType, keys: Iterable[str]) -> str:
    """Return the only value that a type has for the first of some labels that it has; empty without one."""
    for key in keys:
        values = instance_type.requirements.get(key)
        if values is not None and len(values.values) == 1:
            return next(iter(values.values))
    return ""


def model_of(instance_type: InstanceType) -> MigModel | None:
    """Return the model of a machine's GPUs, None for GPUs that cannot be partitioned or that are not known."""
    name, memory = label_of(instance_type, NAMES), label_of(instance_type, MEMORIES)
    if name:
        return model_by_labels(name, int(memory) if memory.isdecimal() else 0)
    return next((model for size, model in _SIZES if size.fullmatch(instance_type.name)), None)
