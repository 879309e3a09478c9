"""Random scenarios with recorded answers of Karpenter, small ones that once showed a difference, and what finds them.

The full run asks the oracle: `python -m tests.conformance.fuzz`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutlist.scheduling.dynamicresources.search import Budget, TypeSearch
from tests.conformance import fuzz, stored_answers
from tests.conformance.fuzz_disruption import DISRUPTION
from tests.conformance.oracle import FREE, MOST_REPEATS, SCHEDULING, cutlist, differences
from tests.conformance.scenarios import FEATURES, scenario
from tests.conformance.shrink import candidates, shrink
from tests.recorded import VECTORS

KEPT = sorted(p for p in Path(__file__).with_name("kept").glob("*.json") if not p.name.endswith(".answer.json"))
PARTS = 8


@pytest.fixture(autouse=True)
def type_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios in temporary folders find their type files."""
    monkeypatch.setenv("CUTLIST_VECTORS", str(VECTORS))


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_scenarios_are_answered_as_karpenter_answers_them(tmp_path, part):
    """Each recorded scenario gets the recorded answer, or one that Karpenter may give as well."""
    recorded = list(stored_answers.read())
    assert len(recorded) >= 300
    wrong = {}
    for asked, right in recorded[part::PARTS]:
        found = differences(asked, right, cutlist(asked, tmp_path))
        if found:
            wrong[asked["name"]] = found[:2]
    assert wrong == {}


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_what_once_differed_is_answered_right(file, tmp_path):
    """A scenario that the fuzzer found and shrank keeps its right answer."""
    data = json.loads(file.read_text())
    right = json.loads(file.with_suffix(".answer.json").read_text())
    assert differences(data, right, cutlist(data, tmp_path)) == []
    assert differences(data, right, {**right, "claims": [], "existing": {}}) != []


def test_a_seed_always_makes_the_same_scenario():
    """Scenarios are a function of seed and features; different seeds make different ones."""
    assert scenario(7, VECTORS) == scenario(7, VECTORS)
    assert len({json.dumps(scenario(seed, VECTORS)) for seed in range(20)}) == 20


def test_scenarios_have_only_allowed_features():
    """Without the feature there is nothing of it."""
    made = [scenario(seed, VECTORS, ["pools"]) for seed in range(30)]
    assert not any(key in m for m in made for key in ("objects", "detail", "markedForDeletion"))
    assert not any("topologySpreadConstraints" in json.dumps(m) for m in made)


def test_half_of_the_scenarios_of_later_releases_have_devices():
    """The same for the same seed, and none without the feature; Cutlist answers each without breaking off."""
    made = [fuzz.later_scenario(seed, VECTORS, fuzz.ALL) for seed in range(40, 48)]
    assert made == [fuzz.later_scenario(seed, VECTORS, fuzz.ALL) for seed in range(40, 48)]
    assert [bool(m.get("deviceClasses")) for m in made] == [fuzz.has_devices(seed) for seed in range(40, 48)]
    assert not any(fuzz.later_scenario(seed, VECTORS, FEATURES).get("deviceClasses") for seed in range(40, 48))


@pytest.mark.parametrize("seed", range(101, 131, 6))
def test_scenarios_with_devices_are_answered(seed, tmp_path):
    """Each pod is somewhere, or has a reason to be nowhere."""
    said = cutlist(fuzz.later_scenario(seed, VECTORS, fuzz.ALL), tmp_path)
    assert any(said.get(part) for part in ("claims", "existing", "errors", "ignored", "startError"))


@pytest.mark.parametrize("seed", [137, 229, 277, 449, 481, 505, 597, 687, 741])
def test_what_a_search_remembers_changes_no_answer(seed, tmp_path, monkeypatch):
    """R-9 to R-16: a search that tries all again, also what failed in an equal state, finds the same devices. These scenarios
    come to such states fifty times and more."""
    asked = fuzz.later_scenario(seed, VECTORS, fuzz.ALL)
    skipped: list[int] = []
    skip = Budget.skip
    monkeypatch.setattr(Budget, "skip", lambda budget, steps: skipped.append(steps) or skip(budget, steps))
    monkeypatch.setattr(Budget, "spend", lambda budget: skip(budget, 1))
    remembering = cutlist(asked, tmp_path)
    assert len(skipped) >= 50
    monkeypatch.setattr(TypeSearch, "_search", TypeSearch._search_from)
    assert cutlist(asked, tmp_path) == remembering


def needs_b(made: dict[str, Any]) -> bool:
    return any(e["pod"]["metadata"]["name"] == "b" and e["pod"]["spec"].get("tolerations") for e in made["pods"])


def test_shrinking_leaves_what_shows_the_difference():
    """Everything that does not matter goes; what matters stays."""
    entries = [
        {
            "count": 8,
            "pod": {"metadata": {"name": n, "labels": {"app": n}}, "spec": {"containers": [], "tolerations": [{"key": "x"}]}},
        }
        for n in "abc"
    ]
    pools = [{"kind": "NodePool", "metadata": {"name": n}, "spec": {"limits": {"cpu": "3"}}} for n in ("one", "two")]
    made = {"name": "s", "instanceTypes": "t", "nodePools": pools, "objects": [{"kind": "DaemonSet"}], "pods": entries}
    small = shrink(made, needs_b)
    assert [e["pod"]["metadata"] for e in small["pods"]] == [{"name": "b"}]
    assert small["pods"][0]["pod"]["spec"] == {"containers": [], "tolerations": [{"key": "x"}]}
    assert small["nodePools"] == [{"kind": "NodePool", "metadata": {"name": "two"}, "spec": {}}]
    assert not small.get("objects")


def test_candidates_do_not_change_the_scenario():
    """Trying something smaller leaves the scenario as it was."""
    made = {"name": "s", "nodePools": [{"spec": {"limits": {}}}], "pods": [{"count": 2, "pod": {"spec": {"a": [1, 2]}}}]}
    before = json.dumps(made)
    assert len(list(candidates(made))) >= 4
    assert json.dumps(made) == before


def an_oracle(answers: list[dict[str, Any]]) -> Any:
    """An oracle that gives these answers, one a question."""

    class Fixed:
        def ask(self, scenarios: list[dict[str, Any]], repeats: int) -> list[dict[str, Any]]:
            return [answers.pop(0) if len(answers) > 1 else answers[0] for _ in scenarios]

    return Fixed()


def test_a_wrong_answer_is_found_and_shrunk(tmp_path):
    """The fuzzer reports a scenario for which the oracle says something else, in its smallest form."""
    said: list[str] = []
    run = fuzz.Run(an_oracle([{"claims": [], "existing": {}, "errors": {}}]), tmp_path, tmp_path / "keep", said.append)
    run.batch([scenario(3, VECTORS, ["pods"])])
    assert run.counts == {"different": 1}
    assert said[0].startswith("DIFFERENT random-3 ")
    kept = json.loads((tmp_path / "keep" / "random-3.json").read_text())
    assert len(kept["pods"]) == 1
    assert kept["pods"][0].get("count", 1) == 1


def test_an_answer_that_karpenter_gives_later_is_right(tmp_path):
    """When the first answer is another, the oracle is asked again."""
    asked = scenario(3, VECTORS, ["pods"])
    run = fuzz.Run(
        an_oracle([{"claims": [], "errors": {}}, {"claims": [], "alternatives": [cutlist(asked, tmp_path)]}]), tmp_path
    )
    run.batch([asked])
    assert run.counts == {"equal": 1}


def test_a_tie_is_named_and_not_asked_about_without_end(tmp_path):
    """Karpenter gives a few answers, in 200 none that is Cutlist's: the scenario is kept whole, and nothing more is asked."""
    asked = scenario(3, VECTORS, ["pods"])
    wrong = {"claims": [], "existing": {}, "errors": {}}
    oracle = an_oracle([{**wrong, "alternatives": [{**wrong, "errors": {"default/x": "y"}}]}])
    repeats: list[int] = []
    answered = oracle.ask
    oracle.ask = lambda scenarios, times: repeats.append(times) or answered(scenarios, times)
    said: list[str] = []
    run = fuzz.Run(oracle, tmp_path, tmp_path / "keep", said.append)
    run.batch([asked])
    assert (run.counts, run.ties, run.found) == ({"tie": 1}, ["random-3"], [])
    assert run.summary == "1 tie (random-3)"
    assert said[0].startswith("TIE random-3 ")
    assert "none of 2 answers of Karpenter in 200 is Cutlist's" in said[0]
    assert repeats == [1, 6, 30, 120, 200]
    assert json.loads((tmp_path / "keep" / "random-3.json").read_text()) == json.loads(json.dumps(asked))


def test_a_panic_of_karpenter_does_not_hide_its_other_answers(tmp_path):
    """Where one of several runs breaks off, each is asked by itself; where all do, the scenario is unanswered."""
    asked = scenario(3, VECTORS, ["pods"])
    wrong = {"claims": [], "existing": {}, "errors": {}}
    own = json.loads(json.dumps(cutlist(asked, tmp_path)))
    for singly, verdict in (([wrong, "panic", wrong, own], "equal"), ([wrong, "panic"], "unanswered")):
        answers = an_oracle(list(singly))
        one = answers.ask
        answers.ask = lambda scenarios, repeats, one=one: ["panic"] if repeats > 1 else one(scenarios, 1)
        run = fuzz.Run(answers, tmp_path, say=lambda _: None)
        run.batch([asked])
        assert run.counts == {verdict: 1}


@pytest.mark.parametrize("subject", [SCHEDULING, DISRUPTION])
def test_nothing_is_asked_more_than_200_times(subject):
    """That is the last try, of scheduling as of disruption."""
    assert max(subject.repeats) == subject.repeats[-1] == MOST_REPEATS == 200


@pytest.mark.parametrize(("others", "verdict"), [(0, "different"), (1, "tie"), (FREE - 1, "tie"), (FREE, "free")])
def test_what_never_matches_is_judged_by_the_number_of_answers(others, verdict):
    """Always the same answer is a difference, a few are a tie, many are freedom."""
    assert SCHEDULING.unmatched({"alternatives": [{}] * others}) == verdict


def test_unknown_features_are_refused(capsys):
    """A misspelt feature ends with exit code 2 and the list of features."""
    with pytest.raises(SystemExit) as end:
        fuzz.main(["--features", "spred"])
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert all(name in shown for name in FEATURES)
