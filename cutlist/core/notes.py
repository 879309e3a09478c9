"""Notes: what an answer assumed, and what looks wrong, each with the objects that it concerns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.ledger import Ledger
from cutlist.core.secrecy import masked_sentence

WHO: Final = "{who}"
LEFT_OUT: Final = (
    "chart-not-rendered",
    "foreign-file",
    "kustomization",
    "open-input",
    "resource-not-read",
    "subfolder",
    "switched-off",
    "template-not-rendered",
)
"""The codes of notes on files of a folder that are not read."""
OPEN: Final = ("chart-not-rendered", "open-input", "template-not-rendered")
"""Those on files whose objects bear on an answer: what is open in the account of the inputs."""
ACCOUNTED: Final = (*OPEN, "foreign-file")
"""Those on files that the account of the inputs has: open ones, and those without objects, such as values of charts."""
NOT_READ: Final = (
    *LEFT_OUT,
    "chart-of-karpenter",
    "defined-twice",
    "delivery-not-rendered",
    "delivery-of-a-subfolder",
    "delivery-of-another-revision",
    "environments",
    "kustomized-twice",
    "not-looked-at",
    "status-passed-over",
)
"""The codes of notes on input that does not affect the answer. They come before all others."""
_NAMED: Final = 3  # a note names this many workloads and gives a count of the others


@dataclass(frozen=True, slots=True)
class Note:
    """An assumption, warning or finding; `code` is stable and kebab-case (`spot-price-estimated`), `text` is for people.
    Secrets that it would repeat, such as the password of an address, are hidden.
    """

    code: str
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", masked_sentence(self.text))


def notes_in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return each note once: first those on input that was not read, then by code and text."""
    return tuple(sorted(set(notes), key=lambda note: (note.code not in NOT_READ, note.code, note.text)))


@dataclass(slots=True)
class Notes:
    """Collects notes. Those that differ only in the workload are merged into one, which names the first few workloads.

    `ledger` is the account of the inputs that they are about.
    """

    _who: dict[Note, dict[str, None]] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)

    def add(self, code: str, text: str, who: str = "") -> None:
        """Add a note; `{who}` in the text is replaced by the workloads."""
        self._who.setdefault(Note(code, text), {})[who] = None

    def has(self, code: str) -> bool:
        """Tell whether a note of a code was added."""
        return any(note.code == code for note in self._who)

    def all(self) -> tuple[Note, ...]:
        """Return every note, in the order of `notes_in_order`."""
        return notes_in_order(Note(note.code, note.text.replace(WHO, _listed(who))) for note, who in self._who.items())


def _listed(names: Collection[str]) -> str:
    shown, hidden = sorted(names)[:_NAMED], len(names) - _NAMED
    if hidden > 0:
        return f"{', '.join(shown)} and {hidden} other{'s' if hidden > 1 else ''}"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
