"""The controller's checks of `spec.kubelet`, which the API server no longer checks since 1.15 (spec: VA15-1 to VA15-12)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.api.durations import duration_problem, nanoseconds
from cutlist.api.kubelet_expressions import ExpressionError, compiled, listed_expressions
from cutlist.api.kubelet_rules import RESERVABLE, RESERVATIONS, SIGNALS, percentage
from cutlist.api.kubelet_type import KUBELET, PARSED
from cutlist.api.strict_decoding import Fault, decoding_faults
from cutlist.core.quantity import Quantity, is_quantity

_TAKES_ANY_FIELD: Final = ("AL2023", "Custom")
_BOTTLEROCKET: Final = "Bottlerocket"

_OWNED: Final = "Karpenter sets it from the NodeClaim's taints so the node registers unschedulable until it's ready"
_GRACE: Final = "evictionSoftGracePeriod"
_DECODING: Final = "VA15-3"
_INT64: Final = range(-(2**63), 2**63)

Kubelet = Mapping[str, Any]


def structural_faults(kubelet: Kubelet) -> list[Fault]:
    """Return the faults of the settings themselves, in the controller's order and words, with paths below `spec.kubelet`.
    Expressions are not checked: any text in another form than the field's counts as one.
    """
    shape = {**kubelet, "maxPods": 0} if isinstance(kubelet.get("maxPods"), str) else kubelet
    decoding = (
        fault._replace(message=f"spec.kubelet: {fault.message}", statement=_DECODING)
        for fault in decoding_faults(KUBELET, shape)
    )
    return [*decoding, *_meaning(kubelet)]


def _meaning(kubelet: Kubelet) -> Iterator[Fault]:
    if "registerWithTaints" in kubelet:
        yield Fault("registerWithTaints", f"spec.kubelet.registerWithTaints: can't be set, {_OWNED}", statement="VA15-4")
    for field in ("evictionHard", "evictionSoft", _GRACE, "evictionMinimumReclaim"):
        yield from _eviction(kubelet, field)
    soft, grace = _texts(kubelet, "evictionSoft"), _texts(kubelet, _GRACE)
    yield from _unpaired(soft, grace, "evictionSoft", _GRACE)
    yield from _unpaired(grace, soft, _GRACE, "evictionSoft")
    for field in RESERVATIONS:
        yield from _reserved(kubelet, field)
    yield from _numbers(kubelet)


def _eviction(kubelet: Kubelet, field: str) -> Iterator[Fault]:
    for key, value in sorted(_texts(kubelet, field).items()):
        place = f"{field}.{key}"
        if key not in SIGNALS:
            text = f"{_quoted(key)} isn't a valid eviction signal, must be one of {', '.join(SIGNALS)}"
            yield Fault(place, f"spec.kubelet.{field}: {text}", statement="VA15-5")
        text = _wrong_grace(value) if field == _GRACE else _wrong_threshold(value)
        if text:
            statement = "VA15-6" if field == _GRACE else "VA15-5"
            yield Fault(place, f"spec.kubelet.{field}[{key}]: {_quoted(value)} {text}", statement=statement)


def _wrong_threshold(value: str) -> str:
    if value.endswith("%"):
        percent = percentage(value)
        return "" if percent is not None and 0 <= percent <= 100 else "must be a percentage or a resource quantity"
    if not is_quantity(value):
        return "must be a percentage or a resource quantity"
    return "can't be a negative resource quantity" if Quantity.parse(value).nanos < 0 else ""


def _wrong_grace(value: str) -> str:
    if duration_problem(value):
        return "must be a duration"
    return "can't be a negative duration" if nanoseconds(value) < 0 else ""


def _unpaired(these: Iterable[str], others: Iterable[str], field: str, other: str) -> Iterator[Fault]:
    for key in sorted(set(these) - set(others)):
        yield Fault(f"{field}.{key}", f"spec.kubelet.{field}[{key}]: has no matching {other}", statement="VA15-6")


def _reserved(kubelet: Kubelet, field: str) -> Iterator[Fault]:
    for key, value in sorted(_texts(kubelet, field).items()):
        if key not in RESERVABLE:
            text = f"{_quoted(key)} isn't a reservable resource, must be one of {', '.join(RESERVABLE)}"
            yield Fault(f"{field}.{key}", f"spec.kubelet.{field}: {text}", statement="VA15-7")
        if value.startswith("-"):
            text = f"{_quoted(value)} can't be a negative resource quantity"
            yield Fault(f"{field}.{key}", f"spec.kubelet.{field}[{key}]: {text}", statement="VA15-7")


def _numbers(kubelet: Kubelet) -> Iterator[Fault]:
    high, low = "imageGCHighThresholdPercent", "imageGCLowThresholdPercent"
    for field in (high, low):
        number = _whole(kubelet, field)
        if number is not None and not 0 <= number <= 100:
            yield Fault(field, f"spec.kubelet.{field}: {number} must be between 0 and 100", statement="VA15-8")
    for field in ("podsPerCore", "evictionMaxPodGracePeriod", "maxPods"):
        number = _whole(kubelet, field)
        if number is not None and number < 0:
            yield Fault(field, f"spec.kubelet.{field}: {number} can't be negative", statement="VA15-8")
    above, below = _whole(kubelet, high), _whole(kubelet, low)
    if above is not None and below is not None and above <= below:
        text = f"spec.kubelet: {high} ({above}) must be greater than {low} ({below})"
        yield Fault(high, text, statement="VA15-8")


def _texts(kubelet: Kubelet, field: str) -> dict[str, str]:
    """Return a map of texts; empty if it is absent or something else, which decoding reports."""
    value = kubelet.get(field)
    if not isinstance(value, dict) or not all(entry is None or isinstance(entry, str) for entry in value.values()):
        return {}
    return {key: entry or "" for key, entry in value.items()}


def _whole(kubelet: Kubelet, field: str) -> int | None:
    value = kubelet.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) and value in _INT64 else None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


EXPRESSIONS_DISABLED: Final = "spec.kubelet contains a CEL expression, but the NodeClassCEL feature gate is disabled"


def expression_fault(kubelet: Kubelet, *, enabled: bool) -> Fault | None:
    """Return the fault of the first expression that does not work, or of any expression if the gate is off."""
    expressions = listed_expressions(kubelet)
    if expressions and not enabled:
        return Fault(expressions[0].path, EXPRESSIONS_DISABLED, statement="VA15-9")
    for expression in expressions:
        try:
            compiled(expression.text)
        except ExpressionError as error:
            text = f"validating expression, {error} (field=spec.kubelet.{expression.field})"
            return Fault(expression.path, text, statement="VA15-10")
    return None


def dropped_fields(kubelet: Kubelet, family: str) -> Fault | None:
    """Return one fault for all fields that an image family would drop; its path is that of the first."""
    if not kubelet or family in _TAKES_ANY_FIELD:
        return None
    names = {name for name in kubelet if name not in PARSED.fields}
    if family == _BOTTLEROCKET and "podsPerCore" in kubelet:
        names.add("podsPerCore")
    servers = kubelet.get("clusterDNS") or ()
    texts = []
    if names:
        texts.append(
            f"spec.kubelet has fields not applied by the {family} AMI family that would be silently dropped: "
            f"{', '.join(sorted(names))}"
        )
    if len(servers) > 1:
        texts.append(
            f"spec.kubelet.clusterDNS: the {family} AMI family doesn't accept multiple entries, only one, but {len(servers)} "
            "were set"
        )
    return Fault(min(names, default="clusterDNS"), "; ".join(texts), statement="VA15-11") if texts else None


def unreadable_setting(kubelet: Kubelet) -> Fault | None:
    """Return the fault of a setting that keeps Karpenter from reading the others: it then lists no instance type (VA15-38)."""
    faults = decoding_faults(PARSED, {name: value for name, value in kubelet.items() if name in PARSED.fields})
    return next(iter(faults), None)
