"""Measured use of containers, and the requests that a policy derives from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cutlist.core.quantity import MEBI, MILLI, nanos
from cutlist.settings.usage import MARGIN, PERCENTILE

CPU: Final = "cpu"
MEMORY: Final = "memory"
_STEPS: Final = {CPU: MILLI, MEMORY: MEBI}
"""What requests are rounded up to, in nano-units."""
_HIGH: Final = 99.0
"""The percentile of use that requests are compared with."""


class Owner(NamedTuple):
    """The owner of a container: a workload's name, with its kind in lower case if known; or the name of a pod."""

    namespace: str
    name: str
    kind: str = ""
    is_pod: bool = False


Container = tuple[Owner, str]
"""A container by owner and name; the name is empty for the only one."""


@dataclass(frozen=True, slots=True)
class UsagePolicy:
    """How use becomes requests: a percentile of the samples, a margin on top, and a minimum of each resource. `margin` is a
    fraction, 0.15 for 15%; the minimums are in nano-units.
    """

    percentile: float = float(PERCENTILE.default)
    margin: float = MARGIN.default / 100
    least: Mapping[str, int] = field(default_factory=lambda: {CPU: nanos("10m"), MEMORY: nanos("32Mi")})

    def request(self, resource: str, samples: Sequence[int]) -> int:
        """Return the request for some samples, all in nano-units, rounded up to a thousandth of a core or a MiB."""
        used = _percentile(samples, self.percentile)
        return rounded_up(resource, max(math.ceil(used * (1 + self.margin)), self.least.get(resource, 0)))


def _percentile(samples: Sequence[int], percentile: float) -> int:
    return sorted(samples)[max(1, math.ceil(len(samples) * percentile / 100)) - 1]


def rounded_up(resource: str, amount: int) -> int:
    """Return an amount rounded up to the unit in which requests are written."""
    step = _STEPS.get(resource, 1)
    return -(-amount // step) * step


@dataclass(frozen=True, slots=True)
class UseRisk:
    """A request by measured use beside that use, in nano-units: its 99th percentile, and the most that was measured."""

    container: str
    resource: str
    request: int
    p99: int
    most: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Samples of containers' use, and targets of a recommender, all in nano-units."""

    samples: Mapping[Container, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    targets: Mapping[Container, Mapping[str, int]] = field(default_factory=dict)

    @staticmethod
    def joined(parts: Iterable[Usage]) -> Usage:
        """Return the samples and targets of several files together."""
        samples: dict[Container, dict[str, list[int]]] = {}
        targets: dict[Container, dict[str, int]] = {}
        for part in parts:
            for container, by_resource in part.samples.items():
                for resource, amounts in by_resource.items():
                    samples.setdefault(container, {}).setdefault(resource, []).extend(amounts)
            for container, amounts_of in part.targets.items():
                targets.setdefault(container, {}).update(amounts_of)
        return Usage(samples, targets)

    def risks(self, policy: UsagePolicy) -> tuple[UseRisk, ...]:
        """Return how each request by samples compares with the use that it has to stand, by container and resource."""
        requests = self.requests(policy)
        return tuple(
            UseRisk(
                "/".join(filter(None, (container[0].name, container[1]))),
                resource,
                requests[container][resource],
                _percentile(amounts, _HIGH),
                max(amounts),
            )
            for container, by_resource in self.samples.items()
            for resource, amounts in by_resource.items()
            if amounts and resource not in self.targets.get(container, {})
        )

    def requests(self, policy: UsagePolicy) -> dict[Container, dict[str, int]]:
        """Return the requests of each container; a target takes precedence over samples."""
        requests: dict[Container, dict[str, int]] = {}
        for container, by_resource in self.samples.items():
            requests[container] = {resource: policy.request(resource, amounts) for resource, amounts in by_resource.items()}
        for container, amounts in self.targets.items():
            rounded = {resource: rounded_up(resource, amount) for resource, amount in amounts.items()}
            requests[container] = {**requests.get(container, {}), **rounded}
        return requests
