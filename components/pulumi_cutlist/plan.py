"""NodePlan: the nodes that workloads will get, as a resource of a stack, so that a preview shows how a change moves them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, NotRequired, cast

import pulumi

from cutlist.catalog.ages import PriceAge
from cutlist.core.errors import Problems
from cutlist.core.records import data_of
from cutlist.core.setting import Edge
from cutlist.core.wording import counted
from cutlist.planning.absences import require_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan, PlannedNode, Totals
from cutlist.report.estimates import Money
from cutlist.report.plain import per_hour, per_month
from cutlist.settings.planning import PlanSettings, SharedSettings
from cutlist.settings.words import in_words_of
from cutlist.verbs.plan import text
from cutlist.verbs.plan.answer import plan as make_plan
from cutlist.verbs.plan.answer import plan_with_measures
from pulumi_cutlist.day import today
from pulumi_cutlist.inputs.late import Component
from pulumi_cutlist.inputs.program_words import ProgramComponent
from pulumi_cutlist.inputs.shapes import declare_plainly, shaped
from pulumi_cutlist.kubernetes.charts_plan import AwsFeatureGatesArgs, FeatureGatesArgs
from pulumi_cutlist.node_plans.changed_measures import MEASURES, log_changed_measures
from pulumi_cutlist.node_plans.matching import PlanBeside, note_plan
from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest, request_of
from pulumi_cutlist.program.offline import is_recorded, plan_elsewhere
from pulumi_cutlist.recorded.recording import NODE_PLAN
from pulumi_cutlist.stack.cluster_figures import of_karpenter


def log_plan(planned: Plan, component: pulumi.Resource) -> None:
    """Show a plan among the messages of the stack."""
    pulumi.log.info("\n" + text.render_plan(planned), resource=component)


announce: Final[ContextVar[Callable[[Plan, "NodePlan"], None]]] = ContextVar("announce", default=log_plan)
"""Called with every plan that is made in the program's own process, which is so on an engine; by default it logs the plan."""


class NodePlanArgs(SharedSettings):
    """Inputs of NodePlan, with the settings of a plan. Plain values: the plan is made from them before any resource exists."""

    region: str
    """Cloud region of the nodes, such as us-west-2."""
    sources: NotRequired[list[str]]
    """Files and folders with NodePools, node classes and workloads; absolute, or relative to the working directory. A folder
    stands for its own files, in alphabetical order, or for what its kustomization renders; subfolders only with recursive."""
    manifests: NotRequired[list[dict[str, Any]]]
    """NodePools, node classes and workloads as data, in addition to sources: what a program passes to its other components."""
    karpenter_version: NotRequired[str]
    """Version of Karpenter whose rules count: a minor such as 1.15, or a release. Defaults to what AKS runs in a location of
    Azure, else to the newest minor that is known in full."""
    feature_gates: NotRequired[FeatureGatesArgs]
    """The feature gates that Karpenter runs with. Defaults to the version's own."""
    aws_feature_gates: NotRequired[AwsFeatureGatesArgs]
    """The feature gates that Karpenter's AWS provider runs with. Defaults to none."""
    baseline: NotRequired[str]
    """File with the last plan as `cutlist plan -o json` writes it, with which gates compare the price. Defaults to none."""


declare_plainly(NodePlanArgs, SharedSettings)


class NodePlan(ProgramComponent):
    """The nodes that Karpenter will launch for a set of workloads, what they cost, and which pods stay pending.

    It creates nothing. Its recorded inputs are a short form of the plan, by NodePool. So a preview's diff has a line for each
    kind of node that is added, removed or changes in number, and one for the price; the whole plan is logged. Beside it are the
    measures that gates look at. A Python program that has read everything already hands it on as `inputs`; of `args` only the
    baseline counts then. A preview or gate without an engine plans in another process than the program's, and reads the inputs
    again: as `request` says, or NodePools and node classes as manifests, and workloads from their files. Raises InputError with
    every mistake found.
    """

    node_pools: pulumi.Output[dict[str, Any]]
    """Nodes and price by NodePool."""
    pending: pulumi.Output[dict[str, str]]
    """Pods that get no node, by workload, with the reason."""
    totals: pulumi.Output[dict[str, Any]]
    """Counts, USD per hour and month, and fill."""

    def __init__(
        self,
        name: str,
        args: NodePlanArgs,
        opts: pulumi.ResourceOptions | None = None,
        *,
        inputs: PlanInputs | None = None,
        request: PlanRequest | None = None,
        of_cluster: bool = False,
    ) -> None:
        if inputs is None:
            inputs, request = _read(args)
        elif request is None and is_recorded():
            request = request_of(inputs, args.get("baseline", ""))
        self.inputs, self.of_cluster = inputs, of_cluster
        self._plan: Plan | None = None
        answer = plan_elsewhere(name, request)
        if answer is None:
            self._plan, answer = planned_answer(inputs, args.get("baseline", ""))
        self.digest = dict(answer.digest)
        quiet = pulumi.ResourceOptions.merge(opts, _with_hidden_measures(name, opts))
        super().__init__(NODE_PLAN, name, answer.registered, quiet)
        if self._plan is not None:
            announce.get()(self._plan, self)
        if not of_cluster:
            note_plan(PlanBeside(name, inputs))
        self.node_pools = pulumi.Output.from_input(self.digest["nodePools"])
        self.pending = pulumi.Output.from_input(self.digest["pending"])
        self.totals = pulumi.Output.from_input(self.digest["totals"])
        self.register_outputs(self.digest)

    @property
    def plan(self) -> Plan:
        """Return the plan; where another process has made it, it is made here when it is first asked for."""
        if self._plan is None:
            self._plan = make_plan(self.inputs)
        return self._plan


def _with_hidden_measures(name: str, opts: pulumi.ResourceOptions | None) -> pulumi.ResourceOptions:
    """Return options under which a diff hides the measures, which are for gates, and a message says which of them differ."""
    own = opts.parent if opts is not None and isinstance(opts.parent, Component) else None  # a plugin knows others by URN alone
    parent = "" if own is None else own.pulumi_resource_name
    in_previews = pulumi.ResourceHookOptions(on_dry_run=True)
    hook = pulumi.ResourceHook(f"{parent}-{name}-measures", log_changed_measures, in_previews)
    return pulumi.ResourceOptions(hide_diffs=[MEASURES], hooks=pulumi.ResourceHookBinding(before_update=[hook]))


def planned_answer(inputs: PlanInputs, baseline: str) -> tuple[Plan, PlanAnswer]:
    """Return a plan, and what a NodePlan registers of it. `baseline` is the file of an earlier plan, empty without one."""
    planned, figures = plan_with_measures(inputs, _earlier(baseline))
    planned = replace(planned, price_age=PriceAge.of(inputs.catalog, today()))
    return planned, PlanAnswer(digest(planned), data_of(figures))


def _earlier(path: str) -> Plan | None:
    """Return the plan in a file; None where no file is named."""
    if not path:
        return None
    from cutlist.planning.stored_plan import read_plan  # which a stack without a baseline need not wait for

    return read_plan(path)


def _read(args: NodePlanArgs) -> tuple[PlanInputs, PlanRequest]:
    """Return what a plan is made from, and as plain data. Raises InputError with every mistake in the inputs, or else in what
    they name."""
    problems = Problems()
    inputs = shaped(args, NodePlanArgs, problems)
    problems.raise_if_any()
    chosen = {name: value for name, value in inputs.items() if name in SharedSettings.__annotations__}
    version = inputs.get("karpenter_version")
    settings = {**chosen, "region": inputs["region"] or None, **({"karpenter": version} if version else {})}
    request = PlanRequest(
        tuple(inputs.get("sources", ())),
        tuple(inputs.get("manifests", ())),
        cast("PlanSettings", settings),
        of_karpenter({"charts": inputs}),
        inputs.get("baseline", ""),
    )
    with in_words_of(Edge.COMPONENT):
        planned = request.read()
        require_workloads(planned, allow_empty=inputs.get("allow_empty", not inputs.get("sources")))
        return planned, request


def digest(planned: Plan) -> dict[str, Any]:
    """Return a plan in few words that change only when the plan does: what a diff shows and a stack exports. Prices are in
    USD."""
    by_pool = groupby(planned.nodes, key=lambda node: node.node_pool)  # nodes of a plan are sorted by NodePool
    return {
        "region": planned.region,
        "nodePools": {pool: _pool_digest(list(nodes)) for pool, nodes in by_pool},
        "pending": {p.workload: f"{counted(p.count, 'pod')}: {p.reason}" for p in planned.pending},
        "totals": data_of(planned.totals),
    }


def _pool_digest(nodes: list[PlannedNode]) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for node in nodes:
        kind = f"{node.instance_type} {node.capacity_type}"
        counts[kind] = counts.get(kind, 0) + node.count
    totals = Totals.of(nodes, ())
    return {
        "nodes": dict(sorted(counts.items())),  # a line each in a diff: an engine cuts texts after 150 characters
        "pods": totals.pods,
        "price": price(totals),
    }


def price(totals: Totals) -> str:
    """Return what nodes cost: `$0.2400/h, $175.20/month`, or no more exactly than prices are estimated, and how many are left
    out because their price is unknown."""
    if totals.price_per_hour is None or totals.price_per_month is None:
        return "unknown"
    money = Money.of_totals(totals)
    known = f"{money.hour(per_hour)}/h, {money.month(per_month)}/month"
    return f"{known}, without {counted(totals.unpriced_nodes, 'unpriced node')}" if totals.unpriced_nodes else known
