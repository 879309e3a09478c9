"""The JSON Schema for editors agrees with the recorded verdicts of the API server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema
import pytest

from cutlist.api.editor_schema import DIALECT, kind_names, schema_for, schema_for_all
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.model import without_nulls
from cutlist.core.karpenter.baselines import BASELINES, Baseline
from tests.recorded import VECTORS

BEYOND_JSON_SCHEMA = {
    "dns-duplicate-zone": "two entries of one zone",
    "replicas": "the bounds of kubectl scale",
    "vnetSubnetID": "a pattern that minds no case",
}
KINDS_WITH_VECTORS = [kind for kind in kind_names() if kind != "NodeClass"]


RECORDED = {BASELINES[0]: VECTORS / "api", BASELINES[-1]: VECTORS / "1.15" / "api"}
CASES = [
    pytest.param(kind, karpenter, id=f"{kind}-{karpenter}")
    for karpenter, folder in RECORDED.items()
    for kind in KINDS_WITH_VECTORS
    if (folder / kind.lower()).is_dir()
]


@cache
def validator(kind: str, karpenter: Baseline) -> jsonschema.Draft202012Validator:
    schema = schema_for(kind, karpenter)
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def cases(kind: str, karpenter: Baseline) -> Iterator[Mapping[str, Any]]:
    """The recorded cases of a kind that this Karpenter answered."""
    for path in sorted((RECORDED[karpenter] / kind.lower()).glob("*.json")):
        if path.stem != "next":
            yield from (case for case in json.loads(path.read_text()) if kind_of_manifest(case["object"]) is not None)


def is_beyond(case: Mapping[str, Any]) -> bool:
    """Whether JSON Schema, or the reading of editors, has no words for what the API server refuses."""
    if case["name"] in BEYOND_JSON_SCHEMA:
        return True
    paths = [error.get("path", "").lstrip(".") for error in case["errors"]]
    return all(path.rpartition(".")[2] in BEYOND_JSON_SCHEMA or path.startswith("metadata") for path in paths)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("karpenter", BASELINES, ids=str)
def test_the_schemas_are_schemas(karpenter):
    """As the dialect that they name has it: that of each kind, and that of all kinds."""
    for schema in (*(schema_for(kind, karpenter) for kind in kind_names()), schema_for_all(karpenter)):
        jsonschema.Draft202012Validator.check_schema({"$schema": DIALECT, **schema})


@pytest.mark.parametrize(("kind", "karpenter"), CASES)
def test_what_the_api_server_takes_is_right(kind, karpenter):
    """An editor marks nothing in it. A class without a spec is one that Cutlist refuses, too."""
    for case in cases(kind, karpenter):
        if case["accepted"] and "old" not in case and case["object"].get("spec") is not None:
            found = [error.message for error in validator(kind, karpenter).iter_errors(without_nulls(case["object"]))]
            assert found == [], case["name"]


@pytest.mark.parametrize(("kind", "karpenter"), CASES)
def test_what_the_schema_of_the_api_server_refuses_is_marked(kind, karpenter):
    """Unknown fields, wrong types, missing fields, patterns, bounds, closed sets, sizes."""
    for case in cases(kind, karpenter):
        layers = {error["layer"] for error in case["errors"]}
        if layers and layers <= {"schema", "strict", "blocked"} and "old" not in case and not is_beyond(case):
            assert not validator(kind, karpenter).is_valid(without_nulls(case["object"])), case["name"]


def test_one_schema_for_files_of_all_kinds():
    """It holds each object against its own kind, and lets others pass."""
    every = jsonschema.Draft202012Validator(schema_for_all())
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "a"}, "spec": {"weight": 1}}
    assert [error.message for error in every.iter_errors(pool)] == ["'template' is a required property"]
    assert every.is_valid({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": {}})
    assert every.is_valid({"apiVersion": "networking.example.com/v1", "kind": "NodeClass", "spec": {}})


VERSIONS = {"EC2NodeClass": "karpenter.k8s.aws/v1", "NodePool": "karpenter.sh/v1"}


@pytest.mark.parametrize(
    ("kind", "spec", "path"),
    [
        ("EC2NodeClass", {"kubelet": {"imageGCHighThresholdPercent": "high"}}, "kubelet"),
        ("EC2NodeClass", {"enclaveOptions": {"enabled": True}}, "enclaveOptions"),
        ("NodePool", {"disruption": {"budgets": [{"nodes": "1", "reasons": ["Unhealthy"]}]}}, "disruption"),
    ],
)
def test_what_a_later_karpenter_takes_is_marked_for_an_earlier_one(kind, spec, path):
    """Open kubelet maps, enclaves and a budget's new reason."""  # VA15-1, VA15-50, V15-61
    manifest = {"apiVersion": VERSIONS[kind], "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    earlier, later = (
        [
            error
            for error in validator(kind, karpenter).iter_errors(manifest)
            if path in (*error.path, *error.message.split("'"))
        ]
        for karpenter in RECORDED
    )
    assert earlier
    assert not later
