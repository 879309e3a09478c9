"""The account of the inputs of an answer: what was read, what was passed over and why, and what is still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from cutlist.core.records import Count, about, computed
from cutlist.core.secrecy import masked_sentence
from cutlist.core.wording import counted, first_of

_OTHERS: Final = "others"
_SINGULAR: Final = {
    "templates": "template",
    "kustomizations not built": "kustomization not built",
    "patches": "patch",
    "pointers of Git LFS": "pointer of Git LFS",
    "scripts": "script",
    "links to folders": "link to a folder",
    _OTHERS: "other",
}
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class OpenInput:
    """An input whose objects are not in an answer although it bears on it.

    `command` is what renders it or goes on from it; empty if no command is known.
    """

    what: Annotated[str, about("A file, a folder, or the kind and name of an object.")]
    form: Annotated[str, about("What it is, such as `template`.")]
    why: Annotated[str, about("Why its objects are not known.")]
    command: Annotated[str, about("What renders it; empty if no command is known.")] = ""

    @property
    def sentence(self) -> str:
        """Return what it is, why it is open, and what to do."""
        return f"{self.what} is {self.why}" + (f": {self.command}" if self.command else "")

    @property
    def masked(self) -> OpenInput:
        """Return it without passwords, such as those in the address of a chart that its command names."""
        return replace(self, why=masked_sentence(self.why), command=masked_sentence(self.command))


@dataclass(frozen=True, slots=True)
class Environment:
    """One of several clusters that lie in one folder: its name, what it holds, and the command that plans it.

    `words` are the options with which any command reads it; empty if another program has to. `files` are what that command
    reads, with `settings` by name; without files, another program renders the environment, or it is a `stack` of the Pulumi
    project in the folder `project`.
    """

    name: str
    holds: str
    command: str
    files: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    stack: str = ""
    project: str = ""
    words: str = ""

    def command_of(self, verb: str) -> str:
        """Return the command of a verb, which may have arguments, about it; else that of the program which renders it."""
        return f"cutlist {verb} {self.words}" if self.words else self.command


@dataclass(frozen=True, slots=True)
class PassedOver:
    """How many files of a form were not read, with a reason: no answer depends on them."""

    form: str
    files: Count


@dataclass(frozen=True, slots=True)
class Inputs:
    """The account of the files below the folders that were named, and of the objects in them.

    `files` are `read`, `open_files` or one of those in `passed_over`.
    """

    files: Count = 0
    read: Count = 0
    open_files: Annotated[tuple[PassedOver, ...], about("Files that bear on the answer and are not read, by form.")] = ()
    passed_over: Annotated[tuple[PassedOver, ...], about("Files that no answer depends on, by form.")] = ()
    objects: Annotated[Count, about("Objects that were read, before those that no answer depends on are left out.")] = 0
    open: Annotated[tuple[OpenInput, ...], about("What bears on the answer and is not in it.")] = ()

    @property
    @computed(after="")
    def complete(self) -> bool:
        """Tell whether nothing is open."""
        return not self.open

    def with_open(self, further: Iterable[OpenInput]) -> Inputs:
        """Return the account with further open inputs, each once."""
        return replace(self, open=tuple(dict.fromkeys((*self.open, *(of.masked for of in further)))))

    @property
    def sentence(self) -> str:
        """Return the counts in words: `214 files: 180 read, 22 templates, 9 encrypted, 3 others`."""
        by_form: Counter[str] = Counter()
        for of in (*self.open_files, *self.passed_over):
            by_form[of.form] += of.files
        others = sorted(by_form.items(), key=lambda item: (item[0] == _OTHERS, -item[1], item[0]))
        parts = [
            f"{self.read:,} read",
            *(f"{count:,} {_SINGULAR.get(form, form) if count == 1 else form}" for form, count in others),
        ]
        return f"{counted(self.files, 'file')}: {', '.join(parts)}"

    @property
    def open_sentence(self) -> str:
        """Return in words what is open; empty if nothing is."""
        return f"not in this answer: {'; '.join(open_sentences(self.open))}" if self.open else ""


def open_sentences(opened: Iterable[OpenInput]) -> tuple[str, ...]:
    """Return in words what is open: one sentence for all that is for the same reason, and how many more there are."""
    alike: dict[str, list[OpenInput]] = {}
    for of in opened:
        alike.setdefault(of.why, []).append(of)
    parts = [_together(of_reason) for of_reason in alike.values()]
    more = [f"and {len(parts) - _NAMED:,} more"] if len(parts) > _NAMED else []
    return (*parts[:_NAMED], *more)


def _together(alike: Sequence[OpenInput]) -> str:
    """Return in words what is open for the same reason, with the command of the first if each has its own."""
    names = [of.what for of in alike]
    shown = first_of(names, _NAMED)
    what = f"{shown}, each {alike[0].why}" if len(names) > 1 else f"{shown}, {alike[0].why}"
    command = alike[0].command
    first = "; for the first" if len({of.command for of in alike}) > 1 else ""
    return what + (f"{first}: {command}" if command else "")


@dataclass(slots=True)
class Ledger:
    """Collects the account of the inputs of an answer: each file once, under its real path."""

    _forms: dict[str, tuple[str, bool]] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)
    _open: list[OpenInput] = field(default_factory=list)
    objects: int = 0
    environments: tuple[Environment, ...] = ()

    def is_read(self, real: str) -> None:
        """Add a file whose objects are in the answer."""
        self._read.add(real)

    def is_passed_over(self, real: str, form: str = _OTHERS) -> None:
        """Add a file that no answer depends on; `form` is a word for several of its kind, such as `encrypted`."""
        self._forms.setdefault(real, (form, False))

    def is_open(self, real: str, form: str) -> None:
        """Add a file that bears on the answer and is not read."""
        self._forms[real] = (form, True)

    def leave_open(self, what: OpenInput) -> None:
        """Add what is open: one or several files together, or an object."""
        if what not in self._open:
            self._open.append(what)

    @property
    def open(self) -> tuple[OpenInput, ...]:
        """Return what is open so far."""
        return tuple(self._open)

    def closed(self) -> Inputs:
        """Return the account."""
        forms = {real: form for real, form in self._forms.items() if form[1] or real not in self._read}
        read = len(self._read - forms.keys())
        counts = Counter(forms.values())
        ordered = sorted(counts.items(), key=lambda item: (item[0][0] == _OTHERS, -item[1], item[0]))
        still_open, passed_over = (
            tuple(PassedOver(form, count) for (form, is_open), count in ordered if is_open is of) for of in (True, False)
        )
        opened = tuple(sorted((of.masked for of in self._open), key=lambda of: (of.form, of.what)))
        return Inputs(read + len(forms), read, still_open, passed_over, self.objects, opened)
