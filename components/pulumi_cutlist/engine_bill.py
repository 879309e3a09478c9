"""What a program costs by the hour, among the messages of its preview on an engine: from what it registers there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi.runtime import register_stack_transformation, settings
from pulumi.runtime.mocks import MockMonitor
from pulumi.runtime.proto import resource_pb2

from cutlist.documents.pulumi_stacks import REGION_KEYS
from cutlist.planning.model import Plan
from cutlist.verbs.preview.text import render_bill
from pulumi_cutlist.day import today
from pulumi_cutlist.node_plans.made import ShownPlan, counted_once
from pulumi_cutlist.plan import NodePlan, announce
from pulumi_cutlist.recorded.recording import STACK, Recording, Registration
from pulumi_cutlist.recorded.resource_costs import bill_of


def log_bill() -> None:
    """Make a preview on an engine log what the program costs: call it before the first resource. What is registered from there
    on is billed, with the nodes of every NodePlan. Without an engine nothing is logged: then the runner of the program has the
    recording.
    """
    monitor = settings.get_monitor()
    if not pulumi.runtime.is_dry_run() or isinstance(monitor, MockMonitor):
        return
    bill, loop = _EngineBill(), asyncio.get_running_loop()
    settings.SETTINGS.monitor = _Listener(monitor, bill.recording, lambda: loop.call_soon_threadsafe(bill.log))
    register_stack_transformation(bill.collect)
    before = announce.get()

    def heard(plan: Plan, maker: NodePlan) -> None:
        bill.plans.append((plan, maker))
        before(plan, maker)

    announce.set(heard)


class _Listener:
    """The engine's monitor, with a record of what the program registers: an engine does not report that to a program."""

    def __init__(self, monitor: Any, recording: Recording, at_end: Callable[[], object]) -> None:
        self._monitor = monitor
        self._recording = recording
        self._at_end = at_end

    def RegisterResource(self, request: resource_pb2.RegisterResourceRequest, *rest: Any, **options: Any) -> Any:  # noqa: N802
        """Pass a registration on, and record it under the URN that the engine answers with."""
        answer = self._monitor.RegisterResource(request, *rest, **options)
        self._recording.resources[answer.urn] = Registration(answer.urn, request)
        return answer

    def RegisterResourceOutputs(  # noqa: N802
        self, request: resource_pb2.RegisterResourceOutputsRequest, *rest: Any, **options: Any
    ) -> Any:
        """Pass outputs on. Those of the stack are registered once the program's own file has ended."""
        if f"::{STACK}::" in request.urn:
            self._at_end()
        return self._monitor.RegisterResourceOutputs(request, *rest, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._monitor, name)


@dataclass(frozen=True, slots=True)
class _EngineBill:
    """What the running program registers, and the plans that it makes."""

    recording: Recording = field(default_factory=Recording)
    resources: list[pulumi.Resource] = field(default_factory=list)
    plans: list[tuple[Plan, NodePlan]] = field(default_factory=list)

    def collect(self, args: pulumi.ResourceTransformationArgs) -> None:
        self.resources.append(args.resource)

    def log(self) -> None:
        """Show the bill as soon as all resources are registered, those included that wait for what others are known to be."""
        heard = len(self.resources)

        def show(_urns: object) -> None:
            if len(self.resources) > heard:
                self.log()
            else:
                pulumi.log.info("\n" + self._text(), resource=self.plans[0][1] if self.plans else None)

        if heard:
            pulumi.Output.all(*(resource.urn for resource in self.resources)).apply(show)

    def _text(self) -> str:
        """Return the bill of what was registered, with the user's own prices."""
        resources = dict(self.recording.resources)
        if not any(resource.type == STACK for resource in resources.values()):
            stack = resource_pb2.RegisterResourceRequest(type=STACK, name=pulumi.get_stack())
            resources[""] = Registration("", stack)
        config = {key: _configured(key) for key in REGION_KEYS}
        figures = [maker.inputs.figures for _, maker in self.plans]
        plans = counted_once(ShownPlan(plan, maker.inputs, maker.of_cluster) for plan, maker in self.plans)
        return render_bill(bill_of(Recording(resources), plans, config, figures, {}, today()))


def _configured(key: str) -> str:
    package, _, name = key.partition(":")
    return pulumi.Config(package).get(name) or ""
