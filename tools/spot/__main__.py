"""Writes `cutlist/catalog/data/aws/spot.tsv` from the published prices in the files of regions beside it.

python -m tools.spot
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cutlist.catalog.format import Source, write_table
from cutlist.catalog.spot import EFFECTS, ERRORS, SPOT, SpotModel
from tools.spot.errors import published, shipped
from tools.spot.pairs import pairs

DATE = "2026-02"
"""When the prices were published that the model was fitted to, for most of them."""


_COLUMNS = ("effect", "value", "pairs")


def text() -> str:
    """Return the file of the model, the same for the same prices."""
    model: SpotModel = shipped()
    counts = Counter((name, key(pair.traits)) for pair in pairs() for name, key in EFFECTS.items())
    advised = len(pairs()) - len(published())
    what = f"{len(published())} types' spot prices in public catalogues and {advised} savings of the Spot Advisor"
    return write_table({"vendor": "aws", "content": "spot"}, {"M": Source(DATE, what)}, _COLUMNS, _rows(model, counts))


def _rows(model: SpotModel, pairs: Mapping[tuple[str, str], int]) -> Sequence[tuple[str, str, str]]:
    """Return the rows of a model's file, with the number of prices that each effect is from."""
    rows = [("base: ", f"{model.base:.4f}", "")]
    rows += [(f"{what}: {of}", f"{value:.4f}", str(pairs[what, of])) for (what, of), value in model.effects.items()]
    for of, ratio in model.ratios.items():
        values = (ratio.low, ratio.high, ratio.median, ratio.ninth)
        rows += [(f"{what}: {of}", f"{value:.4f}", str(ratio.pairs)) for what, value in zip(ERRORS, values, strict=True)]
    return rows


if __name__ == "__main__":
    SPOT.write_text(text(), "utf-8")
