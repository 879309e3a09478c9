"""The helper that reads order out of a recording: what it takes for an edge, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

from tests.infrastructure.graph import Graph

HEADER = """
import pulumi
from pulumi import ResourceOptions as Opts

class Part(pulumi.CustomResource):
    def __init__(self, name, opts=None, **props):
        super().__init__("test:index:Part", name, {"arn": None, **props}, opts)
    arn: pulumi.Output[str]

class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("test:index:Group", name, {}, opts)

class Provider(pulumi.ProviderResource):
    def __init__(self, name, opts=None):
        super().__init__("test", name, {}, opts)
"""


@pytest.fixture
def record(tmp_path: Path):
    def make(body: str) -> Recording:
        (tmp_path / "__main__.py").write_text(HEADER + body)
        return Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW)

    return make


def reaches(recording: Recording, later: str, earlier: str) -> bool:
    by_name = {r.name: r for r in recording.resources.values()}
    return Graph.of(recording).reaches(by_name[later], by_name[earlier])


def test_edges_are_followed_through_others(record):
    recording = record('a = Part("a"); b = Part("b", source=a.arn); Part("c", Opts(depends_on=[b])); Part("d")')
    assert reaches(recording, "c", "a")
    assert not reaches(recording, "a", "c")
    assert not reaches(recording, "d", "a")


def test_a_component_stands_for_its_children(record):
    body = 'g = Group("g"); Part("inside", Opts(parent=g)); Part("after", Opts(depends_on=[g])); Part("beside")'
    recording = record(body)
    assert reaches(recording, "after", "inside")
    assert not reaches(recording, "beside", "inside")


def test_children_wait_for_what_their_component_waits_for(record):
    recording = record('first = Part("first"); g = Group("g", Opts(depends_on=[first])); Part("child", Opts(parent=g))')
    assert reaches(recording, "child", "first")


def test_siblings_do_not_wait_for_each_other(record):
    recording = record('g = Group("g"); Part("one", Opts(parent=g)); Part("two", Opts(parent=g))')
    assert not reaches(recording, "one", "two")
    assert not reaches(recording, "two", "one")


def test_what_uses_a_provider_waits_for_what_the_provider_waits_for(record):
    body = 'gate = Part("gate"); p = Provider("way-in", Opts(depends_on=[gate])); Part("object", Opts(provider=p))'
    assert reaches(record(body), "object", "gate")


def test_nothing_reaches_nothing(record):
    recording = record('Part("a")')
    [part] = recording.of_type("test:index:Part")
    assert not Graph.of(recording).reaches(part, [])
    assert not Graph.of(recording).reaches([], part)


def test_deletion_begins_with_what_nobody_needs(record):
    steps = Graph.of(record('a = Part("a"); b = Part("b", source=a.arn); Part("c", Opts(depends_on=[b]))')).deletions()
    names = [sorted(urn.rsplit("::", 1)[1] for urn in step if "Stack" not in urn) for step in steps]
    assert names == [["c"], ["b"], ["a"]]
