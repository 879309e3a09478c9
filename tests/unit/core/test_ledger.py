"""What is open, in words."""

from __future__ import annotations

from cutlist.core.ledger import OpenInput, open_sentences


def test_what_is_open_for_one_reason_is_one_sentence() -> None:
    """It names the first three, and the command of the first where each has its own."""
    charts = [OpenInput(f"c{n}", "chart", "a chart that is not rendered", f"helm template c{n}") for n in range(5)]
    assert open_sentences(charts) == (
        "c0, c1, c2 and 2 more, each a chart that is not rendered; for the first: helm template c0",
    )


def test_a_command_for_all_is_named_once() -> None:
    opened = [OpenInput(name, "object", "not rendered", "render all") for name in "ab"]
    assert open_sentences(opened) == ("a, b, each not rendered: render all",)


def test_reasons_beyond_three_are_counted() -> None:
    opened = [OpenInput("a", "file", f"reason {n}") for n in range(5)]
    assert open_sentences(opened) == ("a, reason 0", "a, reason 1", "a, reason 2", "and 2 more")
