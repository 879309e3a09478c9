"""The results of a check: mistakes, which end a run, and warnings, which a person should read before it continues."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.inputs import one_of


@dataclass(frozen=True, slots=True)
class AksNotes:
    """Mistakes and warnings of one run, collected by all checks together.

    `root` is the path of the value that a check examines, and the prefix of its paths.
    """

    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)
    root: str = ""

    def under(self, root: str) -> AksNotes:
        """Return the same collection for a check of the value at a path."""
        return AksNotes(self.problems, self.warnings, self.at(root).path)

    def at(self, path: str) -> Place:
        """Return the place of a path inside the value that this check examines."""
        return Place(path=f"{self.root}.{path}" if self.root else path)

    def refuse(self, path: str, message: str, allowed: str = "", nearest: str = "") -> None:
        """Add a mistake at a path."""
        self.problems.add(self.at(path), message, allowed, nearest)

    def warn(self, path: str, message: str, allowed: str = "", nearest: str = "") -> None:
        """Add a warning about something that would be accepted but is probably not wanted."""
        self.warnings.add(self.at(path), message, allowed, nearest)

    def one_of(self, path: str, value: str, allowed: Iterable[str]) -> None:
        """Add a mistake if a value is outside a closed set."""
        self.problems.extend(one_of(value, allowed, self.at(path)))

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the warnings as people read them, by path."""
        return tuple(str(problem) for problem in self.warnings.ordered())
