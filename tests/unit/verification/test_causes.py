"""Each cause by two cases that differ in one thing: one in which it is named, and one in which it is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from cutlist.core.quantity import amounts
from cutlist.logs import EndedClaim, FailedLaunch, UnavailableOffering
from cutlist.planning.model import PendingPods
from cutlist.verification.causes import CAUSES
from cutlist.verification.deviations import Aspect
from cutlist.verification.evidence import Declared, LogEvidence, UndeclaredEdit
from cutlist.verification.live import LiveNode, LivePool, LiveState
from tests.unit.verification.builders import ALLOCATABLE, AT, causes, cluster, findings, live, plan, planned, verified

WEB, API, JOB = "deployment/web", "deployment/api", "job/load"
OTHER_TYPE = live("a", {WEB: 2}, instance_type="m6i.large")
NO_CAPACITY = "insufficient capacity, all requested instance types were unavailable during launch"


@dataclass(frozen=True)
class Case:
    """A cluster that differs from its plan, and what is changed in it to take the evidence of the cause away."""

    cause: str
    aspect: Aspect
    situation: dict[str, Any]
    without: dict[str, Any]

    def named(self, *, without: bool) -> set[str]:
        """The causes that are named for what differs in the aspect, which has to be there."""
        of = {**self.situation, **(self.without if without else {})}
        there = cluster(*of["nodes"], waiting=of.get("waiting"), pools=of.get("pools"))
        whole = plan(*of.get("of", (planned({WEB: 2}),)), **of.get("plan", {}))
        verification = verified(whole, there, of.get("log"), of.get("declared"), **of.get("more", {}))
        differences = findings(verification, self.aspect)
        assert differences, "nothing differs"
        return {named.cause.id for finding in differences for named in finding.causes}


def case(cause: str, aspect: Aspect, *nodes: LiveNode, without: dict[str, Any], **situation: Any) -> Case:
    return Case(cause, aspect, {"nodes": nodes, **situation}, without)


def unavailable(zone: str = "us-west-2a", kind: str = "m5.large") -> LogEvidence:
    return LogEvidence(unavailable=(UnavailableOffering(AT - 1, kind, zone, "spot", "InsufficientInstanceCapacity"),))


def failed(message: str, claim: str = "general-x") -> LogEvidence:
    return LogEvidence(failed=(FailedLaunch(AT - 1, claim, message),))


def ended(reason: str, claim: str = "general-z", at: float = AT - 5, **more: Any) -> LogEvidence:
    return LogEvidence(ended=(EndedClaim(at, reason, claim, **more),))


def edited(kind: str, path: str = "spec.limits", pool: str = "general") -> Declared:
    return Declared(edits=(UndeclaredEdit(kind, "x", path, f"{path} is 1, declared 2", frozenset({pool})),))


def overlay_for(instance_type: str) -> Declared:
    (edit,) = edited("NodeOverlay").edits
    return Declared(edits=(replace(edit, instance_types=frozenset({instance_type})),))


def costs(**prices: float) -> Callable[[str, str, str], float | None]:
    return lambda instance_type, _capacity_type, _zone: prices.get(instance_type.replace(".", "_"))


def came(seconds: float, **pods: int) -> LiveNode:
    """A node with a pod of web, and perhaps others, that came so much later."""
    others = {f"job/{name.lower()}": count for name, count in pods.items()}
    return live("b", {WEB: 1, **others}, created=AT + seconds, pods_since={WEB: (AT + seconds,)})


def having(**texts: str) -> LiveNode:
    """The planned machine with one pod and other amounts for them."""
    return live("a", {WEB: 1}, allocatable={**ALLOCATABLE, **amounts(texts)})


API_ALONE = live("b", {API: 1})
WEB_AND_API = (planned({WEB: 2}), planned({API: 1}))
STATIC = (planned({}),)
KWOK = replace(OTHER_TYPE, provider="kwok")
EQUAL = live("a", {WEB: 2}, instance_type="m5a.large")
SPREAD = (planned({WEB: 2}, zones=("us-west-2a",)), planned({WEB: 1}, zones=("us-west-2b",)))
TWO, ONE = live("a", {WEB: 2}, zone="us-west-2b"), live("b", {WEB: 1})
LAUNCHING = live("a", {}, state=LiveState.NOT_LAUNCHED, reason="InsufficientCapacityError", instance_type="", zone="")
JOINING = live("a", {}, state=LiveState.NOT_REGISTERED, reason="NodeNotFound")
ENDING = live("a", {WEB: 2}, state=LiveState.ENDING, reason="Underutilized")
ON_DEMAND, OTHER_POOL = live("a", {WEB: 2}, capacity_type="on-demand"), live("a", {WEB: 2}, node_pool="other")
MORE, LESS, HALF = live("a", {WEB: 3}), live("a", {WEB: 1}), live("b", {WEB: 1})
FOREIGN = live("b", {WEB: 1}, claim="", node_pool="")
MIXED = (planned({WEB: 2, API: 1}), planned({WEB: 1, API: 2}))
CHEAPER, AS_BEFORE = {"price_now": costs(m5_large=0.12, m6i_large=0.09)}, {"price_now": costs(m5_large=0.1, m6i_large=0.11)}
WAITING_JOB = (PendingPods(JOB, 1, "no NodePool takes it"),)
OLD = Declared(existing={"b": {}})
NO_DAEMONS, LOG_DAEMON = (Declared(daemons=frozenset(names)) for names in ((), ("daemonset/log",)))
OF_TYPE, OF_POOL, OF_CAPACITY = Aspect.INSTANCE_TYPE, Aspect.NODE_POOL, Aspect.CAPACITY_TYPE
NEW = live("b", {WEB: 2}, created=AT + 5, pods_since={WEB: (AT + 5,)})

CASES = [
    # no capacity: of the planned type in a planned zone, before the node was created, in the planned NodePool
    case("capacity-error", OF_TYPE, OTHER_TYPE, log=unavailable(), without={"log": unavailable("us-west-2z")}),
    case("capacity-error", OF_TYPE, OTHER_TYPE, log=unavailable(), without={"log": unavailable(kind="m7i.large")}),
    case("capacity-error", OF_TYPE, OTHER_TYPE, log=unavailable(), without={"nodes": [replace(OTHER_TYPE, created=AT - 900)]}),
    case("capacity-error", OF_CAPACITY, ON_DEMAND, log=unavailable(), without={"log": None}),
    case("capacity-error", OF_POOL, OTHER_POOL, log=failed(NO_CAPACITY), without={"log": failed("no rights")}),
    case("capacity-error", OF_POOL, OTHER_POOL, log=failed(NO_CAPACITY), without={"log": failed(NO_CAPACITY, "other-x")}),
    case("capacity-error", Aspect.STATE, LAUNCHING, without={"nodes": [replace(LAUNCHING, reason="NodeClassNotReady")]}),
    case("capacity-error", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=unavailable(), without={"log": failed("no rights")}),
    case("launch-failure", Aspect.STATE, replace(LAUNCHING, reason="NodeClassNotReady"), without={"nodes": [LAUNCHING]}),
    case("launch-failure", Aspect.STATE, replace(LAUNCHING, reason="x"), without={"nodes": [replace(LAUNCHING, reason="")]}),
    case("launch-failure", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=failed("x"), without={"log": failed("x", "other-x")}),
    # EC2 chooses among the candidates; on other clouds Karpenter does, and not everything is a candidate
    case("cloud-choice", OF_TYPE, OTHER_TYPE, without={"nodes": [KWOK]}),
    case("cloud-choice", OF_TYPE, OTHER_TYPE, without={"nodes": [replace(OTHER_TYPE, instance_type="c5.large")]}),
    case("cloud-choice", OF_TYPE, OTHER_TYPE, without={"nodes": [EQUAL]}),
    case("cloud-choice", OF_TYPE, OTHER_TYPE, without={"nodes": [replace(OTHER_TYPE, types=frozenset({"m5.large"}))]}),
    case("tie", OF_TYPE, EQUAL, without={"nodes": [OTHER_TYPE]}),
    case("tie", Aspect.ZONE, TWO, ONE, of=SPREAD, without={"nodes": [TWO, replace(ONE, zone="us-west-2b")]}),
    case("tie", Aspect.ZONE, TWO, ONE, of=SPREAD, without={"nodes": [TWO, replace(ONE, zone="us-west-2z")]}),
    case("price-changed", OF_TYPE, OTHER_TYPE, more=CHEAPER, without={"more": AS_BEFORE}),
    case("price-changed", OF_TYPE, OTHER_TYPE, more=CHEAPER, without={"more": {}}),
    # other pods than planned
    case("pods-not-planned", Aspect.PODS, MORE, without={"of": [planned({WEB: 2}), planned({WEB: 1}, zones=("us-west-2z",))]}),
    case("pods-not-planned", Aspect.UNPLANNED, EQUAL, live("b", {JOB: 1}), without={"plan": {"pending": WAITING_JOB}}),
    case("pods-not-planned", Aspect.UNPLANNED, EQUAL, replace(LAUNCHING, name="b"), waiting={JOB: 1}, without={"waiting": {}}),
    case("pods-not-planned", OF_TYPE, replace(OTHER_TYPE, pods={WEB: 2, JOB: 1}), without={"nodes": [OTHER_TYPE]}),
    case("pods-missing", Aspect.PODS, LESS, without={"nodes": [LESS, HALF]}),
    case("pods-missing", Aspect.MISSING, API_ALONE, of=WEB_AND_API, without={"waiting": {WEB: 2}}),
    case("pods-waiting", Aspect.PODS, LESS, waiting={WEB: 1}, without={"waiting": {}}),
    case("pods-waiting", Aspect.MISSING, API_ALONE, of=WEB_AND_API, waiting={WEB: 2}, without={"waiting": {API: 2}}),
    case("pods-gone", Aspect.UNPLANNED, EQUAL, live("b", {}), without={"nodes": [EQUAL, live("b", {JOB: 1})]}),
    case("pods-gone", Aspect.UNPLANNED, EQUAL, live("b", {}), without={"pools": {"general": LivePool(replicas=1)}}),
    # other DaemonSets, by name where the input is known, else by what they request
    case(
        "daemonsets-differ",
        OF_TYPE,
        replace(OTHER_TYPE, daemons=frozenset({"daemonset/log"})),
        declared=NO_DAEMONS,
        without={"declared": LOG_DAEMON},
    ),
    case(
        "daemonsets-differ",
        OF_TYPE,
        replace(OTHER_TYPE, daemon_requests=amounts({"cpu": "200m"})),
        without={"nodes": [replace(OTHER_TYPE, daemon_requests=amounts({"cpu": "5m"}))]},
    ),
    case(
        "daemonsets-differ", Aspect.PODS, replace(LESS, daemon_requests=amounts({"memory": "1Gi"})), without={"nodes": [LESS]}
    ),
    # machines with other amounts: a little less memory is an estimate that was wrong, fewer pods are not
    case("allocatable-differs", Aspect.ALLOCATABLE, having(memory="6900Mi"), without={"nodes": [having(pods="17")]}),
    case("allocatable-differs", Aspect.PODS, having(memory="1900Mi"), without={"nodes": [having(memory="6900Mi")]}),
    case(
        "allocatable-differs",
        Aspect.UNPLANNED,
        having(memory="1900Mi"),
        HALF,
        without={"nodes": [having(memory="1900Mi"), replace(HALF, node_pool="other")]},
    ),
    # pods that came later than a batch lasts
    case("timing", Aspect.UNPLANNED, EQUAL, came(60), without={"nodes": [EQUAL, came(9)]}),
    case("timing", Aspect.PODS, LESS, came(60), of=(planned({WEB: 3}),), without={"nodes": [LESS, came(9)]}),
    case("timing", OF_TYPE, OTHER_TYPE, came(60), of=(planned({WEB: 3}),), without={"of": (planned({WEB: 2}),)}),
    # what the kube-scheduler does with the planned nodes, and what follows from other nodes
    case(
        "pod-placement",
        Aspect.PODS,
        live("a", {WEB: 3}),
        live("b", {API: 3}),
        of=MIXED,
        without={"nodes": [live("a", {WEB: 2}), live("b", {API: 2}), live("c", {API: 1, WEB: 1})]},
    ),
    case(
        "other-node",
        Aspect.PODS,
        LESS,
        came(9, JOB=1),
        without={"nodes": [LESS, replace(came(9), pods={WEB: 1})]},
    ),
    # where the pods are instead
    case("existing-node", Aspect.PODS, LESS, HALF, declared=OLD, without={"declared": Declared()}),
    case("existing-node", Aspect.PODS, LESS, replace(HALF, created=AT - 9), more={"since": AT}, without={"more": {}}),
    case("not-karpenter", Aspect.PODS, LESS, FOREIGN, without={"nodes": [LESS, HALF]}),
    case(
        "not-karpenter",
        Aspect.MISSING,
        FOREIGN,
        API_ALONE,
        of=WEB_AND_API,
        without={"nodes": [replace(FOREIGN, pods={API: 1}), API_ALONE]},
    ),
    case(
        "static-capacity",
        Aspect.UNPLANNED,
        live("a", {}),
        live("b", {}),
        of=STATIC,
        pools={"general": LivePool(replicas=2)},
        without={"pools": {"general": LivePool(replicas=1)}},
    ),
    case(
        "static-capacity",
        Aspect.MISSING,
        live("a", {}),
        of=(planned({}, 2),),
        pools={"general": LivePool(replicas=1)},
        without={"pools": {"general": LivePool()}},
    ),
    case("not-joined", Aspect.STATE, JOINING, without={"nodes": [ENDING]}),
    case("not-joined", Aspect.STATE, replace(LAUNCHING, reason="AwaitingReconciliation"), without={"nodes": [LAUNCHING]}),
    case("not-joined", Aspect.PODS, JOINING, without={"nodes": [live("a", {})]}),
    case(
        "not-joined",
        Aspect.MISSING,
        API_ALONE,
        of=WEB_AND_API,
        log=ended("registration_timeout"),
        without={"log": ended("empty")},
    ),
    # what somebody changed
    case(
        "nodepool-edited",
        OF_TYPE,
        OTHER_TYPE,
        declared=edited("NodePool"),
        without={"declared": edited("NodePool", pool="other")},
    ),
    case(
        "nodepool-edited",
        OF_TYPE,
        OTHER_TYPE,
        declared=edited("NodePool"),
        without={"declared": edited("NodePool", "spec.disruption.budgets")},
    ),
    case(
        "nodepool-edited",
        OF_TYPE,
        replace(OTHER_TYPE, pool_hash="1"),
        pools={"general": LivePool(hash="2")},
        without={"pools": {"general": LivePool(hash="1")}},
    ),
    case("nodeclass-edited", OF_TYPE, OTHER_TYPE, declared=edited("EC2NodeClass"), without={"declared": edited("NodePool")}),
    case(
        "nodeclass-edited", Aspect.ALLOCATABLE, having(pods="17"), declared=edited("EC2NodeClass"), without={"declared": None}
    ),
    case("nodeoverlay-edited", OF_TYPE, KWOK, declared=edited("NodeOverlay"), without={"declared": edited("EC2NodeClass")}),
    case(
        "nodeoverlay-edited", OF_TYPE, KWOK, declared=overlay_for("m6i.large"), without={"declared": overlay_for("g5.xlarge")}
    ),
    case("other-karpenter", OF_TYPE, KWOK, log=LogEvidence(version="1.14.2"), without={"log": LogEvidence(version="1.15.3")}),
    case("other-karpenter", OF_TYPE, KWOK, declared=Declared(gates=("NodeOverlay is off",)), without={"nodes": [OTHER_TYPE]}),
    # what was done to nodes afterwards
    case(
        "consolidation",
        Aspect.MISSING,
        API_ALONE,
        of=WEB_AND_API,
        log=ended("underutilized"),
        without={"log": ended("drifted")},
    ),
    case(
        "consolidation",
        Aspect.MISSING,
        API_ALONE,
        of=WEB_AND_API,
        log=ended("empty"),
        without={"log": ended("empty", "other-z")},
    ),
    case(
        "consolidation",
        Aspect.MISSING,
        API_ALONE,
        of=WEB_AND_API,
        log=ended("empty"),
        without={"log": ended("empty", instance_type="c5.large")},
    ),
    case(
        "consolidation",
        Aspect.MISSING,
        API_ALONE,
        of=WEB_AND_API,
        log=ended("empty"),
        without={"log": ended("empty", at=AT - 9000)},
    ),
    case("consolidation", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=ended("empty"), without={"more": {"since": AT - 1}}),
    case(
        "consolidation",
        OF_TYPE,
        KWOK,
        log=ended("empty", replacements=("m6i.large",)),
        without={"log": ended("empty", replacements=("m5.large",))},
    ),
    case("consolidation", OF_TYPE, KWOK, log=ended("empty", others=1), without={"log": ended("empty", at=AT + 5, others=1)}),
    case("consolidation", Aspect.PODS, MORE, log=ended("empty"), without={"log": ended("empty", at=AT + 5)}),
    case("consolidation", Aspect.STATE, ENDING, without={"nodes": [replace(ENDING, reason="Drifted")]}),
    case("drift", Aspect.STATE, replace(ENDING, reason="Drifted"), without={"nodes": [ENDING]}),
    case(
        "drift", Aspect.UNPLANNED, EQUAL, NEW, log=ended("drifted", at=AT), without={"log": ended("drifted", "other-z", at=AT)}
    ),
    case("expiration", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=ended("expired"), without={"log": ended("empty")}),
    case("machine-ended", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=ended("vanished"), without={"log": ended("empty")}),
    case(
        "deleted",
        Aspect.STATE,
        replace(ENDING, reason=""),
        log=ended("deleted", "general-a"),
        without={"log": ended("empty", "general-a")},
    ),
    case("interruption", Aspect.STATE, ENDING, log=ended("interrupted", "general-a"), without={"log": ended("interrupted")}),
    case("interruption", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=ended("interrupted"), without={"log": ended("empty")}),
    case("node-repair", Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=ended("unhealthy"), without={"log": ended("empty")}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.cause} {case.aspect}")
def test_a_cause_is_named_where_there_is_evidence_and_only_there(case):
    assert case.cause in case.named(without=False)
    assert case.cause not in case.named(without=True)


def test_every_cause_has_cases():
    assert {case.cause for case in CASES} == {cause.id for cause in CAUSES}


def test_what_has_no_cause_is_listed_as_such():
    verification = verified(plan(planned({WEB: 2})), cluster(KWOK))
    (finding,) = verification.unexplained
    assert (finding.deviation.planned, finding.deviation.actual) == ("m5.large", "m6i.large")
    assert not verification.is_strictly_right


def test_only_as_many_nodes_are_missing_by_consolidation_as_were_consolidated():
    of = plan(planned({API: 1}), planned({WEB: 2}, 3))
    log = LogEvidence(ended=tuple(EndedClaim(AT - 5, "empty", f"general-{name}") for name in ("x", "y")))
    there = cluster(live("a", {API: 1}), waiting={})
    named = [[n.cause.id for n in finding.causes] for finding in findings(verified(of, there, log), Aspect.MISSING)]
    assert [("consolidation" in causes) for causes in named] == [True, True, False]


def test_each_consolidated_node_is_named_once_however_different_the_reasons():
    of = plan(planned({API: 1}), planned({WEB: 2}, 2))
    log = LogEvidence(ended=(EndedClaim(AT - 5, "empty", "general-x"), EndedClaim(AT - 4, "drifted", "general-y")))
    named = [{n.cause.id for n in f.causes} for f in findings(verified(of, cluster(live("a", {API: 1})), log), Aspect.MISSING)]
    assert [names & {"consolidation", "drift"} for names in named] == [{"consolidation"}, {"drift"}]


def test_a_likely_cause_is_named_only_where_no_other_is():
    log = LogEvidence(version="1.14.2")
    assert causes(verified(plan(planned({WEB: 2})), cluster(KWOK), log), OF_TYPE) == ["other-karpenter"]
    assert causes(verified(plan(planned({WEB: 2})), cluster(OTHER_TYPE), log), OF_TYPE) == ["cloud-choice"]


def test_a_node_that_came_as_planned_has_no_causes_whatever_happened_beside_it():
    log = replace(unavailable(), failed=failed(NO_CAPACITY).failed, ended=ended("empty").ended, version="1.14.2")
    there = cluster(live("a", {WEB: 2}))
    verification = verified(plan(planned({WEB: 2})), there, log, edited("NodePool"))
    assert (verification.findings, verification.summary) == ((), "1 of 1 planned nodes are as planned")


def test_a_machine_with_other_amounts_says_whether_karpenter_expected_the_planned_ones():
    """The NodeClaim has Karpenter's own estimate: where it is the plan's, the machine is what differs."""
    said = {}
    for expected in (ALLOCATABLE, {}):
        node = replace(having(memory="6900Mi"), pods={WEB: 2}, expected=expected)
        (finding,) = verified(plan(planned({WEB: 2})), cluster(node)).findings
        said[bool(expected)] = finding.causes[0].because
    assert said[False] == "the machine has memory 6900Mi instead of 7Gi (-3.7%)"
    assert said[True] == f"{said[False]}; Karpenter expected what the plan did"


@pytest.mark.parametrize(
    "message",
    [
        "insufficient capacity, with fleet error(s), InsufficientInstanceCapacity: We currently do not have it",
        "with fleet error(s), UnfulfillableCapacity: Unable to fulfill capacity due to your request configuration",
        "MaxSpotInstanceCountExceeded: Max spot instance count exceeded",
        "InsufficientFreeAddressesInSubnet: There are not enough free addresses in subnet",
        "regional on-demand vCPU quota limit for subscription has been reached",
        "OverconstrainedZonalAllocationRequest",
        "ZonalAllocationFailed: Allocation failed",
    ],
)
def test_want_of_capacity_is_known_in_each_form_that_clouds_have_for_it(message):
    """A failed launch is named for one of the two causes and never for both."""
    for text, cause in ((message, "capacity-error"), ("UnauthorizedOperation: not authorized", "launch-failure")):
        named = case(cause, Aspect.MISSING, API_ALONE, of=WEB_AND_API, log=failed(text), without={}).named(without=False)
        assert named & {"capacity-error", "launch-failure"} == {cause}
