"""A stack's preview as a page: what it costs, the nodes of its plans, what changes since an earlier one, its components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cutlist.core.services import AddedByService
from cutlist.infrastructure.costs import Bill
from cutlist.planning.model import Plan
from cutlist.planning.model.comparison import Comparison
from cutlist.report.columns import in_currency
from cutlist.report.html.rendering import render
from cutlist.report.pending import PendingGroup, pending_groups
from cutlist.verbs.diff.columns import PAGE_WORDS as CHANGE_WORDS
from cutlist.verbs.plan.columns import page_columns
from cutlist.verbs.plan.node_views import NodeView, NodeViews
from cutlist.verbs.preview.amounts import BillAmounts
from cutlist.verbs.preview.columns import COMPONENTS, LOOK_UPS, PAGE
from cutlist.verbs.preview.first_screen import PreviewFirst
from cutlist.verbs.preview.look_ups import HINT, ShownLookUp
from cutlist.verbs.preview.record import ShownComponent
from cutlist.verbs.preview.services import rows_of, title
from cutlist.verbs.preview.since import StackSince, comparable
from cutlist.verbs.preview.since_words import replaced_sentences, resource_sentences, since_sentence


@dataclass(frozen=True, slots=True)
class _PlanView:
    plan: Plan
    groups: tuple[NodeView, ...]
    pending: Sequence[PendingGroup]
    comparison: Comparison | None


def preview_html(
    stack: str,
    resources: int,
    bill: Bill,
    plans: Sequence[Plan],
    components: Sequence[ShownComponent] = (),
    earlier: Sequence[Plan | None] = (),
    services: Sequence[AddedByService] = (),
    look_ups: Sequence[ShownLookUp] = (),
    since: StackSince | None = None,
) -> str:
    """Return a preview as one page; a plan of which there is an `earlier` one, of the same region, is compared with it."""
    compared = earlier or (None,) * len(plans)
    regions = {plan.region for plan in plans}
    region = regions.pop() if len(regions) == 1 else ""
    views = NodeViews.of_each([plan.nodes for plan in plans], region)
    return render(
        "preview/page.html.j2",
        words=CHANGE_WORDS,
        stack=stack,
        ages=[plan.shown_age for plan in plans],
        first=PreviewFirst.of(stack, resources, bill, plans, sum(look_up.is_open for look_up in look_ups)),
        bill=bill,
        charges=BillAmounts.of(bill).charges,
        charge_columns=in_currency(PAGE, bill.currency),
        services=[(title(added), list(rows_of(added))) for added in services],
        components=components,
        component_columns=COMPONENTS,
        look_ups=[look_up for look_up in look_ups if look_up.is_open],
        look_up_columns=LOOK_UPS,
        look_up_hint=HINT,
        views=[_view(*of) for of in zip(plans, views, compared, strict=True)],
        changes=None if since is None else "".join(since_sentence(since, bill)),
        change_details=[] if since is None else [*replaced_sentences(since), *resource_sentences(since)],
        node_columns=in_currency(page_columns(region), bill.currency),
        workloads=views[0].workloads if views else (),
        pools=[node.node_pool for plan in plans for node in plan.nodes],
    )


def _view(plan: Plan, view: NodeViews, before: Plan | None) -> _PlanView:
    compared = comparable(before, plan)
    comparison = None if compared is None else Comparison.of(compared, plan)
    return _PlanView(plan, view.groups, pending_groups(plan.pending), comparison)
