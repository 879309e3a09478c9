"""What requests by measured use save: exactly what the plans of edited manifests say."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cutlist import InputError, plan
from cutlist.core.quantity import nanos
from cutlist.verbs.rightsizing import rightsized, usage_savings
from cutlist.workloads.usage import Owner, Usage, UsagePolicy
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region
from tests.unit.runners.jobs import Backwards

EXACT = UsagePolicy(percentile=100, margin=0.0, least={})
POOL = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, r5.4xlarge')}]")


def measured(**cpu: str) -> Usage:
    return Usage({(Owner("default", name), "main"): {"cpu": [nanos(amount)]} for name, amount in cpu.items()})


def inputs(**cpu: str):
    inputs = inputs_of(POOL, *(deployment(name, 6, amount) for name, amount in cpu.items()))
    return replace(inputs, catalog=small_region())


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("case", range(20))
def test_a_saving_is_that_of_the_plan_of_the_edited_manifests(case):
    random = Random(case)  # noqa: S311 - the same cases on every run
    written = {name: f"{100 * random.randint(2, 30)}m" for name in ("web", "api", "data")}
    used = {name: f"{100 * random.randint(1, 20)}m" for name in random.sample(list(written), 2)}
    given = inputs(**written)
    savings = usage_savings(given, rightsized(given, measured(**used), EXACT))
    edited = plan(inputs(**{**written, **used})).totals
    assert (savings.after.price, savings.after.nodes) == (edited.price_per_hour, edited.nodes)
    if savings.workloads:
        most = savings.workloads[0]
        name = most.workload.rpartition("/")[2]
        alone = plan(inputs(**{**written, name: used[name]})).totals
        assert most.price == pytest.approx(savings.before.price - alone.price_per_hour)
        assert most.nodes == savings.before.nodes - alone.nodes


def test_workloads_that_save_most_come_first_and_requests_are_counted():
    given = inputs(web="3", api="100m")
    savings = usage_savings(given, rightsized(given, measured(web="100m", api="90m"), EXACT))
    assert [(one.workload, one.requests) for one in savings.workloads] == [("deployment/web", 1), ("deployment/api", 1)]
    assert savings.workloads[0].price > 0 == savings.workloads[1].price


def test_a_plan_by_use_says_so():
    given = inputs(web="3")
    sized = rightsized(given, measured(web="100m"), EXACT)
    assert "1 requests are taken from measured use" in " ".join(note.text for note in plan(sized.inputs).warnings)


def test_what_was_measured_of_no_object_is_named_and_nothing_at_all_is_a_mistake():
    given = inputs(web="3")
    assert rightsized(given, measured(web="1", ghost="1"), EXACT).unknown == ("default/ghost/main",)
    with pytest.raises(InputError, match="none of the measured containers is in the input"):
        rightsized(given, measured(ghost="1"), EXACT)


def test_workloads_are_planned_anywhere_and_as_long_as_there_is_time():
    given = inputs(web="3", api="100m")
    sized = rightsized(given, measured(web="100m", api="90m"), EXACT)
    savings = usage_savings(given, sized)
    assert usage_savings(given, sized, runner=Backwards()) == savings
    ended = usage_savings(given, sized, may_go_on=lambda: False)
    assert ended == replace(savings, workloads=(), not_apart=2)
