"""Windows nodes cost more than the catalogue knows: their price is unknown, and said to be."""

from __future__ import annotations

import re

import pytest

from cutlist.answers.nodes import nodes
from cutlist.answers.plan import plan, plan_with_measures
from cutlist.answers.types import types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import UNKNOWN_PRICE
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool
from tests.unit.planning.test_existing import node

WINDOWS = "{key: kubernetes.io/os, operator: In, values: [windows]}"
FIGURES = "{apiVersion: cutlist/v1, kind: Figures, prices: {onDemandDiscount: 10%, surcharge: 0.5}}"
IIS = deployment("iis", extra="nodeSelector: {kubernetes.io/os: windows}")


def inputs_of(*documents: str, alias: str = "windows2022@latest") -> PlanInputs:
    node_class = re.sub(r"al2023@\w+", alias, NODE_CLASS)
    own = pool(requirements=f"[{ON_DEMAND}, {WINDOWS}, {TYPES.format('m5.large, m5.xlarge')}]")
    return read_inputs(["-"], region="us-west-2", stdin="\n---\n".join((node_class, own, *documents)))


@pytest.mark.parametrize("alias", ["windows2019@latest", "windows2022@latest", "windows2025@latest"])
@pytest.mark.parametrize("figures", [(), (FIGURES,)])
def test_the_price_of_a_windows_node_is_unknown_and_said_to_be(alias: str, figures: tuple[str, ...]) -> None:
    """No price for Linux stands in for it; it still ranks the types, as it does for Karpenter."""
    made = plan(inputs_of(IIS, *figures, alias=alias))
    (iis,) = made.nodes
    assert (iis.instance_type, iis.price, iis.price_source, iis.certainty) == ("m5.large", None, "", UNKNOWN_PRICE)
    assert [(c.instance_type, c.price) for c in iis.candidates] == [("m5.large", None), ("m5.xlarge", None)]
    assert (made.totals.price_per_hour, made.totals.unpriced_nodes) == (None, 1)
    (text,) = (note.text for note in made.assumptions if note.code == "windows-prices")
    assert text.startswith("EC2NodeClass default: nodes run Windows, whose licence the catalogue has no price of")
    assert "price-ties" not in {note.code for note in made.assumptions}


def test_neither_types_nor_bounds_have_a_price() -> None:
    """What cannot be known is not bounded by Linux prices either."""
    inputs = inputs_of(IIS)
    (allowed,) = types(inputs)
    assert {(row.on_demand, row.spot) for row in allowed.types} == {(None, None)}
    _, measures = plan_with_measures(inputs)
    assert measures.pools[0].most_per_hour is None
    assert measures.pools[0].unpriced_types == 2


def test_running_windows_nodes_have_no_price_either() -> None:
    """By the label of their operating system."""
    labels = "labels: {node.kubernetes.io/instance-type: m5.large, karpenter.sh/capacity-type: on-demand, "
    linux = node("a").replace("labels: {", labels)
    windows = node("b").replace("labels: {", f"{labels}kubernetes.io/os: windows, ")
    rows = nodes(inputs_of(linux, windows)).nodes
    assert [(row.name, row.price is None) for row in rows] == [("a", False), ("b", True)]
