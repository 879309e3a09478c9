"""The rules on the kubelet settings of an EC2NodeClass, formerly of a NodePool (spec: api-objects 3.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.ec2nodeclass_fields import Kubelet
from cutlist.api.rule_table import Breach, Breaches, Rule
from cutlist.core.errors import nearest
from cutlist.core.quantity import Quantity, is_quantity

RESERVABLE: Final = ("cpu", "memory", "ephemeral-storage", "pid")
SIGNALS: Final = (
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
)
RESERVATIONS: Final = ("kubeReserved", "systemReserved")
"""The fields that reserve amounts, in the order in which the controller checks them."""
_SIGNALLED: Final = ("evictionHard", "evictionSoft", "evictionSoftGracePeriod")


_DIGITS: Final = "[0-9](?:_?[0-9])*+"
_HEX_DIGITS: Final = "[0-9a-fA-F](?:_?[0-9a-fA-F])*+"
_DECIMAL: Final = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?", re.ASCII)
_HEXADECIMAL: Final = re.compile(
    rf"[+-]?0[xX]_?(?:{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}", re.ASCII
)


def percentage(text: str) -> float | None:
    """Return the number before a percent sign, in any form in which Go reads a fraction: `5`, `.5`, `1e1`, `1_0`, `0x1p3`.

    None for other texts, and for NaN: the controller of 1.15 accepts it, and panics when it computes with it.
    """
    number = text.removesuffix("%")
    if _DECIMAL.fullmatch(number):
        return float(number)
    return float.fromhex(number.replace("_", "")) if _HEXADECIMAL.fullmatch(number) else None


def _unknown(amounts: Mapping[str, Any], known: tuple[str, ...]) -> Breaches:
    return [Breach((key,), nearest=nearest(key, known)) for key in amounts if key not in known]


def _listed(words: tuple[str, ...]) -> str:
    return "[" + ",".join(f"'{word}'" for word in words) + "]"


def _negative(amounts: Mapping[str, str]) -> Breaches:
    return [Breach((key,), f", found {amount}") for key, amount in amounts.items() if amount.startswith("-")]


def _unpaired(path: str, field: str, other: str) -> Rule:
    return Rule(
        path,
        f"{field} OwnerKey does not have a matching {other}",
        f"has(self.{field}) ? self.{field}.all(e, (e in self.{other})):true",
        lambda self: [
            Breach((field, key), is_failure=other not in self)
            for key in self.get(field) or {}
            if key not in (self.get(other) or {})
        ],
    )


def image_gc_rule(path: str) -> Rule:
    """Return the rule that the threshold at which image deletion starts is above the one at which it stops. AKS has it, too."""
    return Rule(
        path,
        "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
        "has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ?  "
        "self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent  : true",
        _thresholds,
    )


def _thresholds(self: Mapping[str, Any]) -> Iterator[Breach]:
    high, low = self.get("imageGCHighThresholdPercent"), self.get("imageGCLowThresholdPercent")
    if high is not None and low is not None and high <= low:
        yield Breach(("imageGCHighThresholdPercent",), f", found {high} and {low}")


def kubelet_rules(path: str) -> tuple[Rule, ...]:
    """Return the rules on the kubelet settings at a path."""
    return (
        image_gc_rule(path),
        _unpaired(path, "evictionSoft", "evictionSoftGracePeriod"),
        _unpaired(path, "evictionSoftGracePeriod", "evictionSoft"),
        *(
            Rule(
                f"{path}.{field}",
                f"valid keys for {field} are {_listed(SIGNALS)}",
                f"self.all(x, x in {_listed(SIGNALS)})",
                lambda self: _unknown(self, SIGNALS),
            )
            for field in _SIGNALLED
        ),
        *(
            Rule(
                f"{path}.{field}",
                f"valid keys for {field} are {_listed(RESERVABLE)}",
                "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
                lambda self: _unknown(self, RESERVABLE),
            )
            for field in RESERVATIONS
        ),
        *(
            Rule(
                f"{path}.{field}",
                f"{field} value cannot be a negative resource quantity",
                "self.all(x, !self[x].startsWith('-'))",
                _negative,
            )
            for field in RESERVATIONS
        ),
    )


def static_kubelet(settings: Mapping[str, Any]) -> Kubelet:
    """Return the settings that Karpenter reads, as far as they are amounts and counts, which are the same for every type
    (spec: VA15-37).

    Expressions are left out, since their values depend on the instance type, and so are values of a wrong type, which the
    controller refuses anyway.
    """
    values = {name: _read(str(field.alias), settings.get(str(field.alias))) for name, field in Kubelet.model_fields.items()}
    return Kubelet.model_construct(**{name: value for name, value in values.items() if value is not None})


def _read(key: str, value: Any) -> Any:
    match value:
        case dict() if key in RESERVATIONS:
            return {k: Quantity.parse(text) for k, text in value.items() if isinstance(text, str) and is_quantity(text)}
        case dict():
            return {k: text for k, text in value.items() if isinstance(text, str)}
        case list():
            return tuple(value)
        case str():
            return None
    return value
