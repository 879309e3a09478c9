"""Plans of stacks. What runs a stack's program is another package, which registers here and is imported when it is needed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from cutlist.errors import InputError, MissingExtraError, Place
from cutlist.plan import PlanInputs
from cutlist.planned import Plan

GROUP: Final = "cutlist.stacks"
_PROJECT: Final = "Pulumi.yaml"
_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?<!\.yaml)(?<!\.yml)(?<!\.json)")
Planner = Callable[[Path, str], tuple[tuple[Plan, PlanInputs], ...]]
"""Takes the project's folder and a stack's name, and gives the plans of its program with what each was made from."""


def is_stack(name: str) -> bool:
    """Whether a name that is no path may be that of a stack of the project in the working directory."""
    return not os.path.exists(name) and _NAME.fullmatch(name) is not None and os.path.exists(_PROJECT)


def plan_of_stack(name: str) -> tuple[Plan, PlanInputs]:
    """The plan that the program of a stack makes, offline, with what it was made from; the project is the working directory.

    Raises InputError when the stack cannot be read or makes no plan or several, MissingExtraError when what runs it is missing.
    """
    point = next(iter(entry_points(group=GROUP)), None)
    if point is None:
        raise MissingExtraError("comparing stacks", "kubernetes")
    try:
        planner: Planner = point.load()
    except ModuleNotFoundError as error:
        raise MissingExtraError("comparing stacks", "kubernetes") from error
    found = planner(Path(), name)
    if len(found) != 1:
        text = f"the program of stack {name} makes {len(found)} plans"
        raise InputError.one(Place(name), text, "one plan; compare the manifests of several one by one")
    return found[0]
