"""The daemons that every node of a NodePool certainly runs: a bound may count on no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.core.quantity import merge
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.nodeclaimtemplate import DaemonPods
from cutlist.workloads.pod_requirements import strict_requirements


class CertainDaemons:
    """The daemons that certainly run on every node of a type and offering: a node may have more, never fewer. A pass counts
    those that may run on a type (S-36), an existing node those that do run (S-62). A daemon is certain only if the node leaves
    no label open that the daemon asks for.
    """

    def __init__(self, wanted: Requirements, running: Sequence[int], daemons: DaemonPods) -> None:
        self._wanted = wanted
        self._running = running
        self._requests = [pod.requests for pod in daemons.pods]
        self._terms = [strict_requirements(pod, daemons.registry) for pod in daemons.pods]
        self._keys = frozenset(key for terms in self._terms for key in terms)
        self._sums: dict[tuple[int, ...], Mapping[str, int]] = {(): {}}

    def always_on(self, number: int) -> tuple[int, ...] | None:
        """Return the numbers of those that run on the type of a number however it is bought; None if that decides."""
        expected = tuple(n for n, types in enumerate(self._running) if types >> number & 1)
        return None if any(self._terms[n] for n in expected) else expected

    def on(self, number: int, t: InstanceType, offering: Offering) -> tuple[int, ...]:
        """Return the numbers of those that run on the type of a number, bought by this offering."""
        expected = [n for n, types in enumerate(self._running) if types >> number & 1]
        if any(self._terms[n] for n in expected):
            labels = Requirements(
                r for of in (t.requirements, self._wanted, offering.requirements) for key, r in of.items() if key in self._keys
            )
            expected = [n for n in expected if _certain(labels, self._terms[n])]
        return tuple(expected)

    def requests(self, daemons: tuple[int, ...]) -> Mapping[str, int]:
        """Return what the daemons of these numbers request together, in nano-units."""
        if daemons not in self._sums:
            self._sums[daemons] = merge(*(self._requests[n] for n in daemons))
        return self._sums[daemons]


def _certain(labels: Requirements, terms: Requirements) -> bool:
    """Tell whether labels meet some terms, whatever values their open labels get."""
    fixed = labels.single_values()
    # A key that labels name with several values is open: the daemon may run there or not, so it is not certain.
    return all(key in fixed or key not in labels for key in terms) and Requirements(
        r for key, r in labels.items() if key in fixed
    ).compatible(terms)
