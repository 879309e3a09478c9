"""The file that stand-ins share."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.engine.shared_file import append, lines

WRITERS, LINES = 4, 50


def write(file: Path, writer: int) -> int:
    """Write lines that need more than one write, and count those that were read meanwhile: each could be parsed."""
    seen = 0
    for number in range(LINES):
        append(file, {"writer": writer, "number": number, "text": "x" * 20_000})
        seen = max(seen, len(lines(file)))
    return seen


def test_writers_and_readers_see_whole_lines(tmp_path: Path):
    file = tmp_path / "journal"
    assert lines(file) == []
    with ProcessPoolExecutor(WRITERS) as processes:
        seen = list(processes.map(partial(write, file), range(WRITERS)))
    found = lines(file)
    assert len(found) == WRITERS * LINES == max(seen)
    for writer in range(WRITERS):
        assert [line["number"] for line in found if line["writer"] == writer] == list(range(LINES))
