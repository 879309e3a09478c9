"""Run a Pulumi program without an engine (spec: pulumi 4.2, 4.3).

The program runs as the language host would run it: its own `__main__`, its own stack, configuration as text. A monitor takes
the engine's place: it answers every registration and passes it to a recorder: a `Recording` in this process, or another process
that records (`run`). There is no account, no provider and no state behind it, so nothing is checked, compared or
created.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import struct_pb2
from pulumi.runtime import Settings, configure, mocks, rpc, set_all_config, settings
from pulumi.runtime.proto import engine_pb2, provider_pb2, resource_pb2

from pulumi_cutlist.day import today
from pulumi_cutlist.errors import DuplicateUrnError, OfflineError
from pulumi_cutlist.lookups.asking import ProgramCall, current_call, noted_calls, place_at
from pulumi_cutlist.lookups.book import Book, LookUp
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.question import Kind, Question, State
from pulumi_cutlist.lookups.written import STACK_REFERENCE, WrittenAnswers
from pulumi_cutlist.private_names import Callbacks
from pulumi_cutlist.program.language import Language
from pulumi_cutlist.program.main_file import run_main
from pulumi_cutlist.program.manifest_calls import CALLS
from pulumi_cutlist.program.references import References
from pulumi_cutlist.program.transforms import Transforms
from pulumi_cutlist.recorded.recording import STACK, Recorder, Recording
from pulumi_cutlist.wire import has_unknown, plain_data, struct_of, with_whole_numbers

if TYPE_CHECKING:
    from pulumi_cutlist.node_plans.request import PlanAnswer, PlanRequest

_NOTHING: Final[Mapping[str, Any]] = {}
_HAS_UNKNOWN: Final = "unknown" in resource_pb2.ResourceInvokeResponse.DESCRIPTOR.fields_by_name
"""Whether an engine can say that a result is unknown, which it can since a version of the SDK."""
_IDENTITIES: Final = "userAssignedIdentities"


class Mode(StrEnum):
    """Which of the engine's operations is simulated: in a preview, the values that a provider computes are unknown."""

    PREVIEW = "preview"
    UPDATE = "update"


class Echo(mocks.Mocks):
    """A provider for everything: outputs repeat the inputs; ids and computed outputs exist only in an update.

    `computed` gives the outputs that a provider would add, by type token.
    """

    def __init__(self, mode: Mode, computed: Mapping[str, Mapping[str, Any]] = _NOTHING) -> None:
        self._mode = mode
        self._computed = computed

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        """Answer a registration."""
        if self._mode is Mode.PREVIEW:
            return "", _repeated(args.inputs)
        return f"{args.name}-id", {**_repeated(args.inputs), **self._computed.get(args.typ, _NOTHING)}

    def call(self, args: mocks.MockCallArgs) -> Any:
        """Answer a lookup that reads manifests, and refuse another: its answer lies in an account or a cluster."""
        if args.token in CALLS:
            return {"result": CALLS[args.token](args.args)}
        raise OfflineError(f"the program looks up {args.token}, which needs an account or a cluster")

    def knows(self, token: str) -> bool:
        """Tell whether a lookup has an answer."""
        return token in CALLS


def can_look_up(token: str) -> bool:
    """Tell whether a lookup of the running program can have an answer, as on an engine, which asks a provider."""
    monitor = settings.get_monitor()
    return not isinstance(monitor, RecordingMonitor) or monitor.knows(token)


def has_answer(token: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a lookup of the running program has an answer: of a provider, or one that its stack has in `lookups`."""
    monitor = settings.get_monitor()
    if not isinstance(monitor, RecordingMonitor):
        return True
    return monitor.knows(token) or monitor.is_answered(Question(Kind.FUNCTION, token, arguments))


def _repeated(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return inputs as outputs. Identities of Azure go in as a list and come out as a map, of Azure's own values."""
    return {key: _as_output(value) for key, value in inputs.items()}


def _as_output(value: Any) -> Any:
    args = value.get(_IDENTITIES) if isinstance(value, Mapping) else None
    return {**value, _IDENTITIES: {}} if isinstance(args, list) else value


class RecordingMonitor(mocks.MockMonitor):
    """The monitor that the program talks to; it differs from the stock one in its recorder and in the URN rule. `is_answered`
    tells whether the recorder answers a look-up with what an account has."""

    def __init__(self, provider: mocks.Mocks, recorder: Recorder, is_answered: Callable[[Question], bool]) -> None:
        super().__init__(provider)
        self._provider = provider
        self.is_answered = is_answered
        self._recorder = recorder
        self.callbacks = Callbacks(self)
        self._transforms = Transforms(self.callbacks.invoke)

    def knows(self, token: str) -> bool:
        """Tell whether the provider has an answer to a lookup."""
        return isinstance(self._provider, Echo) and self._provider.knows(token)

    def plan(self, name: str, request: PlanRequest | None) -> PlanAnswer | None:
        """Return the recorder's answer to what a NodePlan is to plan; None where the program plans itself."""
        return self._recorder.plan(name, request)

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        """Return a URN by the engine's rule."""
        return urn_of(settings.get_project(), settings.get_stack(), parent, type_, name)

    def RegisterResource(self, request: resource_pb2.RegisterResourceRequest) -> Any:  # noqa: N802
        """Have a registration recorded as its transforms leave it, then answer it."""
        urn = self.make_urn(request.parent, request.type, request.name)
        self._transforms.apply(request)
        self._transforms.declare(urn, request)
        self._register(urn, request)
        references = References()
        answered = resource_pb2.RegisterResourceRequest()
        answered.CopyFrom(request)
        references.take(answered.object)
        response = super().RegisterResource(answered)  # type: ignore[no-untyped-call]
        if isinstance(response, resource_pb2.RegisterResourceResponse):  # of a program that leaves the SDK as it is
            references.put_back(response.object)
        return response

    def _register(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        """Have a resource recorded. Raises DuplicateUrnError, at the line of the program that registers the second one."""
        try:
            self._recorder.register(urn, request)
        except DuplicateUrnError:
            raise DuplicateUrnError.of(urn, place_at(current_call().site)) from None

    def Invoke(self, request: resource_pb2.ResourceInvokeRequest) -> Any:  # noqa: N802
        """Answer a look-up: by the provider, else by the recorder."""
        try:
            return super().Invoke(request)  # type: ignore[no-untyped-call]
        except OfflineError:
            call = current_call()
            if has_unknown(request.args):
                call.lacks_arguments = True
                return _unknown_result()
            look_up = self._looked_up(Kind.FUNCTION, request.tok, request.args, request.provider, call)
            if look_up is None:
                raise
        response = resource_pb2.ResourceInvokeResponse()
        if look_up.answer.refusal:
            response.failures.add(property="", reason=look_up.answer.refusal)
        elif look_up.answer.state is State.UNKNOWN:
            call.urns.append(Book.urn(look_up.number))
            return _unknown_result()
        else:
            getattr(response, "return").CopyFrom(struct_of(look_up.answer.result))
        return response

    def Call(self, request: resource_pb2.ResourceCallRequest) -> Any:  # noqa: N802
        """Answer a call of a method, which only the process that made the component could: its result is unknown."""
        call = current_call()
        look_up = self._looked_up(Kind.METHOD, request.tok, struct_pb2.Struct(), request.provider, call)
        if look_up is None:
            raise OfflineError(f"the program calls {request.tok}, which only an engine can")
        call.urns.append(Book.urn(look_up.number))
        return provider_pb2.CallResponse()

    def ReadResource(self, request: resource_pb2.ReadResourceRequest) -> Any:  # noqa: N802
        """Answer a resource that exists already with its inputs, and with its state where that is known."""
        asked = struct_pb2.Struct()
        asked.CopyFrom(request.properties)
        asked.update({"id": request.id})
        kind = Kind.STACK if request.type == STACK_REFERENCE else Kind.RESOURCE
        if has_unknown(asked):
            return super().ReadResource(request)  # type: ignore[no-untyped-call]
        look_up = self._looked_up(kind, request.type, asked, request.provider, current_call())
        if look_up is None:
            return super().ReadResource(request)  # type: ignore[no-untyped-call]
        urn = self.make_urn(request.parent, request.type, request.name)
        self._recorder.read(urn, look_up)
        properties = struct_pb2.Struct()
        properties.CopyFrom(request.properties)
        properties.MergeFrom(struct_of(look_up.answer.result))
        response = resource_pb2.ReadResourceResponse(urn=urn, properties=properties)
        if "id" in response.DESCRIPTOR.fields_by_name:  # of newer SDKs, which take the id from here
            response.id = request.id
        return response

    def _looked_up(self, kind: Kind, token: str, asked: struct_pb2.Struct, provider: str, call: ProgramCall) -> LookUp | None:
        arguments = with_whole_numbers(plain_data(asked))
        file, line = call.site
        urn = provider.rpartition("::")[0]
        return self._recorder.look_up(Question(kind, token, arguments, urn, file, line, call.needs_value, call.shape))

    def RegisterStackTransform(self, request: Any) -> Any:  # noqa: N802
        """Note a transform of every resource that is registered from now on."""
        self._transforms.of_stack.append(request)
        return super().RegisterStackTransform(request)  # type: ignore[no-untyped-call]

    def RegisterResourceOutputs(self, request: resource_pb2.RegisterResourceOutputsRequest) -> Any:  # noqa: N802
        """Have the outputs of a component or of the stack recorded."""
        self._recorder.register_outputs(request)
        return super().RegisterResourceOutputs(request)  # type: ignore[no-untyped-call]

    def RegisterResourceHook(self, request: resource_pb2.RegisterResourceHookRequest) -> Any:  # noqa: N802
        """Have a hook recorded; nothing fires it."""
        self._recorder.register_hook(request)
        return super().RegisterResourceHook(request)  # type: ignore[no-untyped-call]

    def SignalAndWaitForShutdown(self, request: Any) -> Any:  # noqa: N802
        """Have the end recorded: the SDK calls this once, after everything was answered, of a program that did not fail."""
        self._recorder.end()
        return super().SignalAndWaitForShutdown(request)  # type: ignore[no-untyped-call]


def _yaml() -> Callable[[Path], None]:
    from pulumi_cutlist.yaml_program.program import run_yaml  # with the analyzer of components, which takes a tenth of a second

    return run_yaml


def _unknown_result() -> resource_pb2.ResourceInvokeResponse:
    """Return a result that is unknown; in older SDKs one of which a member is, so that nothing takes it apart."""
    if _HAS_UNKNOWN:
        return resource_pb2.ResourceInvokeResponse(unknown=True)
    response = resource_pb2.ResourceInvokeResponse()
    getattr(response, "return").update({"unknown": rpc.UNKNOWN})
    return response


class RecordingEngine:
    """The part of an engine that hears log messages."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def Log(self, request: engine_pb2.LogRequest) -> None:  # noqa: N802
        """Have a message recorded."""
        self._recorder.log(request)

    def RequirePulumiVersion(self, _request: Any) -> None:  # noqa: N802
        """Accept any version that a program asks for: there is no engine whose version could be wrong."""


def urn_of(project: str, stack: str, parent: str, type_: str, name: str) -> str:
    """Return a URN by the engine's rule: all the parents' types but the stack's are in it."""
    types = parent.split("::")[2] if parent else ""
    prefix = "" if types in ("", STACK) else f"{types}$"
    return f"urn:pulumi:{stack}::{project}::{prefix}{type_}::{name}"


def is_recorded() -> bool:
    """Tell whether the running program registers its resources with a recorder, not with an engine."""
    return isinstance(settings.get_monitor(), RecordingMonitor)


def plan_elsewhere(name: str, request: PlanRequest | None) -> PlanAnswer | None:
    """Return what the process that judges the running program plans for a NodePlan; None where the program plans itself."""
    monitor = settings.get_monitor()
    return monitor.plan(name, request) if isinstance(monitor, RecordingMonitor) else None


@dataclass(frozen=True, slots=True)
class Program:
    """A Pulumi program and what it runs with.

    `path` is a folder with `__main__.py` or a file; `root` the folder of Pulumi.yaml; `config` has qualified keys, such as
    `aws:region`, and text values, as programs receive them; `secrets` are the keys whose values are secret. `written` are the
    answers to look-ups that the stack has; a program that `asks_account` gets those of an account.
    """

    path: Path
    root: Path
    project: str
    stack: str
    config: Mapping[str, str] = field(default_factory=dict)
    secrets: Collection[str] = ()
    written: WrittenAnswers = field(default_factory=WrittenAnswers)
    language: Language = Language.PYTHON
    asks_account: bool = False

    def context(self, provider: Callable[[str], Mapping[str, Any]]) -> Context:
        """Return what the program runs with; `provider` returns the inputs of its providers by URN."""
        return Context(self.project, self.config, today(), provider)

    def is_answered(self, question: Question) -> bool:
        """Tell whether a look-up has an answer that is an account's, whichever provider is asked."""
        return self.asks_account or any(replace(answer, provider="").answers(question) for answer in self.written.answers)

    def run(self, mode: Mode, provider: mocks.Mocks | None = None) -> Recording:
        """Run it in this process and return what it registered.

        A fresh context and event loop make runs independent of each other. Exceptions of the program are raised unchanged.
        """
        recording = Recording()
        self.run_for(recording, mode, provider)
        return recording

    def run_for(
        self,
        recorder: Recorder,
        mode: Mode,
        provider: mocks.Mocks | None = None,
        heard: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Run it in this process with a recorder of what it registers; `heard` is called with its failure, as by `run_main`."""
        monitor = RecordingMonitor(provider or Echo(mode), recorder, self.is_answered)
        contextvars.copy_context().run(self._run, mode, monitor, RecordingEngine(recorder), heard)

    def _run(
        self,
        mode: Mode,
        monitor: RecordingMonitor,
        engine: RecordingEngine,
        heard: Callable[[BaseException], None] | None,
    ) -> None:
        root, path = self.root.resolve(), self.path.resolve()
        # The SDK keeps the stack of the last run here; resources would become children of that one.
        settings.ROOT.set(None)
        configure(
            Settings(
                project=self.project,
                stack=self.stack,
                monitor=monitor,
                engine=engine,
                dry_run=mode is Mode.PREVIEW,
                organization="organization",
                root_directory=str(root),
            )
        )
        settings.SETTINGS.callbacks = monitor.callbacks
        set_all_config(dict(self.config), sorted(self.secrets))
        with noted_calls():
            run_main(path, heard, _yaml() if self.language is Language.YAML else None)
