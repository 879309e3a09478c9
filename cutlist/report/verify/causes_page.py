"""The page on all causes, made from the causes themselves."""

from __future__ import annotations

from typing import Final

from cutlist.verification.causes import CAUSES

_HEAD: Final = """# The causes of differences

Made by `cutlist verify --causes`. What `cutlist verify` compares, and how, is described in [Verify](verify.md).

A difference may have several causes, and each says what shows it. What has none is listed as such. One that is only likely is
named where no other is.
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
