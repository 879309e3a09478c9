"""Tests that the page on traps has each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cutlist.planning.traps.injectors import INJECTORS, Injector
from cutlist.verbs.validate.warnings import MISSPELT_CLASS

_PROJECT = Path(__file__).resolve().parents[4]
_PAGE = (_PROJECT / "docs" / "validate.md").read_text(encoding="utf-8")
_CODE = re.compile(r'^[A-Z_]+: Final = "([a-z-]+)"\n"""The code of', re.MULTILINE)
_MODULES = sorted((_PROJECT / "cutlist" / "planning" / "traps").glob("*.py"))


def codes_of_traps() -> set[str]:
    """Return the codes of all traps."""
    return {code for module in _MODULES for code in _CODE.findall(module.read_text(encoding="utf-8"))} | {MISSPELT_CLASS}


def test_the_page_lists_the_codes_of_all_traps() -> None:
    codes = codes_of_traps()
    assert len(codes) > 15
    assert {code for code in codes if f"`{code}`" not in _PAGE} == set()


@pytest.mark.parametrize("injector", INJECTORS, ids=lambda injector: injector.name)
def test_the_page_has_each_webhook_with_what_its_container_requests(injector: Injector) -> None:
    (row,) = (line for line in _PAGE.splitlines() if line.startswith(f"| {injector.name} |"))
    assert all(amount in row for amount in injector.defaults.values())
    assert all(annotation in row for annotation in [*injector.requests.values()][:1])  # the page shortens the second
