"""Answers for `vectors/algebra`: what the product says to the inputs of each case.

What is added here is how Go shows a number (`go_numbers`).

Nothing here looks at the recorded answers. In `validation`, Karpenter lists sets in random order, another in each run; the
messages with such a list say the same in the product's own order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cutlist.api.terms import term_problems
from cutlist.core.errors import QuantityError
from cutlist.core.labels import CORE
from cutlist.core.quantity import Quantity, fits, maximum, merge, subtract, subtract_all
from cutlist.core.requirement import Expression, Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import HostPort, Taint, Toleration, host_ports, untolerated
from cutlist.scheduling.nodeoverlays import adjusted_price
from cutlist.workloads.pod_requirements import full_requirements, strict_requirements
from cutlist.workloads.read_pod import read_pod
from cutlist.workloads.requests import pod_requests
from tests.conformance.go_numbers import GoNumber, go_text

Case = Mapping[str, Any]
Answer = dict[str, Any]

# The provider called "example" in the vectors' providers.json.
EXAMPLE = CORE.extended(
    well_known=[f"example.com/{name}" for name in ("family", "size", "cpu", "gpu", "reservation-id")],
    well_known_resources=["example.com/gpu"],
    restricted_domains=["example.com"],
    reservation_id="example.com/reservation-id",
)
WORDS = ("a", "b", "c", "1", "2", "3", "5", "7", "07", "9", "10", "100", "-1", "7_0", " 7", "+3", "x.y", "")


def answer(path: Path) -> dict[str, Answer]:
    """Return each case's answer, by its index in the file."""
    ask = QUESTIONS[path.stem]
    return {str(i): ask(case) for i, case in enumerate(json.loads(path.read_text()))}


def _quantity(case: Case) -> Answer:
    try:
        q = Quantity.parse(case["in"])
    except QuantityError:
        return {"error": True}
    number = GoNumber.of(case["in"])
    return {
        "exact": number.exact(),
        "format": q.format,
        "prints": go_text(q),
        "canonical": go_text(+q),
        "value": str(number.in_units(0)),
        "milli": str(number.in_units(3)),
    }


def _quantity_pair(case: Case) -> Answer:
    a, b = Quantity.parse(case["a"]), Quantity.parse(case["b"])
    m, n = GoNumber.of(case["a"]), GoNumber.of(case["b"])
    return {
        "cmp": (a > b) - (a < b),
        "sum": go_text(a + b),
        "sumExact": (m + n).exact(),
        "sumFormat": (a + b).format,
        "difference": go_text(a - b),
        "differenceExact": (m + -n).exact(),
    }


def _resource_lists(case: Case) -> Answer:
    a, b, c = ({name: Quantity.parse(text) for name, text in case[key].items()} for key in "abc")
    return {
        "merge": _texts(merge(a, b, c)),
        "subtract": _texts(subtract(a, b)),
        "subtractInPlace": _texts(subtract_all(a, b)),
        "max": _texts(maximum(a, b, c)),
        "min": _texts(minimum(a, b, c)),
        "aFitsB": fits(a, b),
    }


def minimum(*lists: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Return the smallest amount of each resource that all lists have."""
    out: dict[str, Quantity] = dict(lists[0]) if lists else {}
    for each in lists[1:]:
        out = {name: each[name] if each[name] < amount else amount for name, amount in out.items() if name in each}
    return out


def _texts(amounts: Mapping[str, Quantity]) -> dict[str, str]:
    return {name: go_text(amount) for name, amount in amounts.items()}


def _pod_requests(case: Case) -> Answer:
    return {"requests": _texts(pod_requests(case["pod"]))}


def _expressions(raw: list[Case] | None) -> list[Expression]:
    return [Expression.read(e) for e in raw or ()]


def _requirement(raw: Case) -> Requirement:
    e = Expression.read(raw)
    return Requirement.of(EXAMPLE.normalize(e.key), e.operator, e.values, e.min_values)


def _set(raw: list[Case] | None) -> Requirements:
    return Requirements.of_expressions(_expressions(raw), EXAMPLE)


def _state(r: Requirement) -> Answer:
    written = [
        {"key": e.key, "operator": e.operator, "values": list(e.values), "minValues": e.min_values} for e in r.expressions()
    ]
    return {
        "operator": r.operator,
        "values": sorted(r.values),
        "minValues": r.min_values,
        "prints": str(r),
        "writtenBack": written,
        "has": {word: r.has(word) for word in WORDS},
        "length": str(len(r)),
        "key": r.key,
    }


def _one_requirement(case: Case) -> Answer:
    return {"out": _state(_requirement(case["in"]))}


def _intersection(case: Case) -> Answer:
    met, *others = map(_requirement, case["in"])
    has = []
    for other in others:
        has.append(met.intersects(other))
        met &= other
    out = {name: member for name, member in _state(met).items() if name != "key"}
    return {"hasIntersection": has, "out": out, "meetsExists": met.intersects(Requirement.exists("k"))}


def _requirement_sets(case: Case) -> Answer:
    a, b = _set(case["a"]), _set(case["b"])
    both = a & b
    conflicts = a.conflicts(b)
    reason = a.incompatibility(b, EXAMPLE.well_known)
    return {
        "aPrints": str(a),
        "bPrints": str(b),
        "compatible": a.compatible(b),
        "compatibleWellKnown": a.compatible(b, EXAMPLE.well_known),
        "compatibleWellKnownError": "; ".join(map(str, reason)) if isinstance(reason, list) else str(reason),
        "intersects": a.intersects(b),
        "intersectsErrors": sorted(map(str, conflicts)),
        "combined": str(both),
        "hasMinValues": both.has_min_values,
    }


def _pod_requirements(case: Case) -> Answer:
    pod = read_pod(case["pod"])
    return {"strict": str(strict_requirements(pod, EXAMPLE)), "full": str(full_requirements(pod, EXAMPLE))}


def _tolerations(case: Case) -> Answer:
    tolerations = [Toleration.read(t) for t in case["tolerations"] or ()]
    return {"tolerated": not untolerated([Taint.read(t) for t in case["taints"]], tolerations)}


def _host_ports(case: Case) -> Answer:
    first, second = case["first"], case["second"]
    same = first["metadata"] == second["metadata"]
    return {"conflict": not same and any(p.conflicts(q) for p in _ports(first) for q in _ports(second))}


def _ports(pod: Case) -> frozenset[HostPort]:
    """Return a pod's ports. These pods never met an API server, so a missing protocol is not TCP here but one of its own."""
    containers = [
        {"ports": [{"protocol": "none", **port} for port in container["ports"]]} for container in pod["spec"]["containers"]
    ]
    return host_ports({"spec": {"containers": containers}})


def _adjusted_price(case: Case) -> Answer:
    return {"result": adjusted_price(case["price"], case["change"])}


def _validation(case: Case) -> Answer:
    problems = term_problems(Expression.read(case["in"]), EXAMPLE)
    return {"valid": not problems, "error": "; ".join(problems)}


QUESTIONS: dict[str, Callable[[Case], Answer]] = {
    "quantities": _quantity,
    "quantity-pairs": _quantity_pair,
    "resource-lists": _resource_lists,
    "pod-requests": _pod_requests,
    "requirements": _one_requirement,
    "intersections": _intersection,
    "requirement-sets": _requirement_sets,
    "pod-requirements": _pod_requirements,
    "tolerations": _tolerations,
    "host-ports": _host_ports,
    "adjusted-prices": _adjusted_price,
    "validation": _validation,
}
