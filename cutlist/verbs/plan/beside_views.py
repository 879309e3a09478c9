"""Node groups beside Karpenter in every form of a plan: their columns, and their price in words."""

from __future__ import annotations

from typing import Final

from cutlist.catalog.prices import a_month, usd
from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.filled_groups import FilledGroup, monthly_price
from cutlist.report.columns import (
    Figure,
    Figures,
    add_table,
    count,
    in_currency,
    markdown_table,
    named,
    named_cells,
    number,
    only_csv,
)
from cutlist.report.csv import NamedCells
from cutlist.report.estimates import currency_of
from cutlist.report.markup import folded, words
from cutlist.report.page import HEADING, Page
from cutlist.report.plain import currency_sign, escape, monthly

TITLE: Final = "Beside Karpenter"
_Figure = Figure[FilledGroup]


def _nodes(group: FilledGroup) -> str:
    return f"{group.count:,}" if group.maximum <= group.count else f"{group.count:,} of up to {group.maximum:,}"


def _month(group: FilledGroup) -> str:
    return "unknown" if group.whole_price is None else monthly(a_month(group.whole_price))


def _shares(group: FilledGroup) -> str:
    return ", ".join(f"{share.count:,} × {escape(share.workload)}" for share in group.pods)


_GROUP: Final[_Figure] = named("node group", lambda g: g.name, style="bold")
_KIND: Final[_Figure] = named("kind", lambda g: g.kind)
_NODES: Final[_Figure] = number("nodes", _nodes)
_TYPE: Final[_Figure] = named("instance type", lambda g: g.instance_type)
_CAPACITY: Final[_Figure] = named("capacity", lambda g: g.capacity_type)
_PODS: Final[_Figure] = count("pods", lambda g: g.placed)
_MONTH: Final[_Figure] = number("$/month", _month)
_TAKES: Final[_Figure] = Figure("takes", lambda g: _shares(g) or "-", markdown=lambda g: words(_shares(g)) or "-")

TEXT: Final[tuple[Figures[FilledGroup], ...]] = (
    (_GROUP, _KIND, _NODES, _TYPE, _CAPACITY, _PODS, _MONTH),
    (_GROUP, _NODES, _TYPE, _PODS, _MONTH),
)
TABLE: Final[Figures[FilledGroup]] = (_GROUP, _KIND, _NODES, _TYPE, _CAPACITY, _PODS, _MONTH, _TAKES)
"""The columns of Markdown and pages."""
CSV: Final[Figures[FilledGroup]] = (
    only_csv("node_pool", lambda g: g.name),
    only_csv("count", lambda g: g.count),
    only_csv("instance_type", lambda g: g.instance_type),
    only_csv("capacity_type", lambda g: g.capacity_type),
    only_csv("price_per_hour", lambda g: usd(g.price)),
    only_csv("price_source", lambda g: None if g.price is None else g.price.provenance),
    only_csv("pods", lambda g: "; ".join(f"{s.count} x {s.workload}" for s in g.pods)),
    only_csv("price_estimated", lambda g: None if g.price is None else g.price.estimated),
)


def beside_line(plan: Plan) -> str:
    """Return in a line what node groups take and cost, such as `4 pods on node group system (2 nodes of m5.large), $140 a month
    that is not in the price`; empty where they take none."""
    groups = [group for group in plan.node_groups if group.pods]
    if not groups:
        return ""
    names = [f"node group {group.name} ({group.nodes_in_words})" for group in groups]
    where = names[0] if len(groups) == 1 else counted(len(groups), "node group")
    price = monthly_price(groups)
    sign = currency_sign(_currency(plan))
    money = "their price is not known" if price is None else f"{sign}{monthly(price)} a month that is not in the price"
    return f"{counted(plan.pods_beside, 'pod')} on {where}, {money}"


def beside_section(page: Page, plan: Plan) -> None:
    """Add the node groups to a text, each with the pods that it takes."""
    if not plan.node_groups:
        return
    page.blank()
    page.line((TITLE, HEADING))
    add_table(page, [in_currency(layout, _currency(plan)) for layout in TEXT], plan.node_groups, _shares)


def beside_table(plan: Plan) -> list[str]:
    """Return the node groups as a folded table in Markdown."""
    groups = plan.node_groups
    title = f"{TITLE} ({counted(len(groups), 'node group')})"
    return folded(title, markdown_table(in_currency(TABLE, _currency(plan)), groups)) if groups else []


def _currency(plan: Plan) -> str:
    """Return the currency of the groups' prices, which is that of the region."""
    return currency_of(group.price for group in plan.node_groups)


def csv_row(group: FilledGroup) -> NamedCells:
    """Return a node group as a row of kind `node group`, with the price of one node."""
    return named_cells(CSV, group, kind="node group")
