"""What a page says of where it comes from, as the call of a command tells it: project, environment, commit, day, version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.documents.checkout import checkout
from cutlist.documents.pulumi_stacks import project_name
from cutlist.settings.calendar import DAY
from cutlist.settings.environments import ENVIRONMENT
from cutlist.settings.stack import PROJECT_DIR, STACK
from cutlist_cli.calendar import chosen_day
from cutlist_cli.own_stacks import project_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutlist.report.html.origin import PageOrigin

_NAMES: Final = (ENVIRONMENT.name, STACK.name)


def with_origin(page: str) -> str:
    """Return the page of the command that runs with where it comes from."""
    from cutlist.report.html.origin import add_origin  # brings Jinja

    ctx = click.get_current_context(silent=True)
    return add_origin(page, page_origin({} if ctx is None else ctx.params))


def page_origin(values: Mapping[str, Any]) -> PageOrigin:
    """Return where the page of a call with these values of its options comes from."""
    from cutlist import __version__  # takes 10 ms
    from cutlist.report.html.origin import PageOrigin

    found, folder, day = checkout(), values.get(PROJECT_DIR.name), values.get(DAY.name)
    repository = os.path.basename(os.getcwd()) if found is None else found.repository
    return PageOrigin(
        project=project_name(project_path(Path(folder or ""))) or repository,
        environment=next((str(values[key]) for key in _NAMES if values.get(key)), ""),
        commit="" if found is None else found.commit,
        is_edited=found is not None and found.is_edited,
        made=chosen_day(DAY, day if isinstance(day, str) else None),
        version=__version__,
    )
