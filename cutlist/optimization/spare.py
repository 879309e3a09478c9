"""Spare room: a CapacityBuffer for each workload, so that some more of its pods can start without waiting for a node."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.capacitybuffer_fields import ScalableRef
from cutlist.core.errors import InputError, Place
from cutlist.documents.document import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.scheduling.capacitybuffers import SCALED_KINDS, read_buffers
from cutlist.settings.suggest import SPARE
from cutlist.workloads.groups import workload_name
from cutlist.workloads.written import namespace_of, workload_of

_GROUP: Final = "apps"


def with_spare(inputs: PlanInputs, percentage: int) -> tuple[PlanInputs, tuple[CapacityBuffer, ...]]:
    """Return inputs with room for a part of each workload's pods besides the existing ones, and the objects that keep it. A
    workload with a CapacityBuffer gets no other. Raises InputError if no workload can have one.
    """
    if not percentage:
        return inputs, ()
    buffers = _buffers(inputs, percentage)
    if not buffers:
        text = "no workload can have spare room: there is no scaled workload without a CapacityBuffer"
        raise InputError.one(Place.of(SPARE), text, f"{', '.join(SCALED_KINDS)} with pods that wait for nodes")
    added = read_buffers(buffers, [document.data for document in inputs.documents])
    return replace(inputs, buffers=(*inputs.buffers, *added)), buffers


def _buffers(inputs: PlanInputs, percentage: int) -> tuple[CapacityBuffer, ...]:
    """Return a buffer for each workload with pods to place, in the order of the input."""
    waiting = {group.workload for group in inputs.workloads.groups}
    # Two buffers for one workload would add up, and their owner has decided already.
    have_one = {scaled_by(document) for document in inputs.documents if document.kind == CapacityBuffer.KIND}
    scaled = [document for document in inputs.documents if document.kind in SCALED_KINDS]
    return tuple(
        CapacityBuffer(
            name=buffer_name(document),
            namespace=document.data["metadata"].get("namespace"),
            scalable_ref=ScalableRef(kind=document.kind, name=document.name, api_group=_GROUP),
            percentage=percentage,
        )
        for document in scaled
        if workload_of(document) in waiting - have_one
    )


def buffer_name(workload: Document) -> str:
    """Return the name that a proposed CapacityBuffer has, the same for the same workload in every answer."""
    return f"spare-{workload.kind.lower()}-{workload.name}"


def scaled_by(buffer: Document) -> str:
    """Return the name of the workload that a buffer refers to; a buffer of a pod template gives the name of none."""
    reference = (buffer.data.get("spec") or {}).get("scalableRef") or {}
    return workload_name(reference.get("kind", ""), namespace_of(buffer), reference.get("name", ""))
