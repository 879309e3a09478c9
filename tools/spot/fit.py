"""Fits the effects of a model to the logarithms of prices: medians of what the other effects leave, few prices count less."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Final

from cutlist.catalog.format import Source
from cutlist.catalog.spot import EFFECTS, SpotModel
from tools.spot.pairs import Pair

_ROUNDS: Final = 8
_HELD: Final[Mapping[str, int]] = {"region": 2, "size": 2, "kind": 2, "region and size": 1, "region and maker": 1}
"""As many prices of effect 0 are assumed beside the real ones, so that an effect of few prices stays near 0."""
_SOURCE: Final = "whether the Advisor says it"
"""The Advisor's savings differ from prices by one factor, which is fitted with the rest and left out of the model."""
_NOT_WRITTEN: Final = Source("", "")


def fit(known: Sequence[Pair], names: Iterable[str] = tuple(EFFECTS)) -> SpotModel:
    """Return the model with these effects that is nearest to the pairs."""
    keys: dict[str, Callable[[Pair], str]] = {_SOURCE: lambda pair: "" if pair.zones else "advisor"}
    keys |= {name: lambda pair, of=EFFECTS[name]: of(pair.traits) for name in names}  # type: ignore[misc]
    held = {_SOURCE: 0, **_HELD}
    logs = [math.log(pair.part) for pair in known]
    labels = {name: [key(pair) for pair in known] for name, key in keys.items()}
    effects: dict[str, dict[str, float]] = {name: dict.fromkeys(labels[name], 0.0) for name in keys}
    base = median(logs)
    left = [log - base for log in logs]
    for _ in range(_ROUNDS):
        for name in keys:
            before, by_label = effects[name], defaultdict[str, list[float]](list)
            for rest, label in zip(left, labels[name], strict=True):
                by_label[label].append(rest + before[label])
            after = {label: median(rests) * len(rests) / (len(rests) + held[name]) for label, rests in by_label.items()}
            if name == _SOURCE:
                after[""] = 0.0
            left = [rest + before[label] - after[label] for rest, label in zip(left, labels[name], strict=True)]
            effects[name] = after
        shift = median(left)
        base, left = base + shift, [rest - shift for rest in left]
    flat = {(name, label): value for name in names for label, value in effects[name].items()}
    return SpotModel(base, flat, {}, _NOT_WRITTEN)
