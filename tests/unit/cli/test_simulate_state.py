"""`cutlist simulate --until`, `--save` and `--resume`."""

from __future__ import annotations

import stat

import pytest
from click.testing import CliRunner

from cutlist import DemandFiles, read_inputs
from cutlist.verbs.simulate.answer import prepared
from cutlist.verbs.simulate.state import FACTS
from cutlist_cli import main
from tests.sample import SHOP

POOLS, APP, WEEK = (str(SHOP / name) for name in ("pools.yaml", "workloads.yaml", "week.csv"))


def run(*arguments: str):
    arguments = ("simulate", "-f", POOLS, "-f", APP, "--region", "us-west-2", "--days", "0.1", *arguments)
    return CliRunner().invoke(main, arguments)


@pytest.mark.thorough
@pytest.mark.slow
def test_a_run_that_is_cut_is_the_run_in_one(tmp_path):
    """Only its owner may read the state: it has labels and annotations of pods."""
    state = tmp_path / "state.json"
    first = run("--typical", "web", "--until", "1h", "--save", str(state))
    assert first.exit_code == 0, first.output
    assert " for 0.0417 days in" in first.stdout.splitlines()[0]
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    whole = run("--typical", "web", "-o", "json")
    assert run("--typical", "web", "--resume", str(state), "-o", "json").stdout == whole.stdout
    earlier = run("--typical", "web", "--resume", str(state), "--until", "30m")
    assert "is of 2026-01-05T01:00:00Z, when the run is over" in " ".join(earlier.stderr.split())
    other = run("--typical", "web", "--resume", str(state), "--seed", "2")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "is of a run with another seed (1, not 2)" in " ".join(other.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--save", "state.json"), "--save needs --until"),
        (("--until", "1h", "--save", APP), "is one of the files that are read"),
        (("--until", "1h", "--trace", WEEK, "--save", WEEK), "is one of the files that are read"),
        (("--until", "1h", "--seeds", "2"), "--until and --save are for a single run"),
        (("--until", "5h"), "--until: 5h is not within the run"),
        (("--until", "2026-01-05T00:00:00Z", "--at", "2026-01-05T00:00:00Z"), "is not within the run"),
        (("--until", "soon"), "--until: 'soon' is not a time"),
        (("--resume", "nowhere.json"), "nowhere.json: cannot be read"),
    ],
)
def test_mistakes_are_named(arguments, message):
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


def test_all_that_a_run_depends_on_has_words():
    """What a state is refused for is named, whatever a run depends on."""
    ready = prepared(read_inputs([POOLS, APP], region="us-west-2"), DemandFiles())
    assert ready.facts(1).keys() == FACTS.keys()
