"""What a check has to say: mistakes, which end a run, and warnings, which a person should read before it goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutlist.errors import Place, Problems


@dataclass(frozen=True, slots=True)
class Notes:
    """Mistakes and warnings of one run, collected by all checks together."""

    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)

    def refuse(self, path: str, message: str, allowed: str = "", nearest: str = "") -> None:
        """Note a mistake at a path."""
        self.problems.add(Place(path=path), message, allowed, nearest)

    def warn(self, path: str, message: str, allowed: str = "") -> None:
        """Note what would be accepted and is not what one wants."""
        self.warnings.add(Place(path=path), message, allowed)

    @property
    def texts(self) -> tuple[str, ...]:
        """The warnings as people read them, by path."""
        return tuple(str(problem) for problem in self.warnings.ordered())
