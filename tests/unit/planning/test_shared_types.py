"""NodePools whose node classes differ only in what no machine notices have one list of types between them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pass_inputs import SharedTypes, pass_inputs
from cutlist.planning.pool_types import instance_types_by_pool, node_classes_by_pool
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import joint_plan, plan_with_measures
from tests.examples import examples
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, pool

_RESERVATION: Final = {"id": "cr-1", "availabilityZone": "us-west-2a", "instanceType": "m5.large", "ownerID": "1"}
_SUBNETS: Final = [{"id": "subnet-1", "zone": "us-west-2b", "zoneID": "usw2-az2"}]
UNNOTICED: Final[dict[str, list[Any]]] = {
    "spec.role": ["one", "another"],
    "spec.tags": [{"team": "a"}, {"team": "b"}],
    "spec.userData": ["#!/bin/sh\ntrue"],
    "spec.detailedMonitoring": [True],
    "spec.securityGroupSelectorTerms": [[{"id": "sg-1"}]],
    "spec.subnetSelectorTerms": [[{"id": "subnet-1"}]],
    "spec.kubelet": [{"cpuCFSQuota": False}],
}
NOTICED: Final[dict[str, list[Any]]] = {
    "spec.kubelet": [
        {"maxPods": 10},
        {"podsPerCore": 4},
        {"kubeReserved": {"cpu": "1"}},
        {"evictionHard": {"memory.available": "5%"}},
    ],
    "spec.instanceStorePolicy": ["RAID0"],
    "spec.amiSelectorTerms": [[{"alias": "bottlerocket@v1.30.0"}]],
    "spec.blockDeviceMappings": [[{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "200Gi"}}]],
    "status.subnets": [_SUBNETS],
    "status.capacityReservations": [[_RESERVATION], [{**_RESERVATION, "availableInstanceCount": 3}]],
}
CHANGES: Final = [(path, value) for part in (UNNOTICED, NOTICED) for path, values in part.items() for value in values]


def with_classes(*changes: list[tuple[str, Any]]) -> PlanInputs:
    """A NodePool for each list of changes, with a node class of its own that has them."""
    manifests: list[dict[str, Any]] = []
    for number, changed in enumerate(changes):
        of_class, of_pool = yaml.safe_load(NODE_CLASS), yaml.safe_load(pool(f"p{number}"))
        of_class["metadata"]["name"] = of_pool["spec"]["template"]["spec"]["nodeClassRef"]["name"] = f"c{number}"
        for path, value in changed:
            part, name = path.split(".")
            of_class.setdefault(part, {})[name] = deepcopy(value)
        manifests += [of_class, of_pool]
    # Karpenter 1.14 does not look at which settings of a kubelet an image applies.
    objects = [*manifests, yaml.safe_load(deployment(replicas=3))]
    return read_inputs([], region="us-west-2", karpenter="1.14", manifests=objects)


def types_of(inputs: PlanInputs) -> dict[str, Any]:
    return instance_types_by_pool(inputs.node_pools, inputs.node_classes, inputs.cloud)


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from(CHANGES), max_size=3), min_size=2, max_size=4))
@examples(0.25)
def test_whatever_classes_have_in_common_each_pool_has_the_types_of_its_own_class(changes):
    inputs = with_classes(*changes)
    alone = {name: inputs.cloud.types(c) for name, c in node_classes_by_pool(inputs.node_pools, inputs.node_classes).items()}
    assert types_of(inputs) == alone


@pytest.mark.parametrize(("path", "value"), [(p, v) for p, values in UNNOTICED.items() for v in values])
def test_a_difference_that_no_machine_notices_leaves_one_list(path, value):
    first, second = types_of(with_classes([], [(path, value)])).values()
    assert first is second


@pytest.mark.parametrize(("path", "value"), [(p, v) for p, values in NOTICED.items() for v in values])
def test_a_difference_that_machines_notice_gives_a_list_of_its_own(path, value):
    first, second = types_of(with_classes([], [(path, value)])).values()
    assert first != second


def test_figures_of_two_controllers_are_taken_together():
    """Each pool is measured with the types of its own controller, by name of the pool."""
    auto = pool("auto").replace("group: karpenter.k8s.aws, kind: EC2NodeClass", "group: eks.amazonaws.com, kind: NodeClass")
    inputs = inputs_of(pool("zoo"), auto, deployment())
    _, figures = plan_with_measures(inputs)
    assert [one.name for one in figures.pools] == ["auto", "zoo"]
    assert all(one.types for one in figures.pools)


_FAMILY: Final = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c6g]}"
_LATE: Final = "{key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ['6']}"
_SPREAD: Final = (
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, "
    "labelSelector: {matchLabels: {app: web}}}]"
)
_FAMILY_SPREAD: Final = _SPREAD.replace("topology.kubernetes.io/zone", "karpenter.k8s.aws/instance-family")
_APART: Final = "nodeSelector: {karpenter.k8s.aws/instance-category: r}"


@pytest.mark.parametrize(
    "documents",
    [
        (pool(requirements=f"[{_FAMILY}]"), deployment(replicas=30, extra=_SPREAD)),
        (pool(requirements=f"[{_FAMILY}]"), deployment(replicas=8, extra=_FAMILY_SPREAD)),
        (pool(requirements=f"[{_FAMILY}]", spec="limits: {cpu: 20}"), deployment(replicas=30)),
        (pool("a", f"[{_LATE}]"), pool("b", f"[{ON_DEMAND}, {_FAMILY}]", spec="weight: 9"), deployment(extra=_APART)),
        (pool(requirements=f"[{TYPES.format('m5.lagre')}]"), deployment()),
    ],
    ids=["zones", "families", "limits", "two-pools", "no-type"],
)
def test_a_plan_needs_no_more_of_types_than_labels_if_no_pool_may_launch_them(documents: tuple[str, ...]):
    """Nodes, pending pods and notes are those of a plan for which all types of the region are indexed."""
    inputs = inputs_of(*documents)
    ready, of_all = pass_inputs(inputs), pass_inputs(inputs, SharedTypes.of(inputs))
    assert joint_plan({"": (inputs, ready)}) == joint_plan({"": (inputs, of_all)})
    (name, *_), known = (p.name for p in inputs.node_pools), ready.passes.registry.well_known
    part, whole = (tables.of(name, known) for tables in (ready.tables, of_all.tables))
    assert part.relevant.bit_count() < whole.relevant.bit_count() == len(whole.types)
