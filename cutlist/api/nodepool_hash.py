"""The hash of a NodePool's template: nodes whose claim carries another hash are replaced (spec: hash 1 to 3, V-112)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from cutlist.api.durations import NEVER, seconds
from cutlist.api.structural_hash import Field, duration, fnv, integer, listed, mapped, struct, text

HASH: Final = "karpenter.sh/nodepool-hash"
HASH_VERSION: Final = "karpenter.sh/nodepool-hash-version"
_SECOND: Final = 10**9
_YEAR_ONE: Final = 62135596800  # seconds from the first day of year 1 to 1970
_FRACTION: Final = re.compile(r"\.([0-9]+)", re.ASCII)

_NEVER_OR: Final = struct("NillableDuration", [Field("Duration", "nanos", integer(8))])


def _grace(value: Any) -> int:
    return duration(_nanos(value))


def _lifetime(value: Any) -> int:
    return _NEVER_OR({"nanos": _nanos(value)})


def _nanos(value: str) -> int:
    return (seconds(value) or 0) * _SECOND


def _moment(value: Any) -> int:
    """Hash an instant, which the controller keeps in UTC."""
    moment = datetime.fromisoformat(_FRACTION.sub("", value).upper().replace("Z", "+00:00"))
    since = int((moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) + _YEAR_ONE
    fraction = _FRACTION.search(value)
    nanos = int(fraction[1][:9].ljust(9, "0")) if fraction else 0
    return fnv(b"\x01" + since.to_bytes(8, "big") + nanos.to_bytes(4, "big") + bytes(2))


_TIME: Final = struct("Time", [Field("Time", "moment", _moment)])
_TAINT: Final = struct(
    "Taint",
    [
        Field("Key", "key", text, plain=True),
        Field("Value", "value", text, plain=True),
        Field("Effect", "effect", text, plain=True),
        Field("TimeAdded", "timeAdded", lambda value: _TIME({"moment": value})),
    ],
)
_REFERENCE: Final = struct(
    "NodeClassReference",
    [
        Field("Kind", "kind", text, plain=True),
        Field("Name", "name", text, plain=True),
        Field("Group", "group", text, plain=True),
    ],
)
_METADATA: Final = struct(
    "ObjectMeta", [Field("Labels", "labels", mapped(text)), Field("Annotations", "annotations", mapped(text))]
)
_SPEC: Final = struct(
    "NodeClaimTemplateSpec",
    [
        Field("Taints", "taints", listed(_TAINT)),
        Field("StartupTaints", "startupTaints", listed(_TAINT)),
        Field("NodeClassRef", "nodeClassRef", _REFERENCE),
        Field("TerminationGracePeriod", "terminationGracePeriod", _grace),
        Field("ExpireAfter", "expireAfter", _lifetime),
    ],
)
_TEMPLATE: Final = struct(
    "NodeClaimTemplate", [Field("ObjectMeta", "metadata", _METADATA, plain=True), Field("Spec", "spec", _SPEC)]
)


def stored_template_hash(template: Mapping[str, Any]) -> str:
    """Return the hash of a stored `spec.template`, with all defaults. Today's API server may refuse that template."""
    metadata = {key: value for key, value in (template.get("metadata") or {}).items() if value is not None}
    spec = dict(template.get("spec") or {})
    if spec.get("expireAfter") == NEVER:
        del spec["expireAfter"]
    return str(_TEMPLATE({"metadata": metadata, "spec": spec}))
