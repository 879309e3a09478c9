"""The processor time of commands on many files and objects: `python -m tools.benchmarks read`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.benchmarks.start import CUTLIST, processor_seconds

_OBJECTS: Final = 60_000
_DOCUMENTS: Final = 100_000
_EXAMPLE: Final = ("-f", "examples/shop/pools.yaml", "-f", "examples/shop/workloads.yaml")
_COMMANDS: Final = {
    "plan": ("plan", *_EXAMPLE, "--region", "us-west-2"),
    "gate -f": ("gate", *_EXAMPLE, "--region", "us-west-2"),
    "validate": ("validate", *_EXAMPLE),
}


def report() -> int:
    """Print the processor time of each command on the README's example with a file of 60,000 objects beside it, and with
    folders of 100,000."""
    print("| input | size | command | processor time |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _inputs(Path(folder)):
            size = sum(file.stat().st_size for file in path.iterdir())
            for command, arguments in _COMMANDS.items():
                seconds = processor_seconds((*CUTLIST, *arguments, "-f", str(path)), 1, is_compiled=True)
                print(f"| {name} | {size / 1e6:.1f} MB | {command} | {seconds:.1f} s |", flush=True)
    return 0


def _inputs(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield folders of objects, each with what it is."""
    for name, objects, files in (
        (f"one file, {_OBJECTS:,} objects", _OBJECTS, 1),
        (f"1,000 files, {_DOCUMENTS:,} objects", _DOCUMENTS, 1_000),
        (f"{_DOCUMENTS:,} files, an object each", _DOCUMENTS, _DOCUMENTS),
    ):
        folder = root / str(files)
        folder.mkdir()
        each = objects // files
        for file in range(files):
            (folder / f"{file}.yaml").write_text("---\n".join(map(_text, range(file * each, (file + 1) * each))))
        yield name, folder


def _text(number: int) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings-{number}, labels: {{part: web}}}}\n"
