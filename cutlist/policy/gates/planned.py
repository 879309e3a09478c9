"""Check that what is registered is what was planned: every object of Karpenter is compared with the specs of the plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Problem
from cutlist.core.shapes import join
from cutlist.core.unknown import UNKNOWN
from cutlist.core.wording import counted
from cutlist.planning.spec_digests import Digests, object_key, spec_digests
from cutlist.policy.gates.own import PLANNED, own_outcome
from cutlist.policy.gates.verdicts import Judgement
from cutlist.policy.rules.objects.validity import is_refused
from cutlist.policy.rules.parts import NotKnownError, Part, Resource, unknown_paths
from cutlist.policy.rules.pool_parts import template_of
from cutlist.policy.rules.rule import Resources
from cutlist.policy.rules.tokens import CAPACITY_BUFFER, NODE_CLASSES, NODE_OVERLAY, NODE_PLAN, NODE_POOL, OLD_POOLS

_CONVERT: Final = "rewrite it with cutlist convert"
_ADVICE: Final = "give NodePlan the very object that is registered"


def without_plan(resources: Resources, reasons: Iterable[Problem] = ()) -> Iterator[Judgement]:
    """Yield the objects without a plan, and those whose spec differs from the planned one."""
    pools, plans = resources.of_type(NODE_POOL), resources.of_type(NODE_PLAN)
    if pools and not plans:
        why = _prevented(len(tuple(reasons)))
        advice = "fix what prevents it, or make one with NodePlan"
        yield own_outcome(PLANNED, pools[0].label, pools[0].place(""), f"no plan: {why}", "a plan", advice)
    known = [planned for planned in map(_planned_pools, plans) if planned is not None]
    unplanned = (old for old in resources.of_type(*OLD_POOLS) if not any(_may_be_in(planned, old) for planned in known))
    if (old := next(unplanned, None)) is not None and (plans or not pools):
        text, allowed = "no plan has one of this version", "NodePools karpenter.sh/v1"
        yield own_outcome(PLANNED, old.label, old.place(""), text, allowed, _CONVERT)
    for pool in pools if known else ():
        if not any(_may_be_in(planned, pool) for planned in known):
            advice = "give it to NodePlan, among its sources or manifests"
            text = "no plan has this NodePool"
            yield own_outcome(PLANNED, pool.label, pool.place(""), text, "a plan of all NodePools", advice)
    specs = [planned for planned in map(_planned_specs, plans) if planned]
    if specs:
        yield from _of_others_missing(resources, pools, specs)
        for resource in resources.of_type(NODE_POOL, *NODE_CLASSES, NODE_OVERLAY, CAPACITY_BUFFER):
            yield from _of_another_spec(resource, specs)


def _prevented(mistakes: int) -> str:
    """Return why there is no plan. The mistakes themselves are findings of other rules, GT-04 if of no other."""
    if not mistakes:
        return "no NodePlan is among the resources"
    return f"{counted(mistakes, 'mistake')} in the input {'prevents' if mistakes == 1 else 'prevent'} it, reported separately"


def _planned_pools(plan: Resource) -> Mapping[str, Part] | None:
    """Return the NodePools of a plan, or None if its figures are missing, which PL-00 reports, or known only after an
    update."""
    try:
        pools = plan.at("measures", "pools")
        return pools.members() if pools.is_there else None
    except NotKnownError:
        return None


def _planned_specs(plan: Resource) -> Mapping[str, Digests]:
    """Return the specs that a plan was made from; none if they are missing, or known only after an update."""
    try:
        objects = plan.at("measures", "objects").members()
        return {key: {path: part.text for path, part in spec.members().items()} for key, spec in objects.items()}
    except NotKnownError:
        return {}


def _may_be_in(planned: Mapping[str, Part], pool: Resource) -> bool:
    """Tell whether a plan may have a NodePool; one whose name is known only after an update may be any."""
    try:
        return (pool.at("metadata", "name").text or pool.name) in planned
    except NotKnownError:
        return True


def _of_others_missing(
    resources: Resources, pools: Sequence[Resource], specs: Sequence[Mapping[str, Digests]]
) -> Iterator[Judgement]:
    """Yield overlays, buffers, and node classes of NodePools that are in no plan."""
    used = set(filter(None, map(_class_of, pools)))
    for resource in resources.of_type(*NODE_CLASSES, NODE_OVERLAY, CAPACITY_BUFFER):
        key = _key(resource)
        if key is None or any(key in planned for planned in specs) or (resource.type in NODE_CLASSES and key not in used):
            continue
        kind = resource.type.rpartition(":")[2]
        advice = "give it to NodePlan, among its sources or manifests"
        text = f"no plan has this {kind}"
        yield own_outcome(PLANNED, resource.label, resource.place(""), text, f"a plan that counts every {kind}", advice)


def _class_of(pool: Resource) -> str:
    try:
        reference = template_of(pool).at("nodeClassRef")
        return f"{reference.at('kind').text}/{reference.at('name').text}"
    except NotKnownError:
        return ""


def _of_another_spec(resource: Resource, specs: Sequence[Mapping[str, Digests]]) -> Iterator[Judgement]:
    """Yield a finding if the plans that have an object have another spec of it; values known only after an update are not
    compared."""
    key = _key(resource)
    planned = [of_plan[key] for of_plan in specs if key in of_plan] if key is not None else []
    if not planned:
        return
    unknown: list[str] = []
    manifest = _known_part({**_typed(resource), **resource.data}, "", unknown)
    if not unknown and is_refused(resource):
        return
    own = spec_digests(manifest, resource.karpenter)
    different = min((_differences(own, of_plan, unknown) for of_plan in planned), key=len)
    if different:
        path, *more = different
        kind = resource.type.rpartition(":")[2]
        text = f"{path} differs from the plan{f', as do {len(more)} more members' if more else ''}"
        yield own_outcome(PLANNED, resource.label, resource.place(path), text, f"the {kind} that was planned", _ADVICE)


def _key(resource: Resource) -> str | None:
    """Return the key of an object among planned ones, or None for a name that is known only after an update."""
    metadata = resource.data.get("metadata")
    own = metadata if isinstance(metadata, Mapping) else {}
    name, namespace = own.get("name") or resource.name, own.get("namespace")
    if metadata is UNKNOWN or UNKNOWN in (name, namespace):
        return None
    return object_key({**_typed(resource), "metadata": {"name": name, "namespace": namespace}})


def _typed(resource: Resource) -> dict[str, str]:
    """Return version and kind from the resource's type, since the data may omit them."""
    _, version, kind = resource.type.split(":", 2)
    return {"apiVersion": version, "kind": kind}


def _known_part(data: Any, path: str, unknown: list[str]) -> Any:
    """Return data without values known only after an update, whose paths are noted; a list with such a value counts as
    unknown."""
    if not isinstance(data, Mapping):
        return data
    known = {}
    for key, value in data.items():
        below = join(path, str(key))
        if value is UNKNOWN or (not isinstance(value, Mapping) and any(unknown_paths(value, below))):
            unknown.append(below)
        else:
            known[key] = _known_part(value, below, unknown)
    return known


def _differences(own: Digests, planned: Digests, unknown: Sequence[str]) -> list[str]:
    paths = sorted(path for path in own.keys() | planned.keys() if own.get(path) != planned.get(path))
    return [path for path in paths if not any(path == at or path.startswith((f"{at}.", f"{at}[")) for at in unknown)]
