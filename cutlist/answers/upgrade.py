"""What an upgrade of Karpenter changes: versions as text in, all that changes out (spec: aws-infrastructure 7.7, 3.4, 1.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.infrastructure import versions
from cutlist.infrastructure.charts.upgrade import Delta, Subject, Upgrade, changes_between
from cutlist.infrastructure.iam.choices import USUAL, Choices, Feature
from cutlist.infrastructure.iam.delta import upgrade_delta
from cutlist.infrastructure.karpenter_versions import FIRST, LATEST, KarpenterVersion, noted_version
from cutlist.infrastructure.names import ClusterFacts

_ANY: Final = ClusterFacts("CLUSTER", "REGION", "ACCOUNT")
"""Stands for the user's own cluster: what a version needs does not hang on names."""

_EVERYTHING: Final = Choices(
    node_roles=(_ANY.arn("iam", "role/NODE-ROLE", region=""),),
    queue=_ANY.arn("sqs", "QUEUE"),
    features=USUAL | {Feature.ZONAL_SHIFT},
)
"""All that a controller may be used for, so that no permission is passed over; what is not used need not be granted."""


def upgrade(before: str, after: str, kubernetes: str = "") -> Upgrade:
    """Return what going from one exact version of Karpenter to another changes, and whether the later one fits a Kubernetes.

    Raises InputError with all that is wrong with the versions as they are written.

    >>> from cutlist import upgrade
    >>> change = upgrade("1.12.0", "1.14.1", kubernetes="1.34")
    >>> change.obstacles, len(change.deltas) > 0
    ((), True)
    """
    problems = Problems()
    versions_read = [noted_version(text, Place(path=path), problems) for text, path in ((before, "--from"), (after, "--to"))]
    if kubernetes:
        problems.extend(_of_kubernetes(kubernetes))
    problems.raise_if_any()
    first, second = (version for version in versions_read if version is not None)
    if second < first:
        text = f"{second} is older than {first}: on the way back objects may be of a version that is not served"
        raise InputError.one(Place(path="--to"), text, f"{first} or later")
    return changes_between(
        first, second, permissions=tuple(_permissions(first, second)), obstacles=tuple(_misfits(second, kubernetes))
    )


def _of_kubernetes(kubernetes: str) -> Iterator[Problem]:
    """Yield what is wrong with a version of Kubernetes; one that nothing is known of is a slip of the hand, not an obstacle."""
    for problem in versions.problems(kubernetes, versions.BASELINE):
        if problem.place.path == "version":
            yield Problem(Place(path="--kubernetes"), problem.message, problem.allowed, problem.nearest)


def _misfits(version: KarpenterVersion, kubernetes: str) -> Iterator[str]:
    """Yield what is wrong with a version of Karpenter: by itself, and for the version of Kubernetes where one is given."""
    for problem in versions.problems(kubernetes, str(version)):
        if problem.place.path == "karpenterVersion":
            yield f"{problem.message}; take {problem.allowed}"


def _permissions(before: KarpenterVersion, after: KarpenterVersion) -> Iterator[Delta]:
    """Yield what the controller's role has to be granted first, and what it may be granted no more."""
    old, new = before.line, after.line
    if old == new:
        return
    if not FIRST <= old <= new <= LATEST:
        text = f"known from {FIRST} to {LATEST}: compare the policies of {before} and {after} yourself"
        yield Delta(Subject.PERMISSIONS, text, is_first=True)
        return
    delta = upgrade_delta(_ANY, _EVERYTHING, old, new)
    for permission in delta.added:
        yield Delta(Subject.PERMISSIONS, f"grant {permission}", is_first=True)
    for permission in delta.removed:
        yield Delta(Subject.PERMISSIONS, f"{permission} is not needed any more")
