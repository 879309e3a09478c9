"""A provider for everything: what an engine starts in place of a cloud's provider, or is attached to (pulumi 8.2).

It keeps nothing: resources exist in the engine's state alone. It refuses what an account would (tests/account), makes names
where Pulumi does, replaces what the provider replaces, adds what a cloud computes, and writes each create, update and delete
into a journal, one line of JSON, so that tests see what was done in which order.

    python -m tests.engine.provider PACKAGE VERSION JOURNAL ENGINE
"""

# ruff: noqa: N802 - the methods are called what the protocol calls them

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2, struct_pb2
from google.protobuf.json_format import MessageToDict
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc, resource_pb2, resource_pb2_grpc
from pulumi.runtime.rpc import UNKNOWN, _special_resource_sig, _special_sig_key

from tests.account.kept import changes, read_back, refreshed
from tests.account.rows import is_partly_unknown
from tests.account.table import OF_NO_PROVIDER, refusals, row_of
from tests.account.values import plain as without_marks
from tests.engine.answers import ADD_ON, CALLER, COMPUTED, INVOKES, REPLACING, default_version
from tests.engine.lives import Lives
from tests.engine.serving import serve
from tests.engine.shared_file import append

DIFF = provider_pb2.DiffResponse
_UPDATED = provider_pb2.PropertyDiff(kind=provider_pb2.PropertyDiff.UPDATE, inputDiff=True)
_REPLACED = provider_pb2.PropertyDiff(kind=provider_pb2.PropertyDiff.UPDATE_REPLACE, inputDiff=True)
EKS_CLUSTER = "eks:index:Cluster"
DEFAULTS = "__defaults"
"""Where a provider of this kind keeps which inputs it filled itself."""


def _eks_cluster(request: Any, parent: str) -> resource_pb2.RegisterResourceRequest:
    """Return the registration of the cluster that the component of pulumi_eks makes."""
    given = plain(request.inputs)
    inputs = struct_pb2.Struct()
    inputs.update(
        {
            "name": given.get("name", request.name),
            "version": given.get("version", "1.35"),
            "roleArn": "arn:aws:iam::111122223333:role/cluster",
            "vpcConfig": {"subnetIds": given.get("privateSubnetIds", ["subnet-0a", "subnet-0b"])},
        }
    )
    return resource_pb2.RegisterResourceRequest(
        type="aws:eks/cluster:Cluster",
        name=f"{request.name}-eksCluster",
        parent=parent,
        custom=True,
        object=inputs,
        acceptSecrets=True,
        acceptResources=True,
        version=version("pulumi-aws"),
    )


def _refer(state: struct_pb2.Struct, key: str, child: resource_pb2.RegisterResourceResponse, of: str) -> None:
    """Set an output to a resource, as a reference to it."""
    reference = {_special_sig_key: _special_resource_sig, "urn": child.urn, "id": child.id, "packageVersion": of}
    state.update({key: reference})


class StandIn(provider_pb2_grpc.ResourceProviderServicer):
    """One package's provider. Structs pass through untouched, so that secrets and unknown values survive."""

    def __init__(self, package: str, version: str, journal: Path) -> None:
        self._package = package
        self._version = version
        self._journal = journal
        self._lives = Lives(journal.with_name("lives"))

    def Handshake(self, request, context):
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True)

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version=self._version)

    def Attach(self, request, context):
        return empty_pb2.Empty()

    def Cancel(self, request, context):
        return empty_pb2.Empty()

    def CheckConfig(self, request, context):
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request, context):
        return DIFF(changes=DIFF.DIFF_NONE)

    def Configure(self, request, context):
        return provider_pb2.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        inputs, olds = struct_pb2.Struct(), plain(request.olds)
        inputs.CopyFrom(request.news)
        row = row_of(request.type)
        lines = [] if self._has_no_cloud(request.type) else refusals(request.type, request.name, without_marks(plain(inputs)))
        if row and row.autonamed and not {row.autonamed[0], f"{row.autonamed[0]}Prefix"} & set(inputs):
            key = row.autonamed[0]
            inputs[key] = olds[key] if key in olds.get(DEFAULTS, ()) else row.named(request.name, {})
            inputs[DEFAULTS] = [key]
        failures = [provider_pb2.CheckFailure(reason=line) for line in lines]
        return provider_pb2.CheckResponse(inputs=inputs, failures=failures)

    def Diff(self, request, context):
        olds, news = plain(request.old_inputs), plain(request.news)
        state = plain(request.olds) if self._package == "aws" else {}  # the others compare what programs asked for
        changed = sorted(changes(request.type, olds, state or olds, news))
        changed = [path for path in changed if path not in request.ignoreChanges and not path.startswith(DEFAULTS)]
        row = row_of(request.type)
        elsewhere = {"region"} if self._package == "aws" else REPLACING if row is None else frozenset()
        replaces = [path for path in changed if path in elsewhere or (row is not None and row.is_replaced(path, olds))]
        key = row.autonamed[0] if row and row.autonamed else ""
        own_name = key in news and key not in changed and key not in news.get(DEFAULTS, ())
        return DIFF(
            changes=DIFF.DIFF_SOME if changed else DIFF.DIFF_NONE,
            diffs=sorted({path.partition(".")[0] for path in changed}),
            detailedDiff=dict.fromkeys(changed, _UPDATED) | dict.fromkeys(replaces, _REPLACED),
            hasDetailedDiff=True,
            replaces=replaces,
            deleteBeforeReplace=bool(replaces) and own_name,
        )

    def Create(self, request, context):
        self._note("create", request, request.preview)
        if request.preview:
            return provider_pb2.CreateResponse(id="", properties=self._outputs(request, request.properties, True))
        inputs = plain(request.properties)
        self._lives.begin(request.urn)
        self._lives.runs(request.urn, inputs)
        id_ = self._id(request)
        self._lives.place(id_, inputs.get("vpcId"))
        return provider_pb2.CreateResponse(id=id_, properties=self._outputs(request, request.properties, False))

    def Update(self, request, context):
        if refusal := self._lives.refusal(request.type, plain(request.olds), plain(request.news)):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, refusal)
        self._note("update", request, request.preview)
        if not request.preview:
            self._lives.runs(request.urn, plain(request.news))
        return provider_pb2.UpdateResponse(properties=self._updated(request))

    def Delete(self, request, context):
        self._note("delete", request)
        return empty_pb2.Empty()

    def Read(self, request, context):
        properties = request.properties if len(request.properties) else self._outputs(request, request.inputs, False)
        inputs = plain(request.inputs)
        inputs = refreshed(inputs, plain(properties)) if self._package == "aws" else inputs
        return provider_pb2.ReadResponse(id=request.id, properties=properties, inputs=struct(inputs))

    def Invoke(self, request, context):
        if request.tok not in INVOKES:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the stand-in for {self._package} has no answer to {request.tok}")
        answer = {**INVOKES[request.tok], **(self._caller() if request.tok == CALLER else {})}
        if request.tok == ADD_ON:
            asked = plain(request.args)
            answer = {**answer, **asked, "version": default_version(asked["addonName"], asked["kubernetesVersion"])}
        return provider_pb2.InvokeResponse(**{"return": struct(answer)})

    def _caller(self) -> dict[str, str]:
        """Return who runs the engine, where a file beside the journal says so."""
        file = self._journal.with_name("caller")
        arn = file.read_text() if file.exists() else ""
        return {"arn": arn, "accountId": arn.split(":")[4]} if arn else {}

    def Call(self, request, context):
        if request.tok not in INVOKES:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the stand-in for {self._package} has no answer to {request.tok}")
        return provider_pb2.CallResponse(**{"return": struct(INVOKES[request.tok])})

    def Construct(self, request, context):
        """Return a component of the package: one resource without children, with the outputs that the real one would have."""
        with grpc.insecure_channel(request.monitorEndpoint) as channel:
            monitor = resource_pb2_grpc.ResourceMonitorStub(channel)
            registration = resource_pb2.RegisterResourceRequest(
                type=request.type, name=request.name, parent=request.parent, object=request.inputs, acceptSecrets=True
            )
            urn = monitor.RegisterResource(registration).urn
            state = self._outputs(request, struct_pb2.Struct(), request.dryRun)
            if request.type == EKS_CLUSTER:
                _refer(state, "eksCluster", monitor.RegisterResource(_eks_cluster(request, urn)), version("pulumi-aws"))
            monitor.RegisterResourceOutputs(resource_pb2.RegisterResourceOutputsRequest(urn=urn, outputs=state))
        return provider_pb2.ConstructResponse(urn=urn, state=state)

    def _has_no_cloud(self, type_: str) -> bool:
        return type_.startswith(OF_NO_PROVIDER) or (row_of(type_) is None and type_ in COMPUTED)

    def _id(self, request: Any) -> str:
        row = row_of(request.type) if self._package == "aws" else None
        return row.id_of(self._lives.name(request), plain(request.properties)) if row else f"{request.name}-id"

    def _outputs(self, request: Any, inputs: struct_pb2.Struct, preview: bool) -> struct_pb2.Struct:
        row = row_of(request.type)
        given = without_marks(plain(inputs))
        computed = dict(filled(COMPUTED.get(request.type, {}), request.name, request.type.rpartition(":")[2]))
        if row:
            computed |= row.outputs(self._lives.name(request), {} if is_partly_unknown(given) else given)
        outputs = struct_pb2.Struct()
        outputs.update(plain(inputs) if preview else read_back(request.type, plain(inputs)))
        outputs.fields.pop(DEFAULTS, None)
        take_identities(outputs)
        for key, value in computed.items():
            complete(outputs, key, UNKNOWN if preview else value)
        return outputs

    def _updated(self, request: Any) -> struct_pb2.Struct:
        """Return the outputs after an update: what the cloud computed stays, but for what each update moves."""
        row, olds = row_of(request.type), plain(request.olds)
        outputs = self._outputs(request, request.news, False)
        moves = row.moves if row else frozenset()
        for key in self._outputs(request, struct_pb2.Struct(), False):
            if key in olds and key not in plain(request.news):
                after = olds[key] + 1 if key in moves else olds[key]
                outputs[key] = UNKNOWN if request.preview and key in moves else after
        return outputs

    def _note(self, operation: str, request: Any, preview: bool = False) -> None:
        if preview:
            return
        append(self._journal, {"operation": operation, "urn": request.urn})


def plain(data: struct_pb2.Struct) -> dict[str, Any]:
    """Return a struct as plain data."""
    return MessageToDict(data)


def struct(data: Mapping[str, Any]) -> struct_pb2.Struct:
    """Plain data as a struct."""
    made = struct_pb2.Struct()
    made.update(data)
    return made


def take_identities(outputs: struct_pb2.Struct) -> None:
    """Turn lists of Azure's identities into maps, as its provider does on the way out."""
    for value in outputs.values():
        if isinstance(value, struct_pb2.Struct) and "userAssignedIdentities" in value:
            value["userAssignedIdentities"] = {}


def complete(outputs: struct_pb2.Struct, key: str, computed: Any) -> None:
    """Add what a cloud computes to outputs, inside of objects that were given too; what was given stays."""
    if key not in outputs:
        outputs[key] = computed
    elif isinstance(computed, Mapping) and outputs.fields[key].HasField("struct_value"):
        for inner, value in computed.items():
            complete(outputs.fields[key].struct_value, inner, value)


def filled(value: Any, name: str, type_: str) -> Any:
    """Return a computed value with the resource's own name and type in it."""
    if isinstance(value, Mapping):
        return {key: filled(inner, name, type_) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, name, type_) for inner in value]
    return value.replace("{name}", name).replace("{type}", type_) if isinstance(value, str) else value


def stand_in(package: str, version: str, journal: Path) -> Callable[[grpc.Server], None]:
    """Return what puts the stand-in for a package on a server."""
    return partial(provider_pb2_grpc.add_ResourceProviderServicer_to_server, StandIn(package, version, journal))


def main(package: str, version: str, journal: str) -> None:
    """Serve until the engine ends the process."""
    serve(stand_in(package, version, Path(journal)))


if __name__ == "__main__":
    main(*sys.argv[1:4])
