"""How many examples a property test looks at."""

from __future__ import annotations

from hypothesis import settings


def examples(share: float) -> settings:
    """Look at this share of the examples that the profile asks for, and at five at least: for laws that cost or need more."""
    return settings(max_examples=max(5, round(settings().max_examples * share)))
