"""Tags of AWS: what all services refuse, and where tags are among the inputs."""

from __future__ import annotations

from typing import Final

from tests.account.checks import Check, at_most, matches
from tests.account.rows import Limit
from tests.account.sources import TAGS

_KEY: Final = Check(
    "a tag key of 1 to 128 letters, digits, spaces and _ . : / = + - @ that does not begin with aws:",
    lambda key: matches(r"[\w .:/=+\-@]+", "", 128).accepts(key) and not key.lower().startswith("aws:"),
)
_VALUE: Final = matches(r"[\w .:/=+\-@]*", "tag values of letters, digits, spaces and _ . : / = + - @", 256, shortest=0)
_VALUES: Final = Check(_VALUE.says, lambda tags: all(map(_VALUE.accepts, tags.values())))


def tags(at: str = "tags") -> tuple[Limit, ...]:
    """Return the limits of tags at a path."""
    return Limit(at, at_most(50, "tags"), TAGS), Limit(f"{at}{{}}", _KEY, TAGS), Limit(at, _VALUES, TAGS)
