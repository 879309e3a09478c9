"""A command whose help shows the options that matter first, and all of them, in sections, with `--help-all`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from cutlist_cli import terminal

MOST_LISTED: Final = 12
"""A command with more options than this lists a few of them."""
MOST_FIRST: Final = 5
HELP_ALL: Final = "--help-all"
_ANSWERS: Final = ("--output", "--to")
_SHOWS_ALL: Final = "cutlist.help-all"
_FORMER_VALUE: Final = re.compile(r"[a-z]+=.")


def help_all_option(described: str, *, hidden: bool = False) -> click.Option:
    """Return the option `--help-all`, which shows the whole help and ends the call; `hidden` where `--help` is the same."""
    attributes: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "hidden": hidden}
    return click.Option([HELP_ALL], callback=_show_all, help=f"Show {described} and exit.", **attributes)


def shows_all(ctx: click.Context) -> bool:
    """Tell whether the help that is written is the whole one."""
    return bool(ctx.meta.get(_SHOWS_ALL))


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_SHOWS_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


class Command(click.Command):
    """A command of Cutlist."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self._own = [param for param in self.params if isinstance(param, click.Option)]
        is_whole = len(self._own) <= MOST_LISTED
        self.params.append(help_all_option("all options, by what they are about,", hidden=is_whole))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; the former word of one is taken for the word of today, which a note names."""
        return super().parse_args(ctx, list(self._in_words_of_today(args)))

    def _in_words_of_today(self, args: Iterable[str]) -> Iterator[str]:
        today = {word: option.opts[-1] for option in self._own for word in getattr(option, "former", ())}
        reused = {word for option in self._own for word in option.opts}.intersection(today)
        is_option, listed = True, list(args)
        for arg, following in zip(listed, [*listed, ""][1:], strict=True):
            is_option = is_option and arg != "--"
            word, separator, value = arg.partition("=")
            # A word that is a flag today and had a value once is the former one where such a value follows.
            is_former = word in today and (word not in reused or bool(separator) or _FORMER_VALUE.match(following) is not None)
            if is_option and is_former:
                terminal.write_note(f"{word} is now {today[word]}")
                yield f"{today[word]}{separator}{value}"
            else:
                yield arg

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first options, all of a command that has few, or with `--help-all` all in sections."""
        if len(self._own) <= MOST_LISTED:
            super().format_options(ctx, formatter)
            return
        from cutlist_cli.option_sections import FIRST, SECTIONS  # brings the settings of all commands

        by_word = {word: option for option in self._own for word in option.opts}
        help_options = [param for param in self.get_params(ctx) if isinstance(param, click.Option) and param not in self._own]
        if not shows_all(ctx):
            first = [by_word[setting.flag] for setting in FIRST[self.name or ""]]
            answers = [by_word[word] for word in _ANSWERS if word in by_word]
            _write(ctx, formatter, "Options", [*first, *answers[: MOST_FIRST - len(first)], *help_options])
            return
        sections = [
            (title, [by_word[setting.flag] for setting in settings if setting.flag in by_word])
            for title, settings in SECTIONS.items()
        ]
        sections[-1][1].extend(option for option in self._own if not hasattr(option, "former"))
        shared = [option for _, options in sections for option in options]
        _write(ctx, formatter, "Options", [option for option in self._own if option not in shared])
        sections[-1][1].extend(help_options)
        for title, options in sections:
            _write(ctx, formatter, title, options)


def _write(ctx: click.Context, formatter: click.HelpFormatter, title: str, options: Iterable[click.Option]) -> None:
    rows = [record for option in options if (record := option.get_help_record(ctx)) is not None]
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
