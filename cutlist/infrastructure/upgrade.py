"""The upgrade gate as a user meets it: two versions as text in, everything that changes out (spec: aws-infrastructure 7.7).

Here the charts' changes are joined with those of other parts: permissions and the fit with Kubernetes come in below.
"""

from __future__ import annotations

from cutlist.errors import InputError, Place, Problems
from cutlist.infrastructure.charts.upgrade import Upgrade, upgrade
from cutlist.infrastructure.charts.version import KarpenterVersion, read_version


def upgrade_gate(before: str, after: str) -> Upgrade:
    """What going from one exact version of Karpenter to another changes. Raises InputError with all that is wrong with them."""
    problems = Problems()
    versions = [_read(text, path, problems) for text, path in ((before, "--from"), (after, "--to"))]
    problems.raise_if_any()
    first, second = (version for version in versions if version is not None)
    if second < first:
        said = f"{second} is older than {first}: on the way back objects may be of a version that is not served"
        raise InputError.one(Place(path="--to"), said, f"{first} or later")
    return upgrade(first, second)


def _read(text: str, path: str, problems: Problems) -> KarpenterVersion | None:
    try:
        return read_version(text, path)
    except InputError as error:
        problems.extend(error.problems)
        return None
