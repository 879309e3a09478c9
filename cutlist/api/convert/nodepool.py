"""A v1beta1 NodePool or NodeClaim converted to v1, except the kubelet, which now belongs to the node class (spec: api-objects
7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import ConversionChange, version_change
from cutlist.api.convert.clouds import AKS, MeantClass
from cutlist.api.convert.edits import Edit, Move, Path, Remove, Rename, Set
from cutlist.api.durations import NEVER
from cutlist.api.nodepool_fields import DEFAULT_EXPIRE_AFTER
from cutlist.api.v1beta1.fields import DEFAULT_POLICY
from cutlist.core.labels import NODEPOOL

SPEC: Final[Path] = ("spec", "template", "spec")
_POLICY: Final = "spec.disruption.consolidationPolicy"
_AFTER: Final = "spec.disruption.consolidateAfter"
_EXPIRY: Final = ("spec.disruption.expireAfter", "spec.template.spec.expireAfter")


def pool_changes(pool: Mapping[str, Any], node_class: MeantClass) -> Iterator[ConversionChange]:
    """Yield the changes to a valid pool, written or stored; `node_class` is the class that it refers to."""
    spec = pool["spec"]
    yield version_change("NodePool")
    disruption = spec.get("disruption")
    if disruption is not None:
        yield from _consolidation(disruption)
        yield from _budgets(disruption)
    yield from _expiry(disruption or {})
    template = spec["template"]["spec"]
    yield from reference_changes(template, SPEC, node_class)
    if "resources" in template:
        text = "template.spec.resources never had an effect and is left out"
        yield ConversionChange("lost", text, "spec.template.spec.resources", edits=(Remove((*SPEC, "resources")),))


def misplaced_expiry(pool: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield the move of an expireAfter that a v1 pool still has where v1beta1 had it to where it takes effect (spec: azure
    2.7)."""
    spec, (old, new) = pool["spec"], _EXPIRY
    path = ("spec", "disruption", "expireAfter")
    if "expireAfter" not in (spec.get("disruption") or {}):
        return
    text = "v1 does not know disruption.expireAfter: an API server drops it silently"
    if "expireAfter" in spec["template"]["spec"]:
        yield ConversionChange("lost", f"{text}; that of the template holds", old, new, edits=(Remove(path),))
    else:
        move = Move(path, (*SPEC, "expireAfter"))
        yield ConversionChange("changes meaning", f"{text}, and 720h held; it moves to the template", old, new, edits=(move,))


def _consolidation(disruption: Mapping[str, Any]) -> Iterator[ConversionChange]:
    if disruption.get("consolidationPolicy", DEFAULT_POLICY) == "WhenEmpty":
        return
    if "consolidationPolicy" in disruption:
        text = "consolidationPolicy WhenUnderutilized is called WhenEmptyOrUnderutilized"
        edit = Set(("spec", "disruption", "consolidationPolicy"), "WhenEmptyOrUnderutilized")
        yield ConversionChange("carried over", text, _POLICY, _POLICY, edits=(edit,))
    after = Set(("spec", "disruption", "consolidateAfter"), "0s")
    if disruption.get("consolidateAfter") == "Never":
        text = (
            "consolidateAfter: Never under WhenUnderutilized meant that nothing is consolidated; v1 reads a time to wait, "
            "and as Karpenter's own conversion did, it becomes 0s: consolidation is switched on"
        )
        advice = "write consolidateAfter: Never again in the result to keep it off"
        yield ConversionChange("changes meaning", text, _AFTER, _AFTER, advice, edits=(after,))
    else:
        text = "consolidateAfter is required in v1, and 0s is what the old policy did: no waiting"
        yield ConversionChange("changed default", text, "", _AFTER, "a longer time keeps nodes calmer", edits=(after,))


def _budgets(disruption: Mapping[str, Any]) -> Iterator[ConversionChange]:
    if disruption.get("budgets") == []:
        text = "an empty list of budgets meant no limit; Karpenter's own conversion lost it, and the default of 10% holds"
        where, advice = "spec.disruption.budgets", "write budgets: [] again in the result if no limit is what you want"
        yield ConversionChange("changes meaning", text, where, "", advice, edits=(Remove(("spec", "disruption", "budgets")),))


def _expiry(disruption: Mapping[str, Any]) -> Iterator[ConversionChange]:
    old, new = _EXPIRY
    if "expireAfter" in disruption:
        move = Move(("spec", "disruption", "expireAfter"), (*SPEC, "expireAfter"))
        text = f"expireAfter {disruption['expireAfter']} belongs to the template, and so to the node from its start"
        yield ConversionChange("carried over", text, old, new, edits=(move,))
    else:
        default = DEFAULT_EXPIRE_AFTER
        text = f"expireAfter was not written; the default of both versions, {default}, is written out"
        yield ConversionChange("changed default", text, "", new, edits=(Set((*SPEC, "expireAfter"), default),))


def claim_changes(claim: Mapping[str, Any], node_class: MeantClass, expiries: Mapping[str, str]) -> Iterator[ConversionChange]:
    """Yield the changes to a valid claim, except its kubelet; `expiries` is the expireAfter of each v1 pool."""
    yield version_change("NodeClaim")
    yield from reference_changes(claim["spec"], ("spec",), node_class)
    pool = (claim["metadata"].get("labels") or {}).get(NODEPOOL, "")
    expiry = expiries.get(pool, NEVER)
    edit = Set(("spec", "expireAfter"), expiry)
    if pool in expiries:
        text = f"a claim has its own expiry now: {expiry}, that of its NodePool {pool}"
        yield ConversionChange("carried over", text, "", "spec.expireAfter", edits=(edit,))
    else:
        why = f"its NodePool {pool} is not among the objects" if pool else "it names no NodePool"
        text, advice = f"a claim has its own expiry now, and {why}: Never", "add the NodePool to the input, or set it"
        yield ConversionChange("needs a decision", text, "", "spec.expireAfter", advice, edits=(edit,))


def reference_changes(spec: Mapping[str, Any], above: Path, meant: MeantClass) -> Iterator[ConversionChange]:
    """Yield the changes to the reference of a spec at a path; `meant` is the class that it should name."""
    path = (*above, "nodeClassRef")
    written = spec["nodeClassRef"]
    group, kind, _ = meant.key
    edits: list[Edit] = []
    if "apiVersion" in written:
        edits.append(Rename((*path, "apiVersion"), "group", group))
    else:
        edits.append(Set((*path, "group"), group, before="kind" if "kind" in written else "name"))
    if not written.get("kind"):
        edits.append(Set((*path, "kind"), kind, before="name"))
    where = ".".join(path)
    text = f"nodeClassRef names its class by group and kind: {group} and {kind}"
    if meant.is_open:
        text += ", which nothing in the input decides: no label, no class and no other object is of one cloud"
        advice = f"for AKS write {' and '.join(AKS)}, or add the class or an object of that cloud to the input"
        yield ConversionChange("needs a decision", text, where, where, advice, edits=tuple(edits))
        return
    guessed = not (written.get("apiVersion") and written.get("kind"))
    advice = "check that this is the class you mean: the controller filled in what was not written" if guessed else ""
    text += ", of which not all was written" if guessed else ""
    text += f"; {meant.why}" if meant.why else ""
    yield ConversionChange("changed default" if guessed else "carried over", text, where, where, advice, edits=tuple(edits))
