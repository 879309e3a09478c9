"""The versions of the hashes by which Karpenter detects an edit of a NodePool or node class: the only table of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.versions import KarpenterVersion


@dataclass(frozen=True, slots=True)
class HashVersion:
    """The version of a kind's hash since a version of Karpenter: it changes when the hash is computed in another way."""

    kind: str
    since: KarpenterVersion
    version: str
    statements: str = ""


HASH_VERSIONS: Final = (
    HashVersion("NodePool", KarpenterVersion(0, 36, 0), "v2"),
    HashVersion("NodePool", KarpenterVersion(1, 0, 0), "v3"),
    HashVersion("EC2NodeClass", KarpenterVersion(0, 36, 0), "v2"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 0, 0), "v3"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 1, 0), "v4"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 12, 0), "v5"),
    HashVersion("EC2NodeClass", KarpenterVersion(1, 15, 0), "v6", "VA15-20 to VA15-24"),
)
"""All versions in order; before the first one, a hash had no version, or v1."""


def hash_version(kind: str, version: KarpenterVersion) -> HashVersion:
    """Return how a release hashes a kind; `v1` where the release is older than every known change."""
    versions = [row for row in HASH_VERSIONS if row.kind == kind and row.since <= version]
    return versions[-1] if versions else HashVersion(kind, KarpenterVersion(0, 0, 0), "v1")
