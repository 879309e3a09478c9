"""A browser for pages on disk: the machine's own Chromium, which notes whatever a page asks for or complains of.

Where there is no Chromium, or no driver for it, these tests are skipped with a sentence that says what is missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = ("--disable-gpu", "--disable-software-rasterizer")
"""Nobody looks at the pages: a process that draws them as a graphics card would takes a tenth of the time."""

_SIZE = {"width": 1280, "height": 900}


@dataclass
class Watched:
    """A page that is open, the addresses it asked for, and what went wrong on it."""

    page: Any
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _listeners: dict[str, Callable[[Any], object]] = field(default_factory=dict)

    def open(self) -> Watched:
        self._listeners = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda said: said.type in ("error", "warning") and self.complaints.append(said.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "dialog": lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)
        self.page.goto(self.address)
        return self

    def leave(self) -> None:
        """Watch the page no longer: another test has it next."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    @property
    def is_quiet(self) -> bool:
        """Tell whether nothing but the file itself was asked for, and nothing went wrong."""
        return self.requests == [self.address] and self.complaints == []


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Gone with its folder: the driver keeps an event loop running, beside which no program of a stack can have its own."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright, which drives the browser, is not installed; the extra dev has it"
    )
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip(f"no browser is on this machine: none of {', '.join(_NAMES)} is found")
    with driver.sync_playwright() as started:
        running = started.chromium.launch(executable_path=program, args=list(_OPTIONS))
        yield running
        running.close()


@pytest.fixture
def expect(browser: Any) -> Any:
    """Return the assertions that wait until a page shows what they ask for, as long as the rest of a test waits."""
    from playwright.sync_api import expect

    expect.set_options(timeout=30_000)
    return expect


@pytest.fixture(scope="package")
def window(browser: Any) -> Any:
    """Return the page that tests use one after the other: a new one takes six times as long as what most of them do."""
    return browser.new_context(viewport=_SIZE).new_page()


@pytest.fixture
def opened(browser: Any, window: Any, tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Opens the text of a page from a file; further arguments are those of a browser's context, such as `color_scheme`."""
    shown: list[Watched] = []
    contexts = []

    def opened_page(text: str, **settings: Any) -> Watched:
        file = tmp_path / f"page-{len(shown)}.html"
        file.write_text(text)
        if not shown and settings.keys() <= {"viewport", "color_scheme"}:
            page = window
            page.mouse.move(0, 0)
            page.set_viewport_size(settings.get("viewport", _SIZE))
            page.emulate_media(media="null", color_scheme=settings.get("color_scheme", "light"))
        else:
            contexts.append(browser.new_context(**{"viewport": _SIZE, **settings}))
            page = contexts[-1].new_page()
        shown.append(Watched(page, file.as_uri()).open())
        return shown[-1]

    yield opened_page
    for watched in shown:
        watched.leave()
    for context in contexts:
        context.close()
