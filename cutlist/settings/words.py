"""Mistakes in the words of those who read them: each edge spells settings in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cutlist.core.errors import InputError, Problem
from cutlist.core.setting import Edge
from cutlist.settings.planning import ALLOW_EMPTY


def spelled(problems: Iterable[Problem], edge: Edge) -> tuple[Problem, ...]:
    """Return mistakes with the settings that they name as users of an edge write them."""
    return tuple(problem.spelled(edge, ALLOW_EMPTY) for problem in problems)


@contextmanager
def in_words_of(edge: Edge) -> Iterator[None]:
    """Raise mistakes in the words of an edge."""
    try:
        yield
    except InputError as error:
        raise InputError(spelled(error.problems, edge)) from error.__cause__
