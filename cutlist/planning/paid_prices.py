"""The prices that an account paid, among the figures of a plan."""

from __future__ import annotations

import os
from dataclasses import replace

from cutlist.catalog.paid import WAYS, read_paid
from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import Place, Problems, nearest
from cutlist.planning.figures import KIND, Figures
from cutlist.settings.planning import PAID, PAID_AS


def with_paid_prices(
    figures: Figures, path: str | os.PathLike[str] | None, way: str, catalog: AnyRegion | None, problems: Problems
) -> Figures:
    """Return the figures with the prices of a table; `way` says what an on-demand node costs by it. Mistakes are added to
    `problems`."""
    if way not in WAYS:
        problems.add(Place.of(PAID_AS), f"{way!r} is not what an on-demand node costs", ", ".join(WAYS), nearest(way, WAYS))
        return figures
    if path is None:
        return figures
    paid = read_paid(str(path), way, problems)
    if paid is None:
        return figures
    if catalog is not None and paid.currency != catalog.currency:
        text = f"the account paid in {paid.currency}, and the prices of {catalog.region} are in {catalog.currency}"
        problems.add(Place.of(PAID).at(str(path)), text, "a bill in the currency of the catalogue")
    if figures.on_demand_discount or figures.spot_discount:
        problems.add(Place(str(path)), f"cannot be combined with the discounts of {KIND}: it holds them", "one of the two")
    return replace(figures, paid_prices=paid)
