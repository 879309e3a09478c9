"""`cutlist doctor`: what is installed, which versions are known, how old the figures are."""

from __future__ import annotations

import platform
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

import cutlist
from cutlist.core.records import json_of
from cutlist.settings.calendar import DAY
from cutlist.settings.planning import CATALOG
from cutlist.verbs.doctor.answer import Installation, doctor
from cutlist.verbs.doctor.markdown import doctor_markdown
from cutlist.verbs.doctor.text import render_doctor
from cutlist_cli.calendar import chosen_day
from cutlist_cli.command import Command
from cutlist_cli.formats import OutputFormats
from cutlist_cli.renderer import Renderer, renderer_options
from cutlist_cli.setting_options import setting_option

if TYPE_CHECKING:
    from cutlist.verbs.doctor.answer import Diagnosis

_PROGRAMS: Final = ("pulumi", "kubectl", "helm", "git")


_FORMATS: Final[OutputFormats[Diagnosis]] = OutputFormats(
    text=render_doctor, others={"markdown": doctor_markdown, "json": json_of}
)


@click.command("doctor", cls=Command)
@setting_option(CATALOG)
@renderer_options(_FORMATS)
def command(catalog: str | None, renderer: Renderer[Diagnosis]) -> None:
    """Show what is installed, which versions of Karpenter are known, and how old the prices are.

    Shows which extras are installed and what the others are for. Exits with 1 if a package is
    missing or has a version that Cutlist does not run with.

    \b
    Examples:
      cutlist doctor
      cutlist doctor -o json
      cutlist doctor --to doctor.md
    """
    answer = renderer.show(lambda: _diagnosis(catalog))
    if answer.problems:
        click.get_current_context().exit(1)


def _diagnosis(catalog: str | None) -> Diagnosis:
    return doctor(_installation(), chosen_day(DAY, None), catalog)


def _installation() -> Installation:
    """Return this installation, from the metadata of what is installed."""
    from importlib.metadata import PackageNotFoundError, distribution, version  # takes 30 ms

    package = distribution("cutlist")
    requirements = tuple(package.requires or ())
    versions = {}
    for name in sorted({re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in requirements}):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return Installation(
        version=package.version,
        python=platform.python_version(),
        requires_python=package.metadata["Requires-Python"],
        platform=platform.platform(terse=True),
        folder=str(Path(cutlist.__file__).parent),
        requirements=requirements,
        distributions=versions,
        programs={name: shutil.which(name) for name in _PROGRAMS},
    )
