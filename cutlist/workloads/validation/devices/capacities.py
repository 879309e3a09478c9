"""Capacities of devices, and what may be requested of those that several claims share (W-94)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from cutlist.core.quantity import NANO, nanos, whole
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.devices import names
from cutlist.workloads.validation.refusals import Refusals

Manifest = Mapping[str, Any]

_VALID_VALUES: Final = 10
_LARGEST: Final = (2**63 - 1) * NANO
_BOUNDED: Final = 37  # the first minor version that refuses larger amounts in a range


def check_capacities(capacity: Manifest, path: str, refusals: Refusals, *, is_shared: bool) -> None:
    """Add what is wrong with the capacities of a device. Only one that several claims share has policies for requests."""
    for name, held in capacity.items():
        names.qualified_key(name, path, refusals)
        policy, here = (held or {}).get("requestPolicy"), f"{names.key_path(path, name)}.requestPolicy"
        if policy is not None and not is_shared:
            refusals.add(here, "needs allowMultipleAllocations: true")
        elif policy is not None:
            _check_policy(policy, (held or {}).get("value") or 0, here, refusals)


def _check_policy(policy: Manifest, capacity: Any, path: str, refusals: Refusals) -> None:
    default, values, valid = policy.get("default"), policy.get("validValues") or (), policy.get("validRange")
    if values and valid is not None:
        refusals.add(path, "has both validValues and validRange", "one of them")
    elif (values or valid is not None) and default is None:
        refusals.required(f"{path}.default", f"{'validValues' if values else 'validRange'} is set")
    elif values:
        _check_values(values, default, nanos(capacity), f"{path}.validValues", refusals)
    elif valid is not None:
        _check_range(valid, default, nanos(capacity), f"{path}.validRange", refusals)


def _check_values(values: Sequence[Any], default: Any, capacity: int, path: str, refusals: Refusals) -> None:
    amounts = [nanos(value or 0) for value in values]
    for index, (before, amount) in enumerate(pairwise(amounts), 1):
        if before > amount:
            refusals.invalid(f"{path}[{index}]", values[index], "must not be less than the value before it")
    is_found = nanos(default) in amounts
    if names.is_too_many(values, _VALID_VALUES, path, refusals):
        is_found = False
    else:
        for index, amount in enumerate(amounts):
            if amount > capacity:
                refusals.invalid(f"{path}[{index}]", values[index], "is larger than the capacity")
        for index in formats.first_repeated(whole(amount) for amount in amounts):
            refusals.duplicate(f"{path}[{index}]", values[index])
    if not is_found:
        refusals.add(path, f"lacks the default {shown(default)}")


def _check_range(valid: Manifest, default: Any, capacity: int, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a range: min <= default <= max <= capacity, and default and max whole steps above min."""
    least, most, step = (valid.get(part) for part in ("min", "max", "step"))
    if least is None:
        refusals.required(f"{path}.min", "validRange is set")
        return
    low, chosen = nanos(least), nanos(default)
    if low > capacity:
        refusals.invalid(f"{path}.min", least, "is larger than the capacity")
    if chosen < low:
        refusals.invalid(f"{path}.default", default, f"is less than min, {shown(least)}")
    if most is not None:
        high = nanos(most)
        if low > high:
            refusals.invalid(f"{path}.max", most, f"is less than min, {shown(least)}")
        if high > capacity:
            refusals.invalid(f"{path}.max", most, "is larger than the capacity")
        if chosen > high:
            refusals.invalid(f"{path}.default", default, f"is more than max, {shown(most)}")
    given = {"default": default, "min": least, "max": most, "step": step}
    amounts = {part: (value, nanos(value)) for part, value in given.items() if value is not None}
    if step is not None:
        _check_step(amounts, capacity, path, refusals)


def _check_step(amounts: Mapping[str, tuple[Any, int]], capacity: int, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the steps of a range, which are counted in whole units."""
    (written, step), (least, low) = amounts["step"], amounts["min"]
    if step <= 0:
        refusals.invalid(f"{path}.step", written, "must be greater than zero")
        return
    if low + step > capacity:
        refusals.invalid(f"{path}.step", written, "leads from min beyond the capacity")
    if refusals.minor >= _BOUNDED:
        outside = {part: value for part, (value, amount) in amounts.items() if not 0 <= amount <= _LARGEST}
        for part, value in outside.items():
            refusals.invalid(f"{path}.{part}", value, f"must be from 0 to {2**63 - 1}")
        if outside:
            return
    steps, start = whole(step), whole(low)
    for part in ("default", "max"):
        if part in amounts and (whole(amounts[part][1]) - start) % steps:
            value = shown(amounts[part][0])
            text = f"{value}, the {part}, is no whole number of steps of {shown(written)} from {shown(least)}"
            refusals.add(f"{path}.step", text)
