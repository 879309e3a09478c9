"""How many examples a property test looks at."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

_MOST: Final = 3
"""The largest share: `make test` has ten examples by its profile, and a number of examples is soon taken for a share."""


def examples(share: float) -> settings:
    """Look at this share of the examples that the profile asks for, and at five at least: for laws that cost or need more."""
    if share > _MOST:
        raise ValueError(f"{share} times the examples of the profile; allowed: a share up to {_MOST}")
    return settings(max_examples=max(5, round(settings().max_examples * share)))
