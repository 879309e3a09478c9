"""The figures of charges and of components, and the columns that each form has of them."""

from __future__ import annotations

from typing import Final

from cutlist.infrastructure.costs import ChargeState
from cutlist.report.columns import Figure, Figures, count
from cutlist.report.markup import words
from cutlist.verbs.preview.amounts import BilledCharge
from cutlist.verbs.preview.look_ups import ShownLookUp
from cutlist.verbs.preview.record import ShownComponent

_Figure = Figure[BilledCharge]
_SHORT: Final = {ChargeState.BY_USE: "by use", ChargeState.NOT_KNOWN: "not known"}
"""What stands in place of an amount that is not known beforehand, where there is little room."""


def _source(billed: BilledCharge) -> str:
    return billed.charge.note or billed.charge.source or "-"


_COMPONENT: Final[_Figure] = Figure("component", lambda b: b.component.name, is_name=True, small=lambda b: [b.component.type])
_CHARGE: Final[_Figure] = Figure(
    "charge", lambda b: b.charge.what, markdown=lambda b: words(b.charge.what), page_title="What", page_class="w"
)
_COUNT: Final[_Figure] = count("count", lambda b: b.charge.count)
_MONTH: Final[_Figure] = Figure(
    "$/month",
    lambda b: _SHORT[b.charge.state] if b.month is None else b.month,
    "right",
    estimated=lambda b: b.month is not None and b.charge.is_estimated,
    page=lambda b: str(b.charge.state) if b.month is None else b.month,
    page_class=lambda b: "n" if b.month is None else "n top",
    sign="$",
)
TEXT: Final[Figures[BilledCharge]] = (_CHARGE, _COUNT, _MONTH)
COMMENT: Final[Figures[BilledCharge]] = (_COMPONENT, *TEXT)
PAGE: Final[Figures[BilledCharge]] = (*COMMENT, Figure("source or note", _source, page_class="w"))
COMPONENTS: Final[Figures[ShownComponent]] = (
    Figure("component", lambda of: of.path, is_name=True),
    Figure("type", lambda of: of.type, is_name=True, page_class="most"),
    count("resources", lambda of: of.resources),
)
LOOK_UPS: Final[Figures[ShownLookUp]] = (
    Figure("where", lambda of: of.place or "-", is_name=True),
    Figure("look-up", lambda of: of.asked, is_name=True, page_class="w"),
    Figure("in place of an answer", lambda of: of.lack, page_class="w"),
)
"""The look-ups without an answer."""
