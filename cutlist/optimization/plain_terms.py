"""Terms as people write them: a search bounds vCPUs and memory, a team chooses families, categories, generations and sizes.

Whatever says nearly the same in fewer requirements, or in ones that people write, is a candidate of its own, planned and judged
like every other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from cutlist.optimization.candidates import MachineOption, PoolChoices
from cutlist.optimization.judging import Choice
from cutlist.optimization.pool_terms import PoolTerms

_NAMES: Final = ("families", "categories", "newer_than", "sizes", "more_cpu", "less_cpu", "less_memory", "capacity_types")
_FREE: Final = dict.fromkeys(_NAMES[:-1])
"""No term on types."""
_KINDS: Final = ("categories", "newer_than", "families")


def plainer(choice: Choice, pools: Mapping[str, PoolChoices]) -> Iterator[Choice]:
    """Yield simpler choices that allow similar nodes: without a copy, without one of the terms, or as people write them."""
    for number, (pool, terms) in enumerate(choice):
        for other in _plainer(terms, pools[pool]):
            rest = ((pool, other),) if other != PoolTerms() else ()
            yield (*choice[:number], *rest, *choice[number + 1 :])


def simplicity(choice: Choice) -> tuple[int, int, int, int]:
    """Return how simple a choice is, the less the simpler: copies of NodePools, terms, bounds on numbers, listed values."""
    each = [terms for _, terms in choice]
    firsts = [terms.first.terms for terms in each if terms.first is not None]
    together = (*each, *firsts)
    return (
        len(firsts),
        sum(terms.count for terms in together),
        sum(terms.numbers for terms in together),
        sum(terms.length for terms in together),
    )


def _plainer(terms: PoolTerms, choices: PoolChoices) -> Iterator[PoolTerms]:
    first = terms.first
    if first is not None:
        yield replace(terms, first=None)
        yield replace(first.terms, first=None)
        for other in _of_types(first.terms, choices.machines):
            yield replace(terms, first=replace(first, terms=other))
    yield from _of_types(terms, choices.machines)


def _of_types(terms: PoolTerms, machines: Collection[MachineOption]) -> Iterator[PoolTerms]:
    """Yield simpler terms on the same NodePool, its copy unchanged."""
    for name in _NAMES:
        if getattr(terms, name) is not None:
            yield replace(terms, **{name: None})
    allowed = [machine for machine in machines if machine.meets(terms)]
    if terms.count == 0 or not allowed:
        return
    words = _words_for(allowed)
    for kinds in _subsets(_KINDS[:2]):
        for sizes in ((), ("sizes",)):
            if kinds or sizes:
                yield replace(terms, **{**_FREE, **{name: words[name] for name in (*kinds, *sizes)}})
    yield replace(terms, **{**_FREE, "families": words["families"]})
    yield replace(terms, **{**_FREE, "families": words["families"], "sizes": words["sizes"]})
    # Sizes that are whole within the terms: none of their machines is left out.
    whole = words["sizes"] - {machine.size for machine in machines if not machine.meets(terms)}
    if whole and whole != words["sizes"]:
        yield replace(terms, **{**_FREE, "sizes": whole})
        yield replace(terms, **{**_FREE, "families": terms.families, "sizes": whole})


def _subsets(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    for count in range(len(names) + 1):
        yield from combinations(names, count)


def _words_for(machines: Collection[MachineOption]) -> dict[str, Any]:
    """Return the families, categories, sizes and the generation of machines, as terms."""
    generations = [machine.generation for machine in machines if machine.generation is not None]
    return {
        "families": frozenset(machine.family for machine in machines),
        "categories": frozenset(machine.category for machine in machines if machine.category) or None,
        "sizes": frozenset(machine.size for machine in machines if machine.size),
        "newer_than": min(generations) - 1 if len(generations) == len(machines) else None,
    }
