"""Comments as a host of pull requests shows them, for tests that look at what comes of their markup."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

_HOST = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "code", "br", "details", "summary"}
"""The elements that our comments are made of."""


def rendered(markdown: str) -> str:
    """Return the comment as HTML."""
    return _HOST.render(markdown)


def tags(page: str) -> set[str]:
    """Return the elements that are in it."""
    return set(re.findall(r"</?([a-z0-9]+)", page))


def without_code(page: str) -> str:
    """Return what of it is not code, as one reads it."""
    return html.unescape(re.sub(r"<code>.*?</code>", "", page))
