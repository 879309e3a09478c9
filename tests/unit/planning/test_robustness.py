"""What only plans read, beside NodePools and workloads, is read or reported, whatever stands in it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from tests.examples import examples
from tests.unit.planning.manifests import NODE_CLASS, pool

CONTAINER = {"name": "a", "resources": {"requests": {"cpu": "1"}}}
SPREAD = """
podTopologySpread:
  defaultConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}]
"""


def made(version: str, kind: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, **parts}


OBJECTS = [
    made("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", spec={"replicas": 2, "podTemplateRef": {"name": "a"}}),
    made("v1", "PodTemplate", template={"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [CONTAINER]}}),
    made("v1", "Service", spec={"selector": {"app": "web"}}),
    made(
        "elasticsearch.k8s.elastic.co/v1",
        "Elasticsearch",
        spec={"nodeSets": [{"name": "n", "count": 1, "volumeClaimTemplates": [{"metadata": {"name": "v"}, "spec": {}}]}]},
    ),
    made(
        "karpenter.sh/v1",
        "NodeClaim",
        spec={"expireAfter": "720h", "terminationGracePeriod": "1h"},
        status={"providerID": "aws:///us-west-2a/i-1"},
    ),
    made("v1", "ConfigMap", data={"a": "b"}),
]
JUNK = [None, "", "5Gi", 0, True, [], [None], {}, {"x": None}]


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from paths(member, (*at, key))


PATHS = [(o["kind"], path) for o in OBJECTS for path in paths(o) if path not in (("kind",), ("apiVersion",))]


def changed(kind: str, path: tuple[Any, ...], value: Any) -> list[dict[str, Any]]:
    """The objects with another value in one of them."""
    objects = copy.deepcopy(OBJECTS)
    at: Any = next(o for o in objects if o["kind"] == kind)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return objects


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("scheduler") / "config.yaml"
    file.write_text(SPREAD)
    return file


def inputs(objects: list[dict[str, Any]], config: Path) -> PlanInputs:
    text = "\n---\n".join((NODE_CLASS, pool()))
    return read_inputs(["-"], region="us-west-2", stdin=text, manifests=objects, karpenter="1.15", scheduler_config=str(config))


def test_all_objects_are_right_as_they_stand(config: Path) -> None:
    """Else the tests below would show little."""
    assert [buffer.replicas for buffer in inputs(OBJECTS, config).buffers] == [2]


@pytest.mark.parametrize(
    ("kind", "path", "value", "message"),
    [
        ("PodTemplate", ("metadata",), ["a"], "metadata: expected a mapping"),
        ("PodTemplate", ("metadata", "name"), {"x": 1}, "metadata.name: expected text"),
        ("PodTemplate", ("template", "spec"), "a", "template.spec: expected a mapping"),
        ("Service", ("metadata",), ["a"], "metadata: expected a mapping"),
        ("Elasticsearch", ("spec", "nodeSets", 0, "volumeClaimTemplates", 0, "metadata"), {}, "metadata.name: is missing"),
        ("NodeClaim", ("spec", "expireAfter"), "5Gi", "NodeClaim a: '5Gi' is not a duration"),
        ("NodeClaim", ("spec", "terminationGracePeriod"), 5, "NodeClaim a: 5 is not text"),
    ],
)
def test_what_cannot_be_read_is_a_mistake(kind: str, path: tuple[Any, ...], value: Any, message: str, config: Path) -> None:
    """Each with its place."""
    with pytest.raises(InputError) as error:
        inputs(changed(kind, path, value), config)
    assert [problem for problem in map(str, error.value.problems) if message in problem]


@examples(0.3)
@given(st.sampled_from(PATHS), st.sampled_from(JUNK))
def test_junk_anywhere_is_read_or_reported(config: Path, where: tuple[str, tuple[Any, ...]], junk: Any) -> None:
    """It is never another exception."""
    with suppress(InputError):
        assert inputs(changed(*where, junk), config).node_pools
