"""What the page of a fleet says first."""

from __future__ import annotations

from dataclasses import replace

from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_first import FleetFirst
from cutlist.verbs.suggest.html import fleet_html
from tests.unit.report.pages import taken
from tests.unit.report.suggestions import fleet


def _two() -> FleetSuggestions:
    """A fleet in which two environments save the same."""
    (shop, failed, left) = fleet().environments
    return FleetSuggestions((shop, replace(shop, name="search"), failed, left))


def test_the_money_comes_first_then_where_it_is_saved_and_what_to_do():
    """Each amount once, the difference below what is left."""
    first = FleetFirst.of(_two())
    assert first.title == "47% less a month in 2 environments"
    assert [(of.title, of.amount, of.delta.text if of.delta else "") for of in first.sums] == [
        ("A month, then", "$3,095.20", "$2,744.80 a month less"),
        ("Now", "$5,840.00", ""),
        ("No packing costs less than", "$2,920.00", ""),
    ]
    assert [(of.amount, of.what, of.share) for of in first.drivers] == [
        ("$1,372.40", f"in {name}, 47% of its price", 0.5) for name in ("shop", "search")
    ]
    assert first.wrong == (
        "No answer for shop-2: the table says why.",
        "1 environment not computed: the work was ended before.",
    )
    assert first.to_do[0] == "Begin with shop."
    text = taken(fleet_html(_two())).text
    places = [text.index(words) for words in ("What it costs", "Where it is saved", "What to do", "Environments, in the order")]
    assert places == sorted(places)


def test_one_environment_that_saves_needs_no_list():
    first = FleetFirst.of(fleet())
    assert (first.drivers, first.to_do[0]) == ((), "All of it is in shop.")


def test_without_an_answer_there_is_no_amount():
    _, failed, left = fleet().environments
    first = FleetFirst.of(FleetSuggestions((failed, left)))
    assert (first.title, first.sums, first.drivers, first.to_do) == ("No environment has an answer", (), (), ())
    assert len(first.wrong) == 2
