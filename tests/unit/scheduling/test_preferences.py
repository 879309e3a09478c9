"""What a pod gives up, in which order (spec 8)."""

from __future__ import annotations

from cutlist.core.labels import HOSTNAME, ZONE
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION, Taint
from cutlist.scheduling.preferences import relax
from cutlist.workloads.pods import Pod, PodTerm, Preference
from tests.unit.scheduling.builders import SIZE, by_zone, counts, names, only, pending, pod, pool, run, selecting, spread, term

SOFT = Taint("soft", "PreferNoSchedule")


def towards(app: str, weight: int = 1, key: str = ZONE) -> PodTerm:
    return PodTerm(key, selecting(app=app), weight=weight)


def stages(pod: Pod, *, soft_taint: bool = True) -> list[Pod]:
    """The pod after each step until nothing is left to give up."""
    relaxed: list[Pod] = []
    current: Pod | None = pod
    while (current := relax(current, tolerate_prefer_no_schedule=soft_taint)) is not None:
        relaxed.append(current)
    return relaxed


def test_the_order_of_giving_up():
    """OR-ed terms, pod affinity, pod anti-affinity, node preference, soft spread, and last the soft taint."""
    # S-112
    full = pod(
        required=(term(SIZE, "In", "x"), term(SIZE, "In", "small")),
        preferred_affinity=(towards("a"),),
        preferred_anti_affinity=(towards("b"),),
        preferred=(Preference(1, term(SIZE, "In", "x")),),
        spread=(spread(when_unsatisfiable="ScheduleAnyway"),),
    )
    fields = ("required", "preferred_affinity", "preferred_anti_affinity", "preferred", "spread", "tolerations")
    what = [tuple(len(getattr(p, name)) for name in fields) for p in stages(full)]
    assert what == [
        (1, 1, 1, 1, 1, 0),
        (1, 0, 1, 1, 1, 0),
        (1, 0, 0, 1, 1, 0),
        (1, 0, 0, 0, 1, 0),
        (1, 0, 0, 0, 0, 0),
        (1, 0, 0, 0, 0, 1),
    ]


def test_the_first_of_the_required_terms_goes_first():
    """What is left is what was written later."""
    # S-112
    first, second = term(SIZE, "In", "x"), term(SIZE, "In", "small")
    assert stages(pod(required=(first, second)), soft_taint=False) == [pod(required=(second,))]


def test_the_last_required_term_is_never_given_up():
    """It is a requirement, after all."""
    # S-113
    assert stages(pod(required=(term(SIZE, "In", "x"),)), soft_taint=False) == []


def test_the_heaviest_preference_goes_first():
    """The lightest is kept longest."""
    # S-112
    light, heavy = (Preference(w, term(SIZE, "In", f"{w}")) for w in (1, 100))
    assert stages(pod(preferred=(light, heavy)), soft_taint=False)[0].preferred == (light,)


def test_hard_spread_is_not_given_up():
    """Only ScheduleAnyway is soft."""
    # S-112
    assert stages(pod(spread=(spread(),)), soft_taint=False) == []


def test_the_soft_taint_is_tolerated_once():
    """The toleration is added last, and only where a NodePool has such a taint."""
    # S-114
    assert [p.tolerations for p in stages(pod())] == [(PREFER_NO_SCHEDULE_TOLERATION,)]
    assert stages(pod(), soft_taint=False) == []


def test_a_pod_goes_to_softly_tainted_nodes_when_there_are_no_others():
    """PreferNoSchedule yields."""
    # S-114
    assert only(run(pod(), pools=[pool(taints=[SOFT])])).pods == {0: 1}


def test_or_terms_are_tried_one_after_the_other():
    """The second term places the pod that the first does not."""
    # S-112
    either = pod(required=(term(SIZE, "In", "none"), term(SIZE, "In", "large")))
    assert names(only(run(either))) == ["eight"]


def test_a_preference_that_can_be_met_is_met():
    """The heaviest preference counts as a requirement at first."""
    # S-112
    assert names(only(run(pod(preferred=(Preference(1, term(SIZE, "In", "large")),))))) == ["eight"]


def test_a_preference_that_cannot_be_met_is_given_up():
    """The pod goes anywhere then."""
    # S-112
    assert len(names(only(run(pod(preferred=(Preference(1, term(SIZE, "In", "none")),)))))) == 3


def test_preferences_are_ignored_when_told_so():
    """Under Ignore a preference never narrows a claim."""
    # S-111
    wishing = pod(preferred=(Preference(1, term(SIZE, "In", "large")),))
    assert len(names(only(run(wishing, respect_preferences=False)))) == 3


def test_a_pod_that_fails_relaxed_keeps_its_preferences_for_the_next_attempt():
    """The pod has to wait for the one it follows, gives up its wish without success, and gets it when its turn comes again."""
    # S-54
    follower = pod(
        "3", affinity=(towards("web", weight=0),), preferred=(Preference(1, term(SIZE, "In", "large")),), labels={"app": "api"}
    )
    followed = pod("2", labels={"app": "web"}, node_selector={ZONE: "zone-b"})
    assert only(run(follower, followed)).requirements[SIZE].values == {"large"}


def test_a_soft_spread_holds_while_it_can():
    """ScheduleAnyway spreads like DoNotSchedule until it is given up."""
    # S-111
    web = pod(labels={"app": "web"}, spread=(spread(when_unsatisfiable="ScheduleAnyway"),))
    assert sorted(by_zone(run((web, 4))).values()) == [1, 1, 2]


def test_a_soft_spread_is_given_up_when_it_must():
    """Where the limit allows one node, pods share it rather than wait."""
    # S-111
    web = pod(labels={"app": "web"}, spread=(spread(HOSTNAME, when_unsatisfiable="ScheduleAnyway"),))
    result = run((web, 4), pools=[pool(limits={"cpu": 8})])
    assert (pending(result), sum(counts(result))) == (0, 4)


def test_a_soft_spread_has_no_effect_when_preferences_are_ignored():
    """All four share a node."""
    # S-111
    web = pod(labels={"app": "web"}, spread=(spread(when_unsatisfiable="ScheduleAnyway"),))
    assert counts(run((web, 4), respect_preferences=False)) == [4]
