"""Texts with values in their places, as Go's `printf` writes them."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from cutlist.documents.delivery.gotemplate.values import kind_of, printed

_VERB: Final = re.compile(r"%(?P<flags>[-+# 0]*)(?P<width>\d+)?(?:\.(?P<precision>\d+))?(?P<verb>[a-zA-Z%])")
_KINDS: Final = {**dict.fromkeys("dboxXc", ("int",)), **dict.fromkeys("eEfFgG", ("float64",)), "t": ("bool",)}


def sprintf(form: Any, *values: Any) -> str:
    """Return a form with values in the places of its verbs."""
    waiting = list(values)

    def filled(match: re.Match[str]) -> str:
        if match["verb"] == "%":
            return "%"
        if not waiting:
            # Go reports mistakes inside the text, and so they end up in the object.
            return f"%!{match['verb']}(MISSING)"
        return _written(match, waiting.pop(0))

    text = _VERB.sub(filled, str(form))
    extra = ", ".join(f"{kind_of(value)}={printed(value, nested=True)}" for value in waiting)
    return f"{text}%!(EXTRA {extra})" if extra else text


def _written(match: re.Match[str], value: Any) -> str:
    verb, flags, precision = match["verb"], match["flags"], match["precision"]
    if verb in _KINDS and kind_of(value) not in _KINDS[verb]:
        # A number of JSON is a float, so `%d` on one is such a mistake.
        return f"%!{verb}({kind_of(value)}={printed(value, nested=True)})"
    if verb in "sv":
        text = printed(value, nested=True)
        text = text if precision is None else text[: int(precision)]
    elif verb == "q":
        text = json.dumps(str(value), ensure_ascii=False)
    elif verb in _KINDS and verb != "t":
        # The width and these flags are applied to the finished text below.
        own = flags.replace("-", "").replace("0", "")
        text = f"%{own}{'' if precision is None else f'.{precision}'}{verb}" % value if verb != "b" else f"{value:b}"
    elif verb == "T":
        text = kind_of(value)
    else:
        text = printed(value, nested=True)
    width = int(match["width"] or 0)
    if "-" in flags:
        return text.ljust(width)
    return text.zfill(width) if "0" in flags and verb in _KINDS else text.rjust(width)
