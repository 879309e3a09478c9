"""Labels of the right name in the wrong domain, which restrict no instance type or select no node (spec: V-110, S-21)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.api.label_domains import LEGACY_KEYS
from cutlist.core.labels import AUTO, AUTO_GROUP, AWS, AWS_GROUP, AZURE, CORE, LabelRegistry, domain
from cutlist.core.notes import Note
from cutlist.core.requirement import Expression, Operator
from cutlist.core.wording import first_of
from cutlist.documents.document import Document
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.workloads.kinds import kind_of
from cutlist.workloads.pods import Pod

WRONG_DOMAIN: Final = "label-of-wrong-domain"
"""The code of the note on a key that only resembles a label that nodes have."""
_DOMAINS: Final = frozenset(
    {domain(key) for registry in (CORE, AWS, AUTO, AZURE) for key in (*registry.well_known, *registry.normalized)}
    | {"kubernetes.io", "k8s.io", "k8s.aws", "karpenter.k8s.io"}
)
"""The domains in which readers expect the labels of nodes; keys of all others are labels of the user."""
# What machines of one cloud have under another name in the other.
_IN_OTHER_CLOUD: Final = {
    **(_AZURE_TO_AWS := {f"sku-{n}": f"instance-{n}" for n in ("cpu", "memory", "family", "gpu-count", "gpu-name")}),
    **{there: here for here, there in _AZURE_TO_AWS.items()},
    "sku-gpu-manufacturer": "instance-gpu-manufacturer",
    "instance-gpu-manufacturer": "sku-gpu-manufacturer",
    "sku-name": "instance-type",
}
_OWN_PREFIXES: Final = ("instance-", "sku-", "capacity-type")  # names that mean nodes even without a domain
_ALIKE: Final = 0.85  # a plural or one wrong letter; 1 means equal
_OF_NODE_GROUPS: Final = frozenset(("eks.amazonaws.com/capacityType",))  # nodes of managed node groups do have it
_SILENT: Final = (Operator.NOT_IN, Operator.DOES_NOT_EXIST)
_NAMED: Final = 3


def labels_of_wrong_domain(setup: Setup) -> Iterator[Note]:
    """Yield a note for each key of a NodePool, or of pods, that only resembles a label that nodes have."""
    for pool in setup.pools:
        yield from _of_pool(pool)
    yield from _of_pods(setup)


def meant_label(key: str, registry: LabelRegistry) -> str:
    """Return the well-known label that a key was meant to be: the one of that name in the provider's domain, of an old name, of
    the other cloud's, or of a name with one slip. Empty for a well-known key, and for labels of the user's own domains."""
    if registry.normalize(key) in registry.well_known:
        return ""
    where, name = domain(key), key.partition("/")[2] or key
    if where not in _DOMAINS and not (where == "" and name.startswith(_OWN_PREFIXES)):
        return ""
    by_name = {known.partition("/")[2]: known for known in sorted(registry.well_known, reverse=True)}  # Karpenter's own wins
    if key in LEGACY_KEYS:
        return LEGACY_KEYS[key]
    for candidate in (name, _IN_OTHER_CLOUD.get(name, "")):
        if candidate in by_name:
            return by_name[candidate]
    close = difflib.get_close_matches(name, list(by_name), n=1, cutoff=_ALIKE)
    return by_name[close[0]] if close else ""


def _of_pool(setup: PoolSetup) -> Iterator[Note]:
    for key in dict.fromkeys(e.key for e in setup.pool.requirements):
        if setup.pool.node_class_ref.group == AWS_GROUP and domain(key) == AUTO_GROUP:
            continue  # an error says already that the key belongs to Auto Mode
        meant = meant_label(key, setup.registry)
        if meant:
            text = f"NodePool {setup.name} requires {key}, which no instance type has"
            yield Note(WRONG_DOMAIN, f"{text}: Karpenter treats it as your own label, so it excludes none; write {meant}")


def _of_pods(setup: Setup) -> Iterator[Note]:
    registries = {pool.pool.node_class_ref.group: pool.registry for pool in setup.pools}.values()
    own = {key for pool in setup.pools for key in (*pool.pool.labels, *(e.key for e in pool.pool.requirements))}
    own |= {key for document in setup.documents for key in _labels_of_node(document)} | _OF_NODE_GROUPS
    users: dict[tuple[str, str, bool], list[str]] = {}
    pods = [*((g.workload, g.pod) for g in setup.groups), *((d.workload, d.pod) for d in setup.workloads.daemons)]
    for workload, pod in pods:
        for expression in _selected(pod):
            key = expression.key
            if key in own or any(registry.normalize(key) in registry.well_known for registry in registries):
                continue
            meant = next(filter(None, (meant_label(key, registry) for registry in registries)), "")
            if meant:
                users.setdefault((key, meant, expression.operator in _SILENT), []).append(workload)
    for (key, meant, is_silent), names in sorted(users.items()):
        effect = "excludes no node" if is_silent else "selects no node"
        text = f"{first_of(sorted(set(names)), _NAMED)}: {key} {effect}, because none has that label; write {meant}"
        yield Note(WRONG_DOMAIN, text)


def _selected(pod: Pod) -> Iterator[Expression]:
    """Yield what a pod selects nodes by, required or preferred."""
    yield from (Expression(key, Operator.IN, (value,)) for key, value in pod.node_selector.items())
    for term in pod.required or ():
        yield from term
    for preference in pod.preferred:
        yield from preference.expressions


def _labels_of_node(document: Document) -> Iterable[str]:
    """Return the labels of a node of the input: whatever their domain is, pods may select by them."""
    return (document.data.get("metadata") or {}).get("labels") or () if kind_of(document.data) == ("", "Node") else ()
