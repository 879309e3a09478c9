"""The page on all causes, made from the causes themselves."""

from __future__ import annotations

from typing import Final

from cutlist.verification.causes import CAUSES

_HEAD: Final = """# The causes of differences

This page lists every cause that `cutlist verify` can name for a difference: what it explains, the evidence that it needs, and
what to do. [Did it come as planned?](verify.md) says what the command compares. `cutlist verify --causes` prints this page.

A difference can have several causes, each with its evidence. Without evidence, no cause is named. A cause that is *only likely*
is named only if no other is.
"""


def causes_page() -> str:
    """Return every cause with what it explains, on what evidence it is named, and what to do about it."""
    lines = [_HEAD]
    for cause in CAUSES:
        explains = ", ".join(sorted(aspect.value for aspect in cause.explains))
        lines += [f"## {cause.id}", "", f"{cause.title}.", ""]
        lines += [f"- explains: {explains}", f"- named when: {cause.named_when}", f"- what to do: {cause.remedy}"]
        lines += ["- only likely"] if cause.weak else []
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
