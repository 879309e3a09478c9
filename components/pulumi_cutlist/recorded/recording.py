"""The record of everything that a program registers and logs: resources, outputs, hooks, messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from pulumi.runtime import rpc
from pulumi.runtime.proto import engine_pb2, resource_pb2

from pulumi_cutlist.errors import DuplicateUrnError
from pulumi_cutlist.lookups.book import Book, LookUp
from pulumi_cutlist.lookups.question import Kind, Question, State
from pulumi_cutlist.wire import with_ids, with_whole_numbers

if TYPE_CHECKING:
    from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest

STACK: Final = "pulumi:pulumi:Stack"
NODE_PLAN: Final = "cutlist:index:NodePlan"


@dataclass(frozen=True, slots=True)
class Log:
    """A message of the program: `severity` is `info`, `warning` or `error`; `urn` names the resource it is about, if any."""

    severity: str
    message: str
    urn: str = ""


@dataclass(frozen=True, slots=True)
class Registration:
    """One registered resource: its URN and the request as it went over the wire."""

    urn: str
    request: resource_pb2.RegisterResourceRequest

    @property
    def type(self) -> str:
        """Return the type token, such as `cutlist:index:NodePool`."""
        return self.request.type

    @property
    def name(self) -> str:
        """Return the name inside the program."""
        return self.request.name

    @property
    def parent(self) -> str:
        """Return the URN of the parent; empty for the stack alone."""
        return self.request.parent

    @property
    def inputs(self) -> dict[str, Any]:
        """Return the inputs as plain data; unknown values and secrets keep their markers."""
        return _plain(self.request.object)


class Recorder(Protocol):
    """Receives everything that a program registers and logs. It may refuse a registration by raising CutlistError."""

    def register(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        """Take in a resource."""

    def register_outputs(self, request: resource_pb2.RegisterResourceOutputsRequest) -> None:
        """Take in the outputs of a component or of the stack."""

    def register_hook(self, request: resource_pb2.RegisterResourceHookRequest) -> None:
        """Take in a hook."""

    def log(self, request: engine_pb2.LogRequest) -> None:
        """Take in a message."""

    def look_up(self, question: Question) -> LookUp | None:
        """Return a look-up with its answer; None where nothing answers, not even that it is unknown."""

    def read(self, urn: str, look_up: LookUp) -> None:
        """Take in a resource that exists already, with the look-up of its state."""

    def end(self) -> None:
        """Note that the program has ended, and that everything it registered was answered."""

    def plan(self, name: str, request: PlanRequest | None) -> PlanAnswer | None:
        """Return the answer to what a NodePlan is to plan; None where the program plans itself."""


@dataclass(slots=True)
class Recording:
    """What a program registered: resources and their outputs by URN, hooks, messages other than debug ones, look-ups."""

    resources: dict[str, Registration] = field(default_factory=dict)
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    hooks: list[resource_pb2.RegisterResourceHookRequest] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    book: Book = field(default_factory=Book)

    @property
    def exports(self) -> dict[str, Any]:
        """Return the outputs of the stack."""
        stack = next((r.urn for r in self.resources.values() if r.type == STACK), "")
        return self.outputs.get(stack, {})

    def register(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        """Record a resource. Raises DuplicateUrnError for a second one with the same URN."""
        if urn in self.resources:
            raise DuplicateUrnError.of(urn)
        # What a NodePlan has is compared with its plan, and names nothing that is looked up.
        settled = request if request.type == NODE_PLAN else self.book.settled(urn, request)
        self.resources[urn] = Registration(urn, settled)

    def register_outputs(self, request: resource_pb2.RegisterResourceOutputsRequest) -> None:
        """Record the outputs of a component or of the stack."""
        self.outputs[request.urn] = _plain(self.book.settled_outputs(request.urn, request.outputs))

    def register_hook(self, request: resource_pb2.RegisterResourceHookRequest) -> None:
        """Record a hook."""
        self.hooks.append(request)

    def log(self, request: engine_pb2.LogRequest) -> None:
        """Record a message, unless it is for debugging."""
        if request.severity != engine_pb2.DEBUG:
            severity = engine_pb2.LogSeverity.Name(request.severity).lower()
            self.logs.append(Log(severity, request.message, request.urn))

    def look_up(self, question: Question) -> LookUp | None:
        """Return a look-up with its answer; None where nothing answers, not even that it is unknown."""
        return self.book.look_up(question)

    def read(self, urn: str, look_up: LookUp) -> None:
        """Note a resource that exists already and whose state is unknown."""
        if look_up.question.kind in (Kind.RESOURCE, Kind.STACK) and look_up.answer.state is State.UNKNOWN:
            self.book.reads[urn] = look_up.number

    def end(self) -> None:
        """Do nothing: whoever runs the program in this process sees its end."""

    def plan(self, name: str, request: PlanRequest | None) -> PlanAnswer | None:  # noqa: ARG002 - as of every recorder
        """Return None: in this process the program plans itself."""
        return None

    def provider_inputs(self, urn: str) -> dict[str, Any]:
        """Return the inputs of a provider by its URN; none of one that is not registered."""
        registered = self.resources.get(urn)
        return {} if registered is None else registered.inputs

    def of_type(self, token: str) -> list[Registration]:
        """Return the resources of a type, by name."""
        return sorted((r for r in self.resources.values() if r.type == token), key=lambda r: r.name)

    def children(self, urn: str) -> list[Registration]:
        """Return the resources under a parent, by type and name: registrations arrive in no certain order."""
        return sorted((r for r in self.resources.values() if r.parent == urn), key=lambda r: (r.type, r.name))

    def count_below(self, urn: str) -> int:
        """Return how many resources there are under a parent, at any depth."""
        return sum(1 + self.count_below(child.urn) for child in self.children(urn))

    @property
    def stack(self) -> Registration:
        """Return the resource of the stack itself."""
        return next(r for r in self.resources.values() if r.type == STACK)


def _plain(struct: Any) -> dict[str, Any]:
    return dict(with_whole_numbers(rpc.deserialize_properties(with_ids(struct), keep_unknowns=True)))
