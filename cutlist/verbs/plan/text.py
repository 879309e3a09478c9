"""A plan as text for a terminal. The first screen answers the first questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import LOWEST_PRICE, FilledNode, PendingPods, Plan, PlannedNode
from cutlist.planning.model.extended import Use
from cutlist.planning.model.passes import passes_in_short
from cutlist.report.environment_tables import environments_text
from cutlist.report.estimates import Money, money_of
from cutlist.report.fills import add_fills
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.pending import other_reasons, pending_groups
from cutlist.report.plain import escape, percent, shorten
from cutlist.report.price_sources import disk_sources, listed, planned_price_sources, price_footnote
from cutlist.report.restrictions import restriction_section
from cutlist.settings.plan import BOUND, RESTRICTIONS, SUMMARY
from cutlist.verbs.plan.address_views import subnet_line, subnet_section
from cutlist.verbs.plan.beside_views import beside_line, beside_section
from cutlist.verbs.plan.closing import LONG, closing
from cutlist.verbs.plan.environment_columns import TEXT as ENVIRONMENTS
from cutlist.verbs.plan.environment_columns import estimate_sentence, in_currencies, state_sentence, verdict
from cutlist.verbs.plan.environments import EnvironmentPlans, plan_rows
from cutlist.verbs.plan.gang_words import gang_lines
from cutlist.verbs.plan.launches import launch_section
from cutlist.verbs.plan.node_table import group_table, node_table
from cutlist.verbs.plan.price_lines import capacity_line, driver_lines, money_headline, pool_line, price_line
from cutlist.verbs.plan.scaling_words import autoscaler_line, rollout_line
from cutlist.verbs.plan.settled_words import settled_line
from cutlist.verbs.plan.shared_gpu_words import shared_gpus_line
from cutlist.verbs.plan.small_plans import FAR_ABOVE
from cutlist.verbs.plan.volume_views import volume_line, volume_section

_LABEL: Final = 9  # width of the names in the summary
_POOLS_NAMED: Final = 6  # refusing NodePools shown for a pending workload; the others are counted
_NODES_NAMED: Final = 10  # existing nodes shown with the pods they accept
_WORKLOADS_NAMED: Final = 4  # workloads shown for one reason


def render_plan(plan: Plan, width: int = 100, colour: bool = False, before: Plan | None = None) -> str:
    """Return the plan as text of at most `width` columns; with colour as ANSI codes. Ends in a newline.

    What changes since an earlier plan comes first. The requests that launch its nodes are shown when the plan has them.
    """
    page = Page(width)
    if before is not None:
        _changes(page, before, plan)
    _head(page, plan)
    if plan.nodes:
        page.blank()
        node_table(page, plan.nodes, plan.region)
        if len(plan.nodes) > LONG:
            page.line((f"{counted(len(plan.nodes), 'row')}; {SUMMARY.flag} has one for each instance type", QUIET))
    if plan.restrictions is not None:
        restriction_section(page, plan.restrictions, Money.of_totals(plan.totals))
    launch_section(page, plan)
    _existing(page, plan.existing)
    beside_section(page, plan)
    volume_section(page, plan)
    subnet_section(page, plan.subnets)
    _pending(page, plan.pending)
    page.bullets("Warnings", [note.text for note in plan.warnings], WARN)
    page.bullets("Assumptions", [note.text for note in plan.assumptions])
    page.blank()
    _price_footnote(page, plan)
    if len(plan.nodes) > LONG:
        closing(page, plan)
    return page.text(colour=colour)


def render_plan_summary(plan: Plan, width: int = 100, colour: bool = False, before: Plan | None = None) -> str:
    """Return the plan in short: the nodes by instance type and capacity type, pods left out, assumptions counted."""
    page = Page(width)
    if before is not None:
        _changes(page, before, plan)
    _head(page, plan)
    if plan.nodes:
        page.blank()
        group_table(page, plan.nodes, plan.region)
    page.bullets("Warnings", [note.text for note in plan.warnings], WARN)
    page.blank()
    estimated, _ = planned_price_sources(plan.nodes)
    price_footnote(page, estimated=estimated, others=(), age=plan.shown_age)
    return page.text(colour=colour)


def _changes(page: Page, before: Plan, after: Plan) -> None:
    from cutlist.planning.model.comparison import Comparison  # both only if there is an earlier plan
    from cutlist.verbs.diff.comparison_text import comparison_section

    comparison_section(page, Comparison.of(before, after))


def _head(page: Page, plan: Plan) -> None:
    """Add what the plan costs, and the first answers: how full the nodes are, what stays pending, how many notes there are."""
    money, what = money_headline(plan)
    page.opening(money, what, HEADING)
    page.blank()
    for text in plan.first_words:
        page.paragraph(text, style=WARN)
        page.blank()
    _summary(page, plan)


def _summary(page: Page, plan: Plan) -> None:
    totals = plan.totals
    if plan.nodes:
        _costs(page, plan)
    elif not plan.pending:
        page.line("nodes".ljust(_LABEL), "none: there is no pod" if plan.has_no_pods else "none: no pod needs a new one")
    if moved := plan.pods_on_existing:
        where = counted(len(plan.existing), "node")
        page.line("existing".ljust(_LABEL), f"{counted(moved, 'pod')} {'finds' if moved == 1 else 'find'} room on {where}")
    _lines(
        page,
        {
            "sharing": shared_gpus_line(plan),
            "beside": beside_line(plan),
            "volumes": volume_line(plan),
            "subnets": subnet_line(plan),
        },
    )
    add_fills(page, lambda name: Use(*(_sum(plan.nodes, name, of) for of in (_REQUESTS, _ALLOCATABLE))), totals.extended)
    if plan.further_passes:
        page.paragraph(f"{plan.passes:,}: {passes_in_short(plan.further_passes)}", first="rounds", indent=_LABEL)
    if plan.unfinished:
        page.paragraph(f"not finished, {plan.unfinished}", first="", indent=_LABEL, style=BAD)
    if plan.pending:
        page.paragraph(_pending_in_short(plan.pending), first="pending", indent=_LABEL, style=BAD)
    else:
        page.line("pending".ljust(_LABEL), ("none", GOOD))
    for number, line in enumerate(gang_lines(plan)):
        page.paragraph(line, first="" if number else "gangs", indent=_LABEL, style=BAD)
    if plan.inputs is not None and plan.inputs.files > plan.inputs.read:
        page.paragraph(plan.inputs.sentence, first="inputs", indent=_LABEL)
    notes = [counted(len(of), noun) for of, noun in ((plan.warnings, "warning"), (plan.assumptions, "assumption")) if of]
    if notes:
        page.line("notes".ljust(_LABEL), " and ".join(notes))


def _costs(page: Page, plan: Plan) -> None:
    _lines(page, {"price": price_line(plan), "settled": settled_line(plan), "scaling": autoscaler_line(plan)})
    _lines(page, {"rollout": rollout_line(plan), "capacity": capacity_line(plan), "pools": pool_line(plan)})
    if plan.above_bound is not None:
        page.paragraph(f"{bound_in_words(plan)}{_unexplained(plan)}", first="least", indent=_LABEL)
    for number, line in enumerate(driver_lines(plan)):
        page.paragraph(line, first="" if number else "because", indent=_LABEL)


def _lines(page: Page, lines: Mapping[str, str]) -> None:
    """Add lines of the summary, each after its name; empty ones are left out."""
    for name, line in lines.items():
        if line:
            page.paragraph(line, first=name, indent=_LABEL)


def _unexplained(plan: Plan) -> str:
    """Return what says why a plan is far above its bound, where that is not known."""
    is_open = plan.drivers is None and (plan.above_bound or 0.0) >= FAR_ABOVE
    return f" ({RESTRICTIONS.flag} says why)" if is_open else ""


def _pending_in_short(pending: Sequence[PendingPods]) -> str:
    """Return the reason for most of the pending pods; the others are counted."""
    by_reason: Counter[str] = Counter()
    for pods in pending:
        by_reason[pods.reason] += pods.count
    (reason, count), *others = _by_count(by_reason)
    workloads = [p.workload for p in pending if p.reason == reason]
    who = shorten(escape(workloads[0]), 60) if len(workloads) == 1 else counted(len(workloads), "workload")
    text = f"{counted(count, 'pod')} of {who}: {reason}"
    if others:
        rest = counted(sum(c for _, c in others), "more pod")
        text = f"{text.rstrip('.')}; {rest} for {other_reasons(len(others))}"
    return text


_Amounts = Callable[[PlannedNode], Mapping[str, int]]
_REQUESTS: Final[_Amounts] = attrgetter("requests")
_ALLOCATABLE: Final[_Amounts] = attrgetter("allocatable")


def _sum(nodes: Iterable[PlannedNode], resource: str, of: _Amounts) -> int:
    return sum(n.count * of(n).get(resource, 0) for n in nodes if n.allocatable.get(resource, 0) > 0)


def bound_in_words(plan: Plan) -> str:
    """Return in words the least that any packing costs, and how far the plan is above it."""
    above = f"this plan costs {percent(plan.above_bound)} more" if plan.above_bound else "this plan costs no more"
    kind = "" if plan.bound_kind in (None, "quick") else f" ({BOUND.flag} {plan.bound_kind})"
    bound = money_of(plan, plan.bound_per_hour or 0.0, "").month()
    return f"on the best nodes that are allowed, these pods cost at least {bound} a month{kind}; {above}"


def _existing(page: Page, existing: Sequence[FilledNode]) -> None:
    if not existing:
        return
    page.blank()
    page.line(("Existing nodes", HEADING))
    for node in existing[:_NODES_NAMED]:
        shares = ", ".join(f"{s.count:,} × {escape(s.workload)}" for s in node.pods)
        page.paragraph(shares, first=f"  {shorten(escape(node.name), 40)}  ", indent=4)
    if hidden := existing[_NODES_NAMED:]:
        pods = sum(s.count for n in hidden for s in n.pods)
        page.line(f"  and {counted(len(hidden), 'more node')} with {counted(pods, 'pod')}")


def _pending(page: Page, pending: Sequence[PendingPods]) -> None:
    if not pending:
        return
    page.blank()
    page.line(("Pending", HEADING))
    for group in pending_groups(pending):
        for workload in group.workloads[:_WORKLOADS_NAMED]:
            page.line("  ", (f"{workload.count:,} × ", BAD), (shorten(escape(workload.workload), page.width - 12), BAD))
        if hidden := group.workloads[_WORKLOADS_NAMED:]:
            pods = sum(p.count for p in hidden)
            page.line(f"  and {counted(len(hidden), 'more workload')} with {counted(pods, 'pod')} for the same reason")
        page.paragraph(group.first.reason, indent=4, first="    ")
        if len(group.first.by_node_pool) > 1:
            _refusals(page, group.first.by_node_pool)
        if group.first.remedy:
            page.paragraph(group.first.remedy, first="    what would help: ", indent=6, style=GOOD)


def _refusals(page: Page, by_pool: Sequence[tuple[str, str]]) -> None:
    named = by_pool[:_POOLS_NAMED]
    column = min(max((len(escape(pool)) for pool, _ in named), default=0), page.width // 3)
    for pool, why in named:
        page.paragraph(why, first=f"      {shorten(escape(pool), column)}", indent=8 + column, style=QUIET)
    if len(by_pool) > len(named):
        page.line(f"      and {counted(len(by_pool) - len(named), 'more NodePool')}")


def _price_footnote(page: Page, plan: Plan) -> None:
    """Add where the prices come from and how old they are, and what `*` and "from" mean."""
    nodes = plan.nodes
    estimated, others = planned_price_sources(nodes)
    price_footnote(page, estimated=estimated, others=others, age=plan.shown_age)
    if disks := disk_sources(nodes):
        page.paragraph(f"Disks: {listed(disks)}.", style=QUIET)
    if any(n.certainty == LOWEST_PRICE for n in nodes):
        page.paragraph("From: EC2 chooses among the other types at launch; prices here are of the cheapest.", style=QUIET)


def _by_count(sources: Counter[str]) -> list[tuple[str, int]]:
    return sorted(sources.items(), key=lambda item: (-item[1], item[0]))


def render_environments(plans: EnvironmentPlans, width: int = 100, colour: bool = False) -> str:
    """Return the plans of all environments as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    *environments, total = plan_rows(plans)
    return environments_text(
        (verdict(plans), HEADING),
        in_currencies(ENVIRONMENTS, plans),
        environments,
        total=[total],
        state=state_sentence(plans),
        note=estimate_sentence(plans),
        ages=plans.price_ages,
        one=("plan", "the plan of one"),
        width=width,
        colour=colour,
    )
