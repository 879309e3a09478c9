"""Replicas that the user chooses for a plan, in place of those that the input writes or an autoscaler begins with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.settings.planning import REPLICAS
from cutlist.workloads.pods import FrozenDict

MAXIMUM: Final = "max"
"""What stands for the most replicas that a workload's autoscaler allows."""
_FORM: Final = f"WORKLOAD=N, WORKLOAD={MAXIMUM}, or {MAXIMUM} for every workload that has an autoscaler"
_MOST: Final = 2**31 - 1
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, order=True)
class NoSuchWorkload(Problem):
    """A choice of replicas for a workload that the input does not have; `chosen` is the text of it."""

    chosen: str = ""


@dataclass(frozen=True, slots=True)
class ChosenReplicas:
    """Replicas by workload as a plan names it (`deployment/web`); None for the most that its autoscaler allows. `all_most` says
    that this counts for all others that have an autoscaler."""

    by_workload: Mapping[str, int | None] = FrozenDict()
    all_most: bool = False

    @staticmethod
    def of(texts: Iterable[str], workloads: Mapping[str, tuple[int, int] | None], problems: Problems) -> ChosenReplicas:
        """Return what the texts choose among `workloads`, which have the ranges of their autoscalers.

        A text is `WORKLOAD=N`, `WORKLOAD=max` or `max`. A workload is named as a plan names it, or by a part of that which only
        it has: `web`, `deployment/web`, `shop/deployment/web`. Mistakes are added to `problems`.
        """
        chosen: dict[str, int | None] = {}
        all_most = False
        for text in texts:
            if text.strip() == MAXIMUM:
                all_most = True
                continue
            name, sign, amount = (part.strip() for part in text.rpartition("="))
            count = _count(amount) if sign and name else None
            if count is None and not (sign and name and amount == MAXIMUM):
                problems.add(Place.of(REPLICAS), f"{text!r} does not say how many replicas a workload has", _FORM)
                continue
            workload = _found(name, text, tuple(workloads), problems)
            if workload is None:
                continue
            if count is None and workloads[workload] is None:
                problems.add(Place.of(REPLICAS), f"no autoscaler says how many replicas {workload} has at most", f"{name}=N")
            elif chosen.setdefault(workload, count) != count:
                problems.add(Place.of(REPLICAS), f"{workload} is given two numbers of replicas", "one of them")
        return ChosenReplicas(FrozenDict(chosen), all_most)

    def replicas(self, workload: str, span: tuple[int, int] | None) -> int | None:
        """Return the replicas that are chosen for a workload with this range, or None if none are."""
        if workload in self.by_workload:
            count = self.by_workload[workload]
            return count if count is not None or span is None else span[1]
        return span[1] if self.all_most and span is not None else None


def _count(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 11 and int(text) <= _MOST else None


def _found(name: str, text: str, workloads: Sequence[str], problems: Problems) -> str | None:
    """Return the workload of a name; a name of none or of several is a problem."""
    if name in workloads:
        return name
    found = [w for w in workloads if _is_part(name, w)]
    if len(found) == 1:
        return found[0]
    if found:
        problems.add(Place.of(REPLICAS), f"{name!r} is the name of {len(found)} workloads", _listed(found))
        return None
    near = nearest(name, workloads) or _nearest_short(name, workloads)
    message = f"no workload {name!r} with replicas is in the input"
    problems.extend([NoSuchWorkload(Place.of(REPLICAS), message, _listed(workloads), near, chosen=text)])
    return None


def _is_part(name: str, workload: str) -> bool:
    """Tell whether a name is that of a workload without its namespace, its kind, or both."""
    *namespace, kind, own = workload.split("/")
    return name.split("/") in ([own], [kind, own], [*namespace, own])


def _nearest_short(name: str, workloads: Collection[str]) -> str:
    """Return the workload whose own name is nearest to a name, or an empty string."""
    by_name = {w.rpartition("/")[2]: w for w in workloads}
    return by_name.get(nearest(name.rpartition("/")[2], tuple(by_name)), "")


def _listed(workloads: Sequence[str]) -> str:
    shown, hidden = sorted(workloads)[:_NAMED], len(workloads) - _NAMED
    return ", ".join(shown) + (f" and {hidden:,} more" if hidden > 0 else "")
