"""Why a workload gets its nodes, as a page: the sums, what waits and why, its nodes, and the answer of each NodePool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cutlist.planning.model.explanation import Explanation, Explanations
from cutlist.report.columns import in_currency
from cutlist.report.estimates import Money, currency_of
from cutlist.report.html.rendering import render
from cutlist.report.pending import PendingGroup, pending_groups
from cutlist.report.plain import currency_unit
from cutlist.report.price_sources import candidate_price_sources, disk_sources, price_notes
from cutlist.verbs.explain.columns import EXISTING, PAGE, REFUSING
from cutlist.verbs.explain.words import part_of_nodes
from cutlist.verbs.plan.columns import page_columns
from cutlist.verbs.plan.node_views import NodeView, NodeViews


@dataclass(frozen=True, slots=True)
class _ExplanationView:
    """An explanation with the page's views of its nodes and of its waiting pods."""

    explanation: Explanation
    groups: Sequence[NodeView]
    pending: Sequence[PendingGroup]

    def cost(self, per_hour: float) -> Money:
        """Return a part of what its nodes cost."""
        return part_of_nodes(self.explanation, per_hour)


def explain_html(answer: Explanations) -> str:
    """Return the explanations as one page, one below the other if there are several controllers."""
    explanations, region = answer.explanations, answer.region
    nodes = [node for explanation in explanations for node in explanation.nodes]
    views = NodeViews.of_each([explanation.nodes for explanation in explanations], region)
    explanation_views = [
        _ExplanationView(explanation, view.groups, pending_groups(explanation.pending))
        for explanation, view in zip(explanations, views, strict=True)
    ]
    return render(
        "explain/page.html.j2",
        region=region,
        node_columns=in_currency(page_columns(region), currency_of(node.price for node in nodes)),
        unit=currency_unit(currency_of(node.price for node in nodes)),
        answer_columns=PAGE,
        existing_columns=EXISTING,
        refusing_columns=REFUSING,
        explanations=explanation_views,
        workload=explanations[0].workload if explanations else "",
        workloads=views[0].workloads if views else (),
        price_notes=price_notes(*candidate_price_sources(nodes), disk_sources(nodes)),
        ages=(answer.price_age if nodes else None,),
        pools=[answer.node_pool for explanation in explanations for answer in explanation.answers],
    )
