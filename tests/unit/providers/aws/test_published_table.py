"""Karpenter's published table of instance types against the rules, for whoever has the page.

The variable CUTLIST_PUBLISHED_TABLE names it: `reference/instance-types.md` of the documentation of Karpenter's AWS provider.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from cutlist.catalog.embedded import all_machines
from cutlist.catalog.regions import RegionCatalog
from cutlist.planning.model import amount_text_exact
from cutlist.providers.aws import instance_types
from cutlist.providers.instance_types import InstanceType
from tests.unit.providers.aws.node_classes import node_class

PAGE = os.environ.get("CUTLIST_PUBLISHED_TABLE")
# Not of the machine: zone and region, how it is bought, and a label of later versions.
LEFT_OUT = re.compile(r"topology\.|karpenter\.sh/capacity-type|.*(tenancy|reservation|placement|windows-build)")
# EC2 has corrected its data since: clock speeds of six families, network cards of four types (spec: AWS 9.2).
DRIFT = {"karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz": 66, "pods": 4, "memory": 4}

pytestmark = pytest.mark.skipif(PAGE is None, reason="CUTLIST_PUBLISHED_TABLE does not name the page")


def published() -> dict[str, dict[str, str]]:
    """Labels and resources by type."""
    found: dict[str, dict[str, str]] = {}
    name = ""
    for line in Path(PAGE or "").read_text().splitlines():
        if heading := re.fullmatch(r"### `(.+)`", line):
            name = heading[1]
            found[name] = {}
        elif (
            name and (row := re.fullmatch(r" \|([^|]+)\|([^|]*)\|", line)) and row[1].strip() not in ("--", "Label", "Resource")
        ):
            found[name][row[1]] = row[2]
    return found


def shown(t: InstanceType) -> dict[str, str]:
    """A type as the page shows it: single values, and what is left of each resource."""
    labels = {r.key: next(iter(r.values)) for r in t.requirements.values() if len(r.values) == 1 and not LEFT_OUT.match(r.key)}
    amounts = {name: amount_text_exact(name, amount) for name, amount in t.allocatable().items() if amount}
    return labels | amounts


def ours() -> Mapping[str, InstanceType]:
    catalog = RegionCatalog(
        region="us-east-1", zones=(), machines=all_machines(), offered={}, on_demand={}, spot={}, remarks=()
    )
    return {t.name: t for t in instance_types(node_class("al2023@latest"), catalog)}


def test_the_rules_reproduce_the_published_table():
    """Of every type in both, labels and resources agree but for the drift of EC2's own data."""
    #
    table, types = published(), ours()
    both = sorted(set(table) & set(types))
    differ: Counter[str] = Counter()
    for name in both:
        here = shown(types[name])
        differ.update(key for key in here.keys() | table[name].keys() if here.get(key) != table[name].get(key))
    assert len(both) > 1300
    assert {key: count for key, count in differ.items() if count > DRIFT.get(key, 0)} == {}
