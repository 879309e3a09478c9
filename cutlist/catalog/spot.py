"""Spot prices of AWS that nobody published, estimated as parts of the on-demand price: by region, size, CPU maker and kind.

The logarithm of the part is a sum of effects, which `tools.spot` fits to published prices and writes with their errors into
`spot.tsv`. Everything follows from the names of a region and an instance type. `docs/how-we-know.md` has the errors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from cutlist.catalog.format import Source, Table, read_table
from cutlist.core.errors import Place

SPOT: Final = Path(__file__).parent / "data" / "aws" / "spot.tsv"
LEAST: Final = 0.1
"""No published spot price is below a tenth of the on-demand price."""
MOST: Final = 1.0
"""Estimates, and their ranges, end at the on-demand price."""
LARGE_REGIONS: Final = frozenset(
    (
        *("us-east-1", "us-east-2", "us-west-2", "eu-west-1", "eu-central-1"),
        *("ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2"),
    )
)
_NAME: Final = re.compile(r"(?P<category>[a-z]+?)(?P<generation>\d+)(?P<options>[a-z]*)(?:-[a-z0-9-]+)?\.(?P<size>.+)")
_SMALLER: Final = ("nano", "micro", "small", "medium", "large")
SIZE_CLASSES: Final = ((1, "up to xlarge"), (4, "2xlarge to 4xlarge"), (8, "up to 8xlarge"), (16, "12xlarge to 16xlarge"))
"""The classes of sizes, each by the largest multiple of `xlarge` in it."""
_ACCELERATED: Final = frozenset(("dl", "f", "g", "gr", "inf", "p", "trn", "vt"))
_STORAGE: Final = frozenset(("d", "h", "i", "im", "is"))


class SpotSource(StrEnum):
    """What an estimated spot price is made from, the nearest first."""

    ZONES = "other zones"
    ADVISOR = "advisor"
    MODEL = "model"
    FAR = "model and advisor"


@dataclass(frozen=True, slots=True)
class Traits:
    """What of a region and a type counts for the model. `size` is in words, `large` from 12xlarge on and for metal."""

    region: str
    size: str
    large: bool
    maker: str
    kind: str

    @staticmethod
    def of(region: str, machine: str) -> Traits:
        """Return the traits that names tell; a name of no known form counts as a small Intel type."""
        known = _NAME.fullmatch(machine)
        category, options, size = (known["category"], known["options"], known["size"]) if known else ("", "", "")
        in_words = _size(size)
        maker = "AWS" if "g" in options or category == "a" else "AMD" if "a" in options else "Intel"
        kinds = {"accelerated": _ACCELERATED, "burstable": {"t"}, "storage": _STORAGE}
        kind = next((kind for kind, categories in kinds.items() if category in categories), "other")
        return Traits(region, in_words, in_words in _LARGE, maker, kind)

    @property
    def group(self) -> str:
        """Return the group of regions and sizes whose errors are alike."""
        where = "large regions" if self.region in LARGE_REGIONS else "other regions"
        return f"{where}, {'12xlarge and larger' if self.large else 'up to 8xlarge'}"


LARGEST: Final = "24xlarge and larger"
METAL: Final = "metal"
_LARGE: Final = frozenset((SIZE_CLASSES[-1][1], LARGEST, METAL))


def _size(size: str) -> str:
    if size.startswith("metal"):
        return METAL
    times = 1 if size in _SMALLER or size == "xlarge" else int(re.sub(r"\D", "", size) or 1)
    return next((words for most, words in SIZE_CLASSES if times <= most), LARGEST)


EFFECTS: Final[Mapping[str, Callable[[Traits], str]]] = {
    "region": lambda of: of.region,
    "size": lambda of: of.size,
    "kind": lambda of: of.kind,
    "region and size": lambda of: f"{of.region} {'large' if of.large else 'small'}",
    "region and maker": lambda of: f"{of.region} {of.maker}",
}
"""The effects of the model, in the order in which they are fitted."""


@dataclass(frozen=True, slots=True)
class Ratios:
    """How far the prices of `pairs` of a region and a type were from their estimates.

    `low` and `high` are multiples of the estimate: one in ten prices of zones is lower, one in ten higher. `median` and
    `ninth` are errors of the mean of a pair's zones: half of the pairs are as near, and nine in ten.
    """

    low: float
    high: float
    median: float
    ninth: float
    pairs: int


@dataclass(frozen=True, slots=True)
class SpotModel:
    """The parts of on-demand prices that spot prices are, and how far these estimates were from published prices.

    `base` and `effects` are natural logarithms. `ratios` are by source, and by source and group where there are enough pairs.
    """

    base: float
    effects: Mapping[tuple[str, str], float]
    ratios: Mapping[str, Ratios]
    source: Source

    def part(self, traits: Traits) -> float:
        """Return the part of the on-demand price that the spot price is estimated to be."""
        logs = [self.effects.get((name, key(traits)), 0.0) for name, key in EFFECTS.items()]
        return within(math.exp(math.fsum((self.base, *logs))))

    def knows(self, region: str) -> bool:
        """Tell whether the model was fitted to prices of a region."""
        return ("region", region) in self.effects

    def range_of(self, source: SpotSource, traits: Traits) -> Ratios:
        """Return how far estimates of this source were off, for the group if it was measured."""
        return self.ratios.get(f"{source}, {traits.group}") or self.ratios[source]


def within(part: float) -> float:
    """Return a part of the on-demand price, no less than the least and no more than the whole."""
    return min(max(part, LEAST), MOST)


@lru_cache(maxsize=1)
def spot_model() -> SpotModel:
    """Return the model that comes with Cutlist."""
    return read_model(read_table(SPOT.read_text("utf-8"), Place("catalog/aws/spot.tsv")))


def read_model(table: Table) -> SpotModel:
    """Return the model of a file. Raises ValueError or KeyError for one that cannot be read."""
    effects: dict[tuple[str, str], float] = {}
    errors: dict[str, dict[str, float]] = {}
    pairs: dict[str, int] = {}
    for name, value, count in table.rows:
        what, _, of = name.partition(": ")
        if what in ERRORS:
            errors.setdefault(of, {})[what] = float(value)
            pairs[of] = int(count)
        else:
            effects[what, of] = float(value)
    ratios = {}
    for of, found in errors.items():
        low, high, half, ninth = (found[what] for what in ERRORS)
        ratios[of] = Ratios(low, high, half, ninth, pairs[of])
    (source,) = table.sources.values()
    return SpotModel(effects.pop(("base", "")), effects, ratios, source)


ERRORS: Final = ("low", "high", "median error", "ninth error")
"""What the rows of errors are, in the order of `Ratios`."""
