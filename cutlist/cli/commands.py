"""Which commands there are and where each lives. Nothing is imported before it is asked for.

Commands that need more than the core live in packages that may import it and register in the entry point group
`cutlist.commands`; without their dependencies they are still listed and say what to install.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

import click

from cutlist.cli.failures import missing_extra

GROUP: Final = "cutlist.commands"


@dataclass(frozen=True, slots=True)
class Listed:
    """A command: one line about it and, for the core's own, the module that holds it as `command`."""

    summary: str
    module: str = ""


COMMANDS: Final = {
    "budgets": Listed("Show how many nodes may go at each hour of a week, and odd budgets.", "cutlist.cli.budgets"),
    "catalog": Listed("Read types, offerings and prices from your account, and see what changed."),
    "convert": Listed("Convert objects of Karpenter's old versions to v1, and say what changes.", "cutlist.cli.convert"),
    "diff": Listed("Show what changes between two sets of manifests, and which nodes are replaced.", "cutlist.cli.diff"),
    "disrupt": Listed("Show what Karpenter would consolidate or replace next, and why nodes stay.", "cutlist.cli.disrupt"),
    "explain": Listed("Show why the pods of a workload get the nodes they get, or none.", "cutlist.cli.explain"),
    "gate": Listed("Hold a stack or files, and their plan, against rules; exit 1 when one is broken."),
    "history": Listed("Show what Karpenter did, out of its log or events: commands and their steps.", "cutlist.cli.history"),
    "interrupt": Listed("Show what comes of a cluster when all spot capacity of a zone ends.", "cutlist.cli.interrupt"),
    "new": Listed("Make a stack after another one, with names of its own."),
    "nodes": Listed("Show the nodes of a cluster: how full they are, what they are and what they cost.", "cutlist.cli.nodes"),
    "plan": Listed("Show which nodes the workloads will get, at what price, and what stays pending.", "cutlist.cli.plan"),
    "preview": Listed("Preview a stack's resources and its node plan, offline."),
    "schema": Listed("Print the JSON Schema of Karpenter's objects, or of an answer.", "cutlist.cli.schema"),
    "serve": Listed("Show the page of a plan in a browser, anew whenever a file changes.", "cutlist.cli.serve"),
    "snapshot": Listed("Write down a cluster, for plans and for what Karpenter does next."),
    "sweep": Listed("Remove what Karpenter left of a cluster."),
    "types": Listed("Show which instance types each NodePool allows, cheapest first.", "cutlist.cli.types"),
    "upgrade": Listed("Show what an upgrade of Karpenter changes, and what has to be done first.", "cutlist.cli.upgrade"),
    "userdata": Listed("Show what a node of each NodePool is told at its first boot.", "cutlist.cli.userdata"),
    "validate": Listed("Check manifests: all that would be refused, by whom, and what is right.", "cutlist.cli.validate"),
}


def command_names() -> list[str]:
    """All commands by name: the core's own and the registered ones."""
    own = {name for name, listed in COMMANDS.items() if listed.module}
    return sorted(own | {point.name for point in entry_points(group=GROUP)})


def summary(name: str) -> str:
    """One line about a command, without importing it."""
    return COMMANDS[name].summary if name in COMMANDS else "Comes from another installed package."


def load(name: str) -> click.Command | None:
    """The command of a name, imported now; None when there is none."""
    listed = COMMANDS.get(name)
    if listed and listed.module:
        found: click.Command = importlib.import_module(listed.module).command
        return found
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    return None if point is None else _registered(point)


def _registered(point: EntryPoint) -> click.Command:
    try:
        command: click.Command = point.load()
    except ModuleNotFoundError as error:
        explained = missing_extra(error, f"cutlist {point.name}")
        if explained is None:
            raise
        return _refusing(point.name, explained)
    return command


def _refusing(name: str, reason: Exception) -> click.Command:
    """Stands for a command whose dependencies are not installed: whatever it is called with, it says so."""

    def refuse(**_: object) -> None:
        raise reason

    return click.Command(
        name,
        callback=refuse,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True, "help_option_names": []},
        short_help=summary(name),
    )
