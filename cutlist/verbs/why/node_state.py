"""What state a node is in, where that is not simply ready, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.quantity import amounts
from cutlist.core.wording import listed
from cutlist.planning.inputs import PlanInputs
from cutlist.report.plain import instant as instant_text
from cutlist.state.initialization import missing_driver
from cutlist.state.scheduling_node import is_ephemeral, startup_taints
from cutlist.state.statenode import StateNode, all_state_nodes
from cutlist.verbs.why.reason import Fact

_READY: Final = "Ready"
_STATE: Final = "state"


def state_facts(inputs: PlanInputs, name: str) -> Iterator[Fact]:
    """Yield what a node lacks to be ready for pods; nothing for a node that is."""
    node = next((node for node in all_state_nodes(inputs.cluster) if node.name == name), None)
    if node is None or not node.has_node:
        return
    if not node.ready:
        condition = node.conditions.get(_READY)
        since = f" since {instant_text(condition.since)}" if condition is not None and condition.since else ""
        why = f" ({condition.reason})" if condition is not None and condition.reason else ""
        yield Fact(_STATE, f"not Ready{since}{why}")
    manifest, claim = next(
        origin for state, origin in zip(inputs.cluster.nodes, inputs.cluster.origins, strict=True) if state.name == name
    )
    if ((manifest or {}).get("spec") or {}).get("unschedulable"):
        yield Fact(_STATE, "cordoned: it takes no further pods")
    if claim is not None and not node.initialized:
        waits = [*_awaited(node, manifest or {}, claim), *_unpublished(claim, name, inputs)]
        yield Fact(_STATE, f"not initialized{': ' + listed(waits) if waits else ''}")


def _unpublished(claim: Mapping[str, Any], node: str, inputs: PlanInputs) -> Iterator[str]:
    """Yield the driver that has not published the devices for which a NodeClaim was made (R-86)."""
    if not inputs.options.ignore_dra_requests:
        annotations = (claim.get("metadata") or {}).get("annotations") or {}
        if driver := missing_driver(annotations, node, inputs.devices.slices):
            yield f"{driver} has not published its devices"


def _awaited(node: StateNode, manifest: Mapping[str, Any], claim: Mapping[str, Any]) -> Iterator[str]:
    """Yield what Karpenter waits for before a node counts as initialized."""
    if not node.registered:
        yield "it has not registered"
    passing = startup_taints(claim)
    left = [taint for taint in node.state.own_taints if is_ephemeral(taint) or (taint.key, taint.effect) in passing]
    if left:
        yield f"{listed(left)} {'is' if len(left) == 1 else 'are'} still there"
    wanted, there = (amounts((of.get("status") or {}).get("allocatable") or {}) for of in (claim, manifest))
    missing = sorted(resource for resource, amount in wanted.items() if amount and not there.get(resource))
    if missing:
        yield f"it does not report {listed(missing)}"
