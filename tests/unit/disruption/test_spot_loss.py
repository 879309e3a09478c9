"""What happens to a cluster when its spot capacity ends."""

from __future__ import annotations

from cutlist.core.labels import SPOT, ZONE
from cutlist.disruption.spot_loss import lose_spot
from cutlist.disruption.trajectory import price
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, node, pool, runs

BOTH = ("spot", "on-demand")


def test_pods_of_lost_nodes_go_where_there_is_room_first():
    """The spot node of the zone goes; its pod fits on the node that stays, so nothing is launched."""
    # D-78
    before = cluster(node("a", runs("web"), kind=SPOT), node("b", runs("api"), of=LARGE), pools=[pool(kinds=BOTH)])
    lost = lose_spot(before)
    assert [m.name for m in lost.lost] == ["a"]
    assert (lost.displaced, lost.moved, lost.replacements, lost.pending) == (1, 1, (), ())
    assert [m.name for m in lost.after.nodes] == ["b"]
    assert (price(before), price(lost.after)) == (4.8, 4.0)


def test_what_does_not_fit_gets_nodes_that_are_not_spot_there():
    """Spot is still sold in other zones, so that is what is launched; none where it ended."""
    # D-78
    lost = lose_spot(cluster(node("a", runs("web"), kind=SPOT), pools=[pool(kinds=BOTH)]), "zone-a")
    (new,) = lost.replacements
    offered = {o.zone for o in new.types[0].offerings if o.available and o.capacity_type == SPOT}
    assert (new.capacity_type, new.types[0].name) == (SPOT, SMALL.name)
    assert "zone-a" not in offered
    assert lost.after.nodes[0].zone != "zone-a"


def test_without_any_spot_on_demand_is_what_is_left():
    lost = lose_spot(cluster(node("a", runs("web"), kind=SPOT), pools=[pool(kinds=BOTH)]))
    (new,) = lost.launched
    assert (new.capacity_type, lost.after.price_of(new)) == ("on-demand", 1.0)


def test_a_pool_of_spot_alone_leaves_its_pods_pending():
    """There is nothing that Karpenter could launch, and the reason is reported for each pod."""
    lost = lose_spot(cluster(node("a", runs("web"), kind=SPOT), pools=[pool(kinds=("spot",))]))
    (unplaced,) = lost.pending
    assert (unplaced.pod, unplaced.count) == ("default/web", 1)
    assert unplaced.why


def test_other_zones_keep_their_spot_nodes():
    there = [node("a", runs("web"), kind=SPOT), node("b", runs("api"), kind=SPOT, zone="zone-b", labels={ZONE: "zone-b"})]
    lost = lose_spot(cluster(*there, pools=[pool(kinds=BOTH)]), "zone-b")
    assert [m.name for m in lost.lost] == ["b"]


def test_pods_that_nobody_starts_anew_are_gone_with_their_node():
    """A DaemonSet's pod needs no other place."""
    lost = lose_spot(cluster(node("a", runs("agent", "100m", "DaemonSet"), kind=SPOT, of=MEDIUM), pools=[pool(kinds=BOTH)]))
    assert (lost.displaced, lost.replacements) == (0, ())
