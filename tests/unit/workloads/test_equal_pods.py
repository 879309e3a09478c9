"""Equal pods of a cluster are read once, as they are read one by one."""

from __future__ import annotations

from typing import Any

from cutlist.core.errors import Problems
from cutlist.core.shapes import Paths, Report
from cutlist.workloads import check
from cutlist.workloads.equal_pods import EqualPods
from cutlist.workloads.read_pod import read_pod
from tests.unit.workloads.whole_objects import POD, changed


def test_pods_that_differ_in_anything_that_is_read_are_read_apart():
    """Of a pod and all its valid variants, one reader makes what reading each by itself makes."""
    equal = EqualPods()
    valid = [pod for pod in (POD, *changed(POD)) if _is_valid(pod)]
    assert [equal.read(pod) for pod in valid] == [read_pod(pod) for pod in valid]
    assert len({repr(read_pod(pod)) for pod in valid}) > 80


def test_pods_that_differ_only_in_names_and_times_are_one():
    other = {
        **POD,
        "metadata": {**POD["metadata"], "name": "web-1", "uid": "v", "creationTimestamp": "2026-02-01T00:00:00Z"},
        "spec": {**POD["spec"], "nodeName": "node-1", "volumes": [*POD["spec"]["volumes"], {"name": "kube-api-access-x7k2p"}]},
    }
    equal = EqualPods()
    assert equal.read(other) is equal.read(POD)


def _is_valid(pod: dict[str, Any]) -> bool:
    problems = Problems()
    check.fields_shape("Pod")(pod, "", Report(Paths(), problems))
    return not problems
