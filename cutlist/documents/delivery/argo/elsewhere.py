"""Generators of ApplicationSets whose values are not in a checkout, and who knows them."""

from __future__ import annotations

from typing import Any, Final

from cutlist.documents.members import entries, mapping

PULL_REQUESTS: Final = "pullRequest"
ELSEWHERE: Final = {
    PULL_REQUESTS: "it makes an Application for each open pull request, and only the forge knows which are open",
    "scmProvider": "it makes Applications for repositories that only their provider can list",
    "clusterDecisionResource": "it makes Applications for clusters that a resource in Argo CD's cluster chooses",
    "plugin": "it makes Applications of what a plugin answers",
}
"""Each kind of generator with the reason why its Applications are not known."""


def kinds_elsewhere(generators: Any) -> set[str]:
    """Return the kinds of these generators that a list of generators has, at any depth."""
    found: set[str] = set()
    for generator in map(mapping, entries(generators)):
        found |= {kind for kind in ELSEWHERE if generator.get(kind) is not None}
        for kind in ("matrix", "merge"):
            found |= kinds_elsewhere(mapping(generator.get(kind)).get("generators"))
    return found
