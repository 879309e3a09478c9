"""Answers as a page: one file that loads nothing from the network, for a browser, a printer or a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Words = Callable[..., Any]
"""Turns a value of a verb into text or columns; templates use it as a filter."""
