"""Tags of AWS: what all services refuse, and where tags are among the inputs."""

from __future__ import annotations

import re
from typing import Final

from tests.account.checks import Check, at_most
from tests.account.rows import Limit
from tests.account.sources import IAM_TAGS, TAGS

_FORM: Final = re.compile(r"[\w .:/=+@-]*")  # letters of any script
_KEY: Final = Check(
    "a tag key of 1 to 128 letters, digits, spaces and _ . : / = + - @ that does not begin with aws:",
    lambda key: 0 < len(key) <= 128 and bool(_FORM.fullmatch(key)) and not key.lower().startswith("aws:"),
)
_VALUES: Final = Check(
    "tag values of at most 256 letters, digits, spaces and _ . : / = + - @",
    lambda tags: all(isinstance(value, str) and len(value) <= 256 and _FORM.fullmatch(value) for value in tags.values()),
)


_APART: Final = Check(
    "tag keys that differ by more than the case of their letters", lambda tags: len({key.lower() for key in tags}) == len(tags)
)


def iam_tags() -> tuple[Limit, ...]:
    """Return the limits of tags of IAM, which knows no case in their keys."""
    return *tags(), Limit("tags", _APART, IAM_TAGS)


def tags(at: str = "tags") -> tuple[Limit, ...]:
    """Return the limits of tags at a path."""
    return Limit(at, at_most(50, "tags"), TAGS), Limit(f"{at}{{}}", _KEY, TAGS), Limit(at, _VALUES, TAGS)
