"""The nodes of a cluster as a page."""

from __future__ import annotations

from dataclasses import replace

from cutlist.verbs.nodes.html import nodes_html
from cutlist.verbs.nodes.roster import Roster
from tests.unit.report.forecasts import nodes
from tests.unit.report.pages import taken


# K-63
def test_the_page_of_a_cluster_says_what_its_nodes_are_how_full_and_at_what_price():
    text = taken(nodes_html(nodes())).text
    price = "about $446 $438 to $457; about $0.611 per hour; without disks"
    assert f"Price per month {price} Nodes 4 4 Ready CPU requested 35% 5.6 of 15.7 cores" in text
    assert "general c7i.2xlarge on-demand: $261 a month; cpu 46%, memory 50%" in text
    assert "ip-10-0-1-11 general c7i.2xlarge on-demand us-west-2a 46% 50% 4 $0.357 3h Ready" in text


def test_without_a_region_no_price_is_spoken_of():
    text = taken(nodes_html(nodes(region=None))).text
    assert "$" not in text
    assert "price" not in text.lower().replace("price/hour", "")


def test_prices_are_in_the_currency_of_their_list():
    assert "about CNY 446 CNY 438 to CNY 457;" in taken(nodes_html(replace(nodes(), currency="CNY"))).text


def test_nodes_of_no_node_pool_are_on_the_map():
    roster = nodes()
    alone = replace(roster, nodes=tuple(replace(n, pool="", zone="", instance_type="") for n in roster.nodes))
    text = taken(nodes_html(alone)).text
    assert "2 × unknown type on-demand $408" in text
    assert "Other nodes" in text


def test_a_cluster_that_has_no_node_yet_is_a_page():
    found = taken(nodes_html(Roster(0.0, (), launching=("general-x7f",))))
    assert found.faults == []
    assert "Being launched: general-x7f." in found.text
