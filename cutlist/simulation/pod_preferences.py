"""kube-scheduler's preferences that look at other pods: PodTopologySpread and InterPodAffinity, as far as they score nodes.

A pod without spread constraints gets those of kube-scheduler itself, if a Service or its controller selects it: at most 3 pods
of skew between nodes and 5 between zones, both as a preference. Counts are kept for equal pods from one look to the next, and
change with the nodes that have changed. Of nodes without a pod that counts nothing is kept: their labels say all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.simulation.pod_rules import Namespaces, PodCounts, Spread, selects
from cutlist.state.statenode import StateNode
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import Pod, SpreadConstraint

MOST: Final = 100
"""The highest score that a plugin gives a node."""
_SOFT: Final = "ScheduleAnyway"
_DEFAULTS: Final = (SpreadConstraint(HOSTNAME, 3, _SOFT, None), SpreadConstraint(ZONE, 5, _SOFT, None))
_REQUIRED_WEIGHT: Final = 1
"""What a required affinity of another pod counts as (hardPodAffinityWeight)."""
_NO_HOSTNAME: Final = -1


class ScoringPlace(NamedTuple):
    """What scores of a node depend on besides its room: equal places have equal ones.

    `values` are those of the keys of topologies, `beside` the pods on the node that each constraint by hostname counts, and
    `weight` is that of terms by hostname. Spread does not score a node that is `ignored`, because it lacks a key.
    """

    is_ignored: bool = False
    values: tuple[str | None, ...] = ()
    beside: tuple[int, ...] = ()
    weight: int = 0


NOWHERE: Final = ScoringPlace()


class _Counted(NamedTuple):
    """What a node adds to the counts, besides its labels: pods by constraint and value, weights of terms by key and value."""

    pods: tuple[tuple[tuple[int, str | None], int], ...]
    weights: tuple[tuple[tuple[str, str], int], ...]
    is_ignored: bool
    beside: tuple[int, ...]


@dataclass(slots=True)
class _Share:
    """What each of some nodes adds to the counts, and the place that they all have: their labels are equal but for the
    hostname."""

    labels: Mapping[str, str]
    counted: _Counted
    keys: int = -1
    place: ScoringPlace = NOWHERE


class PodPreferences:
    """What equal pods prefer because of other pods. `is_concerned` is False where they have no preference of this kind."""

    __slots__ = (
        "_concerning",
        "_counts",
        "_keys",
        "_namespaces",
        "_plain",
        "_pod",
        "_pods",
        "_relations",
        "_repeats",
        "_shared",
        "_shares",
        "_spreads",
        "_takes_part",
        "_weights",
        "seen",
    )

    def __init__(
        self, pod: Pod, soft: Sequence[SpreadConstraint], others: Sequence[Pod], namespaces: Namespaces, counts: PodCounts
    ) -> None:
        """Begin without nodes. `soft` are the pod's constraints that are preferences, `others` the pods whose terms may be
        about these, and `counts` those of all nodes."""
        self._pod = pod
        self._namespaces = namespaces
        self._counts = counts
        self._spreads = [Spread(pod, constraint) for constraint in soft]
        # The two constraints of kube-scheduler's own count the same pods, which are then counted once.
        self._repeats = [False, *(after.counts_like(before) for before, after in pairwise(self._spreads))]
        self._takes_part = _has_preferences(pod) or any(map(_has_terms, others))
        self._keys = dict.fromkeys(spread.key for spread in self._spreads if spread.key != HOSTNAME)
        self._concerning: dict[int, tuple[Pod, bool]] = {}
        self._shares: dict[str, _Share] = {}
        self._shared: dict[tuple[int, _Counted], _Share] = {}
        self._plain: dict[tuple[int, bool], _Share] = {}
        self._pods: Counter[tuple[int, str | None]] = Counter()
        self._weights: Counter[tuple[str, str]] = Counter()
        self._relations: dict[int, tuple[Pod, list[tuple[str, int]]]] = {}
        self.seen = 0
        """How many changes of nodes the counts include."""

    def __len__(self) -> int:
        """Return of how many nodes something is kept."""
        return len(self._shares)

    @property
    def is_concerned(self) -> bool:
        """Tell whether nodes can differ by what other pods run on them."""
        return bool(self._spreads) or self._takes_part

    # --- counts

    def update(self, node: StateNode, matches_node: Callable[[StateNode], bool]) -> None:
        """Count the pods of a node that is new or has changed. `matches_node` tells whether the pod's node affinity matches a
        node."""
        self.forget(node.name)
        if not node.has_node:
            return
        labels_class, known = self._counts.labels_class(node), self._concerning
        # Most nodes have no pod that counts; of each template and each node there is one call of this.
        on_node = [kind for kind in self._counts.of(node) if (known.get(id(kind[0])) or self._look_at(kind[0]))[1]]
        if not on_node:
            return
        labels = node.state.own_labels
        has_all, pods, beside, matching = self._has_all(labels), [], [], 0
        for number, spread in enumerate(self._spreads):
            if not self._repeats[number]:
                matching = spread.staying(on_node)
            if spread.key == HOSTNAME:
                beside.append(matching if HOSTNAME in labels else _NO_HOSTNAME)
            elif has_all and matching and spread.is_for(node, matches_node):
                pods.append(((number, labels.get(spread.key)), matching))
        counted = _Counted(tuple(pods), self._weights_of(labels, on_node), not has_all, tuple(beside))
        self._shares[node.name] = self._share(labels_class, labels, counted)
        for domain, number in counted.pods:
            self._pods[domain] += number
        for at, weight in counted.weights:
            self._weights[at] += weight

    def _look_at(self, other: Pod) -> tuple[Pod, bool]:
        """Return a kind of pods, and whether it counts for these."""
        counts = any(spread.counts(other) for spread in self._spreads) or (self._takes_part and bool(self._weights_by(other)))
        # With the object, so that its id is not given to another one.
        known = self._concerning[id(other)] = other, counts
        return known

    def _has_all(self, labels: Mapping[str, str]) -> bool:
        """Tell whether labels have the keys that spread asks for: kube-scheduler's own constraints do without some."""
        return not self._pod.spread or all(spread.key in labels for spread in self._spreads)

    def _share(self, labels_class: int, labels: Mapping[str, str], counted: _Counted) -> _Share:
        """Return the share of a node: that of another node with equal labels, if there is one."""
        # Otherwise there would be one for each pair of a template and a node. A weight by hostname is of one node alone.
        if any(key == HOSTNAME for (key, _), _ in counted.weights):
            return _Share(labels, counted)
        key = labels_class, counted
        share = self._shared.get(key)
        if share is None:
            share = self._shared[key] = _Share(labels, counted)
        return share

    def _plain_share(self, name: str) -> _Share:
        """Return the share of a node without a pod that counts, which depends on its labels alone."""
        labels, labels_class = self._counts.labels_of(name)
        key = labels_class, HOSTNAME in labels
        share = self._plain.get(key)
        if share is None:
            beside = (0 if HOSTNAME in labels else _NO_HOSTNAME for spread in self._spreads if spread.key == HOSTNAME)
            share = self._plain[key] = _Share(labels, _Counted((), (), not self._has_all(labels), tuple(beside)))
        return share

    def forget(self, name: str) -> None:
        """Stop counting the pods of a node."""
        share = self._shares.pop(name, None)
        if share is None:
            return
        for domain, pods in share.counted.pods:
            self._pods[domain] -= pods
        for at, weight in share.counted.weights:
            self._weights[at] -= weight

    def _weights_of(
        self, labels: Mapping[str, str], on_node: Sequence[tuple[Pod, int, int]]
    ) -> tuple[tuple[tuple[str, str], int], ...]:
        weights: dict[str, int] = {}
        if self._takes_part:
            for other, present, _ in on_node:
                for key, weight in self._relation(other):
                    if key in labels:
                        weights[key] = weights.get(key, 0) + weight * present
        return tuple(((key, labels[key]), weight) for key, weight in weights.items())

    def _relation(self, other: Pod) -> list[tuple[str, int]]:
        """Return the weights that a pod of another kind has, by keys of topologies: by this pod's terms, and by its own."""
        known = self._relations.get(id(other))
        if known is None:
            # With the object, so that its id is not given to another one.
            known = self._relations[id(other)] = other, self._weights_by(other)
            self._keys |= dict.fromkeys(key for key, _ in known[1] if key != HOSTNAME)
        return known[1]

    def _weights_by(self, other: Pod) -> list[tuple[str, int]]:
        pod = self._pod
        terms = [(term, term.weight, pod, other) for term in pod.preferred_affinity]
        terms += [(term, -term.weight, pod, other) for term in pod.preferred_anti_affinity]
        terms += [(term, _REQUIRED_WEIGHT, other, pod) for term in other.affinity]
        terms += [(term, term.weight, other, pod) for term in other.preferred_affinity]
        terms += [(term, -term.weight, other, pod) for term in other.preferred_anti_affinity]
        return [(t.topology_key, weight) for t, weight, owner, of in terms if selects(t, owner, of, self._namespaces)]

    # --- scores

    def place(self, name: str) -> ScoringPlace:
        """Return what other pods' scores of a node depend on."""
        share = self._shares.get(name) or self._plain_share(name)
        # A new kind of pod may have brought a new key, which places have to have too.
        if share.keys != len(self._keys):
            share.keys = len(self._keys)
            values, counted = tuple([share.labels.get(key) for key in self._keys]), share.counted
            by_hostname = sum(weight for (key, _), weight in counted.weights if key == HOSTNAME)
            share.place = ScoringPlace(counted.is_ignored, values, counted.beside, by_hostname)
        return share.place

    def spread_scores(self, nodes: Mapping[ScoringPlace, int]) -> dict[ScoringPlace, int]:
        """Return the normalized scores of PodTopologySpread for the places of candidate nodes, with the number of nodes at
        each."""
        counted = {place: number for place, number in nodes.items() if not place.is_ignored}
        raw = self._raw_spread(counted) if self._spreads else {}
        most, least = max(raw.values(), default=0), min(raw.values(), default=0)
        scores = {place: MOST * (most + least - score) // most if most else MOST for place, score in raw.items()}
        return {place: scores.get(place, 0) for place in nodes}

    def _raw_spread(self, nodes: Mapping[ScoringPlace, int]) -> dict[ScoringPlace, int]:
        """Return the scores before they are normalized: the higher, the more pods are there.

        Each count has the logarithm of the number of domains as its weight, so that many small domains count as much as few
        large ones.
        """
        index = {key: number for number, key in enumerate(self._keys)}
        raw = dict.fromkeys(nodes, 0.0)
        by_hostname = 0
        for number, spread in enumerate(self._spreads):
            if spread.key == HOSTNAME:
                # Every node is a domain of its own here.
                weight, at = math.log(sum(nodes.values()) + 2), by_hostname
                by_hostname += 1
                counts = {place: place.beside[at] for place in nodes if place.beside[at] != _NO_HOSTNAME}
            else:
                values = {place: place.values[index[spread.key]] for place in nodes}
                weight = math.log(len(set(values.values())) + 2)
                counts = {place: self._pods[number, value] for place, value in values.items() if value is not None}
            for place, count in counts.items():
                # The skew is added as kube-scheduler does: a constraint that allows more counts for less in comparison.
                raw[place] += count * weight + (spread.max_skew - 1)
        # Go's Round, for numbers that are not negative.
        return {place: math.floor(score + 0.5) for place, score in raw.items()}

    def affinity_scores(self, places: Mapping[ScoringPlace, int]) -> dict[ScoringPlace, int]:
        """Return the normalized scores of InterPodAffinity for the places of nodes that are candidates."""
        if not self._takes_part or not places:
            return dict.fromkeys(places, 0)
        raw = {place: self._raw_affinity(place) for place in places}
        most, least = max(raw.values()), min(raw.values())
        if most == least:
            return dict.fromkeys(places, 0)
        return {place: int(MOST * ((score - least) / (most - least))) for place, score in raw.items()}

    def _raw_affinity(self, place: ScoringPlace) -> int:
        pairs = zip(self._keys, place.values, strict=True)
        return place.weight + sum(self._weights[key, value] for key, value in pairs if value is not None)


def soft_constraints(pod: Pod, controller: PodController | None, sources: SelectorSources) -> Sequence[SpreadConstraint]:
    """Return the constraints of a pod that are preferences, by default those of kube-scheduler."""
    if pod.spread:
        return [constraint for constraint in pod.spread if constraint.when_unsatisfiable == _SOFT]
    selector = sources.deduced(pod.namespace, pod.labels, controller)
    if selector is None:
        return ()
    return [SpreadConstraint(c.topology_key, c.max_skew, _SOFT, selector) for c in _DEFAULTS]


def _has_preferences(pod: Pod) -> bool:
    return bool(pod.preferred_affinity or pod.preferred_anti_affinity)


def _has_terms(pod: Pod) -> bool:
    return bool(pod.affinity) or _has_preferences(pod)
