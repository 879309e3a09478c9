"""What a change does to the volumes that pods claim, beside the price of nodes."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from typing import Any

import pytest

from cutlist.core.records import json_of
from cutlist.verbs.diff.answer import Difference, diff
from cutlist.verbs.diff.csv import diff_csv
from cutlist.verbs.diff.html import diff_html
from cutlist.verbs.diff.markdown import diff_markdown
from cutlist.verbs.diff.text import render_diff
from tests.unit.verbs.diff.test_because import deployment, inputs, pool

GP3 = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "gp3"},
    "provisioner": "ebs.csi.aws.com",
    "parameters": {"type": "gp3"},
}


def database(size: str, replicas: int = 2) -> dict[str, Any]:
    """Return a StatefulSet each of whose pods claims a volume."""
    claim = {"accessModes": ["ReadWriteOnce"], "storageClassName": "gp3", "resources": {"requests": {"storage": size}}}
    spec = {**deployment("db", replicas)["spec"], "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": claim}]}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"}, "spec": spec}


def changed(*sides: dict[str, Any] | None) -> Difference:
    """Return the difference of an input with these databases; None leaves one out."""
    before, after = (inputs(pool(), GP3, deployment("web", 2), *([of] if of else [])) for of in sides)
    return diff(before, after)


@pytest.mark.parametrize("view", [render_diff, diff_markdown, diff_html])
def test_larger_volumes_cost_more_although_the_nodes_are_the_same(view):
    """It is a difference, also where no node changes."""
    found = changed(database("100Gi"), database("200Gi"))
    assert found.month.difference == 0
    assert not found.is_none
    words = " ".join(re.sub(r"<[^>]*>|\\", "", unescape(view(found))).split())
    assert "+$16.00 a month, which is not in the sum: statefulset/db data 2 × 100 GiB gp3 to 2 × 200 GiB gp3" in words
    assert "the API server refuses other claim templates of a StatefulSet that exists" in words


@pytest.mark.parametrize(
    ("sides", "claim", "difference"),
    [
        ((database("100Gi"), database("100Gi", 3)), ("2 × 100 GiB gp3", "3 × 100 GiB gp3"), 8.0),
        ((None, database("100Gi")), (None, "2 × 100 GiB gp3"), 16.0),
        ((database("100Gi"), None), ("2 × 100 GiB gp3", None), -16.0),
    ],
)
def test_volumes_come_and_go_with_pods(sides, claim, difference):
    """No claim template changes by that."""
    found = changed(*sides)
    data = json.loads(json_of(found))["volumes"]
    assert data["difference"] == difference
    assert [(of["before"], of["after"]) for of in data["claims"]] == [claim]
    assert "API server" not in render_diff(found)


def test_csv_has_the_sum_and_each_claim():
    rows = {row["kind"]: row for row in csv.DictReader(io.StringIO(diff_csv(changed(database("100Gi"), database("200Gi")))))}
    assert rows["volumes"]["price_per_month_change"] == "16.0"
    claim = rows["claim"]
    assert (claim["workload"], claim["object"], claim["now"]) == ("statefulset/db", "data", "2 × 200 GiB gp3")


def test_without_a_change_of_volumes_nothing_is_said():
    found = changed(database("100Gi"), database("100Gi"))
    assert found.is_none
    assert "Volumes" not in render_diff(found)
    assert changed(None, None).volumes is None
