"""Terms as people write them, beside those that a search finds."""

from __future__ import annotations

from cutlist.optimization.candidates import MachineOption, PoolChoices, Variety
from cutlist.optimization.plain_terms import plainer, simplicity
from cutlist.optimization.pool_terms import FirstPool, PoolTerms, size_order

SIZES = {"large": 2, "xlarge": 4, "2xlarge": 8, "4xlarge": 16}
MACHINES = tuple(
    MachineOption(family, cpu, cpu * memory, value, 1, family[0], int(family[1]), size, is_spot=True)
    for family, memory, value in (("c5", 2048, 1.0), ("m5", 4096, 0.9), ("m6", 4096, 0.95), ("r5", 8192, 0.8))
    for size, cpu in SIZES.items()
)
CHOICES = {"a": PoolChoices("a", (), MACHINES)}


def allowed(terms: PoolTerms) -> set[tuple[str, str]]:
    return {(machine.family, machine.size) for machine in MACHINES if machine.meets(terms)}


def test_bounds_on_numbers_become_sizes_and_families_categories():
    terms = PoolTerms(frozenset({"m5", "m6"}), more_cpu=2, less_cpu=16)
    others = [dict(choice).get("a", PoolTerms()) for choice in plainer((("a", terms),), CHOICES)]
    alike = [other for other in others if allowed(other) == allowed(terms) and not other.numbers]
    assert PoolTerms(categories=frozenset("m"), sizes=frozenset({"xlarge", "2xlarge"})) in alike


def test_each_says_something_else_and_some_are_simpler():
    terms = PoolTerms(frozenset({"c5", "m5"}), less_cpu=16, less_memory=32768, first=FirstPool(50, PoolTerms(less_cpu=8)))
    choice = (("a", terms),)
    found = list(plainer(choice, CHOICES))
    assert choice not in found
    assert min(map(simplicity, found)) < simplicity(choice)
    assert any(not simplicity(other)[0] for other in found)


def test_sizes_are_written_from_small_to_large():
    names = ["medium", "large", "xlarge", "2xlarge", "12xlarge", "metal"]
    assert sorted(sorted(names), key=size_order) == names
    assert sorted(("16", "4", "128"), key=size_order) == ["4", "16", "128"]


def test_terms_that_leave_too_few_types_get_the_next_best_families():
    choices = PoolChoices("a", (), MACHINES, variety=Variety(spot=6, on_demand=1), kinds=frozenset({"spot"}))
    assert choices.repaired(PoolTerms(frozenset({"c5"}))).families == {"c5", "m6"}
    assert choices.repaired(PoolTerms(frozenset({"c5"}), capacity_types=frozenset({"on-demand"}))).families == {"c5"}
    assert choices.repaired(PoolTerms(less_cpu=4)) is None
