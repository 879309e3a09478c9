"""Laws of cutting a block into subnets, and what does not fit."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cutlist.core.errors import Problems
from cutlist.infrastructure.subnets import PRIVATE_PREFIXES, Sizes, ZoneSubnets, cut, repairs

ZONES = st.sets(st.sampled_from([f"eu-west-1{letter}" for letter in "abcdef"]), min_size=1).map(sorted)


@st.composite
def blocks(draw: st.DrawFn, halvings: st.SearchStrategy[int]) -> tuple[IPv4Network, Sizes]:
    """A block, and sizes of which the private one is the block halved some times."""
    prefix = draw(st.integers(16, 20))
    block = IPv4Network((draw(st.integers(0, 255)) << (32 - prefix), prefix))
    return block, Sizes(prefix + draw(halvings), draw(st.integers(prefix + 7, 28)), draw(st.integers(prefix + 7, 28)))


ROOMY = blocks(st.integers(3, 5))
"""Six of eight parts are for nodes, so that the zones of any region fit."""
CRAMPED = blocks(st.integers(0, 2))


def subnets(made: tuple[ZoneSubnets, ...]) -> list[IPv4Network]:
    return [subnet for zone in made for subnet in (zone.private, zone.control_plane, zone.public)]


@given(ROOMY, ZONES)
def test_subnets_are_inside_the_block_apart_and_of_the_size_asked(drawn, zones):
    block, sizes = drawn
    made = cut(block, zones, sizes)
    assert [zone.zone for zone in made] == zones
    assert all(subnet.subnet_of(block) for subnet in subnets(made))
    assert not any(one.overlaps(other) for one, other in combinations(subnets(made), 2))
    for zone in made:
        prefixes = (zone.private.prefixlen, zone.public.prefixlen, zone.control_plane.prefixlen)
        assert prefixes == (sizes.private, sizes.public, sizes.control_plane)


@given(ROOMY, ZONES, ZONES)
def test_further_zones_move_no_subnet(drawn, zones, more):
    block, sizes = drawn
    assert set(cut(block, zones, sizes)) <= set(cut(block, sorted({*zones, *more}), sizes))


@given(CRAMPED, ZONES)
def test_a_block_that_is_too_small_is_reported_with_what_would_do(drawn, zones):
    """Each repair that is offered does what it says, and smaller subnets always do."""
    block, sizes = drawn
    assume(cut(block, zones, sizes) is None)
    offered = list(repairs(block, zones, sizes))
    assert any(repair.startswith("private") for repair in offered)
    for repair in offered:
        prefix = int(repair.rpartition("/")[2])
        if repair.startswith("a block"):
            assert cut(block.supernet(new_prefix=prefix), zones, sizes) is not None
            assert cut(block.supernet(new_prefix=prefix + 1), zones, sizes) is None
        else:
            assert cut(block, zones, replace(sizes, private=prefix)) is not None


def test_every_zone_of_any_region_fits_into_the_usual_block():
    """Six zones are the most that a region has."""
    made = cut(IPv4Network("10.0.0.0/16"), [f"us-east-1{letter}" for letter in "abcdef"], Sizes())
    assert [str(zone.private) for zone in made][::5] == ["10.0.0.0/19", "10.0.160.0/19"]
    assert (str(made[0].public), str(made[0].control_plane)) == ("10.0.254.0/24", "10.0.255.0/28")


@pytest.mark.parametrize(
    ("sizes", "paths"),
    [
        (Sizes(private=31), ["own.privatePrefix"]),
        (Sizes(private=26), ["own.privatePrefix"]),
        (Sizes(private=15, public=29, control_plane=32), ["own.privatePrefix", "own.publicPrefix", "own.controlPlanePrefix"]),
        (Sizes(), []),
    ],
)
def test_sizes_that_cannot_be_are_reported_together(sizes, paths):
    problems = Problems()
    assert sizes.check("own", problems) == (not paths)
    assert [problem.place.path for problem in problems.found] == paths


def test_the_smallest_subnet_for_nodes_has_room_for_the_least_that_adopted_ones_need():
    """123 addresses in a /25, 59 in a /26, where 64 have to be free."""
    assert PRIVATE_PREFIXES[-1] == 25
