"""The command group, which imports commands when they run, and turns every error into a message and an exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import click

from cutlist.core.errors import nearest
from cutlist_cli import terminal
from cutlist_cli.command import HELP_ALL, help_all_option, shows_all
from cutlist_cli.commands import command_names, grouped_names, listed_names, load, summary
from cutlist_cli.failures import ARGUMENTS, BAD_INPUT, INTERRUPTED, READER_GONE, failure
from cutlist_cli.hints import file_hint, missing_hint
from cutlist_cli.options import debug_option, is_debug
from cutlist_cli.project_settings import TopFolder, before_variables, defaults_of
from cutlist_cli.proposing import proposed_files
from cutlist_cli.setting_options import BEFORE_VARIABLES
from cutlist_cli.stdin import keep_pipes

_HELP_OPTIONS: Final = ("-h", "--help")
_HELP_WORDS: Final = frozenset((*_HELP_OPTIONS, HELP_ALL))


class Application(click.Group):
    """The command group. Commands are imported when they run, not when they are listed, so that `--help` and completion stay
    quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands that are shown, including those that other installed packages register."""
        return listed_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the command, imported now; None for an unknown name."""
        return load(cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the called command with its arguments; fail for an unknown name, and suggest the nearest."""
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            known = nearest(name, command_names())
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {known!r}?" if known else ""))
        resolved = super().resolve_command(ctx, args)
        if not ctx.resilient_parsing and not _HELP_WORDS.intersection(args):
            ctx.invoked_subcommand = name  # click sets it too late for mistakes in the project's file
            ctx.meta[ARGUMENTS] = _arguments(ctx, resolved[1], resolved[2])
            top = ctx.find_object(TopFolder)
            defaults = defaults_of(name, args[1:], top)
            proposed = proposed_files(name, args[1:], defaults) if top is None else {}
            ctx.default_map = {name: {**defaults, **proposed}}
            ctx.meta[BEFORE_VARIABLES] = before_variables(args[1:], top)
        return resolved

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what they are for, without importing them."""
        groups = grouped_names(shows_all(ctx))
        widest = max(len(name) for names in groups.values() for name in names)
        for title, names in groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), summary(name)) for name in names])

    def main(self, *args: Any, **options: Any) -> Any:
        """Run as a command group does; if not even an error can be written, only the exit code says so."""
        try:
            return super().main(*args, **options)
        except OSError:
            if not options.get("standalone_mode", True):
                raise
            terminal.silence(sys.stdout)
            terminal.silence(sys.stderr)
            sys.exit(BAD_INPUT)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of a call; mistakes in its options are shown in safe characters."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise _shown(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and turn any exception into a message and an exit code."""
        arguments = list(ctx.args)
        try:
            with _interruptible():
                keep_pipes(arguments)
                result = super().invoke(ctx)
                sys.stdout.flush()  # a closed reader or a full disk is noticed here and not when the interpreter ends
        except BrokenPipeError:
            terminal.silence(sys.stdout)
            ctx.exit(READER_GONE)
        except (KeyboardInterrupt, click.Abort):
            terminal.write_error("\ninterrupted\n")
            ctx.exit(INTERRUPTED)
        except click.UsageError as error:
            hint = file_hint(error, arguments) or missing_hint(error)
            shown = _shown(error)
            text = f"{shown.format_message().strip().removesuffix('.')}.{hint}"
            raise (click.UsageError(text, shown.ctx) if hint else shown) from None
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.filename is None:
                terminal.silence(sys.stdout)  # it may be what cannot be written, and would fail again at the interpreter's end
            if is_debug(ctx):
                raise
            raise failure(error, f"{ctx.command_path} {ctx.invoked_subcommand or ''}".rstrip()) from error
        else:
            return result


def _arguments(ctx: click.Context, command: click.Command | None, typed: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments that a command needs, as they were typed; the name of one that is missing."""
    if command is None:
        return ()
    needed = [param for param in command.params if isinstance(param, click.Argument) and param.required]
    own = click.Context(command, parent=ctx)
    try:
        values, _, _ = command.make_parser(own).parse_args(list(typed))
    except click.UsageError:  # which the command reports
        values = {}
    typed_or_not = ((values.get(param.name or ""), param) for param in needed)
    return tuple(value if isinstance(value, str) else param.make_metavar(own) for value, param in typed_or_not)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt while the block runs, so that it can clean up, instead of ending the process."""
    is_ended = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    try:
        if is_ended:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        if is_ended:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _shown(error: click.UsageError) -> click.UsageError:
    """Return the error in characters that are safe to show, since it may repeat an argument."""
    if isinstance(error, click.MissingParameter | click.exceptions.NoArgsIsHelpError):
        return error
    return click.UsageError(terminal.safe(error.format_message().strip()), error.ctx)


_HELP: Final = """Show which nodes Karpenter will launch for a set of workloads, before anything is applied.

\b
Examples:
  cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2
  helm template charts/web | cutlist plan -f pools.yaml -f - --region us-west-2
  cutlist types -f pools.yaml --region us-west-2
"""


@click.command(cls=Application, help=_HELP, context_settings={"help_option_names": [*_HELP_OPTIONS]})
@click.version_option(package_name="cutlist")
@debug_option
def main() -> None:
    """Run the command `cutlist`."""


main.params.append(help_all_option("all commands"))
