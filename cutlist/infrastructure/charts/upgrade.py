"""The upgrade gate: what changes from one version of Karpenter to another (spec: aws-infrastructure 7.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion
from cutlist.infrastructure.charts.crds import crds_of, served_by
from cutlist.infrastructure.charts.keys import KEYS, NEW_DEFAULTS
from cutlist.infrastructure.charts.notes import HASH_VERSIONS, NOTES, hash_version


@dataclass(frozen=True, slots=True)
class Stop:
    """A version at which an upgrade from below `below` to `beyond` or later has to stop: it serves an old API along with the
    next one, so that objects can be converted there."""

    version: KarpenterVersion
    below: KarpenterVersion
    beyond: KarpenterVersion


STOPS: Final = (
    Stop(KarpenterVersion(0, 32, 10), KarpenterVersion(0, 32, 0), KarpenterVersion(0, 33, 0)),
    Stop(KarpenterVersion(0, 37, 8), KarpenterVersion(0, 33, 0), KarpenterVersion(1, 0, 0)),
    Stop(KarpenterVersion(1, 0, 14), KarpenterVersion(1, 0, 0), KarpenterVersion(1, 1, 0)),
)
"""The newest patch release of each stop."""


class Subject(StrEnum):
    """The subject of a change, in the order in which an upgrade deals with it."""

    PERMISSIONS = "permissions"
    CRDS = "CRDs"
    API = "API versions"
    SETTINGS = "settings"
    DEFAULTS = "defaults"
    HASHES = "hashes"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True, slots=True)
class Delta:
    """One change. `is_first` says that something has to be done before the upgrade."""

    subject: Subject
    text: str
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The changes of an upgrade, the stops on its way, and the reasons why it must not be made like this; none when it may."""

    before: KarpenterVersion
    after: KarpenterVersion
    deltas: tuple[Delta, ...]
    stops: tuple[KarpenterVersion, ...] = ()
    obstacles: tuple[str, ...] = ()

    def of(self, subject: Subject) -> tuple[Delta, ...]:
        """Return the changes of one subject; what has to be done first comes first."""
        deltas = [delta for delta in self.deltas if delta.subject is subject]
        return tuple(sorted(deltas, key=lambda delta: not delta.is_first))


def changes_between(
    before: KarpenterVersion,
    after: KarpenterVersion,
    *,
    permissions: Sequence[Delta] = (),
    obstacles: Sequence[str] = (),
) -> Upgrade:
    """Return all that changes between two versions.

    What the controller's role has to be granted, and what does not fit the cluster, is computed elsewhere and passed as
    `permissions` and `obstacles`. The second version must not be the older one.
    """
    stops = _stops(before, after)
    deltas = (*permissions, *_crds(before, after), *_api(before, after), *_settings(before, after))
    more = (*_defaults(before, after), *_hashes(before, after), *_behaviour(before, after))
    return Upgrade(before, after, (*deltas, *more), stops, (*obstacles, *_obstacles(stops)))


def support_note(version: KarpenterVersion) -> str:
    """Return the note on an unsupported version: the way from it to today's. Empty for other versions."""
    stops = _stops(version, NEWEST)
    way = ", then ".join(map(str, (*stops, NEWEST)))
    return f"Karpenter {version} is outside of support; the way on is {way}, with the CRDs of each" if stops else ""


def _stops(before: KarpenterVersion, after: KarpenterVersion) -> tuple[KarpenterVersion, ...]:
    return tuple(stop.version for stop in STOPS if before < stop.below and stop.beyond <= after)


def _obstacles(stops: Sequence[KarpenterVersion]) -> Iterator[str]:
    if stops:
        yield f"go by way of {', then '.join(map(str, stops))}, with the CRDs of each, and convert all objects there"


def _crds(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    had, has = crds_of(before), crds_of(after)
    for name in sorted(has - had):
        yield Delta(Subject.CRDS, f"{name} is new")
    for name in sorted(had - has):
        yield Delta(Subject.CRDS, f"{name} is removed, and with it every object of that kind", is_first=True)
    if before != after:
        yield Delta(Subject.CRDS, f"upgrade the chart karpenter-crd to {after} before the controller", is_first=True)


def _api(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    for api in sorted(served_by(after) - served_by(before)):
        yield Delta(Subject.API, f"{api} is served")
    for api in sorted(served_by(before) - served_by(after)):
        yield Delta(Subject.API, f"{api} is served no more", is_first=True)


def _settings(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    for key in KEYS:
        was, now = key.is_in(before), key.is_in(after)
        if was and not now:
            instead = f"; it is {key.instead}" if key.instead else ""
            yield Delta(Subject.SETTINGS, f"{key.path} is removed{instead}", is_first=True)
        elif now and not was:
            yield Delta(Subject.SETTINGS, f"{key.path} is new")


def _defaults(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    for row in NEW_DEFAULTS:
        if before < row.since <= after:
            yield Delta(Subject.DEFAULTS, f"{row.path} was {row.before} and is {row.after}")


def _hashes(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    for kind in dict.fromkeys(row.kind for row in HASH_VERSIONS):
        was, now = hash_version(kind, before), hash_version(kind, after)
        if was != now:
            text = (
                f"the hash of {kind} was {was} and is {now}: the controller writes it anew on nodes that are not drifted; "
                "what is drifted, or drifts by a change of what is hashed, is replaced within budgets"
            )
            yield Delta(Subject.HASHES, text)


def _behaviour(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    for note in NOTES:
        if before < note.since <= after:
            yield Delta(Subject.BEHAVIOUR, f"{note.since.line}: {note.text}", note.is_first)
