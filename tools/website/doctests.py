"""An extension of griffe, which reads the docstrings for the site."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

_EXAMPLE: Final = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(Extension):  # type: ignore[misc]
    """Shows the examples of docstrings as code: in Markdown, a line that begins with > is a quotation."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Put each example into a block of code."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value)
