"""What takes note of the calls that are made, and of how much has come."""

from __future__ import annotations


class Watcher:
    """An observer that is notified of an update's steps and does nothing."""

    def asking(self, region: str, what: str) -> None:
        """Record that a call to the API begins."""

    def answered(self, count: int) -> None:
        """Record that a page with this many entries arrived."""
