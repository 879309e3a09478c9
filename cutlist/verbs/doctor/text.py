"""What an installation has, as text."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page, wrapped
from cutlist.verbs.doctor.answer import Diagnosis, Extra, ExtraState, Figures, KnownKarpenter

_LABEL: Final = 14
_PURPOSE: Final = 32
"""The column in which the purpose of an extra begins."""
_STYLES: Final = {ExtraState.INSTALLED: GOOD, ExtraState.PARTLY: WARN, ExtraState.MISSING: QUIET}


def render_doctor(diagnosis: Diagnosis, width: int = 100, colour: bool = False) -> str:
    """Return what is installed, which versions are known and how old the figures are. Ends in a newline."""
    page = Page(width)
    installation = diagnosis.installation
    page.line((f"Cutlist {installation.version}", HEADING))
    page.blank()
    _labelled(page, "python", f"{installation.python} on {installation.platform}")
    _labelled(page, "folder", installation.folder)
    _labelled(page, "requires", ", ".join(f"{one.name} {one.installed or '(missing)'}" for one in diagnosis.requirements))
    _labelled(page, "karpenter", karpenter_in_words(diagnosis))
    _labelled(page, "services", services_in_words(diagnosis))
    _labelled(page, "kubernetes", f"{diagnosis.kubernetes[0]} to {diagnosis.kubernetes[-1]}")
    for figures in diagnosis.figures:
        _labelled(page, f"{figures.vendor} prices", prices_in_words(figures), WARN if figures.is_old else "")
    _extras(page, diagnosis.extras)
    _programs(page, diagnosis)
    page.bullets("Advice", diagnosis.advice, WARN)
    page.bullets("Problems", diagnosis.problems, BAD)
    page.blank()
    count = len(diagnosis.problems)
    page.line((counted(count, "problem") if count else "no problems", BAD if count else GOOD))
    return page.text(colour=colour)


def _labelled(page: Page, label: str, words: str, style: str = "") -> None:
    page.paragraph(words, first=label.ljust(_LABEL), indent=_LABEL, style=style)


def karpenter_in_words(diagnosis: Diagnosis) -> str:
    """Return the known releases of Karpenter for AWS, of which a version of the core may have several, and the default with its
    core, whose version plans say."""
    return ", ".join(f"{row.aws}{_default(row) if row.is_default else ''}" for row in diagnosis.karpenter)


def _default(row: KnownKarpenter) -> str:
    return " (default)" if row.core == row.aws else f" (default; its core is {row.core}, as plans say)"


def services_in_words(diagnosis: Diagnosis) -> str:
    """Return which Karpenter each service runs."""
    return ", ".join(f"{service.name} {service.karpenter or '(not published)'}" for service in diagnosis.services)


def prices_in_words(figures: Figures) -> str:
    """Return how many regions have prices, and how old the newest are."""
    regions = counted(figures.regions, "region")
    if figures.days is None:
        return f"{regions}, without a date"
    return f"{regions}, {figures.oldest} to {figures.newest}; the newest are {counted(figures.days, 'day')} old"


def _extras(page: Page, extras: tuple[Extra, ...]) -> None:
    page.blank()
    page.line(("Extras", HEADING))
    for extra in extras:
        first, *others = wrapped(extra.purpose, max(page.width - _PURPOSE, 10))
        page.line("  ", f"{extra.name:<12}", (f"{extra.state:<18}", _STYLES[extra.state]), (first, QUIET))
        for part in others:
            page.line(" " * _PURPOSE, (part, QUIET))


def _programs(page: Page, diagnosis: Diagnosis) -> None:
    page.blank()
    page.line(("Programs", HEADING))
    for name, path in diagnosis.installation.programs.items():
        page.line("  ", f"{name:<12}", path or ("not on PATH", QUIET))
