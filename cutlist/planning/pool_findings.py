"""Check NodePools against the instance types of their node classes: what they cannot launch, or hardly can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cutlist.api.external_classes import is_known_class
from cutlist.catalog.regions import AnyRegion
from cutlist.core.bits import bits
from cutlist.core.errors import nearest
from cutlist.core.labels import CAPACITY_TYPE, SPOT, ZONE, ZONE_ID
from cutlist.core.notes import Note
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.wording import first_of
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.traps.pod_limits import pod_limits_below
from cutlist.planning.traps.setup import PoolSetup
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import DaemonPods, NodeClaimTemplate, daemon_groups
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.settings.catalog import update_of
from cutlist.workloads.pods import Pod

# The number of cheaper types that Karpenter requires before it replaces a spot node (spec: disruption 5.4).
SPOT_TYPES: Final = 15
_NAMED: Final = 5
_COMPARED: Final = 100  # values of a requirement that are compared with known ones


def pool_findings(allowed: AllowedTypes, sold: AnyRegion, daemons: Sequence[Pod], *, strict_min_values: bool) -> Iterator[Note]:
    """Yield findings about a NodePool in the region that sells its types. `daemons` are those of the cluster, wherever they
    run."""
    ref = allowed.pool.node_class_ref
    if not is_known_class(ref.group, ref.kind):
        text = f"NodePool {allowed.pool.name} has no instance types: {ref.kind} of {ref.group} is a kind of node class"
        yield Note("unknown-node-class", f"{text} that Cutlist does not know, so another controller launches its nodes")
        return
    if not allowed.mask:
        text = f"NodePool {allowed.pool.name} allows no instance type that is on offer in {sold.region}"
        yield Note("no-instance-type", text + why_none(allowed, sold))
        return
    yield from _missed_min_values(allowed, strict_min_values)
    yield from _few_on_spot(allowed)
    yield from _too_small_for_daemons(allowed, daemons)


def named(names: Iterable[str]) -> str:
    """Return a few names, and a count of the others."""
    return first_of(sorted(names), _NAMED)


def why_none(allowed: AllowedTypes, sold: AnyRegion) -> str:
    """Return which requirement leaves nothing, or an empty string if there is no node class and so no types at all."""
    instance_types = allowed.instance_types
    if not instance_types.types:
        return ""
    alone = [r for r in allowed.wanted.values() if not instance_types.matching(r)]
    if alone:
        return f": {'; '.join(_no_type_has(r, instance_types) for r in alone)}"
    fitting = instance_types.compatible(allowed.wanted)
    if not fitting:
        return ": no type meets all of its requirements at once"
    if not sold.offerings_known:
        return f": the catalogue does not say what its zones sell; {update_of(sold.region)} reads that"
    limiting = [r for r in (allowed.wanted.get(CAPACITY_TYPE), allowed.wanted.get(ZONE)) if r is not None]
    conditions = f" with {' and '.join(map(str, limiting))}" if limiting else ""
    names = named(instance_types.types[i].name for i in bits(fitting))
    return f": the types that meet its requirements ({names}) are not sold{conditions}"


def _no_type_has(wanted: Requirement, instance_types: InstanceTypeIndex) -> str:
    values = {value for r in instance_types.declared(wanted.key) for value in r.values}
    # Zone names have been checked already: the class just has no subnet in these.
    slips = () if wanted.key in (ZONE, ZONE_ID) else sorted(wanted.values)[:_COMPARED]
    close = [c for value in slips if (c := nearest(value, sorted(values)))]
    hint = f", did you mean {close[0]}?" if close else ""
    if not hint and values and all(map(str.isdecimal, values)):
        hint = f", they have {_around(wanted, sorted(map(int, values)))}"
    elif not hint and 0 < len(values) <= _NAMED:
        hint = f", all have {', '.join(sorted(values))}"
    return f"none has {wanted}{hint}"


def _around(wanted: Requirement, values: Sequence[int]) -> str:
    """Return which numbers there are: the nearest ones where the wanted number is among them, else from which to which."""
    asked = [int(value) for value in wanted.values if value.isdecimal()]
    if len(asked) == 1 and values[0] < asked[0] < values[-1]:
        return (
            f"{max(v for v in values if v < asked[0]):,} and {min(v for v in values if v > asked[0]):,}, but not {asked[0]:,}"
        )
    return f"{values[0]}" if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _missed_min_values(allowed: AllowedTypes, strict: bool) -> Iterator[Note]:
    for key, r in sorted(allowed.wanted.items()):
        values = allowed.instance_types.distinct_values(r, allowed.mask) if r.min_values is not None else 0
        if r.min_values is not None and values < r.min_values:
            text = f"NodePool {allowed.pool.name} asks for {r.min_values} values of {key}, but its types have {values}"
            end = "; it launches nothing" if strict else ""
            yield Note("min-values-missed", text + end)


def _few_on_spot(allowed: AllowedTypes) -> Iterator[Note]:
    spot = allowed.wanted & Requirements((Requirement(CAPACITY_TYPE, False, frozenset((SPOT,))),))
    if not spot[CAPACITY_TYPE].values:
        return
    types = 0
    for layer in allowed.instance_types.offered(spot):
        types |= layer & allowed.mask
    if types and types.bit_count() < SPOT_TYPES:
        names = named(allowed.instance_types.types[i].name for i in bits(types))
        count = types.bit_count()
        text = f"NodePool {allowed.pool.name} allows {count} instance type{'s' * (count > 1)} on spot ({names})"
        why = f"fewer types mean more interruptions, and only among {SPOT_TYPES} or more are spot nodes moved to cheaper spot"
        yield Note("few-spot-types", f"{text}: {why}")


def _too_small_for_daemons(allowed: AllowedTypes, daemons: Sequence[Pod]) -> Iterator[Note]:
    small = _without_room(allowed, daemons)
    if not small:
        return
    names = named(allowed.instance_types.types[i].name for i in bits(small))
    pool, count = allowed.pool.name, small.bit_count()
    if small == allowed.mask:
        if not any(pod_limits_below([PoolSetup.of_allowed(allowed)], [("", pod) for pod in daemons])):  # a trap says that
            text = f"NodePool {pool}: the DaemonSets alone fill every instance type that it allows: {names}"
            yield Note("no-room-for-daemons", text)
    else:
        which = "1 instance type is" if count == 1 else f"{count} instance types are"
        yield Note("too-small-for-daemons", f"NodePool {pool}: {which} too small for the DaemonSets alone: {names}")


def _without_room(allowed: AllowedTypes, daemons: Sequence[Pod]) -> int:
    """Return the types that cannot hold the DaemonSets that would run on them, or no pod at all."""
    space = RequirementSpace(allowed.registry.well_known)
    template = NodeClaimTemplate(0, allowed.pool, allowed.instance_types, allowed.mask, space.number(allowed.wanted))
    groups = daemon_groups(template, DaemonPods(daemons, allowed.registry), space)
    mask = 0
    for group in groups:
        mask |= group.mask & ~allowed.instance_types.holding(group.overhead) if group.overhead else 0
    return mask
