"""Expressions in CEL that select devices (W-87)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.devices.selectors import SelectorError, compiled
from cutlist.workloads.validation.devices import gates, names
from cutlist.workloads.validation.devices.costs import MOST, least_cost
from cutlist.workloads.validation.devices.values import misuse
from cutlist.workloads.validation.refusals import Refusals

_SELECTORS: Final = 32
_LONGEST: Final = 10 * 1024
_SHARED: Final = re.compile(r"\bdevice\s*\.\s*allowMultipleAllocations\b")
_ERROR: Final = re.compile(r"ERROR: <input>:([0-9]+):([0-9]+): (.*)")


def check_selectors(selectors: Sequence[Mapping[str, Any]], path: str, refusals: Refusals) -> None:
    """Add what is wrong with selectors, each an expression."""
    if names.is_too_many(selectors, _SELECTORS, path, refusals):
        return
    for index, selector in enumerate(selectors):
        here = f"{path}[{index}].cel"
        if selector.get("cel") is None:
            refusals.required(here)
        else:
            _check_expression(selector["cel"].get("expression") or "", f"{here}.expression", refusals)


def _check_expression(expression: str, path: str, refusals: Refusals) -> None:
    """Add why an expression does not compile. One with what only an API server has is not judged."""
    size = len(expression.encode())
    if size > _LONGEST:
        refusals.add(path, f"has {size} bytes", f"at most {_LONGEST}")
    elif refusals.minor < gates.BETA and _SHARED.search(expression):
        refusals.add(path, "device.allowMultipleAllocations does not exist in this version", "Kubernetes 1.36 and later")
    else:
        try:
            serialized = compiled(expression).written.serialize()
        except SelectorError as error:
            if not error.not_evaluated:
                refusals.add(path, _in_words(str(error)))
            return
        if wrong := misuse(serialized):
            refusals.add(path, f"the expression {wrong}")
        elif (cost := least_cost(serialized)) > MOST:
            refusals.add(path, f"the expression may cost {cost:,} steps or more, mostly in loops", f"at most {MOST:,}")


def _in_words(message: str) -> str:
    """Return the first error of a message on one line, with its place in the expression."""
    found = _ERROR.search(message)
    if found is None:
        return f"the expression {message}"
    line, column, text = found.groups()
    place = f"character {column}" if line == "1" else f"line {line}, character {column}"
    return f"the expression does not compile: {text} at {place}"
