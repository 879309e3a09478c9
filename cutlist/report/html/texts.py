"""Texts on pages: escaped, and so that nothing in them acts on the text around them."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

from cutlist.report.plain import visible

_WHOLE: Final = re.compile(r"\b[a-z]{2}(?:-[a-z]+)+-\d[a-z]?\b|\b\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\dZ)?")
_CODE: Final = re.compile("`(cutlist [^`]+)`")


def name(text: str) -> Markup:
    """Return a name or sentence of the input; right-to-left text in it does not affect the text around it.

    Zones and instants are not broken over two lines.
    """
    shown = _WHOLE.sub(r'<span class="whole">\g<0></span>', str(escape(visible(text))))
    return Markup(shown if text.isascii() else f"<bdi>{shown}</bdi>")  # noqa: S704 - what comes from outside is escaped


def prose(text: str) -> Markup:
    """Return a sentence that is not of the input, but may name what is; a command of Cutlist between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(name(text))))  # noqa: S704 - `name` escapes
