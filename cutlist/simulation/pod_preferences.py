"""kube-scheduler's preferences that look at other pods: PodTopologySpread and InterPodAffinity, as far as they score nodes.

Counts are kept for equal pods from one look to the next, and change with the nodes that have changed. Of nodes without a pod
that counts nothing is kept: their labels say all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cutlist.core.bits import bits
from cutlist.core.labels import HOSTNAME
from cutlist.simulation.pod_rules import Namespaces, PodCounts, Spread, selects
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod, PodTerm, SpreadConstraint

MOST: Final = 100
"""The highest score that a plugin gives a node."""
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


class _Share(NamedTuple):
    """What each of some nodes adds to the counts, and the place that they all have: their labels are equal but for the
    hostname."""

    counted: _Counted
    place: ScoringPlace


class PodPreferences:
    """What equal pods prefer because of other pods. `is_concerned` is False where they have no preference of this kind."""

    __slots__ = (
        "_concerning",
        "_counts",
        "_keys",
        "_looked_at",
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
        self._takes_part = _has_preferences(pod) or any(map(_terms, others))
        terms = (term for of_pod in map(_terms, (pod, *others)) for term in of_pod)
        keys = (*(spread.key for spread in self._spreads), *(term.topology_key for term in terms))
        self._keys = tuple(dict.fromkeys(key for key in keys if key != HOSTNAME))
        self._looked_at = self._concerning = 0
        self._shares: dict[str, _Share] = {}
        self._shared: dict[tuple[int, _Counted], _Share] = {}
        self._plain: dict[int, _Share] = {}
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
        labels_class, kinds = self._counts.labels_class(node), self._counts.kinds_on(node)
        if new := kinds & ~self._looked_at:
            self._look_at(new)
        # Most nodes have no pod that counts, and this is called for each template and each node that has changed.
        if not kinds & self._concerning:
            return
        labels, on_node = node.state.own_labels, self._counts.of(node)
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

    def _look_at(self, kinds: int) -> None:
        """Find out which of some kinds of pods count for these."""
        self._looked_at |= kinds
        for number in bits(kinds):
            other = self._counts.kinds[number]
            if any(spread.counts(other) for spread in self._spreads) or (self._takes_part and self._weights_by(other)):
                self._concerning |= 1 << number

    def _has_all(self, labels: Mapping[str, str]) -> bool:
        """Tell whether labels have the keys that spread asks for: kube-scheduler's own constraints do without some."""
        return not self._pod.spread or all(spread.key in labels for spread in self._spreads)

    def _share(self, labels_class: int, labels: Mapping[str, str], counted: _Counted) -> _Share:
        """Return the share of a node: that of another node with equal labels, if there is one."""
        # Otherwise there would be one for each pair of a template and a node. A weight by hostname is of one node alone.
        if any(key == HOSTNAME for (key, _), _ in counted.weights):
            return self._new_share(labels, counted)
        key = labels_class, counted
        share = self._shared.get(key)
        if share is None:
            share = self._shared[key] = self._new_share(labels, counted)
        return share

    def _new_share(self, labels: Mapping[str, str], counted: _Counted) -> _Share:
        by_hostname = sum(weight for (key, _), weight in counted.weights if key == HOSTNAME)
        values = tuple([labels.get(key) for key in self._keys])
        return _Share(counted, ScoringPlace(counted.is_ignored, values, counted.beside, by_hostname))

    def _plain_share(self, name: str) -> _Share:
        """Return the share of a node without a pod that counts, which depends on its labels alone."""
        labels, labels_class = self._counts.labels[name]
        share = self._plain.get(labels_class)
        if share is None:
            beside = (0 if HOSTNAME in labels else _NO_HOSTNAME for spread in self._spreads if spread.key == HOSTNAME)
            counted = _Counted((), (), not self._has_all(labels), tuple(beside))
            share = self._plain[labels_class] = self._new_share(labels, counted)
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
        if not self.is_concerned:
            return NOWHERE
        return (self._shares.get(name) or self._plain_share(name)).place

    def by_place(self, scores: Mapping[str, int]) -> Mapping[ScoringPlace, list[tuple[int, str]]]:
        """Return nodes with their scores by room by their places, the higher score as the lower number."""
        if not self.is_concerned:
            return {NOWHERE: [(-score, name) for name, score in scores.items()]}
        shares, of_labels = self._shares, self._counts.labels
        places: dict[ScoringPlace, list[tuple[int, str]]] = {}
        plain: dict[int, list[tuple[int, str]]] = {}
        for name, score in scores.items():
            if name in shares:
                places.setdefault(shares[name].place, []).append((-score, name))
            else:
                # Of thousands of nodes all but some are such; one of each class is looked at.
                plain.setdefault(of_labels[name][1], []).append((-score, name))
        for nodes in plain.values():
            places.setdefault(self.place(nodes[0][1]), []).extend(nodes)
        return places

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


def _has_preferences(pod: Pod) -> bool:
    return bool(pod.preferred_affinity or pod.preferred_anti_affinity)


def _terms(pod: Pod) -> Sequence[PodTerm]:
    """Return the terms by which a pod can draw or repel others without forbidding them a node."""
    return (*pod.affinity, *pod.preferred_affinity, *pod.preferred_anti_affinity)
