"""DrainGate: keeps the controller until no node is left that only it can drain."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

import pulumi

from cutlist.core.errors import Problems
from cutlist.infrastructure.inputs import HERE, Places, chosen
from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.drain import DrainMode
from pulumi_cutlist.aws.at_delete import DrainResource, deleted_within, identity_of
from pulumi_cutlist.aws.credentials import credentials_of
from pulumi_cutlist.aws.facts import cluster_facts
from pulumi_cutlist.inputs.known import after
from pulumi_cutlist.inputs.late import Component, planned
from pulumi_cutlist.inputs.shapes import shaped
from pulumi_cutlist.inputs.spelling import outputs_of
from pulumi_cutlist.options import named_part

MINUTES: Final = 30.0
_SPARE: Final = 10.0  # minutes by which the engine's timeout exceeds the drain's


class DrainGateArgs(TypedDict):
    """Inputs of DrainGate."""

    cluster_name: str
    """Name of the cluster."""
    region: str
    """Region of the cluster."""
    account_id: pulumi.Input[str]
    """Account of the cluster, twelve digits. Credentials of another account are refused."""
    mode: NotRequired[str]
    """What happens to NodePools created outside the stack: `fail` lists them and stops the destroy, `delete` deletes them and
    waits for their nodes, `ignore` leaves them. Defaults to `fail`, because you may not want to delete the nodes of others."""
    node_pools: NotRequired[list[str]]
    """Names of the stack's own NodePools. While one of them is in use, deleting the gate does nothing: the stack stays, and
    only the gate leaves it. Defaults to none."""
    minutes: NotRequired[float]
    """How long nodes may take to drain. Defaults to 30; more than the longest terminationGracePeriod."""


@dataclass(frozen=True, slots=True)
class DrainGatePlan:
    """What the gate does when it is deleted."""

    args: DrainGateArgs
    facts: ClusterFacts
    mode: DrainMode
    node_pools: tuple[str, ...]
    minutes: float


def plan_drain_gate(args: DrainGateArgs, at: Places = HERE) -> DrainGatePlan:
    """Return what the inputs, written `at` these places, ask for. Raises InputError with every mistake in them."""
    problems = Problems()
    args = shaped(args, DrainGateArgs, problems, at)
    facts = cluster_facts(args, problems, at)
    mode = chosen(args.get("mode", DrainMode.FAIL), DrainMode.FAIL, at.member("mode"), problems)
    minutes = float(args.get("minutes", MINUTES))
    if not minutes > 0:
        problems.add(at.member("minutes"), f"{args['minutes']:g} minutes", "more than 0")
    problems.raise_if_any()
    return DrainGatePlan(args, facts, mode, tuple(sorted(args.get("node_pools", []))), minutes)


class DrainGate(Component):
    """Does nothing when created; when deleted, makes sure that no NodePool and no NodeClaim of Karpenter is left.

    Let it depend on the controller's release, and let NodeClasses depend on it. It never changes NodePools of EKS Auto Mode.
    Raises InputError with every mistake found, before anything is registered.
    """

    cluster_name: pulumi.Output[str]
    """Name of the cluster. What uses it is deleted before the gate looks."""

    @planned(plan_drain_gate)
    def __init__(
        self,
        name: str,
        args: DrainGateArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        plan: DrainGatePlan | None = None,
    ) -> None:
        plan = plan_drain_gate(args) if plan is None else plan
        super().__init__("cutlist:index:DrainGate", name, {**plan.args}, opts)
        properties = {
            **identity_of(plan.facts),
            **credentials_of(self),
            "mode": plan.mode.value,
            "node_pools": list(plan.node_pools),
            "minutes": plan.minutes,
        }
        of_gate, options = named_part(name, "gate", deleted_within(plan.minutes + _SPARE, self, opts))
        gate = DrainResource(of_gate, properties, options)
        self.cluster_name = after(plan.facts.cluster, gate)
        self.register_outputs(outputs_of(self))
