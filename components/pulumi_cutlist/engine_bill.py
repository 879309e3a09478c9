"""What a program costs by the hour, among the messages of its preview on an engine: from what it registers there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pulumi
from pulumi.runtime import register_stack_transformation, settings
from pulumi.runtime.proto import resource_pb2

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.report.preview.text import render_bill
from pulumi_cutlist.offline import STACK, Recording, RecordingMonitor, Registration
from pulumi_cutlist.resource_costs import bill_of

_REGIONS: Final = {"aws:region": ("aws", "region"), "azure-native:location": ("azure-native", "location")}


class _Listener:
    """The engine's monitor, with a record of what the program registers: an engine does not give it to a program."""

    def __init__(self, monitor: Any, recording: Recording) -> None:
        self._monitor = monitor
        self._recording = recording

    def RegisterResource(self, request: resource_pb2.RegisterResourceRequest, *rest: Any, **options: Any) -> Any:  # noqa: N802
        """Hand a registration on, and write it down under the URN that the engine answers with."""
        answer = self._monitor.RegisterResource(request, *rest, **options)
        self._recording.resources[answer.urn] = Registration(answer.urn, request)
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._monitor, name)


@dataclass(frozen=True, slots=True)
class EngineBill:
    """What the running program registers from now on. Begin it before the first resource, and log it after the last."""

    recording: Recording = field(default_factory=Recording)
    resources: list[pulumi.Resource] = field(default_factory=list)

    @classmethod
    def begun(cls) -> EngineBill:
        """Return a bill that hears the registrations of a preview on an engine, which comes before each update. Elsewhere it
        hears nothing: without an engine, whoever runs the program has the recording."""
        bill = cls()
        monitor = settings.get_monitor()
        if pulumi.runtime.is_dry_run() and not isinstance(monitor, RecordingMonitor):
            settings.SETTINGS.monitor = _Listener(monitor, bill.recording)
            register_stack_transformation(bill._collect)
        return bill

    def _collect(self, args: pulumi.ResourceTransformationArgs) -> None:
        self.resources.append(args.resource)

    def log(self, component: pulumi.Resource, plan: Plan, inputs: PlanInputs) -> None:
        """Show the bill as a message about a component, with the nodes of a plan, as soon as all resources are registered."""
        if self.resources:
            pulumi.Output.all(*(resource.urn for resource in self.resources)).apply(
                lambda _: pulumi.log.info("\n" + self.text([plan], inputs.figures.resources), resource=component)
            )

    def text(self, plans: Sequence[Plan], own: Mapping[str, float]) -> str:
        """Return the bill of what was registered so far, with the user's own prices by item."""
        resources = dict(self.recording.resources)
        if not any(resource.type == STACK for resource in resources.values()):
            stack = resource_pb2.RegisterResourceRequest(type=STACK, name=pulumi.get_stack())
            resources[""] = Registration("", stack)
        config = {key: pulumi.Config(package).get(name) or "" for key, (package, name) in _REGIONS.items()}
        return render_bill(bill_of(Recording(resources), plans, config, own, {}))
