"""The shape of a pod, read from a manifest as the API server stores it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from cutlist.core.quantity import NANO, amounts
from cutlist.core.requirement import Expression
from cutlist.core.taints import HostPort, Toleration
from cutlist.workloads.pods import FrozenDict, LabelSelector, PodTerm, Preference, SpreadConstraint, Volume
from cutlist.workloads.read_pod import read_pod
from tests.recorded import VECTORS


def pod(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "main"}], **spec}}


def test_an_empty_pod_requests_one_pod_in_the_default_namespace():
    """Without anything said, a pod takes its place among the pods of a node and nothing else."""
    read = read_pod(pod())
    assert (read.namespace, read.requests, read.required) == ("default", {"pods": NANO}, None)


def test_limits_of_a_stored_pod_are_not_requests():
    """The API server has copied what it copies: a limit that is left has no say."""
    read = read_pod(pod(containers=[{"name": "main", "resources": {"limits": {"cpu": "1"}}}]))
    assert read.requests == {"pods": NANO}


def test_required_node_affinity_keeps_its_terms_in_order():
    """Terms are OR-ed and tried in order."""
    terms = [{"matchExpressions": [{"key": "zone", "operator": "In", "values": [z]}]} for z in ("b", "a")]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    assert read_pod(pod(affinity=affinity)).required == (
        (Expression("zone", "In", ("b",)),),
        (Expression("zone", "In", ("a",)),),
    )


def test_preferred_node_affinity_keeps_weights():
    """The list stays in the order of the manifest; sorting is scheduling's."""
    preferred = [{"weight": w, "preference": {"matchExpressions": [{"key": "k", "operator": "Exists"}]}} for w in (1, 50)]
    read = read_pod(pod(affinity={"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}))
    assert read.preferred == (Preference(1, (Expression("k", "Exists"),)), Preference(50, (Expression("k", "Exists"),)))


@pytest.mark.parametrize(
    ("fields", "expected"), [([{"key": "metadata.name", "operator": "In", "values": ["n"]}], True), ([], False)]
)
def test_match_fields_are_noticed(fields: list[Any], expected: bool):
    """A pending pod that pins itself to a node by field is refused later; here it is only marked."""
    affinity = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": fields}]}}
    assert read_pod(pod(affinity={"nodeAffinity": affinity})).uses_match_fields is expected


def test_tolerations_and_host_ports():
    """Both are read as they are written."""
    containers = [{"name": "main", "ports": [{"containerPort": 80, "hostPort": 8080}]}]
    read = read_pod(pod(containers=containers, tolerations=[{"operator": "Exists"}]))
    assert read.tolerations == (Toleration(operator="Exists"),)
    assert read.host_ports == {HostPort("0.0.0.0", 8080, "TCP")}  # noqa: S104


def test_spread_constraints_have_the_defaults_of_the_api():
    """Affinity is honoured and taints are ignored unless the manifest says otherwise."""
    raw = {
        "topologyKey": "zone",
        "maxSkew": 2,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"a": "b"}},
    }
    expected = SpreadConstraint("zone", 2, "ScheduleAnyway", LabelSelector((("a", "b"),)))
    assert read_pod(pod(topologySpreadConstraints=[raw])).spread == (expected,)


def test_a_missing_selector_is_not_an_empty_one():
    """None selects nothing, an empty selector selects everything."""
    bare = {"topologyKey": "zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
    first, second = read_pod(pod(topologySpreadConstraints=[bare, {**bare, "labelSelector": {}}])).spread
    assert first.selector is None
    assert second.selector == LabelSelector()


def test_pod_affinity_in_all_four_kinds():
    """Required and preferred, together and apart; namespaces stay as written."""
    term = {
        "topologyKey": "host",
        "labelSelector": {},
        "namespaces": ["x"],
        "namespaceSelector": {"matchLabels": {"team": "a"}},
    }
    group = {
        "requiredDuringSchedulingIgnoredDuringExecution": [term],
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 7, "podAffinityTerm": term}],
    }
    read = read_pod(pod(affinity={"podAffinity": group, "podAntiAffinity": group}))
    required = PodTerm("host", LabelSelector(), frozenset({"x"}), LabelSelector((("team", "a"),)))
    assert read.affinity == read.anti_affinity == (required,)
    assert [t.weight for t in read.preferred_affinity + read.preferred_anti_affinity] == [7, 7]


def test_only_volumes_with_claims_count():
    """A config map is no matter of topology; a claim and an ephemeral volume are."""
    template = {"spec": {"storageClassName": "fast"}}
    volumes = [
        {"name": "config", "configMap": {"name": "c"}},
        {"name": "data", "persistentVolumeClaim": {"claimName": "store"}},
        {"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}},
    ]
    read = read_pod(pod(volumes=volumes))
    assert read.volumes == (Volume("store"), Volume("scratch", ephemeral=True, storage_class="fast"))
    assert [v.claim_of("web-0") for v in read.volumes] == ["store", "web-0-scratch"]
    assert Volume("data", per_replica=True).claim_of("web-0") == "data-web-0"


@pytest.mark.parametrize(
    "spec",
    [
        {"resourceClaims": [{"name": "gpu"}]},
        {"containers": [{"name": "main", "resources": {"claims": [{"name": "gpu"}]}}]},
        {"initContainers": [{"name": "init", "resources": {"claims": [{"name": "gpu"}]}}]},
    ],
)
def test_dynamic_resources_are_noticed_wherever_they_are_claimed(spec: dict[str, Any]):
    """The pod, a container or an init container may ask (spec 11.1)."""
    assert read_pod(pod(**spec)).uses_dynamic_resources
    assert not read_pod(pod()).uses_dynamic_resources


def test_equal_manifests_give_equal_shapes_with_one_hash():
    """Shapes can be keys, so that identical pods become one group."""
    full = pod(nodeSelector={"a": "1", "b": "2"}, priority=5)
    turned = pod(nodeSelector={"b": "2", "a": "1"}, priority=5)
    assert len({read_pod(full), read_pod(turned), read_pod(pod(priority=5))}) == 2


def test_a_frozen_dict_refuses_every_change():
    """What is a key must never change."""
    frozen = FrozenDict({"a": 1})
    for change in (
        lambda: frozen.update(b=2),
        lambda: frozen.pop("a"),
        lambda: frozen.clear(),
        lambda: frozen.setdefault("b", 2),
    ):
        with pytest.raises(TypeError):
            change()
    with pytest.raises(TypeError):
        frozen["b"] = 2
    assert frozen == {"a": 1}
    assert pickle.loads(pickle.dumps(frozen)) == frozen  # noqa: S301 - our own bytes


def test_requests_are_those_of_karpenter():
    """Every recorded pod requests what Karpenter's own code says."""
    # S-7 S-8 S-9 S-10 S-11
    cases = json.loads((VECTORS / "algebra" / "pod-requests.json").read_text())
    assert cases
    wrong = [case for case in cases if read_pod(case["pod"]).requests != amounts(case["requests"])]
    assert not wrong
