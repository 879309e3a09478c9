"""Which nodes a text shows, in which order, and which of their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError, Place, Problems, names_near, nearest
from cutlist.core.wording import counted
from cutlist.report.columns import Figure
from cutlist.report.plain import escape
from cutlist.settings.nodes import SELECTOR
from cutlist.verbs.nodes.roster import NodeRow

_LEAST: Final = 6
"""The width to which a column of labels may be cut."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The order of the nodes, empty for the usual one, what their labels have to be, and the labels that get a column.

    Each of `wanted` is `key`, `key=value` or `key!=value`, as kubectl's selectors are; all of them hold together.
    """

    sort: str = ""
    is_reversed: bool = False
    wanted: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise InputError for each selector without a key."""
        problems = Problems()
        for text in self.wanted:
            if not _parts(text)[0]:
                problems.add(Place.of(SELECTOR), f"{text!r} names no label", "KEY, KEY=VALUE or KEY!=VALUE")
        problems.raise_if_any()

    def require(self, nodes: Sequence[NodeRow]) -> None:
        """Raise InputError where no node has the labels, with the nearest label that one has."""
        if self.wanted and nodes and not self.of(nodes):
            known = sorted({key for node in nodes for key in node.labels})
            keys = [_parts(text)[0] for text in self.wanted]
            missing = next((key for key in keys if key not in known), "")
            what = f"no node has the label {missing!r}" if missing else f"no node has {', '.join(self.wanted)}"
            values = "" if missing else ", ".join(sorted({node.labels[keys[0]] for node in nodes if keys[0] in node.labels}))
            allowed = names_near(missing, known) if missing else f"{keys[0]} in {values}"
            raise InputError.one(Place.of(SELECTOR), what, allowed, nearest(missing, known) if missing else "")

    def of(self, nodes: Iterable[NodeRow]) -> tuple[NodeRow, ...]:
        """Return the nodes that are shown, in their order."""
        shown = [node for node in nodes if all(_holds(text, node.labels) for text in self.wanted)]
        if self.sort:
            shown.sort(key=_ORDERS[self.sort], reverse=self.is_reversed)
        elif self.is_reversed:
            shown.reverse()
        return tuple(shown)

    def sentence(self, shown: int, of: int) -> str:
        """Return how many of the nodes are shown, and why; empty where all are."""
        return f"{shown:,} of {counted(of, 'node')}: {escape(', '.join(self.wanted))}" if self.wanted else ""

    @property
    def columns(self) -> tuple[Figure[NodeRow], ...]:
        """Return a column for each label, under its name without the domain."""
        return tuple(_column(key) for key in self.labels)


ALL_NODES: Final = Selection()


def _parts(text: str) -> tuple[str, str, str]:
    """Return the key, the operator and the value of a selector."""
    for operator in ("!=", "=="):
        key, found, value = text.partition(operator)
        if found:
            return key.strip(), operator, value.strip()
    key, operator, value = text.partition("=")
    return key.strip(), operator, value.strip()


def _holds(text: str, labels: Mapping[str, str]) -> bool:
    """Tell whether labels meet a selector. As in kubectl, `key!=value` holds without the label too."""
    key, operator, value = _parts(text)
    if not operator:
        return key in labels
    return (labels.get(key) == value) == (operator != "!=")


def _column(key: str) -> Figure[NodeRow]:
    return Figure(escape(key.rpartition("/")[2]), lambda node: escape(node.labels.get(key, "-")), least=_LEAST)


def _fill(resource: str) -> Callable[[NodeRow], tuple[float, str]]:
    return lambda node: (-(node.fill(resource) or 0.0), node.name)


def _price(node: NodeRow) -> tuple[float, str]:
    return (0.0 if node.price is None else -node.price.usd_per_hour, node.name)


_ORDERS: Final[Mapping[str, Callable[[NodeRow], tuple[float | str, str]]]] = {
    "name": lambda node: (node.name, node.name),
    "price": _price,
    "cpu": _fill("cpu"),
    "memory": _fill("memory"),
    "pods": lambda node: (-node.pods, node.name),
    "age": lambda node: (-(node.age or 0.0), node.name),
}
