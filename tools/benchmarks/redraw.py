"""The processor time of a plan that is made again in the same process, as `cutlist plan --watch` does at each change."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from click.testing import CliRunner

from cutlist_cli import main

LIMIT: Final = 0.3
"""Seconds."""


def redraw_seconds(files: tuple[Path, ...], number: str, runs: int) -> float:
    """Return the median processor time of a plan of files whose text changes from run to run at a number, after a first one.

    Raises RuntimeError when there is no plan of a change.
    """
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(shutil.copy(file, folder)) for file in files]
        texts = {copy: copy.read_text(encoding="utf-8") for copy in copies}
        seconds = []
        for run in range(runs + 1):
            for copy, text in texts.items():
                copy.write_text(text.replace(f" {number}\n", f" {int(number) + run}\n"), encoding="utf-8")
            start = time.process_time()
            result = CliRunner().invoke(main, ["plan", "-f", folder, "--region", "us-west-2"])
            seconds.append(time.process_time() - start)
            if result.exit_code:
                raise RuntimeError(result.output)
    return median(seconds[1:])
