"""Rows of Kubernetes: one for all objects, one for releases of charts, and the providers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.account.checks import Check, matches
from tests.account.rows import Limit, Row
from tests.account.sources import HELM, KUBERNETES_LABELS, KUBERNETES_NAMES

_KEY: Final = matches(
    r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?",
    "a prefix and a name of at most 63 characters",
)
_VALUE: Final = matches(r"([A-Za-z0-9]([\w.-]*[A-Za-z0-9])?)?", "", 63, shortest=0)
_NAME: Final = matches(r"[a-z0-9]([a-z0-9.:-]*[a-z0-9])?", "lower-case letters, digits, - and .", 253)


def _values(labels: Any) -> bool:
    return all(map(_VALUE.accepts, labels.values()))


def _is_small(annotations: Mapping[str, str]) -> bool:
    return sum(len(key) + len(str(value)) for key, value in annotations.items()) <= 256 * 1024


OBJECT: Final = Row(
    "kubernetes:*",
    (
        Limit("metadata.name", _NAME, KUBERNETES_NAMES),
        Limit(
            "metadata.namespace",
            matches(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", "lower-case letters, digits and -", 63),
            KUBERNETES_NAMES,
        ),
        Limit("metadata.labels{}", _KEY, KUBERNETES_LABELS),
        Limit("metadata.labels", Check("label values of at most 63 letters, digits and - _ .", _values), KUBERNETES_LABELS),
        Limit("metadata.annotations{}", _KEY, KUBERNETES_LABELS),
        Limit("metadata.annotations", Check("annotations of at most 256 KiB together", _is_small), KUBERNETES_LABELS),
    ),
    frozenset({"apiVersion", "kind", "metadata.name", "metadata.namespace"}),
    id="{name}",
)
RELEASE: Final = Row(
    "kubernetes:helm.sh/v3:Release",
    (
        Limit("name", matches(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", "lower-case letters, digits and -", 53), HELM),
        Limit("namespace", matches(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", "lower-case letters, digits and -", 63), KUBERNETES_NAMES),
        Limit("version", matches(r"v?\d+\.\d+\.\d+(-[\w.-]+)?", "an exact version"), HELM),
    ),
    frozenset({"name", "namespace"}),
    id="{namespace}/{named}",
    autonamed=("name", 53),
)
CHART: Final = Row("kubernetes:helm.sh/v4:Chart")
PROVIDERS: Final = (
    Row("pulumi:providers:kubernetes", replaces=frozenset({"clusterIdentifier"})),
    Row("pulumi:providers:aws"),
    Row("pulumi:providers:azure-native"),
    Row("pulumi:providers:eks"),
    Row("pulumi:providers:pulumi-python"),
)
ROWS: Final = (RELEASE, CHART, *PROVIDERS)
