"""Programs register the same without call stacks."""

from __future__ import annotations

from pathlib import Path

from pulumi.runtime import resource
from pulumi.runtime.proto import resource_pb2, source_pb2
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.program.source_positions import without_positions
from pulumi_cutlist.recorded.recording import Recording

PROGRAM = """
import pulumi
class Shop(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("acme:shop:Shop", name)
pulumi.export("urn", Shop("shop").urn)
"""


class Requests(Recording):
    """A recording that keeps the requests as they came."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[resource_pb2.RegisterResourceRequest] = []

    def register(self, urn: str, request: resource_pb2.RegisterResourceRequest) -> None:
        super().register(urn, request)
        self.requests.append(request)


def requests_of(folder: Path) -> list[resource_pb2.RegisterResourceRequest]:
    (folder / "__main__.py").write_text(PROGRAM)
    recorder = Requests()
    Program(folder, folder, "acme", "dev").run_for(recorder, Mode.PREVIEW)
    return recorder.requests


def test_only_the_stacks_are_missing(tmp_path, monkeypatch):
    """And only meanwhile."""
    frame = source_pb2.StackFrame(pc=source_pb2.SourcePosition(uri="file:///__main__.py", line=5))
    monkeypatch.setattr(resource, "_get_stack_trace", lambda: source_pb2.StackTrace(frames=[frame]))
    with without_positions():
        without = requests_of(tmp_path)
    ordinary = requests_of(tmp_path)
    assert [len(request.stackTrace.frames) for request in without] == [0, 0]
    assert [len(request.stackTrace.frames) for request in ordinary] == [1, 1]
    for request in (*without, *ordinary):
        request.ClearField("stackTrace")
        request.ClearField("sourcePosition")
    assert without == ordinary


def test_an_sdk_without_that_function_is_left_alone(monkeypatch):
    """Nothing is put in the place of a function that is not there."""
    monkeypatch.delattr(resource, "_get_stack_trace")
    with without_positions():
        assert not hasattr(resource, "_get_stack_trace")
