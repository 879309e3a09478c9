"""Which of the events that Karpenter acts on a rule of EventBridge sends to its targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.infrastructure.interruption import EVENT_RULES, EventRule
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.tokens import EVENT_RULE, NATIVE_EVENT_RULE

RULES_OF_EVENTS: Final = (EVENT_RULE, NATIVE_EVENT_RULE)
_OF_ACTION: Final = {"instance-action": ("terminate",)}
_DEFAULT_BUS: Final = ("", "default")
_FREE: Final = frozenset(("source", "detail-type", "detail", "account", "region", "version"))
"""The members of a pattern that may be narrowed without losing an event about a machine of the cluster."""


def events_of(rule: Resource) -> Iterator[str]:
    """Yield the types of the events that a rule matches, at least in part. Raises NotKnownError."""
    pattern = rule.at("eventPattern").document()
    yield from (event.detail_type for event in EVENT_RULES if pattern and _is_about(pattern, event))


def sent_by(rule: Resource) -> Iterator[str]:
    """Yield the types of the events that a rule sends completely, as far as Karpenter acts on them. Raises NotKnownError."""
    is_off = rule.at("state").text == "DISABLED" or rule.at("isEnabled").value in (False, "false")
    bus = rule.at("eventBusName").data
    if is_off or (isinstance(bus, str) and bus.rpartition("/")[2] not in _DEFAULT_BUS):
        return
    pattern = rule.at("eventPattern").document()
    for event in EVENT_RULES if pattern and pattern.keys() <= _FREE else ():
        if _is_about(pattern, event) and _is_whole(pattern.get("detail") or {}, event.narrowed or _OF_ACTION):
            yield event.detail_type


def _is_about(pattern: Mapping[str, Any], event: EventRule) -> bool:
    members = {"source": event.source, "detail-type": event.detail_type}
    return all(name not in pattern or _lets_through(pattern[name], (value,)) for name, value in members.items())


def _is_whole(detail: Any, acted_on: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether the demands on the detail of an event let through what Karpenter acts on."""
    return isinstance(detail, Mapping) and all(
        name in acted_on and _lets_through(values, acted_on[name]) for name, values in detail.items()
    )


def _lets_through(filters: Any, values: tuple[str, ...]) -> bool:
    """Tell whether one of the filters of a member, texts or prefixes, lets one of some values through."""
    for written in filters if isinstance(filters, list) else ():
        prefix = written.get("prefix") if isinstance(written, Mapping) and len(written) == 1 else None
        if any(value == written or (isinstance(prefix, str) and value.startswith(prefix)) for value in values):
            return True
    return False
