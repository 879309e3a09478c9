"""Suggestions for a fleet: each environment's are those of `suggest`, and one that fails stops no other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cutlist import Allowances, read_inputs, suggest
from cutlist.catalog.ranges import PriceRange
from cutlist.core.records import data_of, json_of
from cutlist.policy.registry import known_rules
from cutlist.settings.planning import PlanSettings
from cutlist.verbs.gate.answer import gates_of_file
from cutlist.verbs.suggest.fleet import EnvironmentState, EnvironmentSuggestions, FleetSuggestions, Prices, suggest_fleet
from cutlist.verbs.suggest.fleet_file import Environment, read_fleet
from cutlist.verbs.suggest.record import suggest_json
from tests.unit.planning.manifests import NODE_CLASS, ON_DEMAND, TYPES, deployment, pool
from tests.unit.published import faults
from tests.unit.report.suggestions import suggestions
from tests.unit.runners.jobs import Backwards

POOL = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, c5.large')}]")
RATES = "family,region,term,discount,source\n*,*,1y,20%,an offer of November 2026\n"
USE = "workload,container,cpu,memory\nweb,main,100m,200Mi\n"
FLEET = """
defaults: {region: us-west-2, allow: spot, plans: 2}
environments:
  - {name: shop, file: [pools.yaml, web.yaml]}
  - {name: lost, file: [pools.yaml, none.yaml]}
  - {name: empty, file: pools.yaml}
  - {name: used, file: [pools.yaml, web.yaml], usage: use.csv, rates: rates.csv}
  - {name: far, file: [pools.yaml, web.yaml], region: us-west-9}
  - {name: blue, file: [pools.yaml, web.yaml], provider: azure}
  - {name: bound, file: [pools.yaml, web.yaml], gates: gates.yaml}
  - {name: unbound, file: [pools.yaml, web.yaml], gates: mistaken.yaml}
"""


class Kept(dict[str, str]):
    """Answers that are kept in memory; `computed` are the digests of those that were not there."""

    def __init__(self) -> None:
        super().__init__()
        self.computed: list[str] = []

    def put(self, digest: str, answer: str) -> None:
        self[digest] = answer
        self.computed.append(digest)


@pytest.fixture(scope="module")
def environments(tmp_path_factory) -> tuple[Environment, ...]:
    folder = tmp_path_factory.mktemp("fleet")
    files = {
        "pools.yaml": f"{NODE_CLASS}---{POOL}",
        "web.yaml": deployment(replicas=5, cpu="900m"),
        "use.csv": USE,
        "rates.csv": RATES,
        "gates.yaml": "rules: {NP-05: {level: mandatory, spot: 1, onDemand: 1}}",
        "mistaken.yaml": "rules: {NP-99: {level: mandatory}}",
    }
    for name, text in {**files, "fleet.yaml": FLEET}.items():
        (folder / name).write_text(text)
    return read_fleet(folder / "fleet.yaml")


@pytest.fixture(scope="module")
def answer(environments) -> FleetSuggestions:
    return suggest_fleet(environments)


def test_an_environment_has_the_answer_of_suggest(environments, answer):
    inputs = read_inputs(environments[0].files, region="us-west-2")
    alone = suggest(inputs, Allowances(spot=True), plans=2)
    shop = answer.environments[0]
    assert json.loads(suggest_json(alone)) == data_of(shop.answer)
    best = alone.options[alone.recommended]
    assert shop.prices == Prices(alone.current.price, round(alone.bound, 6), best.figures.price)
    assert shop.edits == tuple(edit.words for edit in best.edits)


def test_measured_use_and_rates_count_for_the_environment_that_names_them(answer):
    shop, used = answer.environments[0], answer.environments[3]
    assert shop.answer.usage is None
    assert used.answer.usage.as_written == used.prices.now == shop.prices.now
    assert used.prices.best < used.answer.usage.by_use + 1e-9 < shop.prices.now
    assert len(used.answer.what_if) == len(shop.answer.what_if) + 1  # by the rates that it names


def test_failures_are_reported_and_none_keeps_others_from_an_answer(answer):
    states = [environment.state for environment in answer.environments]
    assert states == [
        EnvironmentState.ANSWERED,
        EnvironmentState.FAILED,
        EnvironmentState.FAILED,
        EnvironmentState.ANSWERED,
        EnvironmentState.FAILED,
        EnvironmentState.FAILED,
        EnvironmentState.ANSWERED,
        EnvironmentState.FAILED,
    ]
    lost, empty, far, blue, mistaken = (str(answer.environments[n].problems[0]) for n in (1, 2, 4, 5, 7))
    assert "mistaken.yaml:1 rules.NP-99: 'NP-99' is not a rule" in mistaken
    assert "none.yaml: cannot be read" in lost
    assert "fleet.yaml:6 environments[2].file: the plan launches no node" in empty
    assert "fleet.yaml:8 environments[4].region: region 'us-west-9' is not in the catalogue" in far
    assert "fleet.yaml:9 environments[5].provider: us-west-2 is a region of AWS" in blue


def test_sums_are_over_the_environments_with_an_answer(answer):
    each = [answer.environments[n].prices for n in (0, 3, 6)]
    assert answer.prices.now == pytest.approx(sum(prices.now for prices in each))
    assert answer.prices.saving == pytest.approx(sum(prices.saving for prices in each))
    assert Prices.total([]) == Prices(0, 0, 0)


def test_a_sum_has_the_range_of_its_estimates_and_there_is_none_of_several_currencies():
    estimated, exact = Prices(10.0, 5.0, 8.0, PriceRange(8.0, 13.0)), Prices(4.0, 4.0, 4.0)
    assert Prices.total([estimated, exact]).price_range == PriceRange(12.0, 17.0)
    assert Prices.total([exact, exact]).price_range is None
    assert Prices.total([exact, Prices(4.0, 4.0, 4.0, currency="CNY")]) is None


def test_an_environment_is_judged_by_the_gates_that_it_names(environments, answer):
    inputs = read_inputs(environments[6].files, region="us-west-2")
    alone = suggest(inputs, Allowances(spot=True), plans=2, gates=gates_of_file(environments[6].gates, known_rules()))
    assert data_of(answer.environments[6].answer) == json.loads(suggest_json(alone))


def test_where_the_work_is_done_changes_nothing(environments, answer):
    done: list[EnvironmentSuggestions] = []
    elsewhere = suggest_fleet(environments[:2], runner=Backwards(), done=done.append)
    assert elsewhere == FleetSuggestions(answer.environments[:2])
    assert sorted(done, key=lambda environment: environment.name, reverse=True) == [*answer.environments[:2]]
    assert faults("suggest-fleet", json.loads(json_of(answer))) == []


@pytest.fixture
def quick(monkeypatch) -> None:
    """Searches that find always the same, at once: what is kept does not depend on what it says."""
    monkeypatch.setattr("cutlist.verbs.suggest.fleet.suggest", lambda *_, **__: suggestions())
    monkeypatch.setattr("cutlist.verbs.suggest.fleet.usage_savings", lambda *_: None)
    monkeypatch.setattr("cutlist.verbs.digests.digest_of_files", lambda folder: folder.name)


@pytest.mark.usefixtures("quick")
def test_answers_are_kept_and_only_what_changes_is_computed_again(environments):
    kept = Kept()
    answer = suggest_fleet(environments, kept=kept)
    assert len(set(kept.computed)) == len(kept.computed) == 4  # shop, used, empty, bound
    assert json_of(suggest_fleet(environments, kept=kept)) == json_of(answer)
    assert len(kept.computed) == 4
    shop, blue = environments[0], environments[5]
    zones = PlanSettings({**shop.settings, "zones": ("us-west-2a",)})
    for changed in (
        replace(shop, plans=1),
        replace(shop, seed=3),
        replace(shop, allowances=Allowances()),
        replace(shop, settings=zones),
        replace(blue, is_azure=None, settings=PlanSettings({**zones, "region": "us-east-1", "zones": ()})),
    ):
        before = len(set(kept.computed))
        assert suggest_fleet([changed], kept=kept).environments[0].state is EnvironmentState.ANSWERED
        assert len(set(kept.computed)) == before + 1


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("name", "old", "new"), [("use.csv", "100m", "150m"), ("rates.csv", "20%", "25%"), ("web.yaml", "900m", "800m")]
)
def test_a_changed_file_is_computed_again(environments, name, old, new):
    kept, used = Kept(), environments[3]
    file = Path(used.files[0]).parent / name
    text = file.read_text()
    for contents in (text, text.replace(old, new), text):
        file.write_text(contents)
        suggest_fleet([used], kept=kept)
    assert len(set(kept.computed)) == len(kept.computed) == 2


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("broken", ["", "{", '{"version": 1}', "[]"])
def test_what_is_kept_and_is_no_answer_is_computed_again(environments, broken):
    kept = Kept()
    answer = suggest_fleet(environments[:1], kept=kept)
    kept[kept.computed[0]] = broken
    assert suggest_fleet(environments[:1], kept=kept) == answer
    assert len(kept.computed) == 2


def test_work_that_may_not_go_on_leaves_environments_that_are_not_computed(environments):
    answer = suggest_fleet(environments[:1], may_go_on=lambda: False)
    assert [environment.state for environment in answer.environments] == [EnvironmentState.NOT_COMPUTED]
