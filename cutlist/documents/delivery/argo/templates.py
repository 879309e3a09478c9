"""Fill the values of a generator into a template: with Go's templates, or with plain `{{name}}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.documents.delivery.gotemplate import TemplateError, execute

Parameters = Mapping[str, Any]

_IN_ONE_LINE: Final = re.compile(r"\{\{.*\}\}")
_OPEN: Final = "{{"
_CLOSE: Final = "}}"


@dataclass(frozen=True, slots=True)
class Templates:
    """How a set's templates are written: for Go, with some of its options, or plain."""

    of_go: bool = False
    options: tuple[str, ...] = ()

    def filled(self, value: Any, parameters: Parameters) -> Any:
        """Return a value with every text in it filled in, names of members too. Raises TemplateError."""  # GO-46
        if isinstance(value, str):
            return self.text(value, parameters)
        if isinstance(value, Mapping):
            return {self.text(str(key), parameters): self.filled(item, parameters) for key, item in value.items()}
        if isinstance(value, list):
            return [self.filled(item, parameters) for item in value]
        return value

    def text(self, text: str, parameters: Parameters) -> str:
        """Return a text filled in. A plain name without a value stays as it is. Raises TemplateError."""
        if _OPEN not in text:
            return text
        if self.of_go:
            return execute(text, parameters, self.options)
        # Argo CD looks for a whole tag in one line first; without one even an open brace is no mistake.
        return _replaced(text, parameters) if _IN_ONE_LINE.search(text) else text


def _replaced(text: str, parameters: Parameters) -> str:
    first, *rest = text.split(_OPEN)
    pieces = [first]
    for part in rest:
        tag, close, after = part.partition(_CLOSE)
        if not close:
            raise TemplateError(f"cannot find the end of {{{{{tag}")
        value = parameters.get(tag.strip())
        # The tag as it was written, with its spaces: another tool may fill it in later.
        pieces += [value if isinstance(value, str) else f"{_OPEN}{tag}{_CLOSE}", after]
    return "".join(pieces)
