"""Nodes and running pods of a cluster, as topology looks at them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_SCHEDULE, Taint
from cutlist.scheduling.cluster_pods import ClusterPods, ClusterPodsExcluding, lists
from cutlist.scheduling.spread_rules import selector_identity
from cutlist.scheduling.topologygroup import EVERY_NODE, TopologyGroup, TopologyNodeFilter, TopologyType
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import TopologyNode
from cutlist.workloads.pods import LabelSelector, Pod, PodTerm
from tests.unit.scheduling.builders import REGISTRY, label, pod, selecting, term

WEB, DB = (pod(labels={"app": app}) for app in ("web", "db"))
SHY = pod(labels={"app": "db"}, anti_affinity=(PodTerm(ZONE, selecting(app="web")),))


def node(name: str, zone: str | None = "zone-a", **fields) -> TopologyNode:
    labels = {HOSTNAME: name, **({ZONE: zone} if zone else {})}
    return TopologyNode(name, name, labels, fields.pop("taints", ()), labels, **fields)


ANY_WEB = selecting(app="web")
NODES = [node("a"), node("b"), node("c", "zone-b"), node("d", None)]


def group(
    selector: LabelSelector | None = ANY_WEB, *, key: str = ZONE, nodes: TopologyNodeFilter = EVERY_NODE
) -> TopologyGroup:
    return TopologyGroup(TopologyType.SPREAD, key, frozenset({"default"}), selector, node_filter=nodes)


def cluster_pods(*bound: TopologyPods, nodes=NODES) -> ClusterPods:
    return ClusterPods(nodes, bound, REGISTRY)


def counted(of: ClusterPods, rule: TopologyGroup | None = None, excluded=()) -> dict[str, int]:
    """Pods by domain, on a cluster without some nodes."""
    rule = rule or group()
    counts: dict[str, int] = {}
    for domain, pods in ClusterPodsExcluding(of, dict(excluded)).counted(rule, selector_identity(rule.selector)).items():
        counts[domain] = counts.get(domain, 0) + pods
    return counts


def repelling(of: ClusterPodsExcluding) -> dict[str, int]:
    """Shy pods by the zone of their node."""
    return of.repelling().get(SHY, {}).get(ZONE, {})


def test_pods_are_counted_by_the_domain_of_their_node():
    """Those that a rule selects, on nodes that have the label."""
    bound = (
        TopologyPods(WEB, "a", pods=2),
        TopologyPods(WEB, "b"),
        TopologyPods(WEB, "c"),
        TopologyPods(DB, "c"),
        TopologyPods(WEB, "d"),
    )
    assert counted(cluster_pods(*bound)) == {"zone-a": 3, "zone-b": 1}


def test_by_hostname_every_node_is_a_domain():
    """Also one without the label: then its name is."""
    bare = TopologyNode("e", "e", {}, (), {})
    counts = counted(cluster_pods(TopologyPods(WEB, "a"), TopologyPods(WEB, "e"), nodes=[*NODES, bare]), group(key=HOSTNAME))
    assert counts == {"a": 1, "e": 1}


def test_pods_that_are_about_to_go_are_not_counted():
    """But still repel what they cannot stand."""
    running = cluster_pods(TopologyPods(WEB, "a", counted=False), TopologyPods(SHY, "b", counted=False))
    assert counted(running) == {}
    assert list(ClusterPodsExcluding(running, {}).repelling()) == [SHY]


def test_a_rule_looks_at_the_nodes_that_its_pod_could_use():
    """By their labels, and by their taints where it honours them."""
    tainted = node("t", "zone-b", taints=(Taint("dedicated", NO_SCHEDULE),))
    running = cluster_pods(TopologyPods(WEB, "a"), TopologyPods(WEB, "t"), nodes=[*NODES, tainted])
    only_a = TopologyNodeFilter((Requirements([label(ZONE, "zone-a")]),))
    assert counted(running, group(nodes=only_a)) == {"zone-a": 1}
    assert counted(running, group(nodes=TopologyNodeFilter(honor_taints=True))) == {"zone-a": 1}
    assert counted(running) == {"zone-a": 1, "zone-b": 1}


def test_without_a_node_its_pods_do_not_count():
    """But for those that stay where it was."""
    running = cluster_pods(TopologyPods(WEB, "a", pods=2), TopologyPods(WEB, "b"))
    assert counted(running, excluded={"a": ()}) == {"zone-a": 1}
    assert counted(running, excluded={"a": [TopologyPods(WEB, "a")]}) == {"zone-a": 2}
    assert counted(running, excluded={"a": [TopologyPods(WEB, "a", counted=False)]}) == {"zone-a": 1}
    assert counted(running) == {"zone-a": 3}


def test_a_domain_is_lost_with_its_last_node():
    """Not with one of two."""
    running = cluster_pods()
    assert sorted(ClusterPodsExcluding(running, {}).values(group())) == ["zone-a", "zone-b"]
    assert sorted(ClusterPodsExcluding(running, {"a": ()}).values(group())) == ["zone-a", "zone-b"]
    assert ClusterPodsExcluding(running, {"a": (), "b": ()}).values(group()) == ("zone-b",)
    assert ClusterPodsExcluding(running, {"c": ()}).values(group()) == ("zone-a",)


def test_nodes_that_are_being_removed_have_no_domain_to_offer():
    """Their pods count anyway."""
    going = node("g", "zone-g", in_pass=False)
    running = cluster_pods(TopologyPods(WEB, "g"), nodes=[*NODES, going])
    assert "zone-g" not in ClusterPodsExcluding(running, {}).values(group())
    assert counted(running) == {"zone-g": 1}
    assert ClusterPodsExcluding(running, {"g": ()}).values(group()) == ClusterPodsExcluding(running, {}).values(group())
    assert ClusterPodsExcluding(running, {}).hosts == ("a", "b", "c", "d")
    assert ClusterPodsExcluding(running, {"b": ()}).hosts == ("a", "c", "d")


def test_what_repels_has_to_stand_on_a_node_that_is_known():
    """Of nodes that Karpenter has not taken up, and of those that do not exist, nothing is known."""
    strange = node("s", tracked=False)
    running = cluster_pods(
        TopologyPods(SHY, "s"), TopologyPods(SHY, "nowhere"), TopologyPods(SHY, "a"), nodes=[*NODES, strange]
    )
    assert repelling(ClusterPodsExcluding(running, {})) == {"zone-a": 1}
    assert list(ClusterPodsExcluding(running, {"a": ()}).repelling()) == []
    assert repelling(ClusterPodsExcluding(running, {"a": [TopologyPods(SHY, "a")]})) == {"zone-a": 1}


def test_a_missing_selector_lists_all_pods_of_the_namespaces():
    """Though it selects none."""
    assert lists(group(None), WEB)
    assert not lists(group(None), pod(namespace="other"))
    assert lists(group(LabelSelector()), DB)


def test_selectors_that_say_the_same_are_one():
    """In whatever order."""
    first = LabelSelector((("a", "1"), ("b", "2")), (*term("c", "In", "x", "y"), *term("d", "Exists")))
    second = LabelSelector((("b", "2"), ("a", "1")), (*term("d", "Exists"), *term("c", "In", "y", "x")))
    assert selector_identity(first) == selector_identity(second)
    assert selector_identity(LabelSelector()) != selector_identity(None)


BOUND = st.lists(
    st.builds(TopologyPods, st.sampled_from([WEB, DB, SHY]), st.sampled_from("abcd"), st.booleans(), st.integers(1, 3)),
    max_size=8,
)


@given(BOUND, st.sets(st.sampled_from("abcd")), st.booleans())
def test_without_nodes_is_as_if_they_had_never_been(bound, excluded, stay):
    """With the pods on them that stay put back, counts, domains and what repels are those of a cluster without them."""
    left = [n for n in NODES if n.name not in excluded]
    staying = {name: [p for p in bound if stay and p.node == name] for name in excluded}
    kept = [p for p in bound if p.node not in excluded]
    shared, rebuilt = cluster_pods(*bound), cluster_pods(*kept, nodes=left)
    if not stay:
        assert counted(shared, excluded=staying) == counted(rebuilt)
    else:
        assert counted(shared, excluded=staying) == counted(shared)
    assert sorted(ClusterPodsExcluding(shared, staying).values(group())) == sorted(
        ClusterPodsExcluding(rebuilt, {}).values(group())
    )
    assert ClusterPodsExcluding(shared, staying).hosts == ClusterPodsExcluding(rebuilt, {}).hosts
    rest = cluster_pods(*(p for p in bound if stay or p.node not in excluded))
    assert repelling(ClusterPodsExcluding(shared, staying)) == repelling(ClusterPodsExcluding(rest, {}))


RULES = [
    group(key=key, nodes=nodes)
    for key in (ZONE, HOSTNAME)
    for nodes in (EVERY_NODE, TopologyNodeFilter((Requirements((label(ZONE, "zone-a"),)),)))
]


@given(st.lists(st.tuples(st.sampled_from("abcd"), BOUND), max_size=3))
def test_nodes_and_pods_that_are_added_later_count_as_if_they_had_been_there(steps):
    """Whatever was asked for in between."""
    grown, bound = cluster_pods(nodes=NODES[:2]), []
    everything = {n.name: n for n in NODES}
    for name, more in steps:
        for rule in RULES:
            counted(grown, rule)
            ClusterPodsExcluding(grown, {}).values(rule)
        more = [p for p in more if p.node in {*grown.nodes, name}]
        grown.add([everything[name]] if name not in grown.nodes else [], more)
        bound += more
    rebuilt = cluster_pods(*bound, nodes=grown.nodes.values())
    assert [counted(grown, rule) for rule in RULES] == [counted(rebuilt, rule) for rule in RULES]
    for excluded in ({}, {"a": ()}):
        now, expected = ClusterPodsExcluding(grown, excluded), ClusterPodsExcluding(rebuilt, excluded)
        assert [set(now.values(rule)) for rule in RULES] == [set(expected.values(rule)) for rule in RULES]
        assert (now.hosts, now.repelling()) == (expected.hosts, expected.repelling())


def test_a_pod_without_labels_is_counted_by_an_empty_selector():
    """It selects everything."""
    assert counted(cluster_pods(TopologyPods(Pod(), "a")), group(LabelSelector())) == {"zone-a": 1}
