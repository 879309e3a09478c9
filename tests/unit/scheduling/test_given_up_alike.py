"""Equal pods that give up the same preferences are placed together, as placing them one by one gives (spec 8)."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import ZONE
from cutlist.core.requirement import Expression
from cutlist.core.taints import PREFER_NO_SCHEDULE, Taint
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results
from cutlist.scheduling.scheduler import Scheduler
from cutlist.workloads.pods import Pod, Preference
from tests.examples import examples
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, SIZE, ZONES, machine, pod, pool, run, term
from tests.unit.scheduling.test_existingnodes import node
from tests.unit.scheduling.test_spread_rounds import decisions

TEAM = "example.com/team"  # a label that some NodePools have


def one_by_one(inputs: SchedulerInputs) -> Results:
    """Return a pass in which each pod that gave something up is placed alone."""
    with patch.object(Scheduler, "_only_narrows", lambda *_: False):
        return schedule(inputs)


def random_term(random: Random) -> tuple[Expression, ...]:
    key, values = random.choice([(ZONE, ZONES), (SIZE, ("large", "small", "none")), (TEAM, ("a", "b"))])
    operator = random.choice(["In", "In", "In", "NotIn", "Exists", "DoesNotExist"])
    return term(key, operator, *(random.sample(values, random.randint(1, 2)) if operator.endswith("In") else ()))


def random_pod(random: Random) -> Pod:
    fields: dict[str, Any] = {"labels": {"app": "web"}}
    fields["preferred"] = tuple(Preference(random.randint(1, 3), random_term(random)) for _ in range(random.randint(0, 3)))
    if random.random() < 0.5:
        fields["required"] = tuple(random_term(random) for _ in range(random.randint(1, 3)))
    if random.random() < 0.2:
        fields["node_selector"] = {ZONE: random.choice(ZONES)}
    return pod(random.choice(["100m", "250m", "1", "1500m"]), random.choice(["64Mi", "1Gi", "3Gi"]), **fields)


def random_inputs(seed: int) -> SchedulerInputs:
    """Return pods with preferences and alternatives, of which some cannot be had, on nodes and NodePools."""
    random = Random(seed)  # noqa: S311 - the same at each run
    types = random.sample((*MACHINES, machine("six", 6, zones=ZONES[:2])), random.randint(1, 4))
    soft = [Taint("soft", PREFER_NO_SCHEDULE)]
    pools = [pool(limits=random.choice([{}, {"cpu": random.choice([10, 40, 200])}]))]
    if random.random() < 0.6:
        chosen = random.choice([{TEAM: ["a"]}, {TEAM: ["b"], ZONE: list(ZONES[1:])}, {SIZE: ["small"]}])
        pools.append(pool("other", weight=random.choice([1, 9]), requirements=chosen, taints=random.choice([[], soft])))
    nodes = [
        node(f"n{n}", str(random.randint(1, 9)), labels=random.choice([{}, {TEAM: "a"}])) for n in range(random.randint(0, 2))
    ]
    batches = [
        PodBatch(f"b{n}", random_pod(random), random.choice([1, 7, 40, 130]), uid=f"{n:04d}")
        for n in range(random.randint(1, 4))
    ]
    options = SchedulerOptions(respect_preferences=random.random() < 0.9)
    sold = {each.name: types for each in pools}
    return SchedulerInputs(pools=pools, types=sold, batches=batches, nodes=nodes, registry=REGISTRY, options=options)


@examples(3)
@given(st.integers(0, 2**32))
def test_pods_that_give_up_alike_are_placed_as_they_are_one_by_one(seed: int) -> None:
    """Every node and claim has the same pods, requirements and types; the same pods wait, and gave up the same."""
    # S-54, S-112
    inputs = random_inputs(seed)
    assert decisions(schedule(inputs)) == decisions(one_by_one(inputs))


def test_a_number_of_pods_that_give_up_a_preference_is_not_work() -> None:
    """A preference that nothing meets is tried once for all of them, not for each."""
    # S-112
    wishing = pod("1", preferred=(Preference(1, term(SIZE, "In", "none")),))
    looked_at: list[int] = []
    tried = Scheduler._try_schedule
    with patch.object(Scheduler, "_try_schedule", lambda *given: looked_at.append(1) or tried(*given)):
        result = run((wishing, 10**7))
    assert (len(looked_at) < 5, result.unplaced) == (True, ())


def test_a_claim_that_got_a_label_from_a_pod_takes_the_first_choice_of_the_next() -> None:
    """No NodePool has the label, so the first pod gives up its first term. The claim then has the label, if only as one with
    other values than one: the next pod finds its first term met there, and gives up nothing."""
    # S-54
    either = pod("1", required=(term(TEAM, "In", "b"), term(TEAM, "NotIn", "a")))
    result = run((either, 4), types=[machine("eight", 8)])
    assert [sum(forms.values()) for forms in result.relaxed.values()] == [1]
    assert [dict(claim.pods) for claim in result.claims] == [{0: 4}]
