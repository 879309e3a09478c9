"""The forms that an answer has: a table of what writes each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Generic, Protocol, TypeVar

from cutlist_cli import terminal

A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)

TEXT: Final = "text"
Writer = Callable[[A], str]


class TextWriter(Protocol[A_contra]):
    """Writes an answer for a terminal of so many columns, with or without colour."""

    def __call__(self, answer: A_contra, *, width: int, colour: bool) -> str:
        """The text, which ends in a newline."""


@dataclass(frozen=True, slots=True)
class OutputFormats(Generic[A]):
    """What writes an answer as text for a terminal, which is the form by default, and in each of its other forms, by name."""

    text: TextWriter[A]
    others: Mapping[str, Writer[A]]

    @property
    def names(self) -> tuple[str, ...]:
        """All forms, the default one first."""
        return (TEXT, *self.others)

    def written(self, form: str, answer: A, width: int | None) -> str:
        """The answer in a form; text as wide as was asked for, else as the terminal, and in colour where that shows it."""
        if form == TEXT:
            return self.text(answer, width=terminal.width(width), colour=terminal.has_colour())
        return self.others[form](answer)


def writer(name: str, *parts: str) -> Callable[..., str]:
    """What `package.module:function` writes of an answer, or of those parts of it that are its parameters of the same names.

    The function is imported when something has to be written, so that help and completion stay quick.
    """
    module, _, function = name.partition(":")

    def write(answer: object, **how: object) -> str:
        write_it: Callable[..., str] = getattr(import_module(module), function)
        return write_it(**{part: getattr(answer, part) for part in parts}, **how) if parts else write_it(answer, **how)

    return write


def as_yaml(json: Writer[A]) -> Writer[A]:
    """Writes as YAML what another writes as JSON."""

    def write(answer: A) -> str:
        from cutlist.report import yaml

        return yaml.from_json(json(answer))

    return write
