"""Deployments, ReplicaSets, DaemonSets, StatefulSets and ReplicationControllers (W-58 to W-64)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.claims import check_claim_spec
from cutlist.workloads.validation.pods import check_template
from cutlist.workloads.validation.refusals import Refusals, not_negative, one_of
from cutlist.workloads.validation.selectors import check_label_selector, check_values_of_selector, labels_text, selects

Manifest = Mapping[str, Any]

_ROLLING: Final = "RollingUpdate"
_DEFAULT_DEADLINE: Final = 600
_DEFAULT_SHARE: Final = "25%"
_CHECKED_SERVICE: Final = 33  # the first minor versions that check these fields of StatefulSets
_CHECKED_CLAIMS: Final = 34


def check_deployment(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a Deployment."""
    spec = manifest.get("spec") or {}
    _check_counts(spec, ("replicas", "minReadySeconds", "revisionHistoryLimit"), refusals)
    _check_selected_template(spec, refusals)
    _check_deployment_strategy(spec.get("strategy") or {}, refusals)
    deadline = spec.get("progressDeadlineSeconds")
    not_negative(deadline, "spec.progressDeadlineSeconds", refusals)
    if (_DEFAULT_DEADLINE if deadline is None else deadline) <= (spec.get("minReadySeconds") or 0):
        refusals.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def check_replica_set(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ReplicaSet."""
    spec = manifest.get("spec") or {}
    _check_counts(spec, ("replicas", "minReadySeconds"), refusals)
    _check_selected_template(spec, refusals)


def check_daemon_set(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a DaemonSet."""
    spec = manifest.get("spec") or {}
    _check_counts(spec, ("minReadySeconds", "revisionHistoryLimit"), refusals)
    _check_selected_template(spec, refusals, needs_selector=False)
    strategy = spec.get("updateStrategy") or {}
    kind = strategy.get("type") or _ROLLING
    if kind == _ROLLING:
        _check_daemon_update(strategy.get("rollingUpdate") or {}, refusals)
    one_of(kind, "spec.updateStrategy", (_ROLLING, "OnDelete"), refusals)


def check_stateful_set(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a StatefulSet."""
    spec = manifest.get("spec") or {}
    _check_counts(spec, ("replicas", "minReadySeconds"), refusals)
    start = (spec.get("ordinals") or {}).get("start")
    not_negative(start, "spec.ordinals.start", refusals)
    one_of(spec.get("podManagementPolicy") or None, "spec.podManagementPolicy", ("OrderedReady", "Parallel"), refusals)
    _check_stateful_update(spec.get("updateStrategy") or {}, refusals)
    retention = spec.get("persistentVolumeClaimRetentionPolicy") or {}
    for name in ("whenDeleted", "whenScaled"):
        here = f"spec.persistentVolumeClaimRetentionPolicy.{name}"
        one_of(retention.get(name) or None, here, ("Retain", "Delete"), refusals)
    if spec.get("serviceName") and refusals.minor >= _CHECKED_SERVICE:
        formats.dns_label(spec["serviceName"], "spec.serviceName", refusals)
    for index, claim in enumerate(spec.get("volumeClaimTemplates") or () if refusals.minor >= _CHECKED_CLAIMS else ()):
        check_claim_spec(claim.get("spec") or {}, f"spec.volumeClaimTemplates[{index}].spec", refusals)
    _check_selected_template({**spec, "template": _with_own_volumes(spec)}, refusals)


def check_replication_controller(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ReplicationController, whose labels and selector are by default the labels of its template."""
    spec = manifest.get("spec") or {}
    _check_counts(spec, ("replicas", "minReadySeconds"), refusals)
    template = spec.get("template")
    labels = ((template or {}).get("metadata") or {}).get("labels") or {}
    if not (manifest.get("metadata") or {}).get("labels"):
        formats.labels(labels, "metadata.labels", refusals, "spec.template.metadata.labels")
    selector = spec.get("selector") or labels
    if not selector:
        refusals.required("spec.selector")
    if template is None:
        refusals.required("spec.template")
        return
    if any(labels.get(key) != value for key, value in selector.items()):
        refusals.add("spec.template.metadata.labels", "do not match the selector", labels_text(selector))
    check_template(template, "spec.template", refusals)
    _check_lasting(template, refusals)


def _check_counts(spec: Manifest, names: tuple[str, ...], refusals: Refusals) -> None:
    for name in names:
        not_negative(spec.get(name), f"spec.{name}", refusals)


def _check_selected_template(spec: Manifest, refusals: Refusals, *, needs_selector: bool = True) -> None:
    """Add what is wrong with the selector and the template of a controller, and with how they match."""
    selector, template, here = spec.get("selector"), spec.get("template") or {}, "spec.selector"
    before = len(refusals.problems.found)
    check_label_selector(selector, here, refusals)
    check_values_of_selector(selector, here, refusals)
    is_readable = len(refusals.problems.found) == before
    if selector is None and needs_selector:
        refusals.required(here)
    elif selector is not None and not (selector.get("matchLabels") or selector.get("matchExpressions")):
        refusals.add(here, "is empty; it would select every pod")
    if not is_readable and needs_selector:
        refusals.add(here, "cannot be used until it is corrected")
    elif is_readable and not selects(selector, (template.get("metadata") or {}).get("labels")):
        wanted = (selector or {}).get("matchLabels") or {}
        refusals.add("spec.template.metadata.labels", "do not match the selector", labels_text(wanted))
    check_template(template, "spec.template", refusals)
    _check_lasting(template, refusals)


def _check_lasting(template: Manifest, refusals: Refusals) -> None:
    """Add fields that pods cannot have if their controller keeps replacing them."""
    spec = template.get("spec") or {}
    one_of(spec.get("restartPolicy") or None, "spec.template.spec.restartPolicy", ("Always",), refusals)
    if spec.get("activeDeadlineSeconds") is not None:
        refusals.add("spec.template.spec.activeDeadlineSeconds", "is for pods that end; the controller would replace them")


def _check_deployment_strategy(strategy: Manifest, refusals: Refusals) -> None:
    kind, rolling, here = strategy.get("type") or _ROLLING, strategy.get("rollingUpdate"), "spec.strategy.rollingUpdate"
    if kind == _ROLLING:
        surge, missing = ((rolling or {}).get(name) for name in ("maxSurge", "maxUnavailable"))
        for name, value in (("maxUnavailable", missing), ("maxSurge", surge)):
            formats.count_or_percent(value, f"{here}.{name}", refusals)
        surge, missing = (_DEFAULT_SHARE if value is None else value for value in (surge, missing))
        if formats.is_zero(surge) and formats.is_zero(missing):
            refusals.invalid(f"{here}.maxUnavailable", missing, "may not be 0 when maxSurge is 0")
        formats.at_most_all(missing, f"{here}.maxUnavailable", refusals)
    elif kind == "Recreate":
        if rolling is not None:
            refusals.add(here, "may not be set when the strategy's type is 'Recreate'")
    else:
        refusals.add_at("spec.strategy.type", "spec.strategy", f"type {kind!r} is unknown", f"Recreate, {_ROLLING}")


def _check_daemon_update(rolling: Manifest, refusals: Refusals) -> None:
    here = "spec.updateStrategy.rollingUpdate"
    missing = 1 if rolling.get("maxUnavailable") is None else rolling["maxUnavailable"]
    surge = 0 if rolling.get("maxSurge") is None else rolling["maxSurge"]
    for name, value in (("maxUnavailable", missing), ("maxSurge", surge)):
        formats.count_or_percent(value, f"{here}.{name}", refusals)
        formats.at_most_all(value, f"{here}.{name}", refusals)
    if not formats.is_zero(missing) and not formats.is_zero(surge):
        refusals.invalid(f"{here}.maxSurge", surge, f"may not be set when maxUnavailable is {missing}, which is 1 by default")
    elif formats.is_zero(missing) and formats.is_zero(surge):
        refusals.add(f"{here}.maxUnavailable", "cannot be 0 when maxSurge is 0")


def _check_stateful_update(strategy: Manifest, refusals: Refusals) -> None:
    kind, rolling, here = strategy.get("type") or _ROLLING, strategy.get("rollingUpdate"), "spec.updateStrategy.rollingUpdate"
    if kind == "OnDelete":
        if rolling is not None:
            refusals.add(here, f"may only be set when the strategy's type is {_ROLLING!r}")
    elif kind != _ROLLING:
        refusals.add_at("spec.updateStrategy.type", "spec.updateStrategy", f"type {kind!r} is unknown", f"{_ROLLING}, OnDelete")
    elif rolling is not None:
        not_negative(rolling.get("partition"), f"{here}.partition", refusals)
        missing = rolling.get("maxUnavailable")
        formats.count_or_percent(missing, f"{here}.maxUnavailable", refusals)
        if missing is not None and formats.is_zero(missing):
            refusals.invalid(f"{here}.maxUnavailable", missing, "cannot be 0")
        formats.at_most_all(missing, f"{here}.maxUnavailable", refusals)


def _with_own_volumes(spec: Manifest) -> Manifest:
    """Return the template with the volumes of the StatefulSet's claim templates, and without the names that the StatefulSet
    sets."""
    template = spec.get("template") or {}
    pod = template.get("spec") or {}
    names = [(claim.get("metadata") or {}).get("name") or "" for claim in spec.get("volumeClaimTemplates") or ()]
    own = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in dict.fromkeys(names)]
    others = [volume for volume in pod.get("volumes") or () if volume.get("name") not in names]
    return {**template, "spec": {**pod, "hostname": None, "subdomain": None, "volumes": [*others, *own]}}
