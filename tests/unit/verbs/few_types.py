"""Suggestions for a region that sells fewer types than rules ask for in one NodePool."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from cutlist import Allowances, Criteria, suggest
from cutlist.planning.inputs import PlanInputs
from cutlist.policy.gates import Gates
from cutlist.verbs.gate.answer import default_gates
from cutlist.verbs.suggest.suggestions import Suggestions

NONE: Final = Allowances()


def of_few_types() -> Gates:
    """The gates that apply without a file, for images of both architectures and NodePools of a single type."""
    gates = default_gates()
    few = {"NP-05": {**gates.settings["NP-05"], "spot": 1, "onDemand": 1}, "NP-13": {"multiArch": True}}
    return replace(gates, settings={**gates.settings, **few})


def suggested(inputs: PlanInputs, allowances: Allowances = NONE, **settings: Any) -> Suggestions:
    """Suggestions where a single type is enough."""
    return suggest(inputs, allowances, gates=of_few_types(), criteria=Criteria(spot_types=1), **settings)
