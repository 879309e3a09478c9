"""The policy pack as an engine runs it: its own process, spoken to by its protocol."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2 as ap
from pulumi.runtime.proto import analyzer_pb2_grpc
from pulumi_cutlist.recorded.recording import Recording, Registration

ROOT = Path(__file__).resolve().parents[2]
POLICIES = ROOT / "policies"
_LEFT_OPEN = re.compile(r"\b([A-Z]{2}-\d{2}) [^;]*: cannot tell ")


@dataclass(frozen=True, slots=True)
class Said:
    """What a pack says: violations as rule, message and level; rules that an unknown value left open; and those that were left
    open for another reason."""

    violations: set[tuple[str, str, str]] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    not_applicable: set[str] = field(default_factory=set)

    def take(self, response: ap.AnalyzeResponse) -> None:
        """Add an answer."""
        for one in response.diagnostics:
            if one.message.startswith("can't run policy"):
                self.unknown.update(_LEFT_OPEN.findall(one.message))
            else:
                _, rule, text = one.message.split("\n")  # what a policy is about, the rule, what it found
                level = ap.EnforcementLevel.Name(one.enforcementLevel).lower()
                self.violations.add((rule.partition(" ")[0], text, level))
        for other in response.not_applicable:
            self.not_applicable.update(_LEFT_OPEN.findall(other.reason))


@dataclass(frozen=True, slots=True)
class Pack:
    """A running pack, and the id of its process."""

    stub: analyzer_pb2_grpc.AnalyzerStub
    pid: int

    def policies(self) -> list[ap.PolicyInfo]:
        """Return what an engine learns of each policy."""
        return list(self.stub.GetAnalyzerInfo(empty_pb2.Empty()).policies)

    def levels(self) -> dict[str, str]:
        """Return the level of each rule by its id: the one that stops, where some of its violations only advise."""
        by_level = sorted(self.policies(), key=lambda one: one.enforcementLevel != ap.ADVISORY)
        return {rule: ap.EnforcementLevel.Name(one.enforcementLevel).lower() for one in by_level for rule in one.tags}

    def configure(self, policy: str, level: int, **properties: Any) -> None:
        """What `--policy-pack-config` does."""
        config = ap.PolicyConfig(enforcementLevel=level)
        config.properties.update(properties)
        self.stub.Configure(ap.ConfigureAnalyzerRequest(policyConfig={policy: config}))

    def analyze(self, registration: Registration, said: Said) -> None:
        """One resource."""
        said.take(self.stub.Analyze(_request(registration)))

    def remediate(self, registration: Registration) -> list[ap.Remediation]:
        """Return the remediations of one resource."""
        return list(self.stub.Remediate(_request(registration)).remediations)

    def program(self, recording: Recording) -> Said:
        """Return a whole program: each resource, then the stack."""
        said = Said()
        for registration in recording.resources.values():
            self.analyze(registration, said)
        resources = [_stack_resource(registration) for registration in recording.resources.values()]
        said.take(self.stub.AnalyzeStack(ap.AnalyzeStackRequest(resources=resources)))
        return said


@contextmanager
def running(config: Mapping[str, str] | None = None, folder: Path = POLICIES, path: str = "") -> Iterator[Pack]:
    """Yield a pack that is started as a language host does, for a stack with this configuration."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), str(ROOT / "components"), path))),
        "PULUMI_PROJECT": "cutlist",
        "PULUMI_STACK": "dev",
        "PULUMI_DRY_RUN": "true",
        "PULUMI_CONFIG": json.dumps(dict(config or {})),
    }
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(folder)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        if not port:
            raise AssertionError(process.communicate()[1])
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Pack(analyzer_pb2_grpc.AnalyzerStub(channel), process.pid)
    finally:
        process.kill()
        process.communicate()


def _request(registration: Registration) -> ap.AnalyzeRequest:
    request = registration.request
    return ap.AnalyzeRequest(
        type=registration.type,
        name=registration.name,
        urn=registration.urn,
        properties=request.object,
        options=_options(registration),
    )


def _options(registration: Registration) -> ap.AnalyzerResourceOptions:
    """Return the options that an engine shows to a pack."""
    request = registration.request
    return ap.AnalyzerResourceOptions(protect=request.protect, parent=request.parent, ignoreChanges=list(request.ignoreChanges))


def _stack_resource(registration: Registration) -> ap.AnalyzerResource:
    request = registration.request
    return ap.AnalyzerResource(
        type=registration.type,
        name=registration.name,
        urn=registration.urn,
        properties=request.object,
        options=_options(registration),
        parent=request.parent,
        dependencies=list(request.dependencies),
    )
