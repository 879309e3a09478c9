"""The checks of all environments of a repository: one row each. An environment that cannot be read is a row too."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from cutlist.core.records import HIDDEN, After, Count, Key, about, computed
from cutlist.core.wording import counted
from cutlist.core.written_problems import WrittenProblem
from cutlist.report.columns import Figure, Figures, count, csv_table
from cutlist.report.environment_tables import NAME, environments_markdown, environments_text, remark_of
from cutlist.report.page import BAD, GOOD
from cutlist.verbs.validate.answer import Validation

_NAMED: Final = 2
"""Mistakes that a row names."""


class ValidationState(StrEnum):
    """Whether anything is wrong in an environment, or that it cannot be read."""

    PASSED = "passed"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EnvironmentValidation:
    """The check of one environment, or why it cannot be read."""

    name: str
    command: Annotated[str, about("What checks it alone.")]
    validation: Annotated[Validation | None, HIDDEN] = None
    unread: Annotated[tuple[WrittenProblem, ...], HIDDEN] = ()

    @property
    @computed(after="command")
    def state(self) -> ValidationState:
        """Return whether anything is wrong in it."""
        if self.validation is None:
            return ValidationState.FAILED
        return ValidationState.REFUSED if self.validation.problems else ValidationState.PASSED

    @property
    @computed(after="state")
    def checked(self) -> Annotated[Count, about("How many objects were looked at.")]:
        """Return how many objects were looked at; 0 if it cannot be read."""
        return 0 if self.validation is None else sum(self.validation.kinds.values())

    @property
    @computed(after="checked")
    def problems(self) -> Annotated[tuple[WrittenProblem, ...], about("Its mistakes, or why it cannot be read.")]:
        """Return its mistakes, or why it cannot be read."""
        return self.unread if self.validation is None else self.validation.problems

    @property
    @computed(after="problems")
    def warnings(self) -> Count:
        """Return how many warnings there are."""
        return 0 if self.validation is None else len(self.validation.warnings)

    @property
    @computed(after="warnings")
    def open(self) -> Annotated[Count, about("How many inputs bear on it and were not checked.")]:
        """Return how many of its inputs are open."""
        return 0 if self.validation is None or self.validation.inputs is None else len(self.validation.inputs.open)

    @property
    def remark(self) -> str:
        """Return the first mistakes, or why it cannot be read; empty if nothing is wrong."""
        more = len(self.problems) - _NAMED
        return "; ".join([*map(str, self.problems[:_NAMED]), *([f"and {more:,} more"] if more > 0 else [])])


@dataclass(frozen=True, slots=True)
class EnvironmentValidations:
    """The checks of all environments."""

    environments: tuple[EnvironmentValidation, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="version")
    def has_passed(self) -> Annotated[bool, Key("passed"), about("Whether nothing is wrong in any of them.")]:
        """Tell whether nothing is wrong in any; one that cannot be read counts as wrong."""
        return self._count(ValidationState.PASSED) == len(self.environments)

    @property
    @computed(after="has_passed")
    def failed(self) -> Annotated[Count, about("How many environments cannot be read.")]:
        """Return how many environments cannot be read."""
        return self._count(ValidationState.FAILED)

    @property
    def verdict(self) -> str:
        """Return in one line whether anything is wrong."""
        environments = counted(len(self.environments), "environment")
        if self.has_passed:
            return f"Nothing is wrong in {environments}"
        refused = self._count(ValidationState.REFUSED)
        parts = [f"{refused:,} with mistakes"] if refused else []
        parts += [f"{self.failed:,} that cannot be read"] if self.failed else []
        return f"{environments}: {', '.join(parts)}"

    def _count(self, state: ValidationState) -> int:
        return sum(of.state is state for of in self.environments)


_TABLE: Final[Figures[EnvironmentValidation]] = (
    NAME,
    Figure("verdict", lambda row: row.state, name="verdict"),
    count("objects", lambda row: None if row.validation is None else row.checked, "objects"),
    count("mistakes", lambda row: None if row.validation is None else len(row.problems), "mistakes"),
    count("warnings", lambda row: None if row.validation is None else row.warnings, "warnings"),
    count("open", lambda row: None if row.validation is None else row.open, "open"),
)
_REMARK: Final = remark_of("what is wrong, or why it cannot be read", "remark")


def render_environments(answer: EnvironmentValidations, width: int = 100, colour: bool = False) -> str:
    """Return the checks as text of at most `width` columns, with colour if asked. Ends in a newline."""
    return environments_text(
        (answer.verdict, GOOD if answer.has_passed else BAD),
        _TABLE,
        answer.environments,
        one=("validate", "every mistake of one"),
        width=width,
        colour=colour,
    )


def markdown(answer: EnvironmentValidations) -> str:
    """Return the checks as Markdown. Ends in a newline."""
    return environments_markdown(answer.verdict, (*_TABLE, _REMARK), answer.environments)


def csv(answer: EnvironmentValidations) -> str:
    """Return a row for each environment."""
    return csv_table((*_TABLE, _REMARK), answer.environments)
