"""The page of a simulation in a browser: its charts zoom in on a part of the time, by pointer and by keyboard."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cutlist.simulation.events import HOUR, MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.verbs.budgets.html import budgets_html
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.html import simulate_html
from tests.unit.report.forecasts import week
from tests.unit.simulation.builders import group, inputs, simulation

pytestmark = pytest.mark.xdist_group("browser")  # one worker, one browser


@pytest.fixture(scope="module")
def page() -> str:
    """Three days that begin on Monday at noon, with pods from the second hour on."""
    web = group("web", 1)
    run = simulation(inputs(web), [ReplicasSet(2 * HOUR, web.workload, 4)], hours=72)
    return simulate_html(ClusterSimulation("us-west-2", (0, 0), run.result()))


def times(watched, chart: int = 0) -> list[str]:
    return watched.page.locator(".charts .chart").nth(chart).locator(".times text").all_text_contents()


def drag(watched, start: float, end: float) -> None:
    """Drags over parts of the first chart's plot, which has 472 of its 560 units."""
    watched.page.locator(".charts .chart").first.scroll_into_view_if_needed()
    box = watched.page.locator(".charts .chart").first.bounding_box()
    left, wide = box["x"] + box["width"] * 64 / 560, box["width"] * 472 / 560
    for step, (part, act) in enumerate(((start, "down"), ((start + end) / 2, ""), (end, "up"))):
        watched.page.mouse.move(left + wide * part, box["y"] + box["height"] / 2, steps=1 + step)
        if act:
            getattr(watched.page.mouse, act)()


def test_dragging_zooms_in_on_all_charts_and_a_button_shows_everything_again(opened, expect, page):
    watched = opened(page)
    status = watched.page.locator(".zoom span").first
    whole = watched.page.get_by_role("button", name="Whole time").first
    before = times(watched)
    expect(status).to_have_text(re.compile("Drag over a chart"))
    expect(whole).to_be_hidden()
    drag(watched, 0.01, 0.33)
    expect(status).to_have_text("2026-01-05 12:00Z to 2026-01-06 12:00Z")
    assert times(watched) == times(watched, 1) == ["12:00", "18:00", "Jan 6", "06:00", "12:00"]
    drag(watched, 0.26, 0.49)
    expect(status).to_have_text("2026-01-05 18:00Z to 2026-01-06 00:00Z")
    whole.click()
    expect(whole).to_be_hidden()
    assert len(times(watched)) == len(before)
    drag(watched, 0.5, 0.505)
    expect(whole).to_be_hidden()
    assert watched.is_quiet


def test_many_commands_are_searched_line_by_line(opened, expect):
    """What runs is a week with a command each five minutes; only the day of the one that is looked for stays."""
    run = simulation(inputs(group("web", 1)), hours=168).result()
    launch = next(c for c in run.commands if c.decision == "launch")
    commands = [replace(launch, at=n * 5 * MINUTE, launched=(f"node-{n}",)) for n in range(168 * 12)]
    watched = opened(simulate_html(ClusterSimulation("us-west-2", (0, 0), replace(run, commands=commands))))
    logs = watched.page.locator(".log")
    expect(logs).to_have_count(8)
    watched.page.locator("#search").fill("node-1000")
    expect(watched.page.locator(".log:visible")).to_have_count(1)
    watched.page.locator(".log:visible summary").click()
    expect(watched.page.locator(".log:visible pre")).to_have_text("23:20:00 provisioning: launch → node-1000")
    watched.page.locator("#search").fill("")
    expect(watched.page.locator(".log:visible")).to_have_count(8)
    assert watched.is_quiet


def test_charts_are_zoomed_by_keyboard(opened, expect, page):
    watched = opened(page)
    status = watched.page.locator(".zoom span").first
    charts = watched.page.locator(".charts").first
    charts.press("+")
    expect(status).to_have_text("2026-01-06 06:00Z to 2026-01-07 18:00Z")
    charts.press("ArrowRight")
    expect(status).to_have_text("2026-01-06 15:00Z to 2026-01-08 03:00Z")
    charts.press("-")
    expect(status).to_have_text(re.compile("Drag over a chart"))
    charts.press("+")
    charts.press("Escape")
    expect(status).to_have_text(re.compile("Drag over a chart"))
    assert watched.is_quiet


@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_of_the_page_is_wider_than_the_screen(opened, page, width, scheme):
    watched = opened(page, viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    assert watched.page.evaluate("[...document.querySelectorAll('.charts')].every((e) => e.scrollWidth <= e.clientWidth)")


def test_calendars_of_budgets_fit_a_small_screen(opened):
    watched = opened(budgets_html(week().weeks), viewport={"width": 420, "height": 900})
    fits = "[...document.querySelectorAll('.week')].every((e) => e.scrollWidth <= e.parentElement.clientWidth)"
    assert watched.page.evaluate(fits)
    assert watched.page.locator(".week").count() > 0
