"""Links of pages: as the repository shows them, and as the site needs them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT_PAGES: Final[Mapping[str, str]] = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
"""Pages of the site that lie at the root of the repository, by their place on the site."""
_LINK: Final = re.compile(r"(?P<before>\]\()(?P<target>[^)\s#:]+)(?P<fragment>#[^)\s]*)?(?P<after>(?: \"[^\"]*\")?\))")


@dataclass(frozen=True, slots=True)
class Repository:
    """A clone of the repository, and where readers find it.

    `on_site` tells whether a file below docs/ is part of the site, by its path from there.
    """

    root: Path
    address: str
    on_site: Callable[[str], bool]

    def site_links(self, page: str, markdown: str) -> str:
        """Return a page whose links are right on the site: to pages relative to it, to other files by the repository's address.
        `page` is its place on the site. Links that lead nowhere stay as they are: mkdocs reports them."""
        source = ROOT_PAGES.get(page, f"docs/{page}")
        return _LINK.sub(lambda match: self._link(page, source, match), markdown)

    def address_of(self, path: str) -> str:
        """Return where readers find a file or a folder of the repository."""
        return f"{self.address}/{'tree' if (self.root / path).is_dir() else 'blob'}/main/{path}"

    def _link(self, page: str, source: str, match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), match["target"]))
        if path.startswith("..") or not (self.root / path).exists():
            return match[0]
        place = self._place(path)
        target = self.address_of(path) if place is None else posixpath.relpath(place, posixpath.dirname(page) or ".")
        return f"{match['before']}{target}{match['fragment'] or ''}{match['after']}"

    def _place(self, path: str) -> str | None:
        """Return where a file of the repository is on the site, or None."""
        for place, source in ROOT_PAGES.items():
            if source == path:
                return place
        place = path.removeprefix("docs/")
        return place if place != path and self.on_site(place) else None
