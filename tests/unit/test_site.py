"""The documentation site: its navigation has every page, its links lead somewhere, and its generated pages are complete.

`make docs` builds it, and stops at any link or anchor that is not there; these tests need neither mkdocs nor a build.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import cutlist
from cutlist_cli.commands import COMMANDS
from cutlist_cli.schema import _known_kinds
from tests.recorded import PROJECT
from tools.website.commands import command_pages
from tools.website.components import component_pages
from tools.website.generated import SECTIONS, generated_files, with_generated
from tools.website.links import ROOT_PAGES, Repository
from tools.website.moved import MOVED
from tools.website.names import name_pages
from tools.website.schemas import schema_files, schema_page

CONFIG = yaml.safe_load((PROJECT / "mkdocs.yml").read_text("utf-8"))
DOCS = PROJECT / "docs"
EXCLUDED = {"_index.md"}
PAGES = sorted(file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md"))


def leaves(nav: list[Any]) -> Iterator[str]:
    """Every page that a navigation names."""
    for item in nav:
        match item:
            case dict():
                for children in item.values():
                    yield from leaves(children) if isinstance(children, list) else [children]
            case _:
                yield item


def on_site(place: str) -> bool:
    """What mkdocs copies, as exclude_docs has it."""
    return (DOCS / place).exists() and place not in EXCLUDED and posixpath.splitext(place)[1] in (".md", ".png", ".svg")


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return dict(generated_files(PROJECT))


def test_the_navigation_names_every_page_once(files: dict[str, str]):
    """And none that does not exist; generated pages are in the sections that mkdocs.yml leaves empty."""
    named = list(leaves(with_generated(CONFIG["nav"], files)))
    generated = [place for place in files if place.endswith(".md")]
    assert sorted(named) == sorted([*(page for page in PAGES if page not in EXCLUDED), *generated])


def test_pages_that_are_left_out_are_named():
    """The registry's own page, which has templates that no one else reads."""
    assert set(CONFIG["exclude_docs"].splitlines()) >= EXCLUDED


def test_sections_of_generated_pages_are_in_the_navigation():
    empty = re.findall(r"^ +- ([\w ]+): \[\]$", (PROJECT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(empty) == sorted(SECTIONS)


def test_former_pages_lead_to_sections_that_exist(files: dict[str, str]):
    """And none of them is a page today."""
    for name, place in MOVED.items():
        page, _, section = place.partition("#")
        headings = re.findall(r"^#+ (.+)$", (DOCS / f"{page}.md").read_text("utf-8"), re.MULTILINE)
        assert section in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}, place
        assert f"{name}.md" not in PAGES
        assert files[f"{name}/index.html"].count(f"../{page}/#{section}") == 3


@pytest.mark.parametrize("page", [page for page in [*PAGES, *ROOT_PAGES] if page not in EXCLUDED])
def test_links_of_pages_lead_somewhere_on_the_site(page: str, files: dict[str, str]):
    """To another page or picture of the site, or to the repository's address."""
    repository = Repository(PROJECT, CONFIG["repo_url"], on_site)
    source = ROOT_PAGES.get(page)
    text = (PROJECT / source if source else DOCS / page).read_text("utf-8")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"(?<!`)\]\(([^)\s#]+)", repository.site_links(page, re.sub(r"`[^`\n]*`", "", prose)))
    paths = {posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in links if "://" not in link}
    assert {path for path in paths if not on_site(path) and path not in files} == set()
    ours = [link.removeprefix(CONFIG["repo_url"]) for link in links if link.startswith(CONFIG["repo_url"])]
    assert [link for link in ours if link and not (PROJECT / link.partition("/main/")[2]).exists()] == []


def test_links_are_rewritten_for_the_place_of_the_page(tmp_path: Path):
    """Pages link to pages; what the site does not have is at the repository's address; other texts stay."""
    for name in ("docs/a.md", "docs/spec/b.md", "docs/data.yaml", "examples/go/main.go", "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    pages = {"a.md", "spec/b.md"}
    links = Repository(tmp_path, "https://example.com/x", pages.__contains__).site_links
    assert links("index.md", "[a](docs/a.md#part)") == "[a](a.md#part)"
    assert links("spec/b.md", "[a](../a.md) [r](../../README.md)") == "[a](../a.md) [r](../index.md)"
    assert links("a.md", "[d](data.yaml)") == "[d](https://example.com/x/blob/main/docs/data.yaml)"
    assert links("a.md", "[g](../examples/go)") == "[g](https://example.com/x/tree/main/examples/go)"
    untouched = "[c](c.md) [e](https://e.com/a.md) [h](#here) `[a-z](b)`"
    assert links("a.md", untouched) == untouched


def test_every_command_has_a_page_with_its_options():
    pages = command_pages()
    assert {f"commands/{name}.md" for name in COMMANDS} == pages.keys() - {"commands/index.md"}
    assert "| `--region REGION` |" in pages["commands/plan.md"]
    assert "$ cutlist plan -f pools.yaml -f workloads.yaml --region us-west-2\n" in pages["commands/plan.md"]
    assert "\n## cutlist catalog diff\n" in pages["commands/catalog.md"]
    assert not [name for name, page in pages.items() if "\b" in page or "\0" in page]


def test_every_component_has_its_inputs_and_outputs():
    schema = json.loads((PROJECT / "components" / "schema.json").read_text("utf-8"))
    text = "".join(component_pages(PROJECT).values())
    for token, resource in schema["resources"].items():
        section = re.split(rf"^## {token.rpartition(':')[2]}$", text, flags=re.MULTILINE)[1].partition("\n## ")[0]
        inputs, _, outputs = section.partition("**Outputs**")
        assert re.findall(r"^\| `(\w+)` \|.*\*\*required", inputs, re.MULTILINE) == [
            name for name in resource["inputProperties"] if name in resource.get("requiredInputs", ())
        ]
        assert set(re.findall(r"^\| `(\w+)` \|", inputs, re.MULTILINE)) == set(resource["inputProperties"])
        assert set(re.findall(r"^\| `(\w+)` \|", outputs, re.MULTILINE)) == set(resource.get("properties", ()))
    anchors = {name.lower() for name in re.findall(r"^### (\w+) \{", text, re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= anchors


def test_every_public_name_is_on_a_page_of_python():
    listed = re.findall(r"^::: cutlist\.(\w+)$", "".join(name_pages(PROJECT).values()), re.MULTILINE)
    assert sorted(listed) == sorted(cutlist.__all__)


def test_every_schema_is_a_file_that_the_page_links_to():
    files = schema_files()
    assert files.keys() == {f"schemas/{name}.schema.json" for name in ("karpenter", *_known_kinds())}
    assert {f"schemas/{link}" for link in re.findall(r"\]\(([\w.-]+\.json)\)", schema_page())} == files.keys()
    assert json.loads(files["schemas/plan.schema.json"])["title"] == "plan"
