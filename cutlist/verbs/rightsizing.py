"""Compute the cost of requests that measured use does not justify, and which of them matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Final

from cutlist.core.errors import InputError, Place
from cutlist.core.notes import Note
from cutlist.core.records import Count, Key, about
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.document_inputs import with_workloads_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.cost import by_workload
from cutlist.runners import InProcess, Runner, in_order
from cutlist.settings.usage import USAGE
from cutlist.verbs.plan.answer import plan
from cutlist.workloads.usage import (
    Owner,
    RequestChange,
    ResizedWorkload,
    Usage,
    UsagePolicy,
    UseRisk,
    resized_workloads,
    with_requests_of,
)
from cutlist.workloads.written import workload_of

MOST: Final = 60
"""How many workloads are planned apart."""


@dataclass(frozen=True, slots=True)
class Rightsized:
    """Inputs with requests by measured use, what that changed, and measurements that belong to no object. `risks` compare the
    requests with the use that they have to stand."""

    inputs: PlanInputs
    changes: tuple[RequestChange, ...]
    unknown: tuple[str, ...]
    risks: tuple[UseRisk, ...] = ()

    def resized(self, inputs: PlanInputs) -> tuple[ResizedWorkload, ...]:
        """Return the workloads of the inputs that get other requests."""
        return resized_workloads(inputs.documents, self.inputs.documents)


@dataclass(frozen=True, slots=True)
class WorkloadSaving:
    """What the new requests of one workload alone save: USD/hour, and nodes."""

    workload: str
    requests: Annotated[Count, about("How many of its requests change.")]
    price: Annotated[float, Key("pricePerHour"), about("What they save alone; below 0 where they cost more.")]
    nodes: Annotated[int, about("How many nodes fewer.")]


@dataclass(frozen=True, slots=True)
class UsageSavings:
    """The price of the plan as written and by use. Some `workloads` are planned separately, those that save most first: at most
    `MOST`, those that cause most of the price, as time allows. `not_apart` is how many were not. `risks` compare the new
    requests with the use that they have to stand.
    """

    before: CostAndRisk
    after: CostAndRisk
    changes: tuple[RequestChange, ...]
    unknown: tuple[str, ...]
    workloads: tuple[WorkloadSaving, ...]
    not_apart: int
    risks: tuple[UseRisk, ...] = ()


def rightsized(inputs: PlanInputs, usage: Usage, policy: UsagePolicy) -> Rightsized:
    """Return the inputs with requests by use. Raises InputError if none of the measured containers is in the input."""
    requests = usage.requests(policy)
    documents, changes, unknown = with_requests_of(inputs.documents, requests)
    if len(unknown) == len(requests):
        text = "none of the measured containers is in the input"
        raise InputError.one(Place.of(USAGE), text, "containers of the workloads that are planned")
    note = Note("requests-by-use", f"{len(changes):,} requests are taken from measured use, not from the manifests")
    used = with_workloads_of(inputs, documents)
    names = tuple(sorted({_name(owner, container) for owner, container in unknown}))
    return Rightsized(replace(used, warnings=(*used.warnings, note)), changes, names, usage.risks(policy))


def usage_savings(
    inputs: PlanInputs,
    sized: Rightsized,
    *,
    may_go_on: Callable[[], bool] = lambda: True,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
) -> UsageSavings:
    """Return what new requests save, together and workload by workload, each as an exact plan says.

    `runner` is where workloads are planned apart, for as long as `may_go_on` says so.
    """
    now = plan(inputs)
    before, after = CostAndRisk.of(now), CostAndRisk.of(plan(sized.inputs))
    causes = {cost.name: number for number, cost in enumerate(by_workload(now))}
    counts = Counter(change.workload for change in sized.changes)
    names = sorted(counts, key=lambda name: causes.get(name, len(causes)))
    with runner.team(_both, (inputs, sized.inputs)) as team:
        planned = [outcome.value for outcome in in_order(team.outcomes(_with_use_of, names[:MOST], may_go_on))]
    apart = [
        WorkloadSaving(name, counts[name], round(before.price - alone.price, 10), before.nodes - alone.nodes)
        for name, alone in zip(names, planned, strict=False)
        if before.price is not None and alone.price is not None
    ]
    ordered = tuple(sorted(apart, key=lambda saving: (-saving.price, saving.workload)))
    return UsageSavings(before, after, sized.changes, sized.unknown, ordered, len(names) - len(planned), sized.risks)


def _both(inputs: tuple[PlanInputs, PlanInputs]) -> tuple[PlanInputs, PlanInputs]:
    return inputs


def _with_use_of(inputs: tuple[PlanInputs, PlanInputs], name: str) -> CostAndRisk:
    """Return the plan's price with the new requests of one workload, with the others as written."""
    return CostAndRisk.of(plan(with_requests_of_one(*inputs, name)))


def with_requests_of_one(inputs: PlanInputs, sized: PlanInputs, name: str) -> PlanInputs:
    """Return the inputs in which one workload has its requests by use, and the others stay as written."""
    both = zip(inputs.documents, sized.documents, strict=True)
    return with_workloads_of(inputs, tuple(new if workload_of(new) == name else old for old, new in both))


def _name(owner: Owner, container: str) -> str:
    return "/".join(part for part in (owner.namespace, owner.kind, owner.name, container) if part)
