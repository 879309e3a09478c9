"""Programs with AWS resources, run in-process: the outputs that AWS would compute, distinguished by the resource's name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pulumi.runtime import mocks
from pulumi_cutlist.program.offline import Echo, Mode, Program
from pulumi_cutlist.recorded.recording import Recording, Registration

from tests.account.recordings import refused
from tests.account.table import row_of

ACCOUNT = "111122223333"
ISSUER = "https://oidc.eks.eu-west-1.amazonaws.com/id/ABC"

_COMPUTED: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "aws:eks/cluster:Cluster": lambda name: {
        "arn": f"arn:aws:eks:eu-west-1:{ACCOUNT}:cluster/shop",
        "endpoint": "https://shop.example",
        "certificateAuthority": {"data": "Q0E="},
        "identities": [{"oidcs": [{"issuer": ISSUER}]}],
    },
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": lambda name: {"arn": f"arn:aws:iam::{ACCOUNT}:oidc-provider/shop"},
    "aws:iam/role:Role": lambda name: {"arn": f"arn:aws:iam::{ACCOUNT}:role/{name}", "uniqueId": f"AROA{name}"},
    "aws:iam/policy:Policy": lambda name: {"arn": f"arn:aws:iam::{ACCOUNT}:policy/{name}"},
    "aws:sqs/queue:Queue": lambda name: {"url": f"https://sqs.eu-west-1.amazonaws.com/{ACCOUNT}/{name}"},
    "aws:ec2/launchTemplate:LaunchTemplate": lambda name: {"latestVersion": 1},
}


_GLOBAL = "aws:iam/"


class AwsStandIn(Echo):
    """A provider that answers as AWS would; look-ups are refused unless `calls` has their answer by token."""

    def __init__(self, mode: Mode, calls: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        super().__init__(mode)
        self._update, self._calls = mode is Mode.UPDATE, calls or {}

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        id_, outputs = super().new_resource(args)
        row = row_of(args.typ) if args.typ.startswith("aws:") else None
        if not self._update or row is None:
            return id_, outputs
        reported = {**row.outputs(args.name, args.inputs), **_COMPUTED.get(args.typ, lambda _: {})(args.name)}
        if args.typ == "aws:eks/cluster:Cluster":
            reported["vpcConfig"] = {**outputs["vpcConfig"], "clusterSecurityGroupId": "sg-1"}
        return row.id_of(args.name, args.inputs), {**outputs, **reported}

    def knows(self, token: str) -> bool:
        return token in self._calls

    def call(self, args: mocks.MockCallArgs) -> Any:
        return dict(self._calls[args.token]) if args.token in self._calls else super().call(args)


def elsewhere(recording: Recording) -> list[str]:
    """Names of the resources of components that another ambient region would put elsewhere. Only IAM's have no region."""
    parts = [one for one in recording.resources.values() if one.type.startswith("aws:") and "$" in one.urn.split("::")[2]]
    return [one.name for one in parts if one.inputs.get("region") != _region(one, recording)]


def _region(one: Registration, recording: Recording) -> str | None:
    """The region that the nearest component around a resource has among its inputs."""
    if one.type.startswith(_GLOBAL):
        return None
    inputs = recording.resources[one.parent].inputs
    region = inputs.get("region") or inputs.get("control_plane", {}).get("region")
    return region or _region(recording.resources[one.parent], recording)


def accepted(recording: Recording) -> Recording:
    """Return a recording of which an account would refuse nothing, and nothing would be in another region."""
    assert elsewhere(recording) == []
    assert not (lines := refused(recording)), "\n".join(lines)
    return recording


def run(
    folder: Path, body: str, mode: Mode = Mode.UPDATE, calls: Mapping[str, Mapping[str, Any]] | None = None, **given: Any
) -> Recording:
    """Run a program; `given` are plain values under these names in it."""
    values = "".join(f"{name} = json.loads({json.dumps(json.dumps(value))})\n" for name, value in given.items())
    (folder / "__main__.py").write_text(f"import json, pulumi\n{values}{body}")
    return accepted(Program(folder, folder, "shop", "dev").run(mode, AwsStandIn(mode, calls)))
