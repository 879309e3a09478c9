"""Topology rules by the labels that their selectors ask for: the rules that count a pod are found without trying each."""

from __future__ import annotations

from collections.abc import Hashable, ValuesView

from cutlist.scheduling.topologygroup import TopologyGroup
from cutlist.workloads.pods import Pod


class TopologyGroups:
    """Rules by their identities, in the order in which they were added.

    A rule is listed under one of the labels that its selector needs: that with the fewest rules so far. A rule without such
    a label is tried for every pod; one without a selector selects no pod.
    """

    __slots__ = ("_anything", "_by_identity", "_by_label")

    def __init__(self) -> None:
        self._by_identity: dict[Hashable, TopologyGroup] = {}
        self._by_label: dict[tuple[str, str], list[tuple[int, TopologyGroup]]] = {}
        self._anything: list[tuple[int, TopologyGroup]] = []

    def __len__(self) -> int:
        return len(self._by_identity)

    def get(self, identity: Hashable) -> TopologyGroup | None:
        """Return a rule, or None if it was not added."""
        return self._by_identity.get(identity)

    def values(self) -> ValuesView[TopologyGroup]:
        """Return all rules."""
        return self._by_identity.values()

    def add(self, identity: Hashable, group: TopologyGroup) -> None:
        """Add a rule of a new identity."""
        entry = len(self._by_identity), group
        self._by_identity[identity] = group
        if group.selector is None:
            return
        lists = [self._by_label.setdefault(label, []) for label in group.selector.match_labels]
        min(lists, key=len, default=self._anything).append(entry)

    def selecting(self, pod: Pod) -> list[TopologyGroup]:
        """Return the rules that count a pod, in the order in which they were added."""
        found = [entry for entry in self._anything if entry[1].selects(pod)]
        if self._by_label:
            for label in pod.labels.items():
                found += [entry for entry in self._by_label.get(label, ()) if entry[1].selects(pod)]
        found.sort(key=lambda entry: entry[0])
        return [group for _, group in found]
