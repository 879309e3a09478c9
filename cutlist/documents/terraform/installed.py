"""Releases that a configuration of Terraform or a template of CloudFormation installs: what Helm makes of each, as far as its
values are known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.errors import Place
from cutlist.core.ledger import Ledger, OpenInput
from cutlist.documents.delivery.fetched import NotFetched, chart_from
from cutlist.documents.delivery.fetching import ChartSource, Fetcher
from cutlist.documents.delivery.helm import MissingDependencies, Release
from cutlist.documents.document import Document
from cutlist.documents.rendered_sources import rendered_source
from cutlist.documents.terraform.stand_ins import Render, Unrenderable, objects_of

FORM: Final = "Terraform"


@dataclass(frozen=True, slots=True)
class Installed:
    """A release that a configuration installs.

    `release` is what Helm gets, with marks for what only an apply knows; its chart is a folder, unless `source` says from where
    it is fetched. `why_not` says why it cannot be rendered; empty if it can be. `command` renders it without Cutlist. `form` is
    what installs it.
    """

    place: Place
    release: Release
    source: ChartSource | None = None
    why_not: str = ""
    command: str = ""
    secrets: tuple[str, ...] = ()
    form: str = FORM

    def leave_open(self, ledger: Ledger, why: str = "", command: str = "") -> None:
        """Add the release, or one of its objects, to what is open."""
        line = f":{self.place.line}" if self.place.line else ""
        what = f"{self.place.address} ({self.place.source}{line})"
        why = why or _not_rendered(self.why_not)
        ledger.is_open(os.path.realpath(self.place.source), self.form)
        ledger.leave_open(OpenInput(what, self.form, why, command or self.command))

    def leave_unrendered(self, ledger: Ledger, by_rendering: str, by_fetching: str) -> None:
        """Add the release to what is open, with the command that renders it or fetches its chart."""
        command = self.command if self.why_not else by_rendering if self.source is None else by_fetching
        self.leave_open(ledger, command=command)

    def with_chart(self, fetcher: Fetcher | None) -> Release:
        """Return the release with the folder of its chart. Raises NotFetched, and Unrenderable where it cannot be rendered."""
        if self.why_not:
            raise Unrenderable(self.why_not)
        if self.source is None:
            return self.release
        checkout = chart_from(self.source, fetcher)
        return replace(self.release, chart=checkout.root, root=checkout.root)

    def placed(self, documents: Sequence[Document]) -> Iterator[Document]:
        """Yield the objects of its chart; those of a fetched one are where the configuration installs it, not in a cache."""
        for document in documents:
            source = rendered_source(self.place.source, self.release.name)
            place = document.place if self.source is None else replace(document.place, source=source)
            yield replace(document, place=place)


def _not_rendered(why: object) -> str:
    return f"a release that is not rendered, because {why}" if why else "a release that is not rendered"


def take_objects(
    installed: Installed, fetcher: Fetcher | None, render: Render, ledger: Ledger, by_fetching: str
) -> list[Document]:
    """Return the objects of a release, as far as they are known; what is not is open."""
    ledger.is_read(os.path.realpath(installed.place.source))
    try:
        documents, reasons = objects_of(installed.with_chart(fetcher), render)
    except Unrenderable as error:
        installed.leave_open(ledger, _not_rendered(error))
        return []
    except (NotFetched, MissingDependencies) as error:
        is_elsewhere = error.is_elsewhere if isinstance(error, NotFetched) else fetcher is None
        installed.leave_open(ledger, _not_rendered(error), by_fetching if is_elsewhere else "")
        return []
    for why in reasons:
        installed.leave_open(ledger, why)
    return list(installed.placed(documents))
