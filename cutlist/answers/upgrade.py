"""The changes of an upgrade of Karpenter: versions as text in, all changes out (spec: aws-infrastructure 7.7, 3.4, 1.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.core.karpenter.baselines import SUPPORTED, chosen_baseline
from cutlist.core.karpenter.versions import FIRST, KarpenterVersion, Minor, noted_version
from cutlist.infrastructure import versions
from cutlist.infrastructure.charts.notes import Subject
from cutlist.infrastructure.charts.upgrade import Delta, Upgrade, changes_between
from cutlist.infrastructure.iam.choices import USUAL, Choices, Feature
from cutlist.infrastructure.iam.delta import upgrade_delta
from cutlist.infrastructure.names import ClusterFacts

_ANY: Final = ClusterFacts("CLUSTER", "REGION", "ACCOUNT")
"""A stand-in for the user's own cluster: the needs of a version do not depend on names."""

_NEWEST: Final = SUPPORTED[-1]
_KNOWN: Final = (
    *(Minor(0, minor) for minor in range(1, 38)),
    *(Minor(FIRST.major, minor) for minor in range(FIRST.minor, _NEWEST.minor + 1)),
)
"""The minor versions whose charts, CRDs and notes are known, the oldest first."""
_KNOWN_TEXT: Final = f"0.1 to 0.37, {FIRST} to {_NEWEST}"

_EVERYTHING: Final = Choices(
    node_roles=(_ANY.arn("iam", "role/NODE-ROLE", region=""),),
    queue=_ANY.arn("sqs", "QUEUE"),
    features=USUAL | {Feature.ZONAL_SHIFT},
)
"""Every possible use of a controller, so that no permission is missed; permissions for unused features need not be granted."""


def upgrade(before: str, after: str, kubernetes: str = "") -> Upgrade:
    """Return what changes from one exact version of Karpenter to another, and whether the later one supports a version of
    Kubernetes.

    Raises InputError with every mistake in the versions as they are written, and for a minor version that is not known.

    >>> from cutlist import upgrade
    >>> change = upgrade("1.12.0", "1.14.1", kubernetes="1.34")
    >>> change.obstacles, len(change.deltas) > 0
    ((), True)
    """
    problems = Problems()
    texts = ((before, "--from"), (after, "--to"))
    versions_read = [_known_version(text, Place(path=path), problems) for text, path in texts]
    if kubernetes:
        problems.extend(_of_kubernetes(kubernetes))
    problems.raise_if_any()
    first, second = (version for version in versions_read if version is not None)
    if second < first:
        text = f"{second} is older than {first}: on the way back objects may be of a version that is not served"
        raise InputError.one(Place(path="--to"), text, f"{first} or later")
    return changes_between(
        first,
        second,
        permissions=tuple(_permissions(first, second)),
        obstacles=tuple(_misfits(second, kubernetes)),
        notes=tuple(dict.fromkeys(note for version in (first, second) for note in _counts_as(version))),
    )


def _known_version(text: str, place: Place, problems: Problems) -> KarpenterVersion | None:
    """Return the exact version that a text names; one of a minor version that is not known is a problem."""
    version = noted_version(text, place, problems)
    if version is not None and version.line not in _KNOWN:
        problems.add(place, f"Karpenter {version} is not known", _KNOWN_TEXT)
    return version


def _counts_as(version: KarpenterVersion) -> Iterator[str]:
    """Yield which release a patch release counts as, where it is not known by itself."""
    if version.line in SUPPORTED:
        _, notes = chosen_baseline(str(version), Place(), Problems())
        yield from (note.text for note in notes)


def _of_kubernetes(kubernetes: str) -> Iterator[Problem]:
    """Yield the mistakes in a version of Kubernetes; an unknown version counts as a typing mistake, not as an obstacle."""
    for problem in versions.problems(kubernetes, versions.BASELINE):
        if problem.place.path == "version":
            yield Problem(Place(path="--kubernetes"), problem.message, problem.allowed, problem.nearest)


def _misfits(version: KarpenterVersion, kubernetes: str) -> Iterator[str]:
    """Yield the obstacles of a version of Karpenter: its own, and those with the version of Kubernetes if one is given."""
    for problem in versions.problems(kubernetes, str(version)):
        if problem.place.path == "karpenterVersion":
            yield f"{problem.message}; take {problem.allowed}"


def _permissions(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    """Yield the permissions that have to be granted to the controller's role first, and those that may be revoked."""
    old, new = before.line, after.line
    if old == new:
        return
    if not FIRST <= old <= new <= _NEWEST:
        text = f"known from {FIRST} to {_NEWEST}: compare the policies of {before} and {after} yourself"
        yield Delta(Subject.PERMISSIONS, text, is_first=True)
        return
    delta = upgrade_delta(_ANY, _EVERYTHING, old, new)
    for permission in delta.added:
        yield Delta(Subject.PERMISSIONS, f"grant {permission}", is_first=True)
    for permission in delta.removed:
        yield Delta(Subject.PERMISSIONS, f"{permission} is not needed any more")
