"""The limits of a NodePool (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.quantity import Quantity
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import amount, amounts, texts
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.pool_parts import is_static
from cutlist.policy.rules.rule import Settings, Severity, object_rule
from cutlist.policy.rules.tokens import NODE_CLAIM, NODE_POOL

_NODES: Final = "nodes"
_LEAST_MEMORY: Final = Quantity.parse("1Gi")
_NEEDED: Final = texts("required", ("cpu", "memory"), "Resources that every pool limits; a static pool limits nodes instead.")
_CEILING: Final = amounts(
    "ceiling",
    {"cpu": "10k", "memory": "40Ti", "nodes": "1k"},
    "The highest limit of a single pool, by resource; what it does not name keeps its default.",
)


@object_rule(
    "NP-01",
    "Every NodePool has limits, within a ceiling",
    Severity.MANDATORY,
    protects="unlimited spending: Karpenter launches for whatever is pending, a runaway Deployment included",
    hurt=("core#745", "core#732", "core#3093"),
    looks_at=(NODE_POOL,),
    source="aws-infrastructure NP-01, H8",
    parameters=(_NEEDED, _CEILING),
)
def limits(pool: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that each required limit is present, is a positive amount, and is not above the ceiling."""
    written = pool.at("spec", "limits")
    needed = (_NODES,) if is_static(pool) else settings[_NEEDED.name]
    for name in needed:
        if not written.at(name).is_there:
            yield written.violation(f"no limit on {name}", f"a limit on {' and '.join(needed)}", _example(name))
    for name, limit in written.members().items():
        yield from _amount(name, limit, settings)


@object_rule(
    "NP-17",
    "Machines are asked for by NodePools",
    Severity.MANDATORY,
    protects="a NodeClaim that is written by hand: a machine beyond every limit, budget and plan",
    looks_at=(NODE_CLAIM,),
    source="api-objects 2, aws-infrastructure H8",
)
def of_a_pool(claim: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a NodePool owns the NodeClaim, as it owns those that Karpenter makes; a label proves nothing."""
    del settings
    owners = claim.at("metadata", "ownerReferences")
    if not any(owner.at("kind").text == "NodePool" for owner in owners.items()):
        yield owners.violation("a NodeClaim of no NodePool", "those that Karpenter makes", "write a NodePool with replicas: 1")


def _amount(name: str, limit: Part, settings: Settings) -> Iterator[Finding]:
    quantity = amount(limit.value)
    if quantity is None:
        yield limit.violation(f"{name}: {limit.value!r}", "a quantity such as 100 or 400Gi", _example(name))
        return
    if quantity <= Quantity.parse(0):
        yield limit.violation(
            f"{name}: {quantity}",
            "an amount above nothing",
            "take the pool out, or give it an amount: with none it launches nothing",
        )
    elif name == "memory" and quantity < _LEAST_MEMORY:
        yield limit.violation(f"memory: {quantity}, in bytes", f"at least {_LEAST_MEMORY}", "write the unit, such as 400Gi")
    ceiling = amount({**_CEILING.default, **settings[_CEILING.name]}.get(name))
    if ceiling is not None and quantity > ceiling:
        yield limit.violation(f"{name}: {quantity}", f"at most {ceiling}", f"lower it to {ceiling}, or split the pool")


def _example(name: str) -> str:
    return "add spec.limits, such as " + {_NODES: "nodes: 10", "memory": "memory: 400Gi"}.get(name, f"{name}: 100")


RULES = (limits, of_a_pool)
