"""Pages of the site that are not in docs/: of the root, written from the code, and those that lead on from former places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tools.website import commands, components, moved, names, schemas
from tools.website.links import ROOT_PAGES

SECTIONS: Final[Mapping[str, str]] = {
    "Commands": commands.FOLDER,
    "Inputs and outputs": components.FOLDER,
    "Python": names.FOLDER,
}
"""Sections of the navigation that mkdocs.yml leaves empty, with the folder of the pages that fill them."""


def generated_files(root: Path) -> Mapping[str, str]:
    """Return the text of each generated file, by its place on the site."""
    pages = {page: (root / source).read_text("utf-8") for page, source in ROOT_PAGES.items()}
    listed = {f"{schemas.FOLDER}/index.md": schemas.schema_page()}
    return {
        **pages,
        **commands.command_pages(),
        **components.component_pages(root),
        **names.name_pages(root),
        **listed,
        **schemas.schema_files(),
        **moved.moved_pages(),
    }


def with_generated(nav: Sequence[Any], files: Mapping[str, str]) -> list[Any]:
    """Return the navigation with the generated pages in their sections."""
    return [_section(item, files) for item in nav]


def _section(item: Any, files: Mapping[str, str]) -> Any:
    if not isinstance(item, dict):
        return item
    ((title, children),) = item.items()
    if title in SECTIONS and not children:
        pages = [file for file in files if file.startswith(f"{SECTIONS[title]}/") and file.endswith(".md")]
        return {title: pages}
    return {title: with_generated(children, files) if isinstance(children, list) else children}
