"""What a pod requests in all (spec: scheduling 1.5 and 1.6)."""

from __future__ import annotations

import pytest

from cutlist.core.errors import QuantityError
from cutlist.workloads.requests import pod_requests


def container(name: str = "c", restart: str | None = None, **requests: str) -> dict:
    return {"name": name, "resources": {"requests": requests}, **({"restartPolicy": restart} if restart else {})}


def requests(status: dict | None = None, **spec) -> dict[str, str]:
    return {name: str(amount) for name, amount in pod_requests({"spec": spec, "status": status}).items()}


SIDECAR = container("s", "Always", cpu="500m")
LATE_SIDECAR = container("t", "Always", cpu="250m")
INIT = container("i", cpu="2")


# S-7
@pytest.mark.parametrize(
    ("init_containers", "cpu"), [([SIDECAR, INIT, LATE_SIDECAR], "2500m"), ([INIT, SIDECAR, LATE_SIDECAR], "2"), ([], "1")]
)
def test_the_order_of_init_containers_matters(init_containers, cpu):
    """An init container runs beside the sidecars before it only."""
    assert requests(containers=[container(cpu="1")], initContainers=init_containers)["cpu"] == cpu


# S-12
def test_init_containers_count():
    """The largest init container may ask for more than all ordinary ones, resource by resource."""
    totals = requests(containers=[container(cpu="1", memory="1Gi")] * 2, initContainers=[container(cpu="500m", memory="3Gi")])
    assert totals == {"cpu": "2", "memory": "3Gi", "pods": "1"}


# S-8
def test_pod_level_requests_replace_the_sum_and_overhead_comes_on_top():
    """A pod-level cpu request stands instead of the containers' cpu, and nothing else; overhead is added to it."""
    totals = requests(
        containers=[container(cpu="1", memory="1Gi")],
        resources={"requests": {"cpu": "4", "example.org/x": "7"}, "limits": {"memory": "9Gi"}},
        overhead={"cpu": "250m", "memory": "64Mi"},
    )
    assert totals == {"cpu": "4250m", "memory": "1088Mi", "pods": "1"}


# S-9
def test_every_pod_counts_as_one():
    """A pod without requests takes one place, whatever it says itself."""
    assert requests(containers=[container()]) == {"pods": "1"}
    assert requests(containers=[container(pods="5")]) == {"pods": "1"}
    assert {name: str(amount) for name, amount in pod_requests({}).items()} == {"pods": "1"}


def resized(name: str, conditions: list | None = None) -> dict:
    running = {"name": name, "resources": {"requests": {"cpu": "1"}}, "allocatedResources": {"cpu": "2"}}
    return {"containerStatuses": [running], "conditions": conditions}


# S-10
def test_a_running_container_counts_with_what_it_holds():
    """The largest of spec, allocated and actual requests counts; a status without resources says nothing."""
    assert requests(resized("c"), containers=[container(cpu="1")])["cpu"] == "2"
    assert requests(resized("c"), containers=[container(cpu="3")])["cpu"] == "3"
    assert requests(resized("other"), containers=[container(cpu="1")])["cpu"] == "1"
    nothing = {"containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "2"}}]}
    assert requests(nothing, containers=[container(cpu="1")])["cpu"] == "1"


# S-10
@pytest.mark.parametrize(("reasons", "cpu"), [(["Infeasible"], "2"), (["Deferred"], "3"), (["Deferred", "Infeasible"], "3")])
def test_an_infeasible_resize_does_not_count(reasons, cpu):
    """When the first resize condition says Infeasible, what the spec asks for is left out."""
    conditions = [{"type": "Ready"}, *({"type": "PodResizePending", "reason": reason} for reason in reasons)]
    assert requests(resized("c", conditions), containers=[container(cpu="3")])["cpu"] == cpu


def test_the_status_of_sidecars_counts_and_of_init_containers_does_not():
    """Only containers that keep running can be resized."""
    status = {"initContainerStatuses": [{"name": name, "resources": {"requests": {"cpu": "4"}}} for name in ("s", "i")]}
    assert requests(status, containers=[], initContainers=[SIDECAR])["cpu"] == "4"
    assert requests(status, containers=[], initContainers=[INIT])["cpu"] == "2"


def test_limits_are_not_requests():
    """What the API server fills in from limits is filled in before; here limits play no part."""
    assert requests(containers=[{"name": "c", "resources": {"limits": {"cpu": "1"}}}]) == {"pods": "1"}


def test_a_bad_amount_is_an_error():
    """The error names what is not an amount."""
    with pytest.raises(QuantityError, match="'1K'"):
        requests(containers=[container(memory="1K")])
