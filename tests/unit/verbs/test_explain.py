"""Why a workload gets its nodes, or none: answers of NodePools, narrowing, preferences, spot, and the least price."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist.planning import explainer
from cutlist.planning.least_price import FittingMachine, least_price
from cutlist.planning.model.explanation import Explanation
from cutlist.verbs.explain.answer import explain
from cutlist_cli import main
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, inputs_of, pool
from tests.unit.planning.test_existing import node, running

SPOT = "{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}"
M5 = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.xlarge')}]"
MIXED = f"[{SPOT}, {TYPES.format('m5.large, m5.xlarge')}]"


def explained(*documents: str, workload: str = "deployment/web") -> Explanation:
    (one,) = explain(inputs_of(*documents), workload)
    return one


def answers(one: Explanation) -> dict[str, tuple[int, str]]:
    return {a.node_pool: (a.took, a.refusal) for a in one.answers}


# K-175
def test_placed_pods_are_reported_with_their_nodes():
    """The node that is planned for the pods, how many of them it takes, and that none waits."""
    explanation = explained(pool(requirements=M5), deployment(replicas=3, cpu="500m"))
    (node,) = explanation.nodes
    assert (node.instance_type, node.pods_each, explanation.pods, explanation.pending) == ("m5.large", 3, 3, ())


def test_the_types_come_down_step_by_step():
    """What the class has, what the NodePool allows, what the pod asks for, what holds it."""
    (answer,) = explained(
        pool(requirements=M5), deployment(cpu="3", extra="nodeSelector: {topology.kubernetes.io/zone: us-west-2a}")
    ).answers
    assert [(step.types, step.step) for step in answer.narrowing][1:] == [
        (2, "the NodePool's requirements allow and the region offers"),
        (1, "have room for it besides DaemonSets"),
    ]
    assert answer.narrowing[0].types > 500


# K-159
def test_several_pools_say_in_their_order_what_they_did():
    """The heavier pool refuses for its taint, the next takes all, the last is not asked any longer."""
    explanation = explained(
        pool("first", M5, extra="taints: [{key: team, effect: NoSchedule}]", spec="weight: 9"),
        pool("second", M5, spec="weight: 5"),
        pool("third", M5),
        deployment(),
    )
    assert [(a.node_pool, a.weight) for a in explanation.answers] == [("first", 9), ("second", 5), ("third", 0)]
    assert answers(explanation) == {
        "first": (0, "the pod does not tolerate team:NoSchedule"),
        "second": (1, ""),
        "third": (0, "would take it, but an earlier NodePool did"),
    }


# K-160
def test_a_pool_with_a_taint_for_system_pods_never_takes_ordinary_ones():
    """The reason is the taint. That a workload tolerates it is no advice: it would run on the nodes of add-ons."""
    surge = pool("system-surge", M5, extra="taints: [{key: CriticalAddonsOnly, effect: NoSchedule}]")
    explanation = explained(surge, deployment())
    (answer,) = explanation.answers
    assert answer.refusal == "the pod does not tolerate CriticalAddonsOnly:NoSchedule"
    assert answer.remedy == ""


# K-68
def test_each_refusal_is_reported_in_karpenters_words_too():
    """What the event on the pod says of the NodePool."""
    (answer,) = explained(pool(requirements=M5), deployment(cpu="64")).answers
    assert answer.karpenter.startswith("no instance type has enough resources, requirements=")
    assert answer.refusal == "the pod needs 64 cpu and the largest allowed instance type has 3920m"


# K-142
@pytest.mark.parametrize(
    "asked",
    [
        "nodeSelector: {topology.kubernetes.io/zone: us-west-2b}",
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
        "[{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2b]}]}]}}}",
    ],
)
def test_a_node_affinity_does_what_a_selector_does(asked):
    """The zone asked for in either way is where the node is."""
    (node,) = explained(pool(requirements=M5), deployment(extra=asked)).nodes
    assert node.zones == ("us-west-2b",)


def test_a_pending_workload_has_the_first_broken_rule_of_each_pool_and_what_helps():
    """One pool is too small, the other forbids it; the smallest change of each is named."""
    explanation = explained(
        pool("small", M5), pool("other", M5, extra="taints: [{key: team, effect: NoSchedule}]"), deployment(cpu="6", replicas=2)
    )
    assert sum(p.count for p in explanation.pending) == 2
    found = {a.node_pool: a.remedy for a in explanation.answers}
    larger = "as it does with m5.4xlarge among the values of node.kubernetes.io/instance-type there"
    assert found == {"small": f"with a cpu request of at most 3920m it fits NodePool small, {larger}", "other": ""}
    assert explanation.price is None
    assert explanation.least is None


PREFERENCE = (
    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 7, preference: "
    "{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]}}]}}"
)


# S-112
@pytest.mark.slow
def test_a_preference_that_was_given_up_is_named():
    """The pods would rather have arm64, which the pool does not allow."""
    explanation = explained(pool(requirements=M5), deployment(replicas=2, extra=PREFERENCE))
    assert [(g.what, g.pods) for g in explanation.given_up] == [
        ("preferred node affinity kubernetes.io/arch In arm64 (weight 7)", 2)
    ]
    fine = explained(pool(requirements="[]"), deployment(extra=PREFERENCE))
    assert fine.given_up == ()


def test_what_pending_pods_gave_up_was_in_vain():
    """A pod that fits nowhere has given up all that it could."""
    explanation = explained(pool(requirements=M5), deployment(cpu="64", extra=PREFERENCE))
    assert [(g.what, g.pods) for g in explanation.given_up] == [
        ("preferred node affinity kubernetes.io/arch In arm64 (weight 7)", 0)
    ]


def test_alternatives_of_a_required_affinity_are_given_up_in_their_order():
    """The first of two terms cannot be met, the second is."""
    terms = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
        "{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]}, "
        "{matchExpressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}]}}}"
    )
    explanation = explained(pool(requirements=M5), deployment(extra=terms))
    assert [g.what for g in explanation.given_up] == [
        "the node affinity term kubernetes.io/arch In arm64, which has alternatives"
    ]


ON_DEMAND_ONLY = "nodeSelector: {karpenter.sh/capacity-type: on-demand}"


def test_where_spot_is_lost_says_who_excludes_it():
    """The pool, the pods themselves, or others on the same node."""
    assert explained(pool(requirements=MIXED), deployment()).spot == ()
    by_pool = explained(pool(requirements=M5), deployment())
    assert by_pool.spot == ("NodePool general: its requirements exclude spot",)
    by_pods = explained(pool(requirements=MIXED), deployment(extra=ON_DEMAND_ONLY))
    assert by_pods.spot == ("NodePool general: the pods themselves exclude spot",)
    by_others = explained(pool(requirements=MIXED), deployment(cpu="100m"), deployment("db", cpu="200m", extra=ON_DEMAND_ONLY))
    assert by_others.spot == ("NodePool general: deployment/db on the same nodes excludes spot",)


# K-81
def test_with_both_capacity_types_spot_is_taken_unless_it_is_not_to_be_had():
    """Spot is cheaper; where no type is offered as spot, the node is on demand and the reason is reported."""
    inputs = inputs_of(pool(requirements=MIXED), deployment())
    (one,) = explain(inputs, "web")
    assert one.nodes[0].capacity_type == "spot"
    (one,) = explain(replace(inputs, catalog=replace(inputs.catalog, spot={})), "web")
    assert one.nodes[0].capacity_type == "on-demand"
    assert one.spot == ("NodePool general: none of the remaining types is offered as spot where its nodes may be",)


def test_the_least_price_is_below_the_price_and_the_gap_is_what_is_between():
    """One small pod pays for a whole node; many that fill nodes come close to the least."""
    alone = explained(pool(requirements=M5), deployment(cpu="100m", memory="128Mi"))
    assert alone.price is not None
    assert alone.least is not None
    assert 0 < alone.least < alone.price / 10
    assert alone.gap == pytest.approx(alone.price - alone.least)
    full = explained(pool(requirements=M5), deployment(replicas=20, cpu="1960m", memory="1Gi"))
    assert full.price is not None
    assert full.gap is not None
    assert full.gap < full.price * 0.02


# A law: however pods are put on machines, it does not cost less.
@given(
    machines=st.lists(st.tuples(st.integers(1, 64), st.integers(1, 256), st.floats(0.01, 10)), min_size=1, max_size=5),
    counts=st.lists(st.integers(0, 4), min_size=5, max_size=5),
)
def test_no_set_of_machines_that_holds_the_pods_is_cheaper_than_the_least_price(machines, counts):
    """Whatever is asked that some machines hold together: they cost at least the bound."""
    chosen = list(zip(machines, counts, strict=False))
    asked = {"cpu": sum(m[0] * n for m, n in chosen), "memory": sum(m[1] * n for m, n in chosen)}
    bound = least_price(asked, [FittingMachine({"cpu": cpu, "memory": memory}, price) for cpu, memory, price in machines])
    assert bound is not None
    assert bound <= sum(m[2] * n for m, n in chosen) * (1 + 1e-9)


def test_without_machines_there_is_no_least_price():
    """Nothing is known then."""
    assert least_price({"cpu": 1}, []) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("deployment/wep", "did you mean deployment/web"),
        ("api", "is one of 2 workloads; allowed: a/deployment/api, b/deployment/api"),
        ("", "WORKLOAD: '' is not a name; allowed: "),
        ("/", "WORKLOAD: '/' is not a name; allowed: "),
    ],
)
def test_a_name_that_is_none_or_several_is_refused(name, said):
    """With what there is, and the nearest."""
    several = [deployment("api").replace("{name: api}", f"{{name: api, namespace: {n}}}", 1) for n in ("a", "b")]
    with pytest.raises(InputError) as caught:
        explain(inputs_of(pool(requirements=M5), deployment(), *several), name)
    assert said in str(caught.value)


def test_a_name_alone_will_do_where_it_is_unique():
    """`web` and `Deployment/web` are the same."""
    for name in ("web", "Deployment/web", "deployment/web"):
        assert explained(pool(requirements=M5), deployment(), workload=name).workload == "deployment/web"


# K-144
def test_nodes_that_are_there_say_why_they_take_none():
    """A taint, a label, too little room: how many nodes each keeps from taking the pod; one has room and takes it."""
    explanation = explained(
        pool(requirements=M5),
        node("tainted", extra="taints: [{key: a, effect: NoSchedule}]"),
        node("elsewhere", zone="us-west-2b"),
        node("full", cpu="1"),
        node("small", cpu="1"),
        node("fits"),
        deployment(cpu="2", extra="nodeSelector: {topology.kubernetes.io/zone: us-west-2a}"),
    )
    assert explanation.existing == (("fits", 1),)
    assert answers(explanation) == {"general": (0, "would take it, but existing nodes did")}
    assert explanation.refusing == (
        ("there is no room for 2 cpu", 2),
        ("its labels do not match what the pod requires of topology.kubernetes.io/zone", 1),
        ("the pod does not tolerate a:NoSchedule", 1),
    )


def test_a_node_that_meets_one_of_several_terms_refuses_nothing():
    """Terms of a required affinity are alternatives: the second is met."""
    terms = "".join(
        f"{{matchExpressions: [{{key: topology.kubernetes.io/zone, operator: In, values: [{zone}]}}]}}, "
        for zone in ("us-west-2c", "us-west-2a")
    )
    asked = f"affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}}}}}"
    explanation = explained(pool(requirements=M5), node("fits"), deployment(extra=asked))
    assert explanation.refusing == ()


def test_a_pod_that_runs_is_reported_with_its_node():
    """There is nothing to explain of it here."""
    with pytest.raises(InputError, match="pod/old runs on node-a; only pods that wait for a node are explained"):
        explain(inputs_of(pool(requirements=M5), node("node-a"), running("old", "node-a"), deployment()), "pod/old")


# --- the command


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    file = tmp_path / "all.yaml"
    small = pool("small", M5)
    file.write_text("\n---\n".join((NODE_CLASS, small, deployment(), deployment("big", cpu="64", extra=PREFERENCE))))
    return ["-f", str(file), "--region", "us-west-2"]


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("workload", ["deployment/web", "deployment/big"])
def test_the_text_fits_its_width(files, workload, width):
    """For pods with nodes and for pods without."""
    result = CliRunner().invoke(main, ["explain", workload, *files, "--width", str(width)])
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= width


def test_the_command_tells_the_reason_in_text_and_json(files):
    """The first rule that is broken, and what was given up without success."""
    text = CliRunner().invoke(main, ["explain", "big", *files]).stdout
    assert "NodePool small: the pod needs 64 cpu and the largest allowed instance type has 3920m" in " ".join(text.split())
    assert "(weight 7), without success" in " ".join(text.split())
    data = json.loads(CliRunner().invoke(main, ["explain", "big", *files, "-o", "json"]).stdout)
    (one,) = data["explanations"]
    assert (one["workload"], one["nodes"], one["nodePools"][0]["tookPods"]) == ("deployment/big", [], 0)


@pytest.mark.slow
def test_nodes_with_the_same_choice_of_types_show_it_once(tmp_path: Path):
    """Pods that keep apart get a node in each zone, of which all may become the same."""
    apart = (
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, "
        "labelSelector: {matchLabels: {app: web}}}]"
    )
    (tmp_path / "all.yaml").write_text("\n---\n".join([NODE_CLASS, pool(), deployment(replicas=3, extra=apart)]))
    reported = CliRunner().invoke(main, ["explain", "web", "-f", str(tmp_path), "--region", "us-west-2"]).output
    assert reported.count("1 × deployment/web") == 3
    assert reported.count("for these pods, cheapest first") == 1


@pytest.mark.parametrize("count", [2, 4, 8])
def test_equal_machines_of_many_node_pools_count_once(count, monkeypatch):
    """The least price needs each room at its cheapest, whichever NodePool has it."""
    compared: list[int] = []

    def counted(requests, machines):
        compared.append(len(machines))
        return least_price(requests, machines)

    monkeypatch.setattr(explainer, "least_price", counted)
    explained(*(pool(f"p{n}", M5) for n in range(count)), deployment())
    assert compared == [2]


def test_of_very_many_node_pools_those_that_were_likelier_meant_are_tried(monkeypatch):
    """The others say that nobody tried them, and not that nothing helps."""
    monkeypatch.setattr(explainer, "_LEAST_TRIED", 1)
    monkeypatch.setattr(explainer, "_MOST_TRIES", 2)
    helps = {
        answer.node_pool: answer.remedy for answer in explained(pool("a", M5), pool("b", M5), deployment(cpu="30")).answers
    }
    tried = [name for name, remedy in helps.items() if not remedy.startswith("not tried: ")]
    assert len(tried) == 1
    assert "not tried: of 2 NodePools those that were likelier meant came first" in helps.values()
