"""How many GPUs a machine has, by the labels of its type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.core.labels import AUTO_GPU_COUNT, AWS_GPU_COUNT, AZURE_GPU_COUNT
from cutlist.core.quantity import NANO
from cutlist.providers.instance_types import NVIDIA_GPU, InstanceType

COUNTS: Final = (AWS_GPU_COUNT, AUTO_GPU_COUNT, AZURE_GPU_COUNT)


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
