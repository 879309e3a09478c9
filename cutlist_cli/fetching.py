"""Who fetches what is elsewhere: the installed helm and git, if the user asks for that."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from cutlist.documents.delivery.checkout import Checkout
from cutlist.documents.files import is_stream
from cutlist.documents.revisions import at_revision, merge_base
from cutlist.settings.diff import GIT, SIDES
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.gate import BASE
from cutlist.settings.planning import FETCH, OFFLINE
from cutlist_cli import terminal
from cutlist_cli.progress import progress_line
from cutlist_cli.project_settings import TopFolder, read_project, settings_file

if TYPE_CHECKING:
    from cutlist.documents.delivery.fetching import Fetcher

_GATE: Final = "gate"
_DIFF: Final = "diff"


def fetcher_for(files: Sequence[str], values: dict[str, Any]) -> Fetcher | None:
    """Take the options of fetching out of a command's values, and return who fetches; None if nothing may be fetched.

    The project's file asks for it too, unless a command judges a change that may have written that file. The lock is beside
    the project's settings, else beside the first file. Raises InputError for a file there that is no lock.
    """
    is_asked, is_offline = values.pop(FETCH.name), values.pop(OFFLINE.name)
    if is_asked and not _is_trusted(click.get_current_context(), values):
        is_asked = False
    if not is_asked and not is_offline:
        return None
    from cutlist_live.fetch import Cache, Lock, ToolFetcher, cache_folder, lock_path  # only where it is needed

    cache = Cache(cache_folder(os.environ, str(Path.home())))
    beside = settings_file() or next((file for file in files if not is_stream(file)), os.curdir)
    lock = Lock.of(lock_path(os.path.abspath(beside)))  # a comparison with a revision works in another folder meanwhile
    return ToolFetcher(cache, dict(os.environ), lock, is_offline, showing=show_fetch)


def _is_trusted(ctx: click.Context, values: Mapping[str, Any]) -> bool:
    """Tell whether what asks to fetch is not the change that a command judges.

    Options and variables are the user's. Of the project's file, a comparison with a revision takes that of the file at the
    revision, and the gates take no such word without a revision. Calls of assistants fetch nothing.
    """
    if ctx.find_object(TopFolder) is not None:
        return False
    if ctx.get_parameter_source(FETCH.name) is not ParameterSource.DEFAULT_MAP:
        return True
    revision = values.get(GIT.name) or values.get(BASE.name)
    if ctx.info_name == _GATE and not revision:
        _say(f"{FETCH.key} in the project's file does not count for {_GATE}, which may judge a change to it; {FETCH.flag} does")
        return False
    revision = revision or compared_revision(ctx, values)
    if not revision or _fetches_at(revision, values.get(ENVIRONMENT.name)):
        return True
    _say(f"{FETCH.key} in the project's file does not count, since the file has it not at {revision}; {FETCH.flag} does")
    return False


def compared_revision(ctx: click.Context, values: Mapping[str, Any]) -> str | None:
    """Return the revision with which a call compares the files of a project, or None if it does not."""
    if ctx.info_name != _DIFF or values.get(GIT.name) or values.get(SIDES.name):
        return values.get(GIT.name)
    return merge_base().short


def _fetches_at(revision: str, environment: str | None) -> bool:
    """Tell whether the project's file asks to fetch at a revision."""
    around = Checkout.around(os.curdir)
    above = os.path.relpath(around.root) if around is not None else os.curdir
    with at_revision(revision):
        project = read_project(TopFolder(os.path.normpath(os.path.join(os.getcwd(), above))))
    own = next((of.values for of in project.environments if of.name == environment), {})
    return bool({**project.values, **own}.get(FETCH))


@contextmanager
def show_fetch(text: str) -> Iterator[None]:
    """Show on standard error what is fetched: at a terminal while it takes long, else as a line."""
    if sys.stderr.isatty() and click.get_current_context(silent=True) is not None:
        with progress_line(terminal.safe(text)):
            yield
        return
    _say(text)
    yield


def _say(text: str) -> None:
    """Write a line to standard error."""
    terminal.write_error(f"{terminal.safe(text)}\n")
