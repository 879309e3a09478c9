"""Models: what their annotations say, how they read values, and what Python sees of them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from cutlist import AmiSelectorTerm, Budget, Disruption, Ebs, Kubelet, NodeClassRef
from cutlist.api.ec2nodeclass_fields import EC2NodeClassSpec
from cutlist.api.ec2nodeclass_status import EC2NodeClassStatus
from cutlist.api.model import FieldsError
from cutlist.api.nodepool_fields import NodePoolFields, RequirementFields
from cutlist.core.errors import InputError
from cutlist.core.quantity import Quantity

REFUSED: list[tuple[type[Any], dict[str, Any], str, tuple[Any, ...]]] = [
    (Budget, {"nodes": 5}, "string_type", ("nodes",)),
    (Budget, {"nodes": "5x"}, "string_pattern_mismatch", ("nodes",)),
    (Budget, {"nodes": "5", "reasons": ["Sold"]}, "literal_error", ("reasons", 0)),
    (Budget, {"nodes": "5", "reasons": "Empty"}, "tuple_type", ("reasons",)),
    (Budget, {"nodes": "5", "reasons": ["Empty"] * 51}, "too_long", ("reasons",)),
    (Budget, {"window": "5"}, "extra_forbidden", ("window",)),
    (NodeClassRef, {"group": "a", "kind": "b"}, "missing", ("name",)),
    (Kubelet, {"maxPods": True}, "int_type", ("maxPods",)),
    (Kubelet, {"maxPods": 1.5}, "int_type", ("maxPods",)),
    (Kubelet, {"maxPods": -1}, "greater_than_equal", ("maxPods",)),
    (Kubelet, {"imageGCHighThresholdPercent": 101}, "less_than_equal", ("imageGCHighThresholdPercent",)),
    (Kubelet, {"cpuCFSQuota": "yes"}, "bool_type", ("cpuCFSQuota",)),
    (Kubelet, {"systemReserved": {"cpu": "1 core"}}, "quantity", ("systemReserved", "cpu")),
    (Kubelet, {"systemReserved": {"cpu": 1}}, "string_type", ("systemReserved", "cpu")),
    (Kubelet, {"systemReserved": []}, "dict_type", ("systemReserved",)),
    (AmiSelectorTerm, {"alias": "a" * 31}, "string_too_long", ("alias",)),
    (Ebs, {"volumeSize": "Ti"}, "volume_size", ("volumeSize",)),
    (EC2NodeClassSpec, {"amiSelectorTerms": []}, "too_short", ("amiSelectorTerms",)),
    (NodePoolFields, {"spec": 5}, "model_type", ("spec",)),
]


@pytest.mark.parametrize(("model", "manifest", "kind", "loc"), REFUSED, ids=[f"{row[0].__name__}-{row[2]}" for row in REFUSED])
def test_a_value_that_does_not_fit_is_refused_at_its_place(model: Any, manifest: dict[str, Any], kind: str, loc: Any):
    with pytest.raises(FieldsError) as refused:
        model.of(manifest)
    assert (kind, loc) in [(violation.kind, violation.loc) for violation in refused.value.violations]


def test_all_mistakes_in_arguments_are_reported_in_words():
    """Mistakes in Python read like mistakes in a manifest, at the path that a manifest would have."""
    with pytest.raises(InputError) as refused:
        Disruption(consolidate_after="soon", budgets=[{"nodes": 5}], spare="10%")
    assert [str(problem) for problem in refused.value.problems] == [
        "Disruption consolidateAfter: 'soon' is not valid here; allowed: whole numbers with s, m or h, such as 30s, 10m or "
        "1h30m; or Never",
        'Disruption budgets[0].nodes: found the number 5 where text is needed; did you mean "5"?',
        "Disruption spare: unknown field 'spare'; allowed: budgets, consolidateAfter, consolidationPolicy",
    ]


def test_arguments_may_have_the_names_of_python_and_of_manifests():
    assert Kubelet(max_pods=5) == Kubelet(maxPods=5)


def test_a_manifest_has_the_names_of_manifests_alone():
    with pytest.raises(FieldsError):
        Kubelet.of({"max_pods": 5})


def test_values_are_read_as_their_types_have_them():
    kubelet = Kubelet.of({"clusterDNS": ["10.0.0.10"], "systemReserved": {"cpu": "500m"}, "maxPods": None})
    assert (kubelet.cluster_dns, kubelet.system_reserved, kubelet.max_pods) == (
        ("10.0.0.10",),
        {"cpu": Quantity.parse("500m")},
        None,
    )


def test_a_part_writes_what_was_set_and_nothing_else():
    manifest = {"nodes": "10%", "reasons": ["Empty"]}
    assert Budget.of(manifest).manifest() == manifest
    assert Disruption(budgets=[Budget(nodes="1")]).manifest() == {"budgets": [{"nodes": "1"}]}


def test_parts_are_values():
    """Equal parts have equal hashes, copies are equal, and nothing of a part can be changed."""
    budget, other = Budget(nodes="1", reasons=["Empty"]), Budget(nodes="2")
    assert (budget == Budget.of({"nodes": "1", "reasons": ["Empty"]}), budget == other, budget == "1") == (True, False, False)
    assert hash(budget) == hash(copy.deepcopy(budget))
    assert pickle.loads(pickle.dumps(budget)) == budget  # noqa: S301 - our own bytes
    assert repr(other) == "Budget(nodes='2', reasons=None, schedule=None, duration=None)"
    with pytest.raises(FrozenInstanceError):
        budget.nodes = "2"
    with pytest.raises(FrozenInstanceError):
        del budget.nodes


def test_what_a_newer_controller_reports_is_ignored():
    assert EC2NodeClassStatus.of({"cheese": 1}) == EC2NodeClassStatus()


def test_a_model_has_the_fields_of_its_bases_first():
    class Extended(RequirementFields):
        """A requirement with one field more."""

        reason: str = ""

    assert list(Extended.model_fields) == ["key", "operator", "values", "min_values", "reason"]
