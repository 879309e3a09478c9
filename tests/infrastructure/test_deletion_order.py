"""The order of deletion, as edges of a graph of dependencies."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.infrastructure.deletion_order import EDGES, Part, deletion_order, missing_edges, reachable


def test_a_chain_through_all_parts_is_a_sound_stack():  # I-56
    """The table has no two edges that contradict each other: one line of all parts meets every one of them."""
    line = [part.name for part in Part]
    graph = {one: {after} for one, after in pairwise(line)}
    assert missing_edges(graph, {part.name: part for part in Part}) == []


def test_every_edge_of_the_table_is_asked_for():  # I-56
    """Each edge is missed when exactly its two parts are there and do not depend on each other."""
    for edge in EDGES:
        [line] = missing_edges({"a": [], "b": []}, {"a": edge.first, "b": edge.then})
        assert line == f"a ({edge.first}) must be deleted before b ({edge.then}): otherwise {edge.otherwise}"


def test_an_edge_the_wrong_way_round_is_no_edge():
    graph = {"pool": [], "class": ["pool"]}
    assert missing_edges(graph, {"pool": Part.NODE_POOLS, "class": Part.NODE_CLASSES})


def test_a_stack_without_a_part_lacks_its_edges():
    assert missing_edges({"pool": []}, {"pool": Part.NODE_POOLS}) == []


def test_the_waves_of_a_deletion():
    graph = {"pool": ["class"], "class": ["chart", "role"], "chart": ["role"], "role": [], "queue": []}
    assert deletion_order(graph) == [{"pool", "queue"}, {"class"}, {"chart"}, {"role"}]


@given(st.dictionaries(st.integers(0, 12), st.sets(st.integers(0, 12)), max_size=12))
def test_what_is_reachable_is_deleted_later(drawn):
    """For every graph without cycles the waves keep every edge, however long the way is."""
    graph = {str(n): {str(m) for m in needed if m > n and m in drawn} for n, needed in drawn.items()}
    wave_of = {name: number for number, wave in enumerate(deletion_order(graph)) for name in wave}
    assert set(wave_of) == set(graph)
    assert all(wave_of[name] < wave_of[later] for name in graph for later in reachable(graph, name))
