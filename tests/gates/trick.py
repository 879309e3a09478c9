"""A row of the table: what is registered or in files, and what the gates have to say of it, in both ways of judging."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cache
from types import SimpleNamespace
from typing import Any, Final

from cutlist_policies.policies import policies
from cutlist_policies.reading import Reader
from pulumi.runtime.rpc import UNKNOWN as UNKNOWN_ON_THE_WIRE
from pulumi_policy import ResourceValidationArgs, ResourceValidationPolicy, StackValidationArgs
from pulumi_policy.proxy import UnknownValueError, unknown_checking_proxy

from cutlist import PlanSettings, gate
from cutlist.core.errors import InputError, Problems
from cutlist.documents.parsing import parse_documents
from cutlist.policy.gates import Gates, Level, Report, Verdict, judge, read_gates
from cutlist.policy.registry import ALL
from cutlist.policy.rules import UNKNOWN, Options, Resource

TODAY: Final = date(2026, 6, 1)
REGION: Final = "us-west-2"
_STACK: Final = Resource("pulumi:pulumi:Stack", "demo-dev", {})
_LEFT_OPEN: Final = re.compile(r"(?:^|; |: )([A-Z]{2}-\d{2}) [^;]*?: cannot tell ")


class Wanted(StrEnum):
    """What the gates have to say of a row, by its rule."""

    STOPS = "stops"
    REPORTED = "reported"
    """A violation of an advisory rule."""
    OPEN = "cannot tell"
    PASSES = "passes"
    """The rule is silent; a row without a rule is stopped by none."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A row: resources as a program registers them, or `files` as YAML on standard input, the rule that has to speak, and how.

    `gates` is the value of `gates` in a stack file. Rows with `files` are planned, and judged offline alone: an engine shows a
    pack no files.
    """

    name: str
    registered: Sequence[Resource] = ()
    rule: str = ""
    wanted: Wanted = Wanted.STOPS
    gates: Mapping[str, Any] = field(default_factory=dict)
    files: str = ""

    def offline(self) -> set[tuple[str, Wanted]]:
        """Return what the gate without an engine says: rules and how they speak."""
        return self.judged_by(self._read())

    def judged_by(self, gates: Gates) -> set[tuple[str, Wanted]]:
        """Return what some gates say without an engine."""
        if self.files:
            settings = PlanSettings(region=REGION, allow_empty=True)
            try:
                report = gate(["-"], gates, TODAY, settings, self.files).report
            except InputError:
                return {("GT-04", Wanted.STOPS)}
        else:
            report = judge(self._resources(), gates, TODAY)
        return spoken_by(report)

    def by_the_pack(self) -> set[tuple[str, Wanted]]:
        """Return what the policies of the pack say of the registered resources, called as the SDK calls them."""
        return spoken_by_pack(self._resources(), self._read())

    def holds(self, spoken: set[tuple[str, Wanted]]) -> bool:
        """Tell whether what is said is what is wanted."""
        if self.wanted is not Wanted.PASSES:
            return (self.rule, self.wanted) in spoken
        if self.rule:
            return all(rule != self.rule for rule, _ in spoken)
        return all(wanted is not Wanted.STOPS for _, wanted in spoken)

    def _read(self) -> Gates:
        return read_gates({"profile": "strict", **self.gates}, ALL) if self.gates else _unconfigured()

    def _resources(self) -> list[Resource]:
        return [
            replace(resource, urn=f"urn:pulumi:dev::demo::{resource.type}::{resource.name}-{number}")
            for number, resource in enumerate(self.registered)
        ]


@cache
def _unconfigured() -> Gates:
    """Return the gates of a stack that says nothing about them, as most rows have them: to read them is a sixth of a row."""
    return read_gates({"profile": "strict"}, ALL)


def manifest(text: str) -> Resource:
    """Return one object of Kubernetes, written as YAML, as a program registers it."""
    [document] = parse_documents(text, "", Problems())
    return Resource(f"kubernetes:{document.api_version}:{document.kind}", document.name, document.data)


def registered(type_: str, name: str = "trick", /, options: Options | None = None, **inputs: Any) -> Resource:
    """Return a resource of any type with its inputs."""
    return Resource(type_, name, inputs, options=options or Options())


def output(resource: Resource, member: str, other: Resource, number: int) -> Resource:
    """Return a resource of which a member is an output of another, the resource of a number in the row."""
    urn = f"urn:pulumi:dev::demo::{other.type}::{other.name}-{number}"
    value = [UNKNOWN] if isinstance(resource.data.get(member), list) else UNKNOWN
    return replace(resource, data={**resource.data, member: value}, references={member: (urn,)})


def spoken_by(report: Report) -> set[tuple[str, Wanted]]:
    """Return rules and how they speak in a report."""

    def wanted(verdict: Verdict, *, stops: bool) -> Wanted:
        if stops:
            return Wanted.STOPS
        return Wanted.OPEN if verdict is Verdict.UNKNOWN else Wanted.REPORTED

    return {(o.rule, wanted(o.verdict, stops=report.stops(o))) for o in report.outcomes if o.verdict is not Verdict.EXEMPT}


def spoken_by_pack(resources: Sequence[Resource], gates: Gates) -> set[tuple[str, Wanted]]:
    """Return rules and how the policies of the pack speak, called as the SDK calls them."""
    spoken: set[tuple[str, Wanted]] = set()
    for policy in policies(gates, TODAY, Reader()):

        def report(message: str, urn: str | None = None, *, level: str = policy.enforcement_level.value) -> None:
            del urn
            if re.match(r"[A-Z]{2}-\d\d ", message):
                stops = level != Level.ADVISORY
                spoken.add((message[:5], Wanted.STOPS if stops else Wanted.REPORTED))

        shown: Sequence[Any]
        if isinstance(policy, ResourceValidationPolicy):
            shown = [_resource_args(resource) for resource in resources]
        else:
            shown = [StackValidationArgs([_shown(resource) for resource in (_STACK, *resources)], {}, {})]
        for args in shown:
            try:
                policy.validate(args, report)
            except UnknownValueError as error:
                spoken.update((rule, Wanted.OPEN) for rule in _LEFT_OPEN.findall(error.message))
            except Exception as error:
                if type(error).__name__ != "_NotApplicableError":
                    raise
                spoken.update((rule, Wanted.OPEN) for rule in _LEFT_OPEN.findall(str(getattr(error, "reason", error))))
    return spoken


def _resource_args(resource: Resource) -> ResourceValidationArgs:
    shown = _shown(resource)
    return ResourceValidationArgs(resource.type, shown.props, resource.urn, resource.name, shown.opts, None, {}, {})


def _shown(resource: Resource) -> Any:
    """Return a resource as the SDK shows it: unknown values raise when they are read."""
    props = unknown_checking_proxy(json.loads(json.dumps(_on_the_wire(resource.data))))
    options = resource.options
    opts = SimpleNamespace(protect=options.protect, ignore_changes=list(options.ignore_changes))
    referred = {key: [SimpleNamespace(urn=urn) for urn in urns] for key, urns in resource.references.items()}
    shown = {"resource_type": resource.type, "name": resource.name, "urn": resource.urn, "props": props, "opts": opts}
    return SimpleNamespace(**shown, property_dependencies=referred)


def _on_the_wire(data: Any) -> Any:
    if data is UNKNOWN:
        return UNKNOWN_ON_THE_WIRE
    if isinstance(data, Mapping):
        return {str(key): _on_the_wire(value) for key, value in data.items()}
    return [_on_the_wire(value) for value in data] if isinstance(data, list | tuple) else data
