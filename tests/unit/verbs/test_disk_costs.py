"""Forecasts count the disks of nodes in what a cluster costs and saves, and decide without them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cutlist.core.records import json_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.report.plain import hourly
from cutlist.verbs.disrupt.answer import DisruptionForecast, disrupt
from cutlist.verbs.disrupt.text import render_disrupt
from cutlist.verbs.interrupt.answer import interrupt
from cutlist.verbs.interrupt.text import render_interrupt
from cutlist.verbs.nodes.answer import nodes, read_nodes
from cutlist.verbs.nodes.text import render_nodes

FILES = ["examples/shop/pools.yaml", "examples/shop/snapshot.yaml"]
DISK = 20 * 0.08 / 730  # gp3, as Karpenter gives AL2023


def demo() -> PlanInputs:
    return read_inputs(FILES, region="us-west-2")


def of_unknown_size() -> PlanInputs:
    """Return the same with a class whose disk is as large as a snapshot that nobody here knows."""
    disk = "blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {snapshotID: snap-0123456789abcdef0}}]"
    pools = Path(FILES[0]).read_text()
    pools = re.sub(r"(\n  )(amiSelectorTerms:)", rf"\1{disk}\1\2", pools)
    assert disk in pools
    return read_inputs(["-", FILES[1]], region="us-west-2", stdin=pools)


def as_data(forecast: DisruptionForecast) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(json_of(forecast))
    return data


def test_the_price_of_a_cluster_and_savings_have_disks() -> None:
    """Those of a node are a member of their own, and Karpenter's message is without."""
    data = as_data(disrupt(demo()))
    machines = sum(node["pricePerHour"] for node in data["nodes"])
    assert data["pricePerHour"] == pytest.approx(machines + 4 * DISK)
    assert (data["diskPricePerHour"], data["nodesWithoutDiskPrice"]) == (pytest.approx(4 * DISK), 0)
    assert [node["diskPricePerHour"] for node in data["nodes"]] == pytest.approx([DISK] * 4)
    (command,) = data["commands"]
    (removed,) = (node for node in data["nodes"] if node["name"] in command["nodes"])
    assert command["diskSavingsPerHour"] == pytest.approx(DISK)
    assert command["savingsPerHour"] == pytest.approx(removed["pricePerHour"] + DISK)
    assert f"(savings: ${removed['pricePerHour']:.2f})" in command["message"]


def test_steps_to_the_end_save_disks_too() -> None:
    """Each step's price is the last one's without what it saves."""
    course = as_data(disrupt(demo(), to_the_end=True))["course"]
    saved = [command["savingsPerHour"] for step in course["steps"] for command in step["commands"]]
    before = as_data(disrupt(demo()))["pricePerHour"]
    assert course["steps"][-1]["pricePerHour"] == pytest.approx(before - sum(saved))


def test_unknown_disks_change_no_decision_and_are_said_to_be_left_out() -> None:
    """The commands are the same with and without a known price of disks."""
    known, unknown = disrupt(demo()), disrupt(of_unknown_size())
    assert [c.text for c in known.forecast.commands] == [c.text for c in unknown.forecast.commands]
    data = as_data(unknown)
    assert (data["diskPricePerHour"], data["nodesWithoutDiskPrice"]) == (None, 4)
    assert data["pricePerHour"] == pytest.approx(sum(node["pricePerHour"] for node in data["nodes"]))
    assert data["commands"][0]["diskSavingsPerHour"] is None
    text = render_disrupt(unknown)
    assert text.count("without disks") == 2
    assert "without disks" not in render_disrupt(known)


def test_a_loss_of_spot_has_disks_and_marks_each_estimate() -> None:
    """The sums, the lost nodes, and what is launched for them."""
    loss = interrupt(demo())
    data = json.loads(json_of(loss))
    machines = sum(loss.before.price_of(node) for node in loss.before.nodes)
    assert data["pricePerHour"]["before"] == pytest.approx(machines + 4 * DISK)
    assert (data["pricePerHour"]["estimated"], data["pricePerHour"]["nodesWithoutDiskPrice"]) == (True, 0)
    text = render_interrupt(loss)
    assert f"about ${hourly(data['pricePerHour']['before'])} -> " in text
    for node in loss.lost:
        (row,) = (line for line in text.splitlines() if node.name in line)
        (price,) = re.findall(r"([\d.]+)\*", row)
        assert float(price) == pytest.approx(loss.before.price_of(node), abs=5e-4)
    assert "* Estimated price" in text


def test_nodes_have_disks_where_their_class_is_in_the_files() -> None:
    """In the sum, and beside the price of each machine."""
    roster = read_nodes(FILES, region="us-west-2")
    machines = sum(node.price.usd_per_hour for node in roster.nodes if node.price is not None)
    assert roster.price_per_hour == pytest.approx(machines + 4 * DISK)
    assert (roster.disk_price_per_hour, roster.without_disks) == (pytest.approx(4 * DISK), 0)
    assert nodes(demo()).price_per_hour == pytest.approx(roster.price_per_hour)
    data = json.loads(json_of(roster))
    assert [node["diskPricePerHour"] for node in data["nodes"]] == pytest.approx([DISK] * 4)
    assert "of it for disks" in render_nodes(roster)


def test_nodes_of_an_unknown_class_are_without_disks() -> None:
    """The files have the nodes alone."""
    roster = read_nodes(FILES[1:], region="us-west-2")
    assert (roster.disk_price_per_hour, roster.without_disks) == (None, 4)
    assert "; without disks" in " ".join(render_nodes(roster).split())
    assert "disks" not in render_nodes(read_nodes(FILES))


def test_forecasts_count_the_licence_of_windows() -> None:
    """In what nodes cost and in what commands save, like the list of nodes; Karpenter decides without it."""
    pools = Path(FILES[0]).read_text()
    windows = re.sub(r"al2023@\S+", "windows2022@latest", pools)
    assert windows != pools
    snapshot = Path(FILES[1]).read_text().replace("kubernetes.io/os: linux", "kubernetes.io/os: windows")
    inputs = read_inputs(["-"], region="us-west-2", stdin=f"{windows}\n---\n{snapshot}")
    data, linux = as_data(disrupt(inputs)), as_data(disrupt(demo()))
    listed = {node.name: node.price.usd_per_hour for node in nodes(inputs).nodes if node.price}
    assert {n["name"]: n["pricePerHour"] for n in data["nodes"]} == pytest.approx(listed)
    assert all(n["pricePerHour"] > was["pricePerHour"] for n, was in zip(data["nodes"], linux["nodes"], strict=True))
    assert f"about ${hourly(data['pricePerHour'])} an hour" in render_disrupt(disrupt(inputs))
    (command,) = data["commands"]
    assert command["replacements"] == []
    removed = {n["name"]: n["pricePerHour"] for n in data["nodes"]}
    assert command["savingsPerHour"] - command["diskSavingsPerHour"] == pytest.approx(sum(removed[n] for n in command["nodes"]))
