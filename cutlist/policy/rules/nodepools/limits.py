"""The limits of a NodePool (spec: aws-infrastructure 11.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.quantity import Quantity
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import amount, amounts, texts
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.planned_pools import pools_of, unbounded_cost
from cutlist.policy.rules.pool_parts import is_static
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import NODE_CLAIM, NODE_PLAN, NODE_POOL

_NODES: Final = "nodes"
_UNIVERSAL: Final = frozenset(("cpu", "memory", _NODES))
"""Resources that every machine has, so that a limit on one bounds their number."""
_LEAST_MEMORY: Final = Quantity.parse("1Gi")
_ACCELERATORS: Final = frozenset(("nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron", "habana.ai/gaudi"))
_NEEDED: Final = texts(
    "required", ("cpu", "memory"), "Resources that every pool limits in strict; a static pool limits nodes instead."
)
_CEILING: Final = amounts(
    "ceiling",
    {"cpu": "10k", "memory": "40Ti", "nodes": "1k"},
    "The highest limit of a single pool, by resource; what it does not name keeps its default.",
)


@object_rule(
    "NP-01",
    "Limits bound what every NodePool may spend, within a ceiling",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="unlimited spending: Karpenter launches nodes for every pending pod, those of a runaway Deployment included",
    hurt=("core#745", "core#732", "core#3093"),
    looks_at=(NODE_POOL, NODE_PLAN),
    source="aws-infrastructure NP-01, H8",
    parameters=(_NEEDED, _CEILING),
)
def limits(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a limit bounds how many machines there may be, and that none exceeds the ceiling. Whether all machines have
    the resource that is limited, such as GPUs, is in the plan. Each required limit that is absent is a finding of its own."""
    yield from _unbounded(resource) if resource.type == NODE_PLAN else _limits(resource, settings)


def _limits(pool: Resource, settings: Settings) -> Iterator[Finding]:
    written, fixed = pool.at("spec", "limits"), is_static(pool)
    if not fixed and not written.members():
        yield written.violation("no limits", "a limit on a resource that all its machines have", _example("cpu"))
        return
    needed = (_NODES,) if fixed else () if _ACCELERATORS & written.members().keys() else settings[_NEEDED.name]
    for name in needed:
        if not written.at(name).is_there:
            allowed = f"a limit on {' and '.join(needed)}"
            yield written.violation(f"no limit on {name}", allowed, _example(name), grade=Profile.STRICT)
    for name, limit in written.members().items():
        yield from _amount(name, limit, settings)


def _unbounded(plan: Resource) -> Iterator[Finding]:
    """Yield the plan's findings on NodePools whose limits bound nothing; one without limits is the NodePool's own finding."""
    for name, pool in pools_of(plan):
        limited = pool.at("limits").texts()
        # Of a tainted pool of accelerators only pods that tolerate it make nodes, and those ask for what is limited.
        asks = pool.at("general").value is False and pool.at("accelerated").value is True
        if not asks and limited and not _UNIVERSAL.intersection(limited) and pool.at("mostPerHour").number is None:
            yield unbounded_cost(name, pool)


@object_rule(
    "NP-17",
    "Only Karpenter makes NodeClaims",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a machine that counts towards no limit, budget or plan, because somebody wrote its NodeClaim by hand",
    looks_at=(NODE_CLAIM,),
    source="api-objects 2, aws-infrastructure H8",
)
def of_a_pool(claim: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that Karpenter made the NodeClaim: it comes from a cluster, with an identity and a NodePool as its owner. A program
    makes none for a NodePool, whatever owner it writes down."""
    owners = claim.at("metadata", "ownerReferences")
    is_read = bool(claim.at("metadata", "uid").text and claim.at("metadata", "creationTimestamp").text and not claim.urn)
    if not is_read or not any(_is_pool(owner) for owner in owners.items()):
        yield owners.violation(
            "a NodeClaim without a NodePool", "NodeClaims that Karpenter makes", "write a NodePool with replicas: 1"
        )


def _is_pool(owner: Part) -> bool:
    is_kind = owner.at("kind").text == "NodePool" and owner.at("apiVersion").text.startswith("karpenter.sh/")
    return is_kind and bool(owner.at("name").text and owner.at("uid").text)


def _amount(name: str, limit: Part, settings: Settings) -> Iterator[Finding]:
    quantity = amount(limit.value)
    if quantity is None:
        yield limit.violation(f"{name}: {limit.value!r}", "a quantity such as 100 or 400Gi", _example(name))
        return
    if quantity <= Quantity.parse(0):
        yield limit.violation(
            f"{name}: {quantity}",
            "an amount above zero",
            "remove the pool, or raise the limit: at zero it launches nothing",
        )
    elif name == "memory" and quantity < _LEAST_MEMORY:
        yield limit.violation(f"memory: {quantity}, in bytes", f"at least {_LEAST_MEMORY}", "write the unit, such as 400Gi")
    ceiling = amount({**_CEILING.default, **settings[_CEILING.name]}.get(name))
    if ceiling is not None and quantity > ceiling:
        yield limit.violation(f"{name}: {quantity}", f"at most {ceiling}", f"lower it to {ceiling}, or split the pool")


def _example(name: str) -> str:
    return "add spec.limits, such as " + {_NODES: "nodes: 10", "memory": "memory: 400Gi"}.get(name, f"{name}: 100")


RULES = (limits, of_a_pool)
