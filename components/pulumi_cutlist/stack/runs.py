"""Runs of stacks that several parts of an answer need: each program runs once, since a run takes seconds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pulumi_cutlist.stack.preview import Preview, preview

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan


class StackRuns:
    """Previews of stacks by the folder of their project, made when they are first asked for."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], Preview] = {}

    def preview(self, project_dir: Path, stack: str, time_limit: float | None = None) -> Preview:
        """Return the preview of a stack; a program that fails runs again, and raises as `preview` does."""
        key = os.path.realpath(project_dir), stack
        if key not in self._made:
            self._made[key] = preview(project_dir, stack, time_limit)
        return self._made[key]

    def planned(self, project_dir: Path, stack: str, time_limit: float | None = None) -> tuple[tuple[Plan, PlanInputs], ...]:
        """Return the plans of a stack's program, with what each was made from."""
        return self.preview(project_dir, stack, time_limit).planned
