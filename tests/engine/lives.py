"""What was made before, for stand-ins that live as long as one operation: how often, and in which VPC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.engine.shared_file import append, lines

_CLUSTER: Final = "aws:eks/cluster:Cluster"


class Lives:
    """A file beside the journal, one line of JSON for each thing that was made."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def begin(self, urn: str) -> None:
        """Note that a resource is made, again where it was there before."""
        self._write({"urn": urn})

    def place(self, id_: str, vpc: Any) -> None:
        """Note the VPC that a thing is in, where it is in one."""
        if isinstance(vpc, str):
            self._write({"id": id_, "vpc": vpc})

    def name(self, request: Any) -> str:
        """Return the name that ids of a resource are made of: its own, and for a successor its number too. Components, which no
        cloud knows, have no URN when they are made."""
        urn = getattr(request, "urn", None)
        before = sum(line.get("urn", "") == urn for line in self._lines()) - 1
        return request.name if before < 1 else f"{request.name}.{before}"

    def runs(self, urn: str, inputs: Mapping[str, Any]) -> None:
        """Note the version of Kubernetes that nodes have."""
        if ":NodeGroup::" in urn and "version" in inputs:
            self._write({"nodes": urn, "version": inputs["version"]})

    def refusal(self, type_: str, olds: Mapping[str, Any], news: Mapping[str, Any]) -> str:
        """Return why an account would refuse an update by what is there; an empty text where it would not."""
        if type_ == _CLUSTER and (refusal := self._of_version(str(olds.get("version")), str(news.get("version")))):
            return refusal
        before, after = (self._vpcs(inputs) for inputs in (olds, news))
        if type_ == _CLUSTER and before and after and before != after:
            return f"a cluster in {', '.join(before)} cannot have subnets of {', '.join(after)} (EKS API reference)"
        return ""

    def _of_version(self, before: str, after: str) -> str:
        """Return why EKS would not take a control plane to a version (EKS user guide, update-cluster and rollback-cluster)."""
        was, becomes = (int(version.rpartition(".")[2]) for version in (before, after))
        if abs(becomes - was) > 1:
            return f"Unsupported Kubernetes minor version update from {before} to {after}"
        nodes = {line["nodes"]: line["version"] for line in self._lines() if "nodes" in line}
        newer = [urn for urn, version in nodes.items() if becomes < was and int(version.rpartition(".")[2]) > becomes]
        return f"nodes newer than {after}: {', '.join(newer)}" if newer else ""

    def _vpcs(self, inputs: Mapping[str, Any]) -> list[str]:
        places = {line["id"]: line["vpc"] for line in self._lines() if "vpc" in line}
        config = inputs.get("vpcConfig")
        subnets = config.get("subnetIds") if isinstance(config, Mapping) else None
        return sorted({places[id_] for id_ in subnets or () if id_ in places})

    def _lines(self) -> Iterator[dict[str, Any]]:
        return iter(lines(self._file))

    def _write(self, line: Mapping[str, Any]) -> None:
        append(self._file, line)
