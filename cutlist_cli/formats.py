"""Output formats of an answer, and the view that writes each of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from cutlist.report import yaml
from cutlist_cli import terminal

A = TypeVar("A")
A_contra = TypeVar("A_contra", contravariant=True)
B = TypeVar("B")

TEXT: Final = "text"
JSON: Final = "json"
HTML: Final = "html"
YAML: Final = "yaml"
FOR_PROGRAMS: Final = (JSON, YAML)
"""The forms that have everything of an answer, asked for or not."""
View = Callable[[A], str]


class TextView(Protocol[A_contra]):
    """Writes an answer for a terminal with this many columns, with or without colour."""

    def __call__(self, answer: A_contra, /, *, width: int, colour: bool) -> str:
        """Return the text, which ends in a newline."""


@dataclass(frozen=True, slots=True)
class OutputFormats(Generic[A]):
    """The views of an answer: text for a terminal, which is the default, and its other formats by name, without YAML.

    A view that costs more than its command alone, as pages do, is passed as `later`.

    Text that is `verbatim`, such as a document that other programs read, is written byte for byte and has no width.
    `text_suffixes` are ends of file names that stand for it.
    """

    text: TextView[A]
    others: Mapping[str, View[A]]
    verbatim: bool = False
    text_suffixes: tuple[str, ...] = ()

    @property
    def views(self) -> Mapping[str, View[A]]:
        """Return the view of each format other than text. What has JSON has YAML too, right after it."""
        views: dict[str, View[A]] = {}
        for name, view in self.others.items():
            views[name] = view
            if name == JSON:
                views[YAML] = _as_yaml(view)
        return views

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all formats, the default first."""
        return (TEXT, *self.views)

    def write(self, output_format: str, answer: A, width: int | None, *, is_file: bool = False) -> str:
        """Return the answer in a format; text in the requested width, else that of the terminal, and in colour if it can be
        shown. Text for a file has neither the terminal's width nor colour."""
        if output_format == TEXT:
            columns = width or terminal.DEFAULT_WIDTH if is_file else terminal.width(width)
            return self.text(answer, width=columns, colour=not is_file and terminal.has_colour())
        return self.views[output_format](answer)


def later(module: str, name: str) -> Callable[..., str]:
    """Return a view that is imported when it is called: each takes more than 20 ms, for templates or for another verb."""

    def view(*values: Any, **named: Any) -> str:
        text: str = getattr(importlib.import_module(module), name)(*values, **named)
        return text

    return view


def on(part: Callable[[A], B], view: View[B]) -> View[A]:
    """Return a view of a part of an answer."""
    return lambda answer: view(part(answer))


def text_on(part: Callable[[A], B], view: TextView[B]) -> TextView[A]:
    """Return the text of a part of an answer."""

    def text(answer: A, *, width: int, colour: bool) -> str:
        return view(part(answer), width=width, colour=colour)

    return text


def _as_yaml(json_view: View[A]) -> View[A]:
    """Return a view that writes the JSON of another view as YAML."""

    def view(answer: A) -> str:
        return yaml.from_json(json_view(answer))

    return view
