"""Commands that messages name, such as the one that plans an environment or fetches what is elsewhere: each can be pasted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import Any

from cutlist.core.setting import Kind, Setting
from cutlist.settings.planning import FETCH, FILES, HELM


def option_words(settings: Mapping[Setting, Any]) -> tuple[str, ...]:
    """Return the options that give settings their values, as a person would type them; those without a value are left out."""
    words: list[str] = []
    for setting, value in settings.items():
        option = setting.short or setting.flag
        if setting.kind is Kind.FLAG:
            words += [option] if value else []
        elif value is not None:
            parts = value if setting.several and not isinstance(value, str | os.PathLike) else [value]
            words += [f"{option} {quote(str(part))}" for part in parts]
    return tuple(words)


def words_of(files: Sequence[str], options: Iterable[str]) -> str:
    """Return the options with which a command reads files."""
    return " ".join([*(f"{FILES.short} {quote(file)}" for file in files), *options])


def plan_command(files: Sequence[str], options: Iterable[str]) -> str:
    """Return the command that plans files."""
    return f"cutlist plan {words_of(files, options)}"


def helm_command(files: Sequence[str], options: Iterable[str]) -> str:
    """Return the command that plans files with what their objects take from this checkout, with the same options."""
    return plan_with((HELM,), files, options)


def fetch_command(files: Sequence[str], options: Iterable[str]) -> str:
    """Return the command that plans files and what is elsewhere: with the same options, and those that fetch and render it."""
    return plan_with((HELM, FETCH), files, options)


def plan_with(further: Iterable[Setting], files: Sequence[str], options: Iterable[str]) -> str:
    """Return the command that plans files with the same options and further ones, each once."""
    return plan_command(files, dict.fromkeys((*options, *option_words(dict.fromkeys(further, True)))))
