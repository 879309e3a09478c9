"""The served page in a browser: it reloads when there is another, and keeps what its reader did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Thread

import pytest

from cutlist.core.errors import Place, Problem
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.serve.html import live_page, problems_html
from cutlist_cli.serving.server import Board, PageServer
from tests.browser.conftest import Watched
from tests.unit.report.samples import ON_DEMAND, PLAN

pytestmark = pytest.mark.xdist_group("browser")  # one worker, one browser


@pytest.fixture
def served(browser) -> Iterator[tuple[Board, Watched]]:
    with PageServer(Board(live_page(plan_html(PLAN)))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(color_scheme="light")
        yield server.board, Watched(context.new_page(), server.address).open()
        context.close()
        server.shutdown()


def _has_its_version(watched: Watched) -> None:
    """Wait until the page knows which version it is: only then does another one count as new."""
    watched.page.locator("html[data-version]").wait_for(state="attached")


def test_a_new_page_comes_by_itself_with_the_search_and_the_theme_of_the_old_one(served, expect):
    board, watched = served
    page = watched.page
    page.get_by_role("button", name="Dark theme").click()
    page.get_by_role("searchbox").fill("c7g")
    page.locator("#found:not(:empty)").wait_for()
    _has_its_version(watched)
    board.show(live_page(plan_html(replace(PLAN, nodes=(replace(ON_DEMAND, count=77),)))))
    expect(page.locator(".treemap text").filter(has_text="77 ×")).to_be_visible()
    page.locator("#found:not(:empty)").wait_for()
    assert page.get_by_role("searchbox").input_value() == "c7g"
    expect(page.get_by_role("button", name="Light theme")).to_be_visible()
    assert watched.complaints == []


def test_mistakes_come_and_go(served, expect):
    board, watched = served
    _has_its_version(watched)
    board.show(live_page(problems_html([Problem(Place("app.yaml"), "-3 is negative")])))
    expect(watched.page.get_by_text("-3 is negative")).to_be_visible()
    _has_its_version(watched)
    board.show(live_page(plan_html(PLAN)))
    expect(watched.page.get_by_role("heading", name="Map of the nodes")).to_be_visible()
    assert watched.complaints == []


def test_a_live_page_asks_nobody_but_its_server(served):
    _, watched = served
    _has_its_version(watched)
    assert {address.removeprefix(watched.address) for address in watched.requests} <= {"", "changes", "favicon.ico"}
