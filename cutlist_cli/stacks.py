"""Plans of stacks, for commands that take the name of a stack beside files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cutlist.core.errors import InputError, MissingExtraError, Place

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan

_PROJECT: Final = "Pulumi.yaml"
_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?<!\.yaml)(?<!\.yml)(?<!\.json)")


def is_stack(name: str) -> bool:
    """Tell whether a name that is not a path may be a stack of the project in the working directory."""
    return not os.path.exists(name) and _NAME.fullmatch(name) is not None and os.path.exists(_PROJECT)


def plan_of_stack(name: str) -> tuple[Plan, PlanInputs] | None:
    """Return the plan that a stack's program makes, offline, with its inputs; None where the name cannot be a stack's.

    The project is the working directory. Raises InputError when the stack cannot be read or makes no plan or several,
    MissingExtraError when what runs it is not installed.
    """
    if not is_stack(name):
        return None
    try:
        from pulumi_cutlist.stack_preview import planned
    except ModuleNotFoundError as error:
        raise MissingExtraError("comparing stacks", "kubernetes") from error
    plans = planned(Path(), name)
    if len(plans) != 1:
        text = f"the program of stack {name} makes {len(plans)} plans"
        raise InputError.one(Place(name), text, "one plan; compare the manifests of several one by one")
    return plans[0]
