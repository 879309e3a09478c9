"""The patterns that several kinds share, each in words, and the matching of texts against patterns as CRDs have them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

DURATION_OR_NEVER: Final = r"^(([0-9]+(s|m|h))+|Never)$"
DURATION: Final = r"^([0-9]+(s|m|h))+$"
BUDGET_DURATION: Final = r"^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$"
BUDGET_NODES: Final = r"^((100|[0-9]{1,2})%|[0-9]+)$"
BUDGET_SCHEDULE: Final = r"^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\s(.+)\s(.+)\s(.+)\s(.+))$"
LABEL_VALUE: Final = r"^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$"
QUALIFIED_NAME: Final = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$"
)
NO_SLASH: Final = r"^[^/]*$"
QUANTITY: Final = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
VOLUME_SIZE_OF_CRD: Final = (
    r"^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G"
    r"|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$"
)
DATE_TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"

PATTERNS_IN_WORDS: Final = {
    DURATION_OR_NEVER: "whole numbers with s, m or h, such as 30s, 10m or 1h30m; or Never",
    DURATION: "whole numbers with s, m or h, such as 30s, 10m or 1h30m",
    BUDGET_DURATION: "hours and minutes, such as 8h, 90m or 1h30m",
    BUDGET_NODES: "a whole number such as 5, or 0% to 100% without a fraction",
    BUDGET_SCHEDULE: "five cron fields such as 0 9 * * mon-fri, or @daily, @hourly, @weekly, @monthly, @yearly",
    LABEL_VALUE: "letters, digits and - _ . inside, starting and ending with a letter or digit; or empty",
    QUALIFIED_NAME: "a name such as team or example.com/team, the part before the slash in lower case",
    DATE_TIME: "a time such as 2025-02-28T12:00:00Z",
    NO_SLASH: "an API group without a slash, such as karpenter.k8s.aws",
}
"""The patterns in words. A pattern that is not here is shown as it is."""

_UNAMBIGUOUS: Final = frozenset(
    (
        DURATION_OR_NEVER,
        DURATION,
        BUDGET_DURATION,
        BUDGET_NODES,
        LABEL_VALUE,
        QUALIFIED_NAME,
        NO_SLASH,
        QUANTITY,
        VOLUME_SIZE_OF_CRD,
        DATE_TIME,
    )
)
"""Patterns of whole texts on which Python's engine is linear too: each backtracking step fails at once."""


def matches(pattern: str, text: str) -> bool:
    """Tell whether a pattern of a CRD occurs in a text, in time that is linear in its length."""
    if pattern in _UNAMBIGUOUS and text.isascii():
        return _whole(pattern).fullmatch(text) is not None
    return _matcher(pattern).isinstance_python(text)


@lru_cache(maxsize=len(_UNAMBIGUOUS))
def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.removeprefix("^").removesuffix("$"))


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> SchemaValidator:
    from pydantic_core import SchemaValidator  # takes 5% of a small plan's time, and few plans need it

    # pydantic's engine never backtracks. To the API server only ASCII digits and spaces are digits and spaces.
    of_ascii = pattern.replace(r"\d", "[0-9]").replace(r"\s", r"[\t\n\f\r ]")
    return SchemaValidator({"type": "str", "pattern": of_ascii})
