"""The expected outcome of a launch, as far as it is determined before EC2 answers (spec: AWS 5.7, 5.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import CAPACITY_TYPE, SPOT
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.launch.choice import capacity_type
from cutlist.providers.aws.launch.claim import ClaimRequirements, Refusal
from cutlist.providers.aws.launch.filters import RemainingType, narrowed, removed
from cutlist.providers.aws.launch.images import by_image, images_of, unseen_images
from cutlist.providers.instance_types import InstanceType, Offering

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass


@dataclass(frozen=True, slots=True)
class RequestedType:
    """A type of the request with its pools in the requested capacity type, cheapest first, at least one."""

    type: InstanceType
    offerings: tuple[Offering, ...]

    @property
    def price(self) -> float | None:
        """Return the price per hour in its cheapest pool, or None if unknown."""
        return self.offerings[0].price

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the zones in which it may run."""
        return tuple(sorted({o.zone for o in self.offerings}))


@dataclass(frozen=True, slots=True)
class Prediction:
    """The request for a claim, and EC2's expected answer to it.

    `candidates` are the types of the request, cheapest first; `likeliest` are those that share the lowest price: for on-demand
    and reserved launches, EC2 chooses only among them while they have capacity. `is_determined` says that the type is certain.
    `dropped` are the names of types by the step that dropped them: a filter, `image` if none starts on them, `capacity type` if
    they are not sold in the requested one. Without candidates `refusal` says why nothing is launched.
    """

    capacity_type: str
    candidates: tuple[RequestedType, ...]
    likeliest: tuple[RequestedType, ...]
    dropped: Mapping[str, tuple[str, ...]]
    refusal: Refusal | None = None

    @property
    def is_determined(self) -> bool:
        """Tell whether EC2 has no choice of type: one cheapest type on demand, or a single pool (A-61)."""
        if self.capacity_type == SPOT:
            return sum(len(c.offerings) for c in self.candidates) == 1
        return len(self.likeliest) == 1


def predict(
    types: Iterable[InstanceType],
    requirements: Requirements,
    node_class: EC2NodeClass | None = None,
    *,
    karpenter: Baseline,
    strict_min_values: bool = True,
) -> Prediction:
    """Return the outcome for a claim of the scheduler, whose `types` all fit it.

    With a NodeClass, types without an image are left out as well (A-60). `strict_min_values` is the MinValuesPolicy,
    whose values are counted as by `karpenter`.
    """
    wanted = ClaimRequirements(requirements)
    usable = [r for r in (RemainingType(t, t.offerings) for t in types) if wanted.open(r.offerings)]
    filtered = narrowed(usable, wanted, karpenter, strict_min_values=strict_min_values)
    if filtered.refusal is not None:
        return _nothing(filtered.refusal, filtered.dropped)
    sold_as = capacity_type(filtered.remaining, wanted)
    started, without_image = _with_image(filtered.remaining, node_class)
    dropped = {**filtered.dropped, **({"image": without_image} if without_image else {})}
    candidates = _candidates(started, wanted, sold_as)
    not_sold = _names(started) - {c.type.name for c in candidates}
    if not_sold:
        dropped = {**dropped, "capacity type": tuple(sorted(not_sold))}
    if not candidates:
        return _nothing(Refusal.create("no instance type of the request has an image and an open offering"), dropped)
    return _with_likeliest(sold_as, candidates, dropped)


def _nothing(refusal: Refusal, dropped: Mapping[str, tuple[str, ...]]) -> Prediction:
    return Prediction("", (), (), dropped, refusal)


def _with_image(
    types: tuple[RemainingType, ...], node_class: EC2NodeClass | None
) -> tuple[tuple[RemainingType, ...], tuple[str, ...]]:
    if node_class is None:
        return types, ()
    names = {
        name
        for startable in by_image(types, unseen_images(node_class) or images_of(node_class)).values()
        for name in _names(startable)
    }
    started = tuple(r for r in types if r.type.name in names)
    return started, removed(types, started)


def _names(types: Iterable[RemainingType]) -> set[str]:
    return {r.type.name for r in types}


def _candidates(types: Iterable[RemainingType], wanted: ClaimRequirements, sold_as: str) -> tuple[RequestedType, ...]:
    only = ClaimRequirements(wanted.requirements.replaced(Requirement(CAPACITY_TYPE, False, frozenset((sold_as,)))))
    pools = ((r.type, sorted(only.open(r.offerings), key=_by_price)) for r in types)
    candidates = [RequestedType(t, tuple(offerings)) for t, offerings in pools if offerings]
    return tuple(sorted(candidates, key=lambda c: (_by_price(c.offerings[0]), c.type.name)))


def _with_likeliest(sold_as: str, candidates: tuple[RequestedType, ...], dropped: Mapping[str, tuple[str, ...]]) -> Prediction:
    lowest = candidates[0].price
    return Prediction(sold_as, candidates, tuple(c for c in candidates if c.price == lowest), dropped)


def _by_price(offering: Offering) -> tuple[float, str]:
    return offering.price or 0.0, offering.zone
