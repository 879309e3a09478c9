"""The upgrade gate: what changes from one version of Karpenter to another (spec: aws-infrastructure 7.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.core.karpenter.baselines import BASELINES, Baseline, baseline_of
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.hashes import HASH_VERSIONS, hash_version
from cutlist.core.karpenter.versions import NEWEST, KarpenterVersion, WrittenVersion
from cutlist.core.records import After, Key, about, computed, form_of
from cutlist.infrastructure.charts.crds import crds_of, served_by
from cutlist.infrastructure.charts.keys import KEYS, NEW_DEFAULTS, keys_of
from cutlist.infrastructure.charts.notes import NOTES, Subject, When


@dataclass(frozen=True, slots=True)
class Stop:
    """A version at which an upgrade from below `below` to `beyond` or later has to stop: it serves an old API together with the
    next one, so that objects can be converted."""

    version: KarpenterVersion
    below: KarpenterVersion
    beyond: KarpenterVersion


STOPS: Final = (
    Stop(KarpenterVersion(0, 32, 10), KarpenterVersion(0, 32, 0), KarpenterVersion(0, 33, 0)),
    Stop(KarpenterVersion(0, 37, 8), KarpenterVersion(0, 33, 0), KarpenterVersion(1, 0, 0)),
    Stop(KarpenterVersion(1, 0, 14), KarpenterVersion(1, 0, 0), KarpenterVersion(1, 1, 0)),
)
"""The newest patch release of each stop."""


_WHEN: Final = tuple(When)
_SUBJECTS: Final = tuple(Subject)


@dataclass(frozen=True, slots=True)
class ChartDelta:
    """A change, and when to act on it."""

    subject: Subject
    text: str
    when: Annotated[
        When,
        about("When something is to be done about it: before, with or after the upgrade, or nothing."),
        After("statements"),
    ] = When.NOTHING
    statements: Annotated[str, about("The statements of docs/spec that describe or cause the change, or nothing.")] = ""

    @property
    @computed(after="text")
    def first(self) -> Annotated[bool, about("Whether something has to be done before the upgrade.")]:
        """Tell whether the upgrade has to wait for it."""
        return self.when is When.FIRST

    @property
    def cited(self) -> str:
        """Return the text, followed by its statements."""
        return f"{self.text} ({self.statements})" if self.statements else self.text


def by_subject(deltas: Sequence[ChartDelta]) -> list[ChartDelta]:
    """Return changes by subject, of each those to act on before the upgrade, then with it, then after it, then the others."""
    return sorted(deltas, key=lambda delta: (_SUBJECTS.index(delta.subject), _WHEN.index(delta.when)))


@dataclass(frozen=True, slots=True)
class ReleaseChanges:
    """The changes between two versions, the stops on the way, and the reasons why this upgrade must not be done; none if it
    may. `notes` say which release a version counts as.
    """

    before: Annotated[WrittenVersion, Key("from")]
    after: Annotated[WrittenVersion, Key("to")]
    deltas: Annotated[tuple[ChartDelta, ...], form_of(tuple[ChartDelta, ...]).through(by_subject), Key("changes")]
    stops: Annotated[tuple[WrittenVersion, ...], about("Versions that come in between.")] = ()
    obstacles: Annotated[tuple[str, ...], about("Why the upgrade must not be made like this.")] = ()
    notes: Annotated[
        tuple[str, ...], about("Which release a version that is not known by itself counts as, and what is left out.")
    ] = ()

    def of(self, subject: Subject) -> tuple[ChartDelta, ...]:
        """Return the changes of one subject in this order."""
        return tuple(by_subject([delta for delta in self.deltas if delta.subject is subject]))

    def at(self, when: When) -> tuple[ChartDelta, ...]:
        """Return the changes to act on at a time, by subject."""
        return tuple(delta for delta in by_subject(self.deltas) if delta.when is when)


def changes_between(
    before: KarpenterVersion,
    after: KarpenterVersion,
    *,
    permissions: Sequence[ChartDelta] = (),
    obstacles: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> ReleaseChanges:
    """Return everything that changes between two versions, of which the second must not be older. The caller computes the
    `permissions` that the controller's role needs, the `obstacles` in the cluster, and `notes`.
    """
    stops = _stops(before, after)
    deltas = (*permissions, *_crds(before, after), *_api(before, after), *_settings(before, after))
    more = (*_defaults(before, after), *_hashes(before, after), *_noted(before, after), *_behaviour(before, after))
    return ReleaseChanges(before, after, (*deltas, *more), stops, (*obstacles, *_obstacles(stops)), tuple(notes))


def support_note(version: KarpenterVersion) -> str:
    """Return the note on an unsupported version: the way from it to today's. Empty for supported ones."""
    stops = _stops(version, NEWEST)
    way = ", then ".join(map(str, (*stops, NEWEST)))
    return f"Karpenter {version} is no longer supported; upgrade by way of {way}, with the CRDs of each" if stops else ""


def _stops(before: KarpenterVersion, after: KarpenterVersion) -> tuple[KarpenterVersion, ...]:
    return tuple(stop.version for stop in STOPS if before < stop.below and stop.beyond <= after)


def _obstacles(stops: Sequence[KarpenterVersion]) -> Iterator[str]:
    if stops:
        yield f"go by way of {', then '.join(map(str, stops))}, with the CRDs of each, and convert all objects there"


def _crds(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    had, has = crds_of(before), crds_of(after)
    for name in sorted(has - had):
        yield ChartDelta(Subject.CRDS, f"{name} is new")
    for name in sorted(had - has):
        yield ChartDelta(Subject.CRDS, f"{name} is removed, and with it every object of that kind", when=When.FIRST)
    if before != after:
        yield ChartDelta(
            Subject.CONTROLLER, f"upgrade the chart karpenter to {after}, once what comes first is done", When.WITH
        )
        yield ChartDelta(Subject.CRDS, f"upgrade the chart karpenter-crd to {after} before the controller", when=When.FIRST)


def _api(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    for stop in _stops(before, after):
        text = f"stop at {stop}: upgrade the chart karpenter-crd to it, then the chart karpenter, and convert all objects there"
        yield ChartDelta(Subject.API, text, When.FIRST)
    for api in sorted(served_by(after) - served_by(before)):
        yield ChartDelta(Subject.API, f"{api} is served")
    for api in sorted(served_by(before) - served_by(after)):
        yield ChartDelta(Subject.API, f"{api} is served no more", when=When.FIRST)


def _settings(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    had, has = keys_of(before), keys_of(after)
    for key in KEYS:
        if key.path in had and key.path not in has and key.is_in(before):
            instead = f"; it is {key.instead}" if key.instead else ""
            yield ChartDelta(Subject.SETTINGS, f"{key.path} is removed{instead}", when=When.FIRST)
        elif key.path in has and key.path not in had and key.is_in(after):
            yield ChartDelta(Subject.SETTINGS, f"{key.path} is new", statements=key.statements)


def _defaults(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    for row in NEW_DEFAULTS:
        if before < row.since <= after:
            yield ChartDelta(Subject.DEFAULTS, f"{row.path} was {row.before} and is {row.after}")


def _hashes(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    for kind in dict.fromkeys(row.kind for row in HASH_VERSIONS):
        was, now = hash_version(kind, before), hash_version(kind, after)
        if was != now:
            text = (
                f"the hash of {kind} was {was.version} and is {now.version}: no node is replaced for that alone. While the "
                "versions differ, nothing drifts by the hash; the controller writes the new version on all NodeClaims, and the "
                "new hash on those that are not drifted. Drifted ones stay so and are replaced within budgets"
            )
            yield ChartDelta(Subject.HASHES, text, statements=now.statements)
            edits = (
                f"make edits of the {kind} only once all its NodeClaims carry {now.version}: one that is made while "
                "the versions differ replaces no node"
            )
            yield ChartDelta(Subject.HASHES, edits, When.AFTER, now.statements)


def _noted(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    for note in NOTES:
        if before < note.since <= after and note.subject is not Subject.BEHAVIOUR:
            yield ChartDelta(note.subject, note.text, note.when, note.statements)


_OF_THE_API_SERVER: Final = frozenset({Behaviour.API_SERVER_NAMES_FORMATS})
"""Behaviours that recorded answers of a release show, but that an upgrade of Karpenter does not change."""


def _behaviour(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[ChartDelta]:
    """Yield the differences, release by release: its notes first, then the named behaviours that begin with it."""
    notes = [note for note in NOTES if before < note.since <= after and note.subject is Subject.BEHAVIOUR]
    new = rules_of(after).behaviours - rules_of(before).behaviours - _OF_THE_API_SERVER
    begins = {behaviour: _beginning(behaviour) for behaviour in Behaviour if behaviour in new}
    for since in sorted({*(note.since for note in notes), *begins.values()}):
        release = str(since if since.patch else since.line)
        for note in notes:
            if note.since == since:
                yield ChartDelta(Subject.BEHAVIOUR, f"{release}: {note.text}", note.when, note.statements)
        for behaviour, beginning in begins.items():
            if beginning == since:
                yield ChartDelta(Subject.BEHAVIOUR, f"{release}: {behaviour.text}", statements=behaviour.statements)


def _beginning(behaviour: Behaviour) -> KarpenterVersion:
    """Return the release that began a behaviour: of core, or of the AWS provider where it is a later one on the same core."""
    row = next(baseline for baseline in BASELINES if baseline.does(behaviour))
    is_new_core = all(row.release != other.release for other in BASELINES if other.aws_release < row.aws_release)
    return row.release if is_new_core else row.aws_release


def rules_of(version: KarpenterVersion) -> Baseline:
    """Return the baseline of a version; all before the first recorded release count as that one."""
    return baseline_of(str(version)) or BASELINES[0]
