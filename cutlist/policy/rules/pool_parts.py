"""What rules about NodePools read from a manifest that may have mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from cutlist.api.durations import seconds
from cutlist.api.label_domains import registry_of
from cutlist.core.labels import AUTO_GROUP, CAPACITY_TYPE, SPOT
from cutlist.core.requirement import Expression, Operator, integer
from cutlist.core.requirements import Requirements
from cutlist.policy.rules.parts import Part, Resource

_MOST: Final = 100
"""The most requirements that the CRDs of Karpenter allow."""
_BOUNDS: Final = (Operator.GT, Operator.LT, Operator.GTE, Operator.LTE)


def template_of(pool: Resource) -> Part:
    """Return the spec of the template of its NodeClaims."""
    return pool.at("spec", "template", "spec")


def is_auto_mode(pool: Resource) -> bool:
    """Tell whether the pool is one of EKS Auto Mode."""
    return template_of(pool).at("nodeClassRef", "group").text == AUTO_GROUP


def requirements_of(pool: Resource) -> Requirements:
    """Return the requirements and template labels together; malformed ones, which OB-01 reports, are left out."""
    registry = registry_of(template_of(pool).at("nodeClassRef", "group").text)
    labels = {key: part.text for key, part in pool.at("spec", "template", "metadata", "labels").members().items()}
    written = Requirements.of_expressions(expressions_of(template_of(pool).at("requirements")), registry)
    return written & Requirements.of_labels(labels, registry)


def allows_spot(pool: Resource) -> bool:
    """Tell whether the pool may buy spot capacity: if it says nothing about capacity types, it may buy any."""
    return requirements_of(pool).get_or_any(CAPACITY_TYPE).has(SPOT)


def is_static(pool: Resource) -> bool:
    """Tell whether the pool keeps a fixed number of nodes."""
    return pool.at("spec", "replicas").is_there


def taints_of(pool: Resource) -> frozenset[tuple[str, str, str]]:
    """Return key, value and effect of each taint."""
    listed = template_of(pool).at("taints").items()
    return frozenset((t.at("key").text, t.at("value").text, t.at("effect").text) for t in listed)


def length(part: Part) -> int | None:
    """Return a duration in seconds; None for `Never` and for a text that is not a duration."""
    try:
        return seconds(part.text)
    except ValueError:
        return None


def expressions_of(listed: Part) -> Iterator[Expression]:
    """Yield the expressions of a list that have a key, an operator, and values that the operator can have; of a list that is
    longer than the API server takes, which OB-01 reports, those that it would take."""
    for requirement in islice(listed.items(), _MOST):
        key, operator, values = requirement.at("key").text, requirement.at("operator").text, requirement.at("values").texts()
        is_bound = operator in _BOUNDS
        if key and operator in tuple(Operator) and (not is_bound or (len(values) == 1 and integer(values[0]) is not None)):
            yield Expression(key, operator, values)
