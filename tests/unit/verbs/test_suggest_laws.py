"""Whatever a search may choose, the files that are written for it have the plan that it was judged by."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cutlist import Allowances, SourceText, plan
from cutlist.optimization.bound import bound_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.optimization.search import Choice, with_terms
from cutlist.optimization.tolerations import tolerant_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.suggest.choices import choices_in, market_for
from cutlist.verbs.suggest.edits import unwritten, written
from cutlist.verbs.suggest.variants import kept_in, variants_of
from tests.examples import examples
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region

TOLERATION = "tolerations: [{key: team, value: b}]"
STEPS = 4


def texts_of(random: Random) -> list[str]:
    """Return one or two NodePools and a few Deployments of unlike shapes, some of which tolerate a taint."""
    limits = random.choice(("", "limits: {cpu: 300}", "limits: {cpu: 200, memory: 900Gi}"))
    pools = [pool(requirements=f"[{ON_DEMAND}]", spec=limits), pool("other", spec="weight: 3")][: random.randint(1, 2)]
    shapes = [(random.choice(("250m", "1", "3")), f"{random.randint(1, 24)}Gi") for _ in range(random.randint(2, 4))]
    return pools + [
        deployment(f"app-{n}", random.randint(1, 12), *shape, extra=random.choice(("", TOLERATION)))
        for n, shape in enumerate(shapes)
    ]


def inputs_in(texts: list[str]) -> PlanInputs:
    return replace(inputs_of(*texts, zones=("us-west-2a", "us-west-2b")), catalog=small_region())


@given(st.integers(0, 100_000))
@examples(0.05)
def test_what_is_written_costs_what_was_planned(seed):
    random = Random(seed)  # noqa: S311 - the same inputs on every run, not secrets
    texts = texts_of(random)
    inputs = inputs_in(texts)
    variants = variants_of((inputs, Allowances(arm64=True, spot=True, workloads=True)))
    market = market_for(variants.widest, {})
    choices = choices_in(market, variants, bound_of(market, "quick").worth)
    choice: Choice = ()
    for _ in range(STEPS if choices else 0):
        of_pool = random.choice(choices)
        choice = with_terms(dict(choice), of_pool.pool, of_pool.nearby(dict(choice).get(of_pool.pool, PoolTerms()), random))
    objects = (*variants.chosen(choice), *tolerant_workloads(inputs.documents, kept_in(choice)))
    edited = [written(objects, SourceText(f"{n}.yaml", text)) for n, text in enumerate((NODE_CLASS, *texts))]
    assert not unwritten(objects, edited)
    again = inputs_in([text.text for text in edited[1:]])
    assert CostAndRisk.of(plan(again)) == variants.with_choice(choice)
