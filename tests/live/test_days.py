"""The recorded days: they are what the scripts say today, and nothing in them contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.judges.schedule import quantity
from tests.live.living_days import written
from tests.live.recording import Recording
from tests.live.recordings import days
from tests.live.replaying import day_differences, replayed
from tests.live.scenarios.days import DAYS

SLACK = 2.0
"""Seconds: times of objects are cut to whole seconds, and the cluster is looked at twice a second."""


def test_the_days_are_recorded_with_each_karpenter():
    """With the scripts that are there."""
    assert {(day.version, day.name) for day in days()} == {(v, day.name) for day in DAYS.values() for v in day.versions}
    for day in days():
        assert day.scenario == written(DAYS[day.name])


def problems(day: Recording) -> Iterator[str]:
    """Yield what cannot be true of a day in a cluster. A DaemonSet's pod may outlive its node for a while."""
    claims = {claim["node"]: claim for claim in day.answer["claims"] if "node" in claim}
    for pod in day.answer["pods"]:
        if "node" not in pod:
            continue
        node = claims.get(pod["node"])
        if node is None:
            yield f"{pod['name']} ran on a node that no NodeClaim made"
        elif pod["bound"] < node["created"] - SLACK or (_ends(pod) > _ends(node) + SLACK and pod["owner"] != "DaemonSet"):
            yield f"{pod['name']} ran on a node that was not there"
    for node in claims.values():
        yield from _overfull(day, node)
    for command in day.answer["commands"]:
        for name in command["nodes"]:
            if claims[name].get("deleted", day.scenario["seconds"]) < command["at"] - SLACK:
                yield f"{name} was deleted before the command that ends it"


def _ends(history: Mapping[str, Any]) -> float:
    return float(history.get("gone", "inf"))


def _overfull(day: Recording, node: Mapping[str, Any]) -> Iterator[str]:
    """Yield the instants at which pods request more of a node than it has."""
    own = [pod for pod in day.answer["pods"] if pod.get("node") == node["node"]]
    for pod in own:
        at = pod["bound"] + SLACK
        running = [other for other in own if other["bound"] <= at < _ends(other) - SLACK]
        for resource in ("cpu", "memory"):
            requested = sum(quantity(other["requests"][resource]) for other in running)
            if requested > quantity(node["allocatable"][resource]):
                yield f"at {at} pods request {requested} {resource} of {node['node']}"


@pytest.mark.parametrize("day", days(), ids=lambda day: f"{day.version}-{day.name}")
def test_a_day_is_possible(day: Recording):
    """Pods run on nodes that are there and have room, commands end nodes that run, and in the end there are as many pods as the
    script says."""
    assert list(problems(day)) == []
    wanted: Counter[str] = Counter()
    for step in day.scenario["script"]:
        for change in step["changes"]:
            if change.get("change") == "Scale":
                wanted[change["name"]] = change["replicas"]
            elif "replicas" in change.get("spec", {}) and change["kind"] != "NodePool":
                wanted[change["metadata"]["name"]] = change["spec"]["replicas"]
    last = Counter(pod["app"] for pod in day.answer["pods"] if "gone" not in pod and pod["owner"] != "DaemonSet")
    assert last == +wanted


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("day", days(), ids=lambda day: f"{day.version}-{day.name}")
def test_a_simulated_day_is_the_recorded_one(day: Recording):
    """The same commands in the same order, and as many node-hours within 3%."""
    assert day_differences(day, replayed(day)) == []


def test_a_day_that_is_spoilt_is_found_different():
    """Whatever is compared can differ, and the line says in what."""
    day = days()[1]
    first, *others = day.answer["commands"]
    claims = [{**claim, "gone": claim["created"] + 30} for claim in day.answer["claims"]]
    spoilt = [{"commands": others}, {"commands": [{**first, "at": 20.0}, *others]}, {"claims": claims}]
    replay = replayed(day)
    lines = [day_differences(replace(day, answer={**day.answer, **part}), replay)[0] for part in spoilt]
    assert [line.partition(", got")[0] for line in lines] == [
        "command 0: wanted Empty delete batch/c-16x-amd64-linux -> 0",
        "command 0: wanted at 20.0",
        "node-hours: wanted 0.083",
    ]
