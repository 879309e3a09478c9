"""Prices that are older than 90 days, as of the day of an answer: named once in it, with the error that age adds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist.catalog.ages import PriceAge, last_day
from cutlist.catalog.embedded import load, load_location
from cutlist_cli import main

SHOP = Path(__file__).resolve().parents[3] / "examples/shop"
POOLS, WORKLOADS, SNAPSHOT = (str(SHOP / f"{name}.yaml") for name in ("pools", "workloads", "snapshot"))
ALL = ("-f", POOLS, "-f", WORKLOADS, "--region", "us-west-2")
CLUSTER = ("-f", POOLS, "-f", SNAPSHOT, "--region", "us-west-2")
COMMANDS = {
    "plan": ("plan", *ALL),
    "types": ("types", *ALL),
    "explain": ("explain", "deployment/web", *ALL),
    "nodes": ("nodes", *CLUSTER),
    "disrupt": ("disrupt", *CLUSTER),
    "interrupt": ("interrupt", *CLUSTER),
    "simulate": ("simulate", *ALL, "--days", "0.1"),
}
SENTENCE = (
    "Old prices on 2026-11-23: list prices of 2026-02-17 (279 days), spot of 2026-02 (268 days). Age adds an error to spot: "
    "9% in the median after 90 days, 11% after 180. `cutlist catalog update --public --region us-west-2` reads current ones."
)


def answer(*words: str, day: str = "2026-11-23") -> str:
    result = CliRunner().invoke(main, list(words), env={"CUTLIST_TODAY": day})
    assert result.exit_code == 0, result.output
    return result.stdout


def run(*words: str, day: str = "2026-11-23") -> str:
    without_tags = re.sub(r"</?(?:span|code)[^>]*>", "", answer(*words, day=day))
    return " ".join(without_tags.replace("\\", "").split())


def forms() -> Iterator[tuple[str, str]]:
    """The forms of a plan, and another form of each other command."""
    yield from (("plan", form) for form in ("text", "markdown", "html"))
    others = [name for name in COMMANDS if name != "plan"]
    yield from ((name, form) for name in others for form in ("text", "markdown", "html"))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(("name", "form"), list(forms()))
def test_each_view_says_it_once(name: str, form: str) -> None:
    shown = run(*COMMANDS[name], "-o", form)
    sentence = SENTENCE if form != "html" else SENTENCE.replace("`", "")
    assert shown.count(sentence) == 1
    assert shown.count("Old prices") == 1


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("name", list(COMMANDS))
def test_json_has_it_as_data(name: str) -> None:
    age = json.loads(answer(*COMMANDS[name], "-o", "json"))["priceAge"]
    assert age == {
        "region": "us-west-2",
        "day": "2026-11-23",
        "onDemand": {"date": "2026-02-17", "days": 279},
        "spot": {"date": "2026-02", "days": 268, "addedError": 0.11},
    }


def test_the_day_is_that_of_the_answer() -> None:
    """Up to 90 days nothing is said: neither in words nor as data."""
    assert "Old prices" not in run(*COMMANDS["plan"], day="2026-05-18")
    assert "priceAge" not in json.loads(answer(*COMMANDS["plan"], "-o", "json", day="2026-05-18"))
    assert "Old prices on 2026-05-19: list prices of 2026-02-17 (91 days)." in run(*COMMANDS["plan"], day="2026-05-19")
    assert "Old prices on 2026-12-31" in run(*COMMANDS["plan"], "--at", "2026-12-31")


def test_a_difference_says_it_once_for_both_sides() -> None:
    shown = run("diff", POOLS, str(SHOP / "next/pools.yaml"), "-f", WORKLOADS, "--region", "us-west-2")
    assert shown.count("Old prices") == 1


def test_gates_say_it_where_a_rule_about_money_is_broken(tmp_path: Path) -> None:
    """The report of one that is not has no price."""
    gates = tmp_path / "gates.yaml"
    for most, times in (("0.01", 1), ("100", 0)):
        gates.write_text(f"environment: development\nrules: {{PL-01: {{perHour: {most}}}}}\n")
        result = CliRunner().invoke(main, ["gate", *ALL, "--gates", str(gates)], env={"CUTLIST_TODAY": "2026-11-23"})
        assert " ".join(result.stdout.split()).count(SENTENCE) == times, result.output


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_all_environments_say_it_once_for_all_regions(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.chdir(SHOP)
    shown = run("plan", "--all", "-o", form)
    assert shown.count("Old prices on 2026-11-23 in 2 regions; in ") == 1
    assert shown.count("Old prices") == 1


@pytest.mark.parametrize(("days", "error"), [(91, 0.09), (179, 0.09), (180, 0.11), (500, 0.11)])
def test_the_error_is_that_of_the_age(days: int, error: float) -> None:
    """9% from 90 days on, 11% from 180."""
    end = last_day("2026-02")
    assert end == date(2026, 2, 28)
    age = PriceAge.of(load("us-west-2"), date.fromordinal(end.toordinal() + days))
    assert age is not None
    assert age.spot is not None
    assert (age.spot.days, age.spot.added_error) == (days, error)


def test_nobody_measured_what_age_adds_on_azure() -> None:
    age = PriceAge.of(load_location("westeurope"), date(2026, 11, 23))
    assert age is not None
    assert age.spot is not None
    assert age.spot.added_error is None
    assert "Age adds" not in age.sentence()


def test_no_day_or_no_price_says_nothing() -> None:
    assert PriceAge.of(load("us-west-2"), None) is None
    assert PriceAge.of(load("ap-southeast-6"), date(2030, 1, 1)) is None
    assert last_day("") is None
    assert last_day("2026-13") is None
