"""Writes `cutlist/catalog/data/aws/spot.tsv` from the published prices in the files of regions beside it.

python -m tools.spot
"""

from __future__ import annotations

from collections import Counter

from cutlist.catalog.format import Source, write_table
from cutlist.catalog.spot import COLUMNS, EFFECTS, SPOT, SpotModel, model_rows
from tools.spot.errors import published, shipped
from tools.spot.pairs import pairs

DATE = "2026-02"
"""When the prices were published that the model was fitted to, for most of them."""


def text() -> str:
    """Return the file of the model, the same for the same prices."""
    model: SpotModel = shipped()
    counts = Counter((name, key(pair.traits)) for pair in pairs() for name, key in EFFECTS.items())
    advised = len(pairs()) - len(published())
    what = f"{len(published())} types' spot prices in public catalogues and {advised} savings of the Spot Advisor"
    return write_table({"vendor": "aws", "content": "spot"}, {"M": Source(DATE, what)}, COLUMNS, model_rows(model, counts))


if __name__ == "__main__":
    SPOT.write_text(text(), "utf-8")
