"""The requests of pods with resources of their own, as kube-scheduler of Kubernetes 1.35 and 1.37 counts them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cutlist.core.notes import Notes
from cutlist.core.quantity import amounts
from cutlist.workloads.defaults import Admission
from cutlist.workloads.requests import pod_requests
from tests.unit.workloads.request_answers import MINORS, answers, pods

ANSWERS = answers()
OF_KUBE_SCHEDULER_ALONE = {
    37: {"0 pod grown", "0 pod shrunk", "1 pod grown", "1 pod shrunk", "2 pod shrunk", "2 infeasible"},
}
"""Pods whose own resources are being resized: kube-scheduler counts them from 1.36 on, Karpenter does not (W-97)."""


def requests(name: str) -> Mapping[str, int]:
    """What Cutlist counts, in nano-units, without the number of pods and without zeros."""
    pod = pods()[name]
    status = pod.pop("status", {})
    counted = pod_requests({**Admission().admit(pod, "web", Notes()), "status": status})
    return {resource: amount.nanos for resource, amount in counted.items() if resource != "pods" and amount}


@pytest.mark.parametrize("minor", MINORS)
def test_requests_are_those_that_kube_scheduler_counts(minor: int) -> None:
    """With the defaults of the API server, for containers and for the pod as a whole."""  # S-7 to S-12 W-97
    recorded = ANSWERS[str(minor)]
    assert list(recorded) == sorted(pods())
    different = set()
    for name, said in recorded.items():
        if said is not None and requests(name) != {r: nanos for r, nanos in amounts(said).items() if nanos}:
            different.add(name)
    assert different == OF_KUBE_SCHEDULER_ALONE.get(minor, set())


def test_1_37_counts_as_1_35_but_for_resizes_of_the_whole_pod() -> None:
    """A pod that waits has the same requests in both."""  # W-97
    first, last = (ANSWERS[str(minor)] for minor in MINORS)
    assert {name for name in first if first[name] != last[name]} == OF_KUBE_SCHEDULER_ALONE[37]
