"""A plan as a comment on a pull request: the change first, under 60 lines for plans of any size, details folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan, Totals
from cutlist.planning.model.changes import NodeChange, PendingChange
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.cost import Cost, by_namespace
from cutlist.planning.model.extended import use_in_words
from cutlist.planning.model.passes import passes_in_short
from cutlist.report.columns import markdown_table
from cutlist.report.comment_parts import listed_notes, waiting_pods, weightiest
from cutlist.report.estimates import Money
from cutlist.report.markup import code, folded, table, words
from cutlist.report.plain import currency_unit, monthly, percent
from cutlist.report.price_sources import age_lines
from cutlist.report.restrictions import restriction_lines
from cutlist.report.shares import month_parts
from cutlist.verbs.diff.words import change_sentence, choice_change, signed_month
from cutlist.verbs.plan.address_views import subnet_line, subnet_table
from cutlist.verbs.plan.beside_views import beside_line, beside_table
from cutlist.verbs.plan.environment_columns import COMMENT, estimate_sentence, in_currencies, state_sentence, verdict
from cutlist.verbs.plan.environments import EnvironmentPlans, plan_rows
from cutlist.verbs.plan.gang_words import gang_lines
from cutlist.verbs.plan.node_table import folded_node_table
from cutlist.verbs.plan.price_lines import capacity_line, driver_lines, money_headline, pool_line, price_line
from cutlist.verbs.plan.scaling_words import autoscaler_line, rollout_line
from cutlist.verbs.plan.settled_words import settled_line
from cutlist.verbs.plan.shared_gpu_words import shared_gpus_line
from cutlist.verbs.plan.text import bound_in_words
from cutlist.verbs.plan.volume_views import volume_line, volume_table

_CHANGES: Final = 8  # rows of the table of changed nodes
_WAITING: Final = 3  # workloads that start or stop waiting
_WARNED: Final = 2


@dataclass(frozen=True, slots=True)
class _Room:
    """The number of entries of each kind that fit; a reason has two lines."""

    reasons: int
    nodes: int
    namespaces: int
    notes: int


_ALONE: Final = _Room(reasons=3, nodes=8, namespaces=5, notes=4)
_BELOW_CHANGES: Final = _Room(reasons=2, nodes=5, namespaces=0, notes=2)


def plan_markdown(plan: Plan, before: Plan | None = None, changes: Sequence[str] | None = None) -> str:
    """Return the plan as Markdown; if there is an earlier plan, the changes come first: `changes` are lines in place of what
    is said of them otherwise. Ends in a newline."""
    lines = [f"### Node plan for {words(plan.region)}", ""]
    lines += [line for text in plan.first_words for line in (f"**{words(text)}**", "")]
    opening = changes if changes is not None or before is None else _changes(Comparison.of(before, plan))
    lines += _in_short(plan) if opening is None else opening
    room = _ALONE if before is None and changes is None else _BELOW_CHANGES
    lines += _passes(plan)
    lines += waiting_pods(plan.pending, room.reasons)
    lines += folded_node_table(plan.nodes, plan.region, room.nodes)
    lines += beside_table(plan)
    lines += [*volume_table(plan), *subnet_table(plan.subnets)] if before is None else []
    lines += _namespaces(plan, room.namespaces)
    lines += restriction_lines(plan.restrictions, Money.of_totals(plan.totals))
    lines += listed_notes("Warnings and assumptions", [*plan.warnings, *plan.assumptions], room.notes)
    lines += age_lines(plan.shown_age)
    return "\n".join(lines).rstrip() + "\n"


def _in_short(plan: Plan) -> list[str]:
    """Return what the plan costs and for what, then a list: its price by capacity type and NodePool, how full nodes are, what
    stays pending."""
    totals = plan.totals
    money, what = money_headline(plan)
    lines = [f"**{words(money)}**{words(what)}", ""]
    if plan.nodes:
        lines.append(f"- {words(price_line(plan))}")
        lines += _items({"settled": settled_line(plan), "autoscalers": autoscaler_line(plan), "rollout": rollout_line(plan)})
        lines += _items({"capacity": capacity_line(plan), "NodePools": pool_line(plan)})
        lines += [f"- {words(bound_in_words(plan))}"] if plan.above_bound is not None else []
        lines += _items({"because, each alone": "; ".join(driver_lines(plan))})
        lines.append(f"- requested: {', '.join(_fills(totals))}")
    lines += _items(
        {
            "shared GPUs": shared_gpus_line(plan),
            "beside Karpenter": beside_line(plan),
            "volumes": volume_line(plan),
            "subnets": subnet_line(plan),
        }
    )
    lines.append(f"- **{counted(totals.pending, 'pod')} pending**" if totals.pending else "- nothing pending")
    lines += [f"- **gang {words(line)}**" for line in gang_lines(plan)]
    return [*lines, ""]


def _items(lines: Mapping[str, str]) -> list[str]:
    """Return lines as items of a list, each after its name; empty ones are left out."""
    return [f"- {name}: {words(line)}" for name, line in lines.items() if line]


def _fills(totals: Totals) -> Iterator[str]:
    yield f"cpu {percent(totals.cpu_fill)}"
    yield f"memory {percent(totals.memory_fill)}"
    if totals.extended:
        yield words(use_in_words(totals.extended))


def _passes(plan: Plan) -> list[str]:
    """Return how many passes there were and why, if there was more than one."""
    if not plan.further_passes:
        return []
    unfinished = f" **Not finished**: {plan.unfinished}." if plan.unfinished else ""
    return [f"Launched in {plan.passes:,} rounds: {passes_in_short(plan.further_passes)}.{unfinished}", ""]


def _changes(comparison: Comparison) -> list[str]:
    if comparison.is_same:
        return [f"**{change_sentence(comparison)}**", ""]
    before, after = comparison.before.totals, comparison.after.totals
    unit = currency_unit(comparison.currency)
    rows = [
        ["nodes", f"{before.nodes:,}", f"{after.nodes:,}"],
        [f"{unit}/month", *map(_month, (before, after))],
        ["pending pods", f"{before.pending:,}", f"{after.pending:,}"],
    ]
    lines = [f"**{change_sentence(comparison)}**", "", *table(["", ">before", ">now"], rows), ""]
    if comparison.nodes:
        currency = comparison.currency
        titles = ["NodePool", "instance type", "capacity", ">before", ">now", f">{unit}/month", "types and zones"]
        region = comparison.after.region
        rows = weightiest(comparison.nodes, _CHANGES, _weight, lambda c: _node_change(c, region, currency), "more change")
        lines += [*table(titles, rows), ""]
    lines += pod_changes(comparison)
    warned = [note for note in comparison.new_notes if note in comparison.after.warnings]
    lines += [f"- new: {words(note.text)}" for note in warned[:_WARNED]]
    if more_warned := warned[_WARNED:]:
        lines.append(f"- and {counted(len(more_warned), 'more new warning')}, below")
    return [*lines, ""]


def pod_changes(comparison: Comparison) -> list[str]:
    """Return as a list which pods start or stop waiting, and on how many existing nodes other pods are."""
    lines = [f"- {_pending_change(change)}" for change in comparison.pending[:_WAITING]]
    if more := comparison.pending[_WAITING:]:
        lines.append(f"- and {counted(len(more), 'more workload')} that start or stop waiting")
    if comparison.existing:
        nodes = len({change.node for change in comparison.existing})
        lines.append(f"- {counted(nodes, 'existing node')} with other pods")
    return lines


def _weight(change: NodeChange) -> float:
    return float("inf") if change.price_change is None else abs(change.price_change)


def _node_change(change: NodeChange, region: str, currency: str) -> list[str]:
    names = [code(n) for n in (change.node_pool, change.instance_type, change.capacity_type)]
    besides = choice_change(change, region)
    counts = [f"{side.count:,}" for side in (change.before, change.after)]
    return [*names, *counts, signed_month(change, currency), code(besides) if besides else ""]


def _pending_change(change: PendingChange) -> str:
    before, after = change.before.count, change.after.count
    if not after:
        return f"{code(change.workload)}: {counted(before, 'pod')} no longer pending"
    was = "" if not before else " for another reason" if before == after else f" instead of {before:,}"
    return f"{code(change.workload)}: {counted(after, 'pod')} pending{was}"


def _namespaces(plan: Plan, room: int) -> list[str]:
    costs = by_namespace(plan) if room else ()
    if len(costs) < 2:
        return []
    totals = plan.totals
    months = month_parts([cost.price for cost in costs], totals.price_per_hour or 0.0, totals.price_range)
    priced = list(zip(costs, months, strict=True))
    rows = weightiest(priced, room, lambda of: of[0].price or 0.0, _cost, "more namespace")
    unit = currency_unit(totals.currency or "USD")
    return folded("Price by namespace", table(["namespace", ">pods", f">{unit}/month"], rows))


def _cost(of: tuple[Cost, str | None]) -> list[str]:
    cost, month = of
    return [code(cost.name), f"{cost.pods:,}", month or "unknown"]


def _month(totals: Totals) -> str:
    return "unknown" if totals.price_per_hour is None else Money.of_totals(totals).month_cell(monthly)


def environments_markdown(plans: EnvironmentPlans) -> str:
    """Return the plans of all environments as Markdown. Ends in a newline."""
    lines = [f"### {words(verdict(plans))}", ""]
    lines += [f"**{words(state)}.**", ""] if (state := state_sentence(plans)) else []
    lines += markdown_table(in_currencies(COMMENT, plans), plan_rows(plans))
    lines += ["", f"{words(sentence)}."] if (sentence := estimate_sentence(plans)) else []
    lines += age_lines(*plans.price_ages)
    return "\n".join(lines) + "\n"
