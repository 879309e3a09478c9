"""Requests without which a plan means little: none at all, or amounts in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.identity import OncePerObject
from cutlist.core.notes import Note
from cutlist.core.quantity import MEBI, NANO, Quantity
from cutlist.core.wording import first_of
from cutlist.planning.model.plan import NO_REQUESTS
from cutlist.planning.traps.setup import Setup
from cutlist.planning.traps.templates import PodTemplate
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, MEMORY, PODS
from cutlist.providers.type_list import ChosenTypes

SOME_WITHOUT: Final = "pods-without-requests"
"""The code of the note on workloads whose pods request nothing, if others do."""
WRONG_UNIT: Final = "request-in-wrong-unit"
"""The code of the note on a request that was probably meant in another unit."""
_NAMED: Final = 5
_LEAST_BYTES: Final = MEBI  # no container runs in less
_MANY_CORES: Final = 64  # more cores than this for a single container are asked about if no node has as many


def requests_without_meaning(setup: Setup) -> Iterator[Note]:
    """Yield a note on workloads whose pods request nothing, and on each request in a wrong unit."""
    yield from _without(setup)
    largest = OncePerObject(_most_cores)
    most = max((largest(pool.types) for pool in setup.pools), default=0)
    counted = {group.workload for group in setup.groups} | {daemon.workload for daemon in setup.workloads.daemons}
    for template in PodTemplate.of_documents(setup.documents):
        for container in template.containers if template.workload in counted else ():
            yield from _in_wrong_unit(template, container, most)


def _most_cores(types: ChosenTypes) -> int:
    """Return the most that a type has of cpu, in nanos; 0 without types."""
    return max(types.capacities("cpu"), default=0)


def _without(setup: Setup) -> Iterator[Note]:
    """Yield a note on workloads whose pods request nothing: only their number takes room. A pod that requests a GPU is not
    one."""
    groups = list(setup.groups)
    without = sorted({g.workload for g in groups if not any(n for name, n in g.pod.requests.items() if name != PODS)})
    if not without:
        return
    if len(without) == len({g.workload for g in groups}):
        text = "no pod of the input requests cpu or memory, so there are as few nodes as the number of pods allows"
        yield Note(NO_REQUESTS, f"{text}; give the containers requests")
    else:
        text = f"pods request nothing, so they take no room on nodes: {first_of(without, _NAMED)}"
        yield Note(SOME_WITHOUT, f"{text}; give their containers requests")


def _in_wrong_unit(template: PodTemplate, container: Mapping[str, Any], most_cores: int) -> Iterator[Note]:
    resources = container.get("resources") or {}
    parts = (("requests", resources.get("requests") or {}), ("limits", resources.get("limits") or {}))
    said: set[str] = set()
    for verb, amounts in parts:
        for resource, value in amounts.items():
            text = _wrong_unit(resource, value, most_cores)
            if text and resource not in said:  # of a request and its limit, the request is enough
                said.add(resource)
                who = f"{template.workload}: container {container.get('name', '')}"
                yield Note(WRONG_UNIT, f"{who} {verb} {resource} {value}, which is {text}")


def _wrong_unit(resource: str, value: Any, most_cores: int) -> str:
    """Return what an amount is and what was probably meant, empty for an amount that makes sense."""
    try:
        amount = Quantity.parse(value).nanos
    except QuantityError:
        return ""  # validation reports it
    digits = str(value).removesuffix("m")
    if resource in (MEMORY, EPHEMERAL_STORAGE) and 0 < amount < _LEAST_BYTES:
        size = f"{amount / NANO:,.3f} bytes" if amount % NANO else f"{amount // NANO:,} bytes"
        return f"{size}; write {digits}Mi" if digits.isdigit() else f"{size}; write an amount in Mi or Gi"
    if resource == "cpu" and digits == str(value) and amount > max(_MANY_CORES * NANO, most_cores):
        room = f"no instance type here has more than {most_cores // NANO}" if most_cores else "few machines have as many"
        return f"{amount // NANO:,} cores; {room}; write {digits}m"
    return ""
