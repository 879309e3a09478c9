"""Default spread constraints of `--scheduler-config` (spec: karpenter-1.15, 1.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from cutlist.core.errors import InputError, Place
from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.requirement import Expression
from cutlist.scheduling.defaultconstraints import with_default_spread
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.scheduler_config import read_scheduler_config
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.pods import FrozenDict, LabelSelector, Pod, SpreadConstraint
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, pod, pool, spread
from tests.unit.scheduling.test_by_karpenter import NEW, OLD

HERE = Place(path="--scheduler-config")
BY_ZONE = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
ANYWAY = {**BY_ZONE, "topologyKey": HOSTNAME, "whenUnsatisfiable": "ScheduleAnyway"}
WEB = {"app": "web"}


def manifest(api_version: str, kind: str, name: str, selector: Any, namespace: str = "default") -> dict[str, Any]:
    """An object with a selector."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": {"selector": selector}}


def service(name: str, selector: Any, namespace: str = "default") -> dict[str, Any]:
    """A Service."""
    return manifest("v1", "Service", name, selector, namespace)


def deduced(
    *objects: Mapping[str, Any], labels: Mapping[str, str] = WEB, of: PodController | None = None
) -> LabelSelector | None:
    """The selector of a pod of the default namespace."""
    return SelectorSources.of(objects).deduced("default", labels, of)


def constrained(*constraints: Mapping[str, Any] | None) -> tuple[SpreadConstraint, ...]:
    """Default constraints as Karpenter reads them."""
    return read_scheduler_config({"podTopologySpread": {"defaultConstraints": list(constraints)}}, HERE)


def inputs(*pods: Pod, objects: tuple[Mapping[str, Any], ...] = (), count: int = 1, **options: Any) -> SchedulerInputs:
    """A pass under 1.15 with defaults by zone."""
    settings = SchedulerOptions(**{"karpenter": NEW, "default_spread": constrained(BY_ZONE), **options})
    return SchedulerInputs(
        [pool()],
        {"default": MACHINES},
        [PodBatch(f"b{n}", each, count, uid=str(n)) for n, each in enumerate(pods)],
        registry=REGISTRY,
        options=settings,
        selectors=SelectorSources.of(objects),
    )


web = pod(labels=WEB)


def test_without_a_configuration_nothing_changes() -> None:
    """Nor with an empty list, nor for a Karpenter that has no such flag."""
    # V15-18
    for options in ({"default_spread": ()}, {"karpenter": OLD}):
        asked = inputs(web, objects=(service("web", WEB),), **options)
        assert with_default_spread(asked) is asked
    assert read_scheduler_config("", HERE) == read_scheduler_config(None, HERE) == constrained() == ()


def test_a_pod_without_constraints_gets_all_defaults() -> None:
    """Each with the pod's selector; one of its own keeps all away."""
    # V15-19
    own = pod(labels=WEB, spread=(spread(HOSTNAME),))
    given = with_default_spread(inputs(web, own, objects=(service("web", WEB),), default_spread=constrained(BY_ZONE, ANYWAY)))
    first, second = (batch.pod.spread for batch in given.batches)
    selector = LabelSelector((("app", "web"),))
    assert [(c.topology_key, c.when_unsatisfiable, c.selector) for c in first] == [
        (ZONE, "DoNotSchedule", selector),
        (HOSTNAME, "ScheduleAnyway", selector),
    ]
    assert second == own.spread


def test_pods_are_spread_by_the_defaults() -> None:
    """Three pods that fit on one node get one in each zone; DaemonSets' pods and bound ones are not in the batches."""
    # V15-19, V15-22
    result = schedule(inputs(web, objects=(service("web", WEB),), count=3))
    assert sorted(next(iter(claim.requirements[ZONE].values)) for claim in result.claims) == ["zone-a", "zone-b", "zone-c"]


def test_services_that_select_the_pod_are_merged() -> None:
    """The last in the order of names wins a key; those of other namespaces and without selector have no part."""
    # V15-20
    services = (
        service("b", {"app": "web", "tier": "front"}),
        service("a", {"app": "web"}),
        service("c", {"app": "other"}),
        service("d", {"tier": "front"}, "elsewhere"),
        service("e", None),
    )
    labels = {"app": "web", "tier": "front"}
    assert deduced(*services, labels=labels) == LabelSelector((("app", "web"), ("tier", "front")))


def test_a_replication_controller_overwrites_keys() -> None:
    """As labels.Merge does."""
    # V15-20
    of = PodController("v1", "ReplicationController", "web")
    controller = manifest("v1", "ReplicationController", "web", {"app": "own"})
    assert deduced(service("web", WEB), controller, of=of) == LabelSelector((("app", "own"),))


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet"])
def test_a_replica_set_or_stateful_set_adds_expressions(kind: str) -> None:
    """A contradiction then matches nothing, not even the pod itself."""
    # V15-20
    selector = {"matchLabels": {"app": "old"}, "matchExpressions": [{"key": "tier", "operator": "Exists"}]}
    found = deduced(service("web", WEB), manifest("apps/v1", kind, "web", selector), of=PodController("apps/v1", kind, "web"))
    assert found == LabelSelector((("app", "web"),), (Expression("app", "In", ("old",)), Expression("tier", "Exists")))
    assert not found.matches({"app": "web", "tier": "front"})


@pytest.mark.parametrize(
    "of", [PodController("batch/v1", "Job", "web"), PodController("apps/v1", "ReplicaSet", "gone"), None], ids=str
)
def test_other_controllers_and_such_as_are_gone_add_nothing(of: PodController | None) -> None:
    """The Service's selector stays."""
    # V15-20
    job = manifest("batch/v1", "Job", "web", {"matchLabels": {"x": "y"}})
    assert deduced(service("web", WEB), job, of=of) == LabelSelector((("app", "web"),))
    assert deduced(job, of=of) is None


def test_the_controller_is_the_reference_that_says_so() -> None:
    """Other owners do not control the pod."""
    # V15-20
    owners = [{"apiVersion": "v1", "kind": "Node", "name": "n"}, {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web"}]
    assert PodController.of({"metadata": {"ownerReferences": owners}}) is None
    owners[1]["controller"] = True
    assert PodController.of({"metadata": {"ownerReferences": owners}}) == PodController("apps/v1", "ReplicaSet", "web")


def test_a_pod_for_which_nothing_is_deduced_is_not_constrained() -> None:
    """A Service with an empty selector selects the pod and says nothing."""
    # V15-21
    assert deduced(service("all", {})) is None
    assert with_default_spread(inputs(web, objects=(service("all", {}),))).batches[0].pod == web


def test_defaults_that_need_not_hold_are_relaxed() -> None:
    """Like own ones; and under the policy Ignore they are dropped."""
    # V15-23
    asked = {"objects": (service("web", WEB),), "count": 2, "default_spread": constrained({**ANYWAY, "topologyKey": ZONE})}
    in_one_zone = pod(labels=WEB, node_selector=FrozenDict({ZONE: "zone-a"}))
    assert not schedule(inputs(in_one_zone, **asked)).unplaced
    (claim,) = schedule(inputs(web, **asked, respect_preferences=False)).claims
    assert sum(claim.pods.values()) == 2


SPELLED = f"""
podTopologySpread:
  defaultConstraints:
  - maxSkew: 1
    topologyKey: {ZONE}
    whenUnsatisfiable: DoNotSchedule
"""


def test_a_configuration_is_yaml_or_json() -> None:
    """As text or as data."""
    # V15-24
    assert read_scheduler_config(SPELLED, HERE) == constrained(BY_ZONE)
    assert read_scheduler_config(json.dumps({"podTopologySpread": {"defaultConstraints": [BY_ZONE]}}), HERE) == constrained(
        BY_ZONE
    )


@pytest.mark.parametrize(
    ("constraints", "text"),
    [
        ([BY_ZONE, {**ANYWAY, "maxSkew": 0}], "[1].maxSkew must be greater than 0"),
        ([{**BY_ZONE, "topologyKey": ""}], "[0].topologyKey must be set"),
        ([{**BY_ZONE, "topologyKey": "x y"}], '[0].topologyKey "x y" is not a valid label name, name part must consist of'),
        ([{**BY_ZONE, "whenUnsatisfiable": "Never"}], '[0].whenUnsatisfiable "Never" must be one of "DoNotSchedule" or "Sche'),
        ([{**BY_ZONE, "labelSelector": {}}], "[0].labelSelector must not be set, as selectors are deduced for each pod"),
        ([{**BY_ZONE, "matchLabelKeys": ["x"]}], "[0].matchLabelKeys must not be set, as it has no effect"),
        ([BY_ZONE, None], "[1].maxSkew must be greater than 0"),
        ([{**BY_ZONE, "topologyKey": None}], "[0].topologyKey must be set"),
        ([BY_ZONE, ANYWAY, {**BY_ZONE, "maxSkew": 2}], f"[2] is a duplicate of [0], {{{ZONE}, DoNotSchedule}}"),
    ],
)
def test_a_constraint_that_karpenter_refuses_is_named(constraints: list[dict[str, Any] | None], text: str) -> None:
    """In the words with which it ends at its start."""
    # V15-24
    with pytest.raises(InputError) as error:
        constrained(*constraints)
    (problem,) = error.value.problems
    start = "parsing scheduler config, validating scheduler config, podTopologySpread.defaultConstraints"
    assert problem.message.startswith(start + text)
    assert problem.place == HERE


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ({"podTopologySpread": {"defaultConstraint": []}}, 'json: unknown field "defaultConstraint"'),
        ({"profiles": []}, 'json: unknown field "profiles"'),
        ({"podTopologySpread": {"defaultConstraints": [{**BY_ZONE, "skew": 1}]}}, 'json: unknown field "skew"'),
        ({"podTopologySpread": []}, "cannot unmarshal"),
        ({"podTopologySpread": {"defaultConstraints": "zone"}}, "cannot unmarshal"),
        ({"podTopologySpread": {"defaultConstraints": [{**BY_ZONE, "maxSkew": "1"}]}}, "cannot unmarshal"),
        *(
            ({"podTopologySpread": {"defaultConstraints": [{**BY_ZONE, name: value}]}}, f"field .{name} of type {go_type}")
            for name, value, go_type in (
                ("maxSkew", 2**31, "int32"),
                ("maxSkew", True, "int32"),
                ("minDomains", "2", "int32"),
                ("topologyKey", ["zone"], "string"),
                ("whenUnsatisfiable", {}, "v1.UnsatisfiableConstraintAction"),
                ("nodeTaintsPolicy", 7, "v1.NodeInclusionPolicy"),
                ("matchLabelKeys", "app", "[]string"),
                ("labelSelector", "app", "v1.LabelSelector"),
            )
        ),
        ("zone", "cannot unmarshal"),
    ],
)
def test_unknown_fields_and_other_types_are_refused(config: object, text: str) -> None:
    """Karpenter decodes strictly."""
    # V15-24
    with pytest.raises(InputError, match="parsing scheduler config, decoding scheduler config") as error:
        read_scheduler_config(config, HERE)
    assert text in error.value.problems[0].message
