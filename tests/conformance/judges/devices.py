"""Answers about devices (tools/oracle/core/FORMAT.md), compared with the recorded ones.

Beside what every answer has, these are right when claims got the same devices. Pods of one entry may be swapped, so a claim
made for each pod is known by its entry, and a NodeClaim by its pool and its pods.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.conformance.judges import schedule

Form = dict[str, Any]


def compare(scenario: Form, recorded: Form, answer: Form, *, messages: bool = False) -> list[str]:
    """Return what sets an answer apart from the recorded one and its alternatives; nothing when it is right."""
    best: list[str] | None = None
    for wanted in (recorded, *(recorded.get("alternatives") or ())):
        # Long lists of types are kept once, in the main answer.
        found = _of_one(scenario, {**wanted, "typeSets": recorded.get("typeSets")}, answer, messages)
        if not found:
            return []
        best = found if best is None or len(found) < len(best) else best
    return best or []


def _of_one(scenario: Form, wanted: Form, answer: Form, messages: bool) -> list[str]:
    wanted = {**wanted, "errors": {pod: _as_here(pod, text) for pod, text in (wanted.get("errors") or {}).items()}}
    different = schedule.compare(scenario, wanted, answer, messages=messages)
    if scenario.get("candidates"):
        # A pod that is put on a node which may never be ready is placed and an error.
        different = [text for text in different if not text.startswith("pods named more than once")]
    entries = schedule.entries(scenario)
    expected, answered = (_devices(scenario, entries, each) for each in (wanted, answer))
    different += [f"devices missing: {key}" for key in (expected - answered)]
    different += [f"devices extra: {key}" for key in (answered - expected)]
    drivers, others = (Counter(_drivers(entries, each)) for each in (wanted, answer))
    different += [f"drivers: wanted {drivers - others}, got {others - drivers}"] if drivers != others else []
    if wanted.get("initialized") != answer.get("initialized"):
        different.append(f"initialized: wanted {wanted.get('initialized')}, got {answer.get('initialized')}")
    return different


def _as_here(pod: str, text: str) -> str:
    """Return an error with a claim's name as the pod knows it: Karpenter's has the name of the object that was made."""
    return text.replace(f'claim "{pod}-', 'claim "')


def _drivers(entries: Form, answer: Form) -> list[tuple[str, ...]]:
    return [(_node_claim(entries, claim), *(claim.get("drivers") or ())) for claim in answer["claims"]]


def _devices(scenario: Form, entries: Form, answer: Form) -> Counter[str]:
    by_pod = {pod: _node_claim(entries, claim) for claim in answer["claims"] for pod in claim["pods"]}
    found: Counter[str] = Counter()
    for name, given in (answer.get("devices") or {}).items():
        # Karpenter's allocator still knows the devices of a NodeClaim that was thrown away at the end.
        if "claimOf" not in given and "node" not in given:
            continue
        where = by_pod[given["claimOf"]] if "claimOf" in given else f"node {given['node']}"
        parts = (given.get("nodeLocal", False), given.get("requirements") or [], sorted(given["devices"].items()))
        found[f"{_known_as(scenario, entries, name)} on {where}: {parts}"] += 1
    return found


def _known_as(scenario: Form, entries: Form, name: str) -> str:
    """Return a claim's name, of one made for a pod that of its entry and the pod's name for the claim."""
    bare = name.partition(" ")[0]
    named = {_full(c["metadata"]) for c in scenario.get("resourceClaims") or ()}
    if bare in named:
        return bare
    for pod, (number, entry) in sorted(entries.items(), key=lambda item: -len(item[0])):
        for start in (f"{pod}-", f"{pod.rpartition('/')[0]}/{entry}-".lstrip("/")):
            claims = scenario["pods"][number]["pod"].get("spec", {}).get("resourceClaims") or ()
            for claim in claims:
                if bare == f"{start}{claim['name']}":
                    return f"{entry} (entry {number}) {claim['name']}"
    return bare


def _full(metadata: Form) -> str:
    namespace = metadata.get("namespace", "default")
    return metadata["name"] if namespace == "default" else f"{namespace}/{metadata['name']}"


def _node_claim(entries: Form, claim: Form) -> str:
    pods = Counter(schedule.label(entries, pod) for pod in claim["pods"])
    return f"{claim['nodePool']} with {sorted(pods.items())}"
