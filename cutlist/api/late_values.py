"""Values that a program knows only once other resources are made, in objects that are written in Python.

An object is checked with a text of the right form in the place of each, and its manifest has the value itself. What such a
value is belongs to the program: here it is anything that has what Pulumi's Outputs have.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeGuard, runtime_checkable

from cutlist.core.errors import Place, Problem

_NAME: Final = "cutlist-late-"
WORD: Final = f"{_NAME}{{hex}}"
FORMS: Final[Mapping[str, str]] = {
    "spec.role": WORD,
    "spec.instanceProfile": WORD,
    "spec.userData": "#!/bin/sh " + WORD,
    "spec.tags.*": WORD,
    "subnetSelectorTerms[].id": "subnet-0{hex}",
    "securityGroupSelectorTerms[].id": "sg-0{hex}",
    "amiSelectorTerms[].id": "ami-0{hex}",
    "capacityReservationSelectorTerms[].id": "cr-0{hex}",
    "ebs.kmsKeyID": "arn:aws:kms:us-east-1:111122223333:key/{hex}",
    "ebs.snapshotID": "snap-0{hex}",
}
"""The form of what stands for a late value, by the end of its path; `.*` is any member of a mapping, `[]` of a list."""
OUTPUT_TEXT: Final = "Calling __str__ on an Output[T] is not supported."
"""How the text begins that an Output of Pulumi gives for itself, such as in an f-string."""
OF_OUTPUT_TEXT: Final = ("has the text of an Output in it, and not its value", "pulumi.Output.format, where an Output may be")
"""What is said of a text with it, and what is allowed."""
_INDEX: Final = re.compile(r"\[[0-9]+\]")


@runtime_checkable
class LateValue(Protocol):
    """A value that is known later."""

    def apply(self, func: Any) -> Any:
        """Return what a function makes of the value."""

    def future(self) -> Any:
        """Return what waits for the value."""


def is_late(value: object) -> TypeGuard[LateValue]:
    """Tell whether a value is known only later."""
    return not isinstance(value, str | int | float | Mapping | list | tuple) and isinstance(value, LateValue)


def has_late(value: Any) -> bool:
    """Tell whether plain data contains a late value, or the text of one."""
    if isinstance(value, str):
        return OUTPUT_TEXT in value
    if isinstance(value, Mapping):
        return any(map(has_late, value.values()))
    return any(map(has_late, value)) if isinstance(value, list | tuple) else is_late(value)


def with_stand_ins(value: Any, path: str = "") -> Any:
    """Return plain data with a text in the place of each late value, which follows from its path."""
    if isinstance(value, Mapping):
        return {key: with_stand_ins(member, f"{path}.{str(key).replace('.', '-')}") for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [with_stand_ins(member, f"{path}[{index}]") for index, member in enumerate(value)]
    return _stand_in(path) if is_late(value) else value


def stands_for_late(text: object) -> bool:
    """Tell whether a text stands for a name that is known only later, which can be compared then."""
    return isinstance(text, str) and text.startswith(_NAME)


def late_problems(value: Any, at: Callable[[str], Place], path: str = "") -> list[Problem]:
    """Return a problem for each late value where an object has to be known before an update; `at` has its paths."""
    if isinstance(value, Mapping):
        return [p for key, member in value.items() for p in late_problems(member, at, f"{path}.{key}" if path else str(key))]
    if isinstance(value, list | tuple):
        return [p for index, member in enumerate(value) for p in late_problems(member, at, f"{path}[{index}]")]
    if isinstance(value, str) and OUTPUT_TEXT in value:
        return [Problem(at(path), *OF_OUTPUT_TEXT)]
    if not is_late(value) or form_of(path, FORMS):
        return []
    return [Problem(at(path), "known only during an update", "a value that is known before")]


def form_of(path: str, forms: Mapping[str, str]) -> str | None:
    """Return the form that a table has for a path; None for a path that is not in it."""
    plain = _INDEX.sub("[]", path)
    any_member = f"{plain.rpartition('.')[0]}.*"
    return next(
        (form for end, form in forms.items() if any(f".{one}".endswith(f".{end}") for one in (plain, any_member))), None
    )


def _stand_in(path: str) -> str:
    digest = hashlib.sha256(path.encode()).hexdigest()
    return (form_of(path, FORMS) or WORD).format(hex=digest[:16])
