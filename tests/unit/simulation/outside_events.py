"""Any events from outside, for laws of simulations; and the edits that they refer to."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from cutlist import Budget
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.simulation.events import MINUTE, SECOND, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.offerings import Edition
from cutlist.simulation.outside_events import (
    CapacityLost,
    ClusterEdited,
    ImageReleased,
    NodeSelection,
    NodesFailed,
    NodesInterrupted,
)
from tests.unit.disruption.builders import pool

CHOICES = st.builds(NodeSelection, count=st.integers(1, 3), zone=st.sampled_from(["", "zone-a"]))
LENGTHS = st.integers(1, 40).map(MINUTE.__mul__)


def outside_events(times: st.SearchStrategy[int]) -> st.SearchStrategy[Event]:
    """Return strategies for events at some times; edits are those of `with_editions`."""
    lost = st.tuples(times, st.sampled_from(["*", "small"]), st.sampled_from(["*", "zone-a"]), LENGTHS)
    return st.one_of(
        st.builds(ImageReleased, times),
        st.builds(ClusterEdited, times, st.integers(1, 3)),
        st.builds(NodesInterrupted, times, CHOICES),
        lost.map(lambda of: CapacityLost(of[0], of[1], of[2], "*", of[0] + of[3])),
        st.builds(
            NodesFailed,
            times,
            CHOICES,
            st.sampled_from(["Ready", "KernelReady"]),
            st.sampled_from(["False", "Unknown"]),
            lasts=st.one_of(st.none(), LENGTHS),
        ),
    )


def with_editions(of: SimulationInputs) -> SimulationInputs:
    """Return inputs with a static NodePool from the start on. An edit scales it, the next one changes the template of the
    others, the last one deletes it."""
    pools = {**of.cluster.pools, "fixed": pool("fixed", replicas=2, after="Never", budgets=[Budget(nodes="1")])}
    types = type(of.cluster.types)({name: next(iter(of.cluster.types.values())) for name in pools})
    first = replace(of.cluster, pools=pools, types=types)
    scaled = replace(first, pools={**pools, "fixed": pool("fixed", replicas=1, after="Never")})
    stamp = {HASH: "2", HASH_VERSION: "v3"}
    changed = {name: p if p.is_static else pool(name, after="30s", pool_annotations=stamp) for name, p in pools.items()}
    hashes = {name: {HASH: "1", HASH_VERSION: "v3"} for name in pools}
    left = {name: p for name, p in pools.items() if not p.is_static}
    editions = [Edition(replace(first, pools=p), of.purchases, {}, hashes) for p in (scaled.pools, changed, left)]
    return replace(of, cluster=first, editions=editions)


TIMES = st.integers(0, 4500).map(lambda s: s * SECOND)
