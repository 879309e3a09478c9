"""What mkdocs calls while it builds the site."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

from tools.website.generated import generated_files, with_generated
from tools.website.links import Repository

_ROOT: Final = Path(__file__).resolve().parents[2]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the generated pages to the navigation, and give headings the anchors that the repository gives them."""
    config.extra["generated"] = generated_files(_ROOT)
    config.nav = with_generated(config.nav or [], config.extra["generated"])
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated files."""
    for place, text in config.extra["generated"].items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make the links of a page right for the site."""

    def is_on_site(place: str) -> bool:
        file = files.get_file_from_path(place)
        return file is not None and file.inclusion is not InclusionLevel.EXCLUDED

    return Repository(_ROOT, str(config.repo_url), is_on_site).site_links(page.file.src_uri, markdown)
