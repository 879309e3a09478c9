"""How far estimates are from published prices that no part of them was fitted to: errors by rule, group and region."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, median
from typing import Final, NamedTuple

from cutlist.catalog.ranges import Deviation, Deviations, family_of
from cutlist.catalog.spot import EFFECTS, LARGEST, METAL, SIZE_CLASSES, Ratios, SpotModel, SpotSource, spot_model, within
from tools.spot.fit import fit
from tools.spot.pairs import FOLDS, Pair, pairs

SIZES: Final = tuple(dict.fromkeys((*(words for _, words in SIZE_CLASSES), LARGEST, METAL)))
_TOGETHER: Final = 4
_LEAST_PAIRS: Final = 40
"""A group has its own range from this many pairs on."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An estimate, as a part of the on-demand price, of a pair whose published prices had no part in it."""

    pair: Pair
    estimate: float

    @property
    def error(self) -> float:
        """Return how far the estimate is from the mean of the published zones, as a fraction of that."""
        return abs(self.estimate / self.pair.part - 1)


def summary(trials: Sequence[Trial]) -> Ratios:
    """Return the errors of some trials, and the range of zones' prices around their estimates."""
    errors = [trial.error for trial in trials]
    zones = [zone / trial.estimate for trial in trials for zone in trial.pair.zones]
    return Ratios(_part(zones, 0.1), _part(zones, 0.9), median(errors), _part(errors, 0.9), len(trials))


def _part(values: Iterable[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def by_folds(names: Iterable[str] = tuple(EFFECTS), fitted: Callable[[Pair], bool] = lambda _: True) -> list[Trial]:
    """Return a trial of each published pair: the model is fitted to the pairs of the other folds."""
    names, trials = tuple(names), []
    for fold in range(FOLDS):
        model = fit([pair for pair in pairs() if pair.fold != fold and fitted(pair)], names)
        trials += [Trial(pair, model.part(pair.traits)) for pair in published() if pair.fold == fold]
    return trials


@lru_cache(maxsize=1)
def of_model() -> tuple[Trial, ...]:
    """Return the trials of the model as it comes with Cutlist, each pair by the other folds."""
    return tuple(by_folds())


def by_regions() -> list[Trial]:
    """Return trials of what is done where no prices of the region are known: each region is left out in turn."""
    trials = []
    for region in sorted({pair.traits.region for pair in published()}):
        model = fit([pair for pair in pairs() if pair.traits.region != region])
        there = [pair for pair in published() if pair.traits.region == region and pair.earlier]
        trials += [Trial(pair, halfway(model.part(pair.traits), pair.earlier)) for pair in there]
    return trials


def halfway(part: float, saved: float | None) -> float:
    """Return the geometric mean of the model's part and the Advisor's."""
    return within(math.sqrt(part * max(saved or part, 1e-9)))


def by_advisor() -> list[Trial]:
    """Return trials of the Advisor's newest savings where prices are published too."""
    return [Trial(pair, within(pair.advisor)) for pair in published() if pair.advisor]


def by_earlier_advisor() -> list[Trial]:
    """Return trials of the Advisor's savings of 2025, or of their medians."""
    return [Trial(pair, max(pair.earlier, 1e-9)) for pair in published() if pair.earlier]


def by_other_zones() -> list[Trial]:
    """Return trials of the mean of a type's other zones, one for each zone."""
    trials = []
    for pair in published():
        for index, zone in enumerate(pair.zones):
            others = pair.zones[:index] + pair.zones[index + 1 :]
            if others:
                alone = Pair(pair.machine, pair.traits, (zone,), None, None)
                trials.append(Trial(alone, fmean(others)))
    return trials


@lru_cache(maxsize=1)
def published() -> tuple[Pair, ...]:
    """Return the pairs with published prices."""
    return tuple(pair for pair in pairs() if pair.zones)


class SumsWithin(NamedTuple):
    """How many sums were tried, and which part of them was within its range."""

    count: int
    within: float


def sums_within() -> SumsWithin:
    """Return whether sums of four types of a region, each of another family, are within the range of their estimates.

    Each pair in turn is the first, in the order of a hash; the next pairs of other families follow.
    """
    found = []
    for region in sorted({trial.pair.traits.region for trial in of_model()}):
        there = sorted((t for t in of_model() if t.pair.traits.region == region), key=lambda t: (t.pair.fold, t.pair.machine))
        for start in range(len(there)):
            families = {family_of(trial.pair.machine): trial for trial in reversed(there[start:] + there[:start])}
            chosen = list(reversed(families.values()))[:_TOGETHER]
            if len(chosen) == _TOGETHER:
                found.append(_is_within(chosen))
    return SumsWithin(len(found), sum(found) / len(found))


def _is_within(trials: Sequence[Trial]) -> bool:
    model = spot_model()
    parts = []
    for trial in trials:
        of = model.range_of(SpotSource.MODEL, trial.pair.traits)
        parts.append((trial.pair.machine, 1, Deviation(trial.estimate * (1 - of.low), trial.estimate * (of.high - 1))))
    estimate, real = (math.fsum(values) for values in zip(*((t.estimate, t.pair.part) for t in trials), strict=True))
    of_sum = Deviations.of_each(parts).around(estimate)
    return of_sum is not None and of_sum.low <= real <= of_sum.high


def ratios() -> dict[str, Ratios]:
    """Return the errors of each source of an estimate, and by group where there are enough pairs."""
    groups: Mapping[SpotSource, Sequence[Trial]] = {
        SpotSource.ZONES: by_other_zones(),
        SpotSource.ADVISOR: by_advisor(),
        SpotSource.MODEL: of_model(),
        SpotSource.FAR: by_regions(),
    }
    found = {str(source): summary(trials) for source, trials in groups.items()}
    for source, trials in groups.items():
        for group in sorted({trial.pair.traits.group for trial in trials}):
            part = [trial for trial in trials if trial.pair.traits.group == group]
            if source is not SpotSource.ZONES and len(part) >= _LEAST_PAIRS:
                found[f"{source}, {group}"] = summary(part)
    return found


def shipped() -> SpotModel:
    """Return the model of all pairs with the errors of models that had not seen the pairs they were tried on."""
    model = fit(pairs())
    return SpotModel(model.base, model.effects, ratios(), model.source)
