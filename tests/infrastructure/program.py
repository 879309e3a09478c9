"""A program of a few lines, run in-process."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

HEADER = """
import json, pathlib, pulumi
from pulumi_cutlist import kubernetes

class Thing(pulumi.CustomResource):
    late: pulumi.Output[str]
    def __init__(self, name, opts=None):
        super().__init__("test:index:Thing", name, {"late": None}, opts)

given = json.loads(pathlib.Path("given.json").read_text())
"""


def run(folder: Path, body: str, given: Any = None, mode: Mode = Mode.PREVIEW) -> Recording:
    """Run a body that finds what it is `given` under this name, the components as `kubernetes`, and `Thing`, whose output
    `late` is not known in a preview."""
    (folder / "__main__.py").write_text(HEADER + dedent(body))
    (folder / "given.json").write_text(json.dumps(given))
    return Program(folder, folder, "shop", "dev").run(mode)
