"""Pod manifests, as the API server stores them, read as scheduling's values.

Spec: scheduling 1.5, 2.8, 6.2, 7.6, 7.7, 9.1 and 11.1. Nothing is defaulted here: what admission adds to a manifest from a file
is in `cutlist.workloads.defaults`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.core.requirement import Expression
from cutlist.core.taints import Toleration, host_ports
from cutlist.workloads.pods import (
    DEFAULT_GRACE,
    NO_LABELS,
    PREFERRED,
    REQUIRED,
    FrozenDict,
    LabelSelector,
    Pod,
    PodClaim,
    PodTerm,
    Preference,
    SpreadConstraint,
    Terms,
    Volume,
)
from cutlist.workloads.requests import pod_requests

Manifest = Mapping[str, Any]


def read_pod(manifest: Manifest) -> Pod:
    """Return the pod of an object or of a pod template (`metadata`, `spec`, and a pod's `status` if there is one)."""
    metadata = manifest.get("metadata") or {}
    spec = manifest.get("spec") or {}
    affinity = spec.get("affinity") or {}
    node_terms = (affinity.get("nodeAffinity") or {}).get(REQUIRED)
    near, apart = affinity.get("podAffinity") or {}, affinity.get("podAntiAffinity") or {}
    return Pod(
        namespace=metadata.get("namespace") or "default",
        labels=_frozen(metadata.get("labels")),
        node_selector=_frozen(spec.get("nodeSelector")),
        required=read_terms(node_terms),
        preferred=_preferences((affinity.get("nodeAffinity") or {}).get(PREFERRED)),
        tolerations=tuple(map(Toleration.read, spec.get("tolerations") or ())),
        requests=FrozenDict({name: amount.nanos for name, amount in pod_requests(manifest).items()}),
        host_ports=host_ports(manifest),
        spread=tuple(map(read_spread, spec.get("topologySpreadConstraints") or ())),
        affinity=tuple(map(_pod_term, near.get(REQUIRED) or ())),
        anti_affinity=tuple(map(_pod_term, apart.get(REQUIRED) or ())),
        preferred_affinity=_weighted_terms(near.get(PREFERRED)),
        preferred_anti_affinity=_weighted_terms(apart.get(PREFERRED)),
        volumes=_volumes(spec.get("volumes") or ()),
        uses_match_fields=any(term.get("matchFields") for term in (node_terms or {}).get("nodeSelectorTerms") or ()),
        uses_dynamic_resources=uses_dynamic_resources(spec),
        resource_claims=_resource_claims(manifest),
        priority=spec.get("priority") or 0,
    )


def read_selector(raw: Manifest | None) -> LabelSelector | None:
    """Return a label selector; None when the manifest has none."""
    if raw is None:
        return None
    return LabelSelector(tuple(sorted((raw.get("matchLabels") or {}).items())), _expressions(raw.get("matchExpressions")))


def read_terms(raw: Manifest | None) -> Terms | None:
    """Return the OR-ed terms of a node selector, each a list of AND-ed expressions; None when there is no selector."""
    if raw is None:
        return None
    return tuple(_expressions(term.get("matchExpressions")) for term in raw.get("nodeSelectorTerms") or ())


def uses_dynamic_resources(spec: Manifest) -> bool:
    """Tell whether a pod spec has resource claims, its own or of any container (spec 11.1)."""
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    return bool(spec.get("resourceClaims")) or any((c.get("resources") or {}).get("claims") for c in containers)


def _resource_claims(manifest: Manifest) -> tuple[PodClaim, ...]:
    """Return the claims of a pod. Its status names those made from a template, or says that one is not needed (R-50, R-51)."""
    entries = (manifest.get("spec") or {}).get("resourceClaims") or ()
    made = (manifest.get("status") or {}).get("resourceClaimStatuses") or ()
    names = {m.get("name"): m.get("resourceClaimName") for m in made}
    return tuple(
        PodClaim(
            entry.get("name") or "",
            entry.get("resourceClaimName") or names.get(entry.get("name")) or "",
            entry.get("resourceClaimTemplateName") or "",
        )
        for entry in entries
        if entry.get("resourceClaimName") or names.get(entry.get("name"), "made") is not None
    )


def _frozen(raw: Mapping[str, str] | None) -> FrozenDict[str]:
    return FrozenDict(raw) if raw else NO_LABELS


def _expressions(raw: Iterable[Manifest] | None) -> tuple[Expression, ...]:
    return tuple(map(Expression.read, raw or ()))


def _preferences(raw: Iterable[Manifest] | None) -> tuple[Preference, ...]:
    return tuple(
        Preference(term.get("weight") or 0, _expressions((term.get("preference") or {}).get("matchExpressions")))
        for term in raw or ()
    )


def read_spread(raw: Manifest) -> SpreadConstraint:
    """Return an entry of `topologySpreadConstraints`."""
    return SpreadConstraint(
        topology_key=raw["topologyKey"],
        max_skew=raw["maxSkew"],
        when_unsatisfiable=raw.get("whenUnsatisfiable") or "DoNotSchedule",
        selector=read_selector(raw.get("labelSelector")),
        min_domains=raw.get("minDomains"),
        match_label_keys=tuple(raw.get("matchLabelKeys") or ()),
        node_affinity_policy=raw.get("nodeAffinityPolicy") or "Honor",
        node_taints_policy=raw.get("nodeTaintsPolicy") or "Ignore",
    )


def _pod_term(raw: Manifest, weight: int = 0) -> PodTerm:
    return PodTerm(
        topology_key=raw["topologyKey"],
        selector=read_selector(raw.get("labelSelector")),
        namespaces=frozenset(raw.get("namespaces") or ()),
        namespace_selector=read_selector(raw.get("namespaceSelector")),
        weight=weight,
    )


def _weighted_terms(raw: Iterable[Manifest] | None) -> tuple[PodTerm, ...]:
    return tuple(_pod_term(term["podAffinityTerm"], term.get("weight") or 0) for term in raw or ())


def _volumes(raw: Sequence[Manifest]) -> tuple[Volume, ...]:
    return tuple(volume for volume in map(_volume, raw) if volume)


def _volume(raw: Manifest) -> Volume | None:
    if (claim := raw.get("persistentVolumeClaim")) is not None:
        return Volume(claim.get("claimName") or "")
    if ephemeral := raw.get("ephemeral"):
        spec = (ephemeral.get("volumeClaimTemplate") or {}).get("spec") or {}
        return Volume(raw["name"], ephemeral=True, storage_class=spec.get("storageClassName"), storage=storage_request(spec))
    return None


def storage_request(claim_spec: Manifest) -> int:
    """Return how much the spec of a claim requests, in nano-bytes; 0 if it does not say, or not in a form that can be read."""
    written = ((claim_spec.get("resources") or {}).get("requests") or {}).get("storage")
    try:
        return 0 if written is None else nanos(written)
    except QuantityError:
        return 0


def grace_period(spec: Mapping[str, Any]) -> int:
    """Return the seconds until a terminating pod is killed, by its spec (spec: disruption 9.3)."""
    written = spec.get("terminationGracePeriodSeconds")
    return DEFAULT_GRACE if written is None else int(written)
