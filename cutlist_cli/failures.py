"""Errors of commands: one message on standard error and an exit code, never a traceback."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from shlex import quote
from typing import IO, Any, Final

import click

from cutlist.core.errors import CutlistError, InputError, MissingExtraError, NotChosenError, Place, Problem, UnfinishedError
from cutlist.settings.environments import ALL, WITH_ALL
from cutlist_cli import terminal
from cutlist_cli.words import in_words_of_caller

UNFINISHED: Final = 1
BAD_INPUT: Final = 2
INTERNAL: Final = 70  # EX_SOFTWARE
INTERRUPTED: Final = 130  # as shells report SIGINT
READER_GONE: Final = 141  # as shells report SIGPIPE

_EXTRA_OF: Final = {
    "google": "kubernetes",
    "grpc": "kubernetes",
    "pulumi": "kubernetes",
    "pulumi_kubernetes": "kubernetes",
    "pulumi_aws": "aws",
    "pulumi_eks": "aws",
    "pulumi_azure_native": "azure",
    "pulumi_policy": "policies",
    "azure": "live-azure",
    "boto3": "live",
    "botocore": "live",
    "httpx2": "live",
    "lightkube": "live",
    "msgspec": "live",
    "distributed": "fleet",
    "highspy": "optimize",
    "numpy": "optimize",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "anyio": "mcp",
    "hcl2": "hcl",
    "duckdb": "bill",
    "watchfiles": "watch",
}


_STREAM_ERRORS: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EROFS))
"""Why a write fails that names no file: a full disk, a quota, a closed terminal."""


ARGUMENTS: Final = "cutlist.arguments"
"""Where a call keeps the arguments that its command needs, as they were typed."""


class BadInput(click.ClickException):
    """Every problem in the user's input, in the words of the caller."""

    exit_code = BAD_INPUT

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = in_words_of_caller(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the problems to standard error."""
        from cutlist.report.problems import render_problems  # takes 130 ms

        terminal.write_error(render_problems(self.problems, terminal.width(), colour=terminal.has_colour("stderr")), file)


class NotChosen(BadInput):
    """Several environments, of which a command needs one, and the command that answers for all of them if there is one."""

    def __init__(self, error: NotChosenError, command: str) -> None:
        self.command, self.verb = command, command.rpartition(" ")[2]
        arguments = click.get_current_context().meta.get(ARGUMENTS, ())
        super().__init__(error.of_verb(" ".join((self.verb, *map(quote, arguments)))))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the environments to standard error."""
        super().show(file)
        if len(self.problems) > 1 and self.verb in WITH_ALL:
            terminal.write_error(f"`{self.command} {ALL.flag}` answers for all of them in one table.\n", file)


class Refused(click.ClickException):
    """A refusal of an operation that is not possible here."""

    exit_code = BAD_INPUT

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message to standard error."""
        terminal.write_error(f"error: {terminal.safe(self.message)}\n", file)


class Unfinished(Refused):
    """A program ended early, so there is no verdict; that is a failure."""

    exit_code = UNFINISHED


class InternalError(Refused):
    """An error in Cutlist itself."""

    exit_code = INTERNAL


def failure(error: Exception, command: str) -> click.ClickException:
    """Return the message and exit code for an exception that a command raised."""
    if isinstance(error, NotChosenError):
        return NotChosen(error, command)
    if isinstance(error, InputError):
        cause = error.__cause__  # a stack's program may need an extra
        missing = missing_extra(cause, command) if isinstance(cause, ModuleNotFoundError) else None
        return Refused(str(missing)) if missing else BadInput(error.problems)
    if isinstance(error, ModuleNotFoundError):
        error = missing_extra(error, command) or error
    if isinstance(error, UnfinishedError):
        return Unfinished(str(error))
    if isinstance(error, CutlistError):
        return Refused(str(error))
    if isinstance(error, OSError):
        why = (error.strerror or str(error)).lower()
        if isinstance(error.filename, str):
            return BadInput([Problem(Place(error.filename), f"cannot be used: {why}")])
        if error.errno == errno.ENOENT:
            return Refused("the working folder no longer exists")
        if error.errno in _STREAM_ERRORS:
            return Refused(f"the answer cannot be written: {why}")
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return InternalError(f"this should not have happened ({what}); run it again with --debug and report what it prints")


def missing_extra(error: ModuleNotFoundError, what: str) -> MissingExtraError | None:
    """Return the error that says which extra to install for a missing module, or None if the module belongs to no extra."""
    extra = _EXTRA_OF.get((error.name or "").partition(".")[0])
    return MissingExtraError(what, extra) if extra else None
