"""Where a page comes from: whose it is, of which environment and commit, when it was made and by which version.

None of it follows from an answer, so views do not know it: who runs a command does, and adds it to the finished page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from markupsafe import escape

from cutlist.report.html.texts import name

SLOT: Final = '<p class="origin" hidden></p>'
"""Where the frame of pages leaves room for it."""
_TITLE: Final = re.compile("<title>")


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """What a page was made of, and when. What is empty or not known is left out; `is_edited` tells that files differ from the
    commit."""

    project: str = ""
    environment: str = ""
    commit: str = ""
    is_edited: bool = False
    made: date | None = None
    version: str = ""

    @property
    def name(self) -> str:
        """Return the project with its environment: `shop, prod`."""
        return ", ".join(filter(None, (self.project, self.environment)))

    @property
    def parts(self) -> tuple[str, ...]:
        """Return what is known, in words."""
        edited = " with changes that are not committed" if self.is_edited else ""
        known = (
            self.project,
            self.environment,
            f"commit {self.commit}{edited}" if self.commit else "",
            self.made.isoformat() if self.made else "",
            f"Cutlist {self.version}" if self.version else "",
        )
        return tuple(filter(None, known))


def add_origin(page: str, origin: PageOrigin) -> str:
    """Return a page that says where it comes from, above its heading and in its title; in ASCII, as every page is."""
    if not origin.parts:
        return page
    shown = " · ".join(name(part) for part in origin.parts)
    title = f"{escape(origin.name)}: " if origin.name else ""
    page = page.replace(SLOT, _ascii(f'<p class="origin">{shown}</p>'), 1)
    return _TITLE.sub(lambda _: _ascii(f"<title>{title}"), page, count=1)


def _ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")
