"""The page that is shown now, for threads: one puts pages up, others read them and wait for the next."""

from __future__ import annotations

import hashlib
from threading import Condition


class Board:
    """Holds the page that was put up last. A page is known by its hash, so that the same page again is no news."""

    def __init__(self, page: str) -> None:
        self._changed = Condition()
        self._page = page

    @property
    def page(self) -> str:
        """The page that is shown."""
        with self._changed:
            return self._page

    @property
    def name(self) -> str:
        """What the page that is shown is known by."""
        return _name(self.page)

    def show(self, page: str) -> None:
        """Put up another page, and tell who waits for it."""
        with self._changed:
            self._page = page
            self._changed.notify_all()

    def other_than(self, name: str, seconds: float) -> str:
        """The name of the page that is shown, as soon as it is another than this; this one when none comes in time."""
        with self._changed:
            self._changed.wait_for(lambda: _name(self._page) != name, timeout=seconds)
            return _name(self._page)


def _name(page: str) -> str:
    return hashlib.sha256(page.encode()).hexdigest()[:16]
