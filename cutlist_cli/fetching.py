"""Who fetches what is elsewhere: the installed helm and git, if the user asks for that."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutlist.documents.files import is_stream
from cutlist.settings.planning import FETCH, OFFLINE
from cutlist_cli import terminal
from cutlist_cli.project_settings import settings_file

if TYPE_CHECKING:
    from cutlist.documents import Fetcher


def fetcher_for(files: Sequence[str], values: dict[str, Any]) -> Fetcher | None:
    """Take the options of fetching out of a command's values, and return who fetches; None if nothing may be fetched.

    The lock is beside the project's settings, else beside the first file. Raises InputError for a file there that is no lock.
    """
    is_asked, is_offline = values.pop(FETCH.name), values.pop(OFFLINE.name)
    if not is_asked and not is_offline:
        return None
    from cutlist_live.fetch import Cache, Lock, ToolFetcher, cache_folder, lock_path  # only where it is needed

    cache = Cache(cache_folder(os.environ, str(Path.home())))
    lock = Lock.of(lock_path(settings_file() or next((file for file in files if not is_stream(file)), os.curdir)))
    return ToolFetcher(cache, dict(os.environ), lock, is_offline, say=_say)


def _say(text: str) -> None:
    """Write to standard error what is fetched."""
    terminal.write_error(f"{terminal.safe(text)}\n")
