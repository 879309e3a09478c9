"""Require what an answer is about: workloads, nodes, types on offer. An answer about nothing would look like a success."""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.core.notes import LEFT_OUT
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.catalog import update_of
from cutlist.settings.planning import REGION

WORKLOADS: Final = "Deployments, StatefulSets, Jobs, pods or other workloads"
NODES: Final = "Nodes with their NodeClaims and pods, as `cutlist snapshot` or `kubectl get -o yaml` has them"
_NAMED: Final = 5  # objects that are not understood


def require_workloads(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if nothing requests nodes, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.has_workloads:
        problems.add_absence(
            Place(inputs.source), f"no workload is in the input{_not_understood(inputs)}{_left_out(inputs)}", WORKLOADS
        )
    problems.raise_if_any()


def require_nodes(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if there is no node, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.cluster.nodes:
        problems.add_absence(Place(inputs.source), "no node is in the input", NODES)
    problems.raise_if_any()


def require_nodes_or_workloads(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if there is neither a node nor anything that requests one, unless that is allowed."""
    problems = Problems(allow_empty=allow_empty)
    if not inputs.cluster.nodes and not inputs.has_workloads:
        text = f"neither a workload nor a node is in the input{_not_understood(inputs)}{_left_out(inputs)}"
        problems.add_absence(Place(inputs.source), text, f"{WORKLOADS}; {NODES}")
    problems.raise_if_any()


def require_offerings(inputs: PlanInputs, *, allow_empty: bool = False) -> None:
    """Raise InputError if the catalogue lacks what the region sells, unless that is allowed: no node could be planned there."""
    problems = Problems(allow_empty=allow_empty)
    sold = inputs.catalog
    if not sold.offerings_known:
        message = f"the catalogue has the prices of {sold.region}, but not which types its zones sell"
        problems.add_absence(Place.of(REGION), message, f"a catalogue that {update_of(sold.region)} wrote")
    problems.raise_if_any()


def _left_out(inputs: PlanInputs) -> str:
    """Return what of the folders was not read, in brackets, or an empty string if all was read."""
    return "".join(f" ({note.text})" for note in inputs.workloads.notes if note.code in LEFT_OUT)


def _not_understood(inputs: PlanInputs) -> str:
    """Return the objects that place pods in unknown ways, in brackets, or an empty string without such objects."""
    names = [f"{item.kind} {item.name}" for item in inputs.workloads.not_understood]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f" ({', '.join(names[:_NAMED])}{more} not understood)" if names else ""
