"""Whether an EC2NodeClass fits the cluster of its nodes: role or profile, the terms for subnets and groups, and images for the
cluster's Kubernetes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.api.late_values import stands_for_late
from cutlist.catalog.images import image_releases
from cutlist.core.errors import Layer, Place, Problem
from cutlist.infrastructure.discovery import DISCOVERY

_TERMS: Final = ("subnetSelectorTerms", "securityGroupSelectorTerms")


@dataclass(frozen=True, slots=True)
class ClusterNodes:
    """A cluster's resources for its nodes. Names are None if only an update knows them; `profile` is the instance profile if
    the controller does not create any; `kubernetes` is the cluster's version, empty if unknown."""

    cluster: str
    role: str | None
    has_profile: bool = False
    profile: str | None = None
    kubernetes: str = ""


def fit_problems(manifest: Mapping[str, Any], nodes: ClusterNodes, place: Place) -> Iterator[Problem]:
    """Yield the problems that would keep nodes of an EC2NodeClass out of the cluster. Roles and tags that this cluster does not
    know may be right for others: only those that cannot be right are reported."""
    spec = manifest.get("spec")
    if not isinstance(spec, Mapping):
        return
    if nodes.has_profile:
        yield from _of_profile(spec, nodes, place)
    elif "role" in spec and nodes.role is not None and not _is(spec["role"], nodes.role):
        message = f"role {spec['role']!r} is not that of the cluster's nodes, which alone may join"
        yield Problem(place.at("spec.role"), message, nodes.role, nodes.role)
    for key in _TERMS:
        for index, term in enumerate(spec.get(key) or ()):
            yield from _of_term(term, nodes.cluster, place.at(f"spec.{key}[{index}].tags"))
    yield from image_problems(manifest, nodes.kubernetes, place.at)


def image_problems(manifest: Mapping[str, Any], kubernetes: str, at: Callable[[str], Place]) -> Iterator[Problem]:
    """Yield a problem for each alias of an EC2NodeClass without an image for a version of Kubernetes: the class would never be
    ready (spec: AWS A-68). Aliases outside the table of releases are not reported."""
    spec = manifest.get("spec")
    terms = spec.get("amiSelectorTerms") if isinstance(spec, Mapping) else None
    for index, term in enumerate(terms if isinstance(terms, list | tuple) else ()):
        alias = term.get("alias") if isinstance(term, Mapping) else None
        missing = image_releases().missing(alias, kubernetes) if isinstance(alias, str) else None
        if missing is not None:
            place = at(f"spec.amiSelectorTerms[{index}].alias")
            yield Problem(place, missing.message, missing.allowed, missing.nearest, Layer.RUNTIME)


def _of_profile(spec: Mapping[str, Any], nodes: ClusterNodes, place: Place) -> Iterator[Problem]:
    wanted = nodes.profile or "the instance profile that the stack makes"
    if "role" in spec:
        message = "a role needs an instance profile that the controller makes, and this one may not"
        yield Problem(place.at("spec.role"), message, f"instanceProfile: {wanted}")
    elif nodes.profile is not None and not _is(spec.get("instanceProfile"), nodes.profile):
        message = f"instance profile {spec.get('instanceProfile')!r} is not that of the cluster's nodes"
        yield Problem(place.at("spec.instanceProfile"), message, nodes.profile, nodes.profile)


def _is(text: object, name: str) -> bool:
    """Tell whether a text is a name, or stands for one that is known later and compared then."""
    return text == name or stands_for_late(text)


def _of_term(term: Any, cluster: str, place: Place) -> Iterator[Problem]:
    tags = term.get("tags") if isinstance(term, Mapping) else None
    named = tags.get(DISCOVERY) if isinstance(tags, Mapping) else None
    if named not in (None, "*", cluster):
        yield Problem(place, f"{DISCOVERY}: {named} finds what belongs to another cluster", cluster, cluster)
