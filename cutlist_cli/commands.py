"""The commands and their modules: `cutlist diff` is `cutlist_cli.diff`. Nothing is imported before it is needed.

Other packages add commands through the entry point group `cutlist.commands`. A command whose dependencies are not installed is
still listed, and says what to install.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from cutlist_cli.failures import missing_extra

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "cutlist.commands"

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Plan": {
        "plan": "Show which nodes the workloads will get, at what price, and what stays pending.",
        "diff": "Show what changes between two sets of manifests, why, and which nodes are replaced.",
        "why": "Show why a pod waits, where it runs, and why a node or a NodePool is as it is.",
        "explain": "Show why the pods of a workload get the nodes they get, or none.",
        "types": "Show which instance types each NodePool allows, cheapest first.",
    },
    "Change": {
        "suggest": "Suggest NodePools that cost less and still keep the rules of the workloads.",
        "convert": "Convert objects of Karpenter's old versions to v1, and report what changes.",
        "new": "Start a project, copy a stack under a new name, or write the project file or the pipeline of a repository.",
        "upgrade": "Show what an upgrade of Karpenter changes, and what has to be done first.",
    },
    "Check": {
        "validate": "Check manifests: what would be refused, by whom, and how to correct it.",
        "gate": "Check NodePools, node classes, resources and the predicted plan against the rules.",
        "preview": "Preview what a stack costs, its node plan and its resources, offline.",
    },
    "Forecast": {
        "simulate": "Show what happens to a cluster in the days to come: cost, waiting pods, evictions.",
        "disrupt": "Show what Karpenter would consolidate or replace next, and why nodes stay.",
        "budgets": "Show how many nodes may be disrupted at each hour of a week, and warn about odd budgets.",
    },
    "Cluster": {
        "snapshot": "Write a cluster to a file, for plans and forecasts.",
        "nodes": "Show the nodes of a cluster: how full they are, what they are and what they cost.",
        "verify": "Show which nodes of a cluster came as planned, and why others did not.",
        "history": "Show what Karpenter did, from its log or events: commands and their steps.",
    },
    "Project": {
        "doctor": "Show what is installed, which versions of Karpenter are known, and how old the prices are.",
        "catalog": "Read types, offerings and prices from your account or its bill, and see what changed.",
        "schema": "Print the JSON Schema of Karpenter's objects, of an answer, or of a file that Cutlist reads.",
        "serve": "Show the page of a plan in a browser, updated whenever a file changes.",
        "mcp": "Serve plan, explain, diff, suggest and gate to an assistant, over the Model Context Protocol.",
    },
}
"""The commands that the list shows, by what they are for, each with one line about it; they are in modules of their names."""
SELDOM: Final = {
    "interrupt": "Show what happens to a cluster when all spot capacity of a zone ends.",
    "permissions": "Print the IAM policy that updates of a cluster on AWS need, or the custom role for one on Azure.",
    "sweep": "Remove what Karpenter left behind of a deleted cluster.",
    "userdata": "Show the user data that nodes of each NodePool boot with.",
}
"""Commands that only the whole list shows."""
HIDDEN: Final = {"help": "Show the help of a command, or the list of commands."}
"""Commands that lists leave out: they say what an option of each command says."""
COMMANDS: Final = {name: text for group in (*GROUPS.values(), SELDOM, HIDDEN) for name, text in group.items()}


def grouped_names(whole: bool) -> Mapping[str, Sequence[str]]:
    """Return the names of the commands by their groups, those of other packages in one of their own; with `whole` also those
    that are seldom needed."""
    groups = {title: [*of] for title, of in GROUPS.items()}
    groups["Seldom needed"] = [*SELDOM] if whole else []
    groups["Of other packages"] = [name for name in command_names() if name not in COMMANDS]
    return {title: names for title, names in groups.items() if names}


def command_names() -> list[str]:
    """Return the names of all commands: Cutlist's own and those of other packages."""
    return sorted(COMMANDS.keys() | {point.name for point in _of_other_packages()})


def listed_names() -> list[str]:
    """Return the names of the commands that a list shows."""
    return [name for name in command_names() if name not in HIDDEN]


def summary(name: str) -> str:
    """Return one line about a command, without importing it."""
    return COMMANDS.get(name, "Comes from another installed package.")


def load(name: str) -> click.Command | None:
    """Import the command with a name and return it, or None if no command has that name."""
    if name in COMMANDS:
        return _loaded(name, lambda: importlib.import_module(f"cutlist_cli.{name}").command)
    point = next((point for point in _of_other_packages() if point.name == name), None)
    return None if point is None else _loaded(name, point.load)


def _of_other_packages() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # takes 30 ms

    return entry_points(group=GROUP)


def _loaded(name: str, import_command: Callable[[], click.Command]) -> click.Command:
    """Return an imported command, or a command that says what to install if its dependencies are missing."""
    try:
        return import_command()
    except ModuleNotFoundError as error:
        extra = missing_extra(error, f"cutlist {name}")
        if extra is None:
            raise
        return _refusing(name, extra)


def _refusing(name: str, reason: Exception) -> click.Command:
    """Return a command that replaces one whose dependencies are not installed: however it is called, it says so."""

    def refuse(**_: object) -> None:
        raise reason

    return click.Command(
        name,
        callback=refuse,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True, "help_option_names": []},
        short_help=summary(name),
    )
