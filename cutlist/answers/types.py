"""The instance types that NodePools allow, and what is odd about NodePools before any pod is looked at."""

from __future__ import annotations

from cutlist.core.notes import Note, notes_in_order
from cutlist.planning.allowed import allowed_by, pool_types
from cutlist.planning.findings import findings
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PoolTypes
from cutlist.planning.pool_types import types_of_pools, used_classes
from cutlist.scheduling.instancetypes import InstanceTypeIndexes


def allowed_types(inputs: PlanInputs) -> tuple[PoolTypes, ...]:
    """The instance types that each NodePool may launch, cheapest first."""
    tables = InstanceTypeIndexes(types_of_pools(inputs.node_pools, inputs.node_classes, inputs.cloud))
    classes = used_classes(inputs.node_pools, inputs.node_classes)
    return tuple(map(pool_types, allowed_by(inputs.node_pools, tables, classes)))


def odd_pools(inputs: PlanInputs) -> tuple[Note, ...]:
    """What is odd about NodePools and node classes before any pod is looked at; a plan has it among its notes."""
    tables = InstanceTypeIndexes(types_of_pools(inputs.node_pools, inputs.node_classes, inputs.cloud))
    found = findings(inputs, tables, used_classes(inputs.node_pools, inputs.node_classes))
    return notes_in_order([*inputs.warnings, *found])
