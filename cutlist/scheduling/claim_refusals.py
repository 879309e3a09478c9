"""Why new claims refuse pods: their templates' limits and taints, requirements that clash, and what their types lack.

Admission itself answers yes or no; these questions are asked of pods that stay pending (spec: scheduling 5.6, 6.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import or_

from cutlist.core.bits import bits
from cutlist.core.requirements import Requirements
from cutlist.core.taints import untolerated
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaim import ClaimAdmission, InFlightClaim, fitting, requests_with
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate, nodes_used_up
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.refusals import (
    Incompatible,
    LimitsExceeded,
    NodesExhausted,
    NotTolerated,
    NoType,
    Refusal,
    TooManyVolumes,
    VolumePin,
)
from cutlist.scheduling.requirement_space import EMPTY
from cutlist.scheduling.resource_thresholds import AllocatableLayer
from cutlist.state.scheduling_node import NODES


def refusal_of(
    admission: ClaimAdmission, template: NodeClaimTemplate, pod_data: PodData, mask: int, remaining: Mapping[str, int]
) -> Refusal | None:
    """Return why a template opened no claim for a pod, apart from topology and reservations, or None if it would have opened
    one.

    `mask` and `remaining` are the types that its limits allowed at that time, and the rest of these limits.
    """
    refusal = None
    if mask:
        refusal = misfit(admission, template, pod_data, mask)
        # Any other refusal does not depend on the types, so limits have no part in it.
        if not isinstance(refusal, NoType) or mask == template.mask:
            return refusal
    # Asked again without limits: what remains is an obstacle that a higher limit would not remove.
    besides = misfit(admission, template, pod_data, template.mask)
    claim = admission.alone(template, pod_data) if besides is None else None
    suited = template.mask if claim is None else claim.mask
    if isinstance(refusal, NoType):
        limits = {} if besides is not None else _refusing(template, remaining, suited)
        return replace(refusal, limits=limits, besides=besides) if limits or besides is not None else refusal
    if nodes_used_up(remaining):
        return NodesExhausted(besides)
    return LimitsExceeded(_refusing(template, remaining, suited), besides)


def _refusing(template: NodeClaimTemplate, remaining: Mapping[str, int], types: int) -> dict[str, int]:
    """Return the rest of the limits that rule out some types: those that do so alone, else the few that do so together."""
    within = template.instance_types.within_capacity
    masks = {r: types & ~within(r, left) for r, left in sorted(remaining.items()) if r != NODES}
    if remaining.get(NODES, 0) < 0:
        masks[NODES] = types
    refused = reduce(or_, masks.values(), 0)
    alone = [r for r, mask in masks.items() if mask == refused]
    needed = alone or list(masks)
    # Greedy, and enough: a limit whose types the others rule out too says nothing new to a reader.
    for resource in () if alone else masks:
        if reduce(or_, (masks[r] for r in needed if r != resource), 0) == refused:
            needed.remove(resource)
    return {r: remaining[r] for r in needed}


def misfit(admission: ClaimAdmission, template: NodeClaimTemplate, pod_data: PodData, mask: int) -> Refusal | None:
    """Return why a single pod does not fit a new node of the template with these types, limits aside, or None if it does."""
    taints = untolerated(template.pool.taints, pod_data.pod.tolerations)
    if taints:
        return NotTolerated(tuple(taints))
    claim = admission.new_claim(template, mask)
    if not admission.attaching(claim, pod_data):
        return too_many_volumes(claim, pod_data)
    cause = admission.space.clash(template.requirements, pod_data.requirements)
    if cause:
        return Incompatible(cause)
    narrowed = None
    for narrowed in admission.alternatives(claim, pod_data):
        if narrowed is not None and admission.add(claim, pod_data, narrowed):
            return None
    if narrowed is None:
        return _incompatible_volumes(admission, template, pod_data)
    refusal = no_type(admission, claim, pod_data, narrowed)
    # The same pod without its volumes' places: if it is admitted, these are the cause, not the types.
    held = admission.space.meet(claim.requirements, pod_data.requirements)
    pin = volume_pin(admission, pod_data)
    if pin is not None and held is not None and admission.add(claim, pod_data, held):
        return replace(refusal, volumes=pin)
    return refusal


def too_many_volumes(claim: InFlightClaim, pod_data: PodData) -> TooManyVolumes:
    """Return the driver whose volumes no type of a claim may attach, if one alone rules out every type (V15-13)."""
    instance_types = claim.template.instance_types
    counts = Counter(driver for driver, _ in claim.attached | pod_data.attached)
    for driver, count in sorted(counts.items()):
        if not instance_types.attaching({driver: count}) & claim.mask:
            limits = (instance_types.types[number].attach_limits[driver] for number in bits(claim.mask))
            return TooManyVolumes(driver, count, max(limits, default=0))
    return TooManyVolumes()


def volume_pin(admission: ClaimAdmission, pod_data: PodData) -> VolumePin | None:
    """Return where the volumes of a pod can be used, or None if that is everywhere."""
    places = dict.fromkeys(str(admission.space.sets[number]) for number in pod_data.volume_requirements if number != EMPTY)
    return VolumePin(tuple(volume.claim for volume in pod_data.pod.volumes), tuple(places)) if places else None


def _incompatible_volumes(admission: ClaimAdmission, template: NodeClaimTemplate, pod_data: PodData) -> Incompatible:
    """Return which requirements of a pod's volumes contradict the pod's own, or else those of the template."""
    space, last = admission.space, pod_data.volume_requirements[-1]
    pin = volume_pin(admission, pod_data)
    own = space.sets[pod_data.requirements].conflicts(space.sets[last])
    if own:
        return Incompatible(own, pin, with_pod=True)
    return Incompatible(space.clash(space.join(template.requirements, pod_data.requirements), last), pin)


def no_type(admission: ClaimAdmission, claim: InFlightClaim, pod_data: PodData, requirements: int) -> NoType:
    """Return what the types of a claim have and lack for a pod under narrowed requirements."""
    instance_types, wanted = claim.template.instance_types, admission.space.sets[requirements]
    requests = requests_with(claim.requests, pod_data.requests, 1)
    groups = admission.open_groups(claim, pod_data)
    every = admission.attaching(claim, pod_data) & instance_types.everything
    candidates = 0
    for group in groups:
        candidates |= group.mask & every
    compatible = instance_types.compatible(wanted) & candidates
    offered = fits = 0
    for layer, sold in zip(instance_types.layers, instance_types.offered(wanted), strict=True):
        offered |= sold & candidates
        for group in groups:
            mask = sold & candidates & layer.alive & group.mask
            fits |= fitting(admission.layer_thresholds(layer), mask, requests, group.overhead)
    # The message names the least that daemons take; the search above used what they take on each type.
    least = tuple(min(g.overhead[i] for g in groups) if groups else 0 for i in range(len(admission.resources)))
    survivors = admission.survivors(claim, requirements, requests, groups) & every
    return NoType(
        compatible=bool(compatible),
        fits=bool(fits),
        offered=bool(offered),
        compatible_and_fits=bool(compatible & fits & ~offered),
        compatible_and_offered=bool(compatible & offered & ~fits),
        fits_and_offered=bool(fits & offered & ~compatible),
        requirements=wanted,
        needs={r: a for r, a in zip(admission.resources, requests_with(requests, least, 1), strict=True) if a},
        daemons={r: a for r, a in zip(admission.resources, least, strict=True) if a},
        largest=_largest(admission, instance_types.layers[0], compatible & offered),
        min_values=tuple(admission.too_few_values(claim.template, requirements, survivors)) if survivors else (),
        ports=bool(pod_data.host_ports) and not groups,
        blocking=() if compatible else _blocking(admission, instance_types, pod_data, wanted, candidates),
    )


def _blocking(
    admission: ClaimAdmission, instance_types: InstanceTypeIndex, pod_data: PodData, wanted: Requirements, mask: int
) -> tuple[str, ...]:
    # Only keys that the pod itself asks for are named: no user of the pod can drop one of the NodePool's.
    own = admission.space.sets[pod_data.requirements]
    return tuple(str(own[key]) for key in sorted(own) if instance_types.compatible(wanted.without(key)) & mask)


def _largest(admission: ClaimAdmission, layer: AllocatableLayer, mask: int) -> dict[str, int]:
    return {r: t.largest(mask) or 0 for r, t in zip(admission.resources, admission.layer_thresholds(layer), strict=True)}
