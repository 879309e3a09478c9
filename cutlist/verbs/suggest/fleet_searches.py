"""The search for an environment of a fleet: its files as inputs, and a digest of all that its answer depends on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Set
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from cutlist.catalog.regions import is_azure
from cutlist.core.errors import InputError, Problems
from cutlist.documents.collecting import read_mapping
from cutlist.documents.document import Document
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.savings_plans import Rates, read_rates
from cutlist.planning.absences import require_offerings
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind
from cutlist.planning.read_inputs import read_inputs
from cutlist.policy.gates import Gates, read_gates
from cutlist.policy.registry import known_rules
from cutlist.settings.planning import with_defaults
from cutlist.verbs.digests import digest_of_files, program_digest
from cutlist.verbs.gate.answer import ONE_MAPPING
from cutlist.verbs.rightsizing import Rightsized, rightsized
from cutlist.verbs.suggest.criteria import Criteria
from cutlist.verbs.suggest.fleet_file import Environment, expanded
from cutlist.verbs.suggest.rule_check import ANY_DAY
from cutlist.workloads.usage import read_usage


@dataclass(frozen=True, slots=True)
class Search:
    """What the suggestions for an environment depend on; `sized` are the inputs by measured use, if that is requested. `gates`
    is the file of its gates, if it names one, and `day` that for which their exemptions are checked."""

    inputs: PlanInputs
    sized: Rightsized | None
    rates: Rates
    allowances: Allowances
    criteria: Criteria
    bound: BoundKind
    plans: int
    seed: int
    gates: Document | None
    day: date

    def read_gates(self) -> Gates | None:
        """Return the gates, None where none are named. Where the search runs, since rules are not sent to other processes."""
        return None if self.gates is None else read_gates(self.gates.data, known_rules(), self.gates)


def read_search(environment: Environment, day: date = ANY_DAY) -> Search:
    """Return the search that an environment's files describe, with its gates on a day. Raises InputError with every mistake in
    them."""
    files = expanded(environment.files, environment.at("file"))
    inputs = read_inputs(files, **environment.settings)
    if environment.is_azure not in (None, is_azure(inputs.catalog)):
        text = f"{inputs.catalog.region} is {'a location of Azure' if is_azure(inputs.catalog) else 'a region of AWS'}"
        raise InputError.one(environment.at("provider"), text, "the provider of the region")
    require_offerings(inputs, allow_empty=environment.allow_empty)
    search = Search(
        inputs,
        _sized(environment, inputs),
        _rates(environment),
        environment.allowances,
        environment.criteria,
        environment.bound,
        environment.plans,
        environment.seed,
        None if environment.gates is None else read_mapping(environment.gates, "gates", ONE_MAPPING),
        day,
    )
    gates = search.read_gates()
    if gates is not None and gates.mistakes:
        raise InputError(gates.mistakes)
    return search


def _rates(environment: Environment) -> Rates:
    problems = Problems(allow_empty=environment.allow_empty)
    rates = read_rates(expanded(environment.rates, environment.at("rates")), problems)
    problems.raise_if_any()
    return rates


def _sized(environment: Environment, inputs: PlanInputs) -> Rightsized | None:
    if not environment.usage:
        return None
    problems = Problems(allow_empty=environment.allow_empty)
    usage = read_usage(expanded(environment.usage, environment.at("usage")), problems)
    problems.raise_if_any()
    return rightsized(inputs, usage, environment.usage_policy)


class SearchDigests:
    """Digests of what answers depend on; this program and each catalogue are read once."""

    def __init__(self) -> None:
        self._program = program_digest()
        self._catalogs: dict[str, str] = {}

    def of(self, environment: Environment, search: Search) -> str:
        """Return the digest of everything that the answer of a search depends on."""
        settings, sized = with_defaults(environment.settings), search.sized
        parts = [
            self._program,
            {**settings, "catalog": self._catalog(settings["catalog"]), "scheduler_config": ""},
            repr(search.inputs.options.default_spread),
            [document.data for document in search.inputs.documents],
            None if sized is None else [[document.data for document in sized.inputs.documents], sized.unknown],
            repr(search.rates),
            [asdict(search.allowances), asdict(search.criteria), search.bound, search.plans, search.seed],
            # Exemptions end: without gates, no answer depends on the day.
            None if search.gates is None else [search.gates.data, search.day],
        ]
        return hashlib.sha256(json.dumps(parts, default=_plain).encode()).hexdigest()

    def _catalog(self, folder: str | os.PathLike[str] | None) -> str:
        if folder is None:
            return ""
        if os.fspath(folder) not in self._catalogs:
            self._catalogs[os.fspath(folder)] = digest_of_files(Path(folder))
        return self._catalogs[os.fspath(folder)]


def _plain(value: object) -> object:
    """Return a value without a JSON form as one that is the same on every run."""
    return sorted(map(str, value)) if isinstance(value, Set) else str(value)
