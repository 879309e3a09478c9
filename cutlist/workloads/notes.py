"""What a reader of manifests assumed or finds worth a warning, one sentence for all workloads that it concerns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

WHO: Final = "{who}"
_NAMED: Final = 3  # a note names this many workloads and counts the others


class Note(NamedTuple):
    """An assumption or a warning: a stable code and a sentence."""

    code: str
    text: str


@dataclass(slots=True)
class Notes:
    """Collects notes. Those that differ only in the workload become one, which names the first few workloads."""

    _who: dict[Note, list[str]] = field(default_factory=dict)

    def add(self, code: str, text: str, who: str = "") -> None:
        """Note something; `{who}` in the text stands for the workloads."""
        names = self._who.setdefault(Note(code, text), [])
        if who not in names:
            names.append(who)

    def all(self) -> tuple[Note, ...]:
        """Every note, by code and text."""
        return tuple(sorted(Note(note.code, note.text.replace(WHO, _listed(who))) for note, who in self._who.items()))


def _listed(names: list[str]) -> str:
    shown, hidden = sorted(names)[:_NAMED], len(names) - _NAMED
    if hidden > 0:
        return f"{', '.join(shown)} and {hidden} other{'s' if hidden > 1 else ''}"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
