"""What a change does to a stack: its program as it is, and as it was at a base with its own stack file, both offline."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Final

from cutlist.core.errors import InputError
from cutlist.disruption.edits import Edited
from cutlist.documents.pulumi_stacks import stack_names
from cutlist.documents.revisions import RevisionCopy
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.verbs.diff.replaced import Upgrade, replaced
from cutlist.verbs.preview.since import Change, PlanSince, ResourceSince, StackSince
from pulumi_cutlist.node_plans.made import MadePlan
from pulumi_cutlist.recorded.recording import NODE_PLAN, STACK, Recording, Registration
from pulumi_cutlist.stack.preview import Preview, preview

_PROJECT: Final = "Pulumi.yaml"
_VERSIONS: Final[Mapping[str, str]] = {
    "aws:eks/cluster:Cluster": "version",
    "eks:index:Cluster": "version",
    "azure-native:containerservice:ManagedCluster": "kubernetesVersion",
}
"""The input with the version of Kubernetes, by the type of a cluster."""


@dataclass(frozen=True, slots=True)
class Since:
    """What changes since a base, and for each plan of the stack the plan of then with which it is compared, if there is one."""

    stack: StackSince
    earlier: tuple[Plan | None, ...]


def changes_since(
    base: RevisionCopy, name: str, now: Preview, stack: str, time_limit: float | None = None, catalog: str | None = None
) -> Since:
    """Return what changes in a stack since a base, by `name` in words. `catalog` is the absolute path of a catalogue's folder,
    whose prices count for both sides.

    Runs the program of the base, and raises as `preview` does; a base without the stack is no mistake.
    """
    with base.working():
        if stack not in stack_names(_PROJECT):
            return Since(StackSince(name, None), (None,) * len(now.made))
        then = preview(Path(), stack, time_limit)
    if catalog:
        then = then.with_catalog(catalog)
    pairs = _pairs(then, now)
    plans = tuple(_plan_since(was, made, then, now) for was, made in pairs)
    changed = tuple(sorted(_resources(then.recording, now.recording)))
    by_name = dict(zip((made.name for made in then.made), then.priced, strict=True))
    earlier = tuple(None if was is None else by_name[was.name] for was, made in pairs if made is not None)
    return Since(StackSince(name, then.bill, plans, changed), earlier)


def _pairs(then: Preview, now: Preview) -> list[tuple[MadePlan | None, MadePlan | None]]:
    """Return the current plans, in their order, each with that of then: of the same name, or the only one of each. Plans that
    are no longer there come last."""
    if len(then.made) == 1 and len(now.made) == 1:
        return [(then.made[0], now.made[0])]
    was = {made.name: made for made in then.made}
    names = {made.name for made in now.made}
    kept = [(was.get(made.name), made) for made in now.made]
    return [*kept, *((made, None) for made in then.made if made.name not in names)]


def _plan_since(was: MadePlan | None, made: MadePlan | None, then: Preview, now: Preview) -> PlanSince:
    name = next(of.name for of in (made, was) if of is not None)
    if was is None or made is None:
        return PlanSince(name, None if was is None else was.plan.totals, None if made is None else made.plan.totals)
    instant = datetime.combine(now.day, time(), UTC).timestamp()
    upgrade = _upgrade(name, *(_versions(of.recording) for of in (then, now)))
    sentences = replaced(
        list(_objects(was.inputs, made.inputs)), _with_nodes_of_then(was.inputs, made.inputs), instant, upgrade
    )
    return PlanSince(name, was.plan.totals, made.plan.totals, tuple(sentences))


def _with_nodes_of_then(was: PlanInputs, now: PlanInputs) -> PlanInputs:
    """Return the current objects, with what says which nodes run: a snapshot, else the workloads of then, whose nodes run."""
    if now.cluster.origins:
        return now
    return replace(was, node_pools=now.node_pools, node_classes=now.node_classes, options=now.options)


def _objects(was: PlanInputs, now: PlanInputs) -> Iterator[Edited]:
    """Yield the objects as they were, read as the current Karpenter reads them. One that it would refuse says nothing about its
    nodes."""
    karpenter = now.options.karpenter
    for of in (*was.node_pools, *was.node_classes):
        with contextlib.suppress(InputError):
            yield of.under(karpenter)


def _upgrade(plan: str, before: Mapping[str, str], after: Mapping[str, str]) -> Upgrade | None:
    """Return the change of a cluster's Kubernetes: of the cluster whose own plan it is, or of the only one."""
    own = [name for name in after if plan == f"{name}-plan"] or (list(after) if len(after) == 1 else [])
    versions = [(before[name], after[name]) for name in own if name in before]
    return next((Upgrade(*pair) for pair in versions if pair[0] != pair[1]), None)


def _versions(recording: Recording) -> dict[str, str]:
    """Return the version of Kubernetes of each cluster, by the name of the component of the program that makes it."""
    found = {}
    for resource in recording.resources.values():
        version = resource.inputs.get(_VERSIONS[resource.type]) if resource.type in _VERSIONS else None
        if isinstance(version, str):
            found[_top(recording, resource).name] = version
    return found


def _top(recording: Recording, resource: Registration) -> Registration:
    """Return the resource of the program itself that a resource is below."""
    parent = recording.resources.get(resource.parent)
    return resource if parent is None or parent.type == STACK else _top(recording, parent)


def _resources(then: Recording, now: Recording) -> Iterator[ResourceSince]:
    """Yield the resources that differ, without components, which create nothing."""
    before, after = (
        {urn: of for urn, of in side.resources.items() if (of.request.custom or of.request.remote) and of.type != NODE_PLAN}
        for side in (then, now)
    )
    for urn in sorted({*before, *after}):
        was, is_now = before.get(urn), after.get(urn)
        if was is None or is_now is None:
            kind: Change = "added" if was is None else "removed"
            of = next(one for one in (is_now, was) if one is not None)
            yield ResourceSince(kind, of.type, of.name, urn)
        elif inputs := tuple(_changed_inputs(was, is_now)):
            yield ResourceSince("changed", is_now.type, is_now.name, urn, inputs)


def _changed_inputs(was: Registration, now: Registration) -> Iterator[str]:
    """Yield the names of the inputs that differ. Those of Pulumi itself begin with two underscores."""
    before, after = was.request.object.fields, now.request.object.fields
    for name in sorted({*before, *after}):
        if not name.startswith("__") and (name not in before or name not in after or before[name] != after[name]):
            yield name
