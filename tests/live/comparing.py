"""Cutlist's answers compared with recordings of a live Karpenter; each difference is a line of text."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cutlist.core.labels import NODEPOOL
from cutlist.disruption.static_scale_in import surplus
from cutlist.scheduling.refusals import ReservationShortage
from cutlist.simulation.recording.answers import full_name
from tests.conformance import schedule
from tests.conformance.disrupt import DisruptionScenario
from tests.conformance.judges import schedule as judge
from tests.live.ends import end_differences, workload
from tests.live.launches import hash_differences, launch_differences
from tests.live.recording import Recording
from tests.live.scenarios.builders import INSTANCE_TYPE
from tests.live.zone_names import exchanged_back, exchanges, with_names_exchanged

_SAYS_WHY: Final = ("Unconsolidatable:", "DisruptionBlocked:", "NodeRepairBlocked:")
"""The reasons of events that say why a node stays."""
_WHILE_SETTLING: Final = ("is nominated for a pending pod", "isn't initialized", "isn't initialized nor registered")
"""What Karpenter says of nodes before a scenario begins."""


def differences(recording: Recording) -> list[str]:
    """Return what sets Cutlist's answer apart from what Karpenter did."""
    answer = answer_of(recording)
    if recording.kind == "disruption":
        return disruption_differences(recording, answer)
    lines = [*scheduling_differences(recording, answer), *end_differences(recording)]
    return lines or [*launch_differences(recording, answer), *hash_differences(recording)]


def with_zones_told_apart(recording: Recording) -> Recording:
    """Return a recording that is answered alike once the names of zones are exchanged, with these names in its evidence; any
    other as it is."""
    if recording.kind != "scheduling" or not differences(recording):
        return recording
    for names in exchanges():
        renamed = replace(recording, evidence={**recording.evidence, "zones": names})
        if not differences(renamed):
            return renamed
    return recording


def answer_of(recording: Recording) -> dict[str, Any]:
    """Return Cutlist's answer to what the cluster held, with the names of zones that the recording's evidence has."""
    names = recording.evidence.get("zones")
    scenario = with_names_exchanged(recording.scenario, names) if names else recording.scenario
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(scenario))
        file.flush()
        answer: dict[str, Any] = _ANSWERS[recording.kind](Path(file.name))
    return exchanged_back(answer, names) if names else answer


def _disruption(file: Path) -> dict[str, Any]:
    """Return the answer to a disruption scenario, and the NodeClaims that static NodePools give up: no oracle is asked that."""
    scenario = DisruptionScenario(file)
    names = [node.claim.name for node in surplus(scenario.cluster_state()) if node.claim is not None]
    return {**scenario.answer(), "scaleIn": {"deleted": names}}


_ANSWERS: Final = {"scheduling": schedule.answer, "disruption": _disruption}


def scheduling_differences(recording: Recording, answer: Mapping[str, Any], texts: bool = False) -> list[str]:
    """Return what sets an answer apart from a recorded pass, with `texts` also in the words of refusals.

    Pods of one workload are alike.
    """
    scenario = recording.scenario
    group = {_name(entry["pod"]): (0, workload(entry["pod"])) for entry in scenario["pods"]}
    want = copy.deepcopy(dict(recording.answer))
    got = _as_recorded(answer, group)
    best: list[str] | None = None
    for renaming in judge.permutations(scenario.get("symmetric")):
        lines = judge.one(group, want, want, got, renaming, texts)
        if best is None or len(lines) < len(best):
            best = lines
        if not best:
            break
    return best or []


def disruption_differences(recording: Recording, answer: Mapping[str, Any]) -> list[str]:
    """Return what sets the commands of the method that acts first apart from Karpenter's, and other deletions likewise.

    Where Karpenter is free, nodes of one NodePool and instance type are alike.
    """
    names = _alike_nodes(recording.scenario) if recording.free else {}
    lines = _commands_that_differ(recording.answer["commands"], answer, names)
    for command, step in zip(recording.evidence["later"], answer.get("steps", ()), strict=False):
        lines += [f"next {line}" for line in _commands_that_differ([command], step, names)]
    deleted = sorted(name for part in ("expiry", "repair", "scaleIn") for name in answer.get(part, {}).get("deleted", ()))
    if deleted != recording.answer["deleted"]:
        lines.append(f"deleted: wanted {recording.answer['deleted']}, got {deleted}")
    return lines if recording.answer["commands"] or deleted else [*lines, *_reasons_that_differ(recording, answer, names)]


def _reasons_that_differ(recording: Recording, answer: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Return what Karpenter said of nodes that stay, and Cutlist does not say.

    Not the other way round: Karpenter says one thing of a node, and then nothing else for two or fifteen minutes. What it said
    before the cluster was written down may hold no longer, and is passed over.
    """
    reasons = {
        f"{node}: DisruptionBlocked: {text}" for nodes in answer.get("blocked", {}).values() for node, text in nodes.items()
    }
    events = [event for method in answer["methods"].values() for event in method.get("events", ())]
    events += answer.get("repair", {}).get("events", ())
    reasons |= {f"{event['object']}: {event['reason']}: {event['message']}" for event in events}
    said = [
        f"{about}: {text}"
        for about, texts in recording.evidence["events"].items()
        for text in texts
        if about.startswith("Node/") and text.startswith(_SAYS_WHY) and not text.endswith(_WHILE_SETTLING)
    ]
    known = {_renamed(reason, names) for reason in reasons}
    earlier = {f"{about}: {text}" for about, texts in recording.evidence.get("earlier", {}).items() for text in texts}
    own = [reason.rstrip() for reason in said if reason not in earlier]
    return [f"reason: wanted {reason}" for reason in own if _renamed(reason, names) not in known]


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with what stands for nodes in place of their names."""
    for node, name in names.items():
        text = text.replace(node, name)
    return text


def _commands_that_differ(
    recorded: Sequence[Mapping[str, Any]], answer: Mapping[str, Any], names: Mapping[str, str]
) -> list[str]:
    first = answer["first"]
    commands = answer["methods"][first]["commands"] if first in answer["methods"] else []
    want = sorted(_command_form(command, names) for command in recorded)
    got = sorted(_command_form(command, names) for command in commands)
    lines = [f"command: wanted {command}" for command in want if command not in got]
    lines += [f"command: got {command} by {first}" for command in got if command not in want]
    return lines if lines or len(want) == len(got) else [f"commands: wanted {len(want)}, got {len(got)}"]


def _alike_nodes(scenario: Mapping[str, Any]) -> dict[str, str]:
    """Return what stands for each node where those of one NodePool and instance type are alike."""
    nodes = (item["metadata"] for item in scenario["objects"] if item["kind"] == "Node")
    return {node["name"]: f"{node['labels'].get(INSTANCE_TYPE)} of {node['labels'].get(NODEPOOL)}" for node in nodes}


def _command_form(command: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return what a command does, as text; savings to the cent, as the log has them."""
    replacements = sorted(
        f"{claim['nodePool']} {sorted(_types_of(claim))} "
        f"{sorted((resource, str(judge.quantity(amount))) for resource, amount in claim.get('requests', {}).items())}"
        for claim in command.get("replacements") or ()
    )
    savings = command.get("savings") or 0.0
    nodes = ", ".join(sorted(names.get(node, node) for node in command["nodes"]))
    return f"{command['reason'].lower()} {command['decision']} {nodes} -> {replacements} (savings ${savings:.2f})"


def _types_of(claim: Mapping[str, Any]) -> list[str]:
    """Return the instance types of a replacement; one of a static NodePool has only what its requirements name."""
    named = [each.get("values", []) for each in claim["requirements"] if each["key"] == INSTANCE_TYPE]
    return [*claim["instanceTypes"]] or [name for names in named for name in names]


def _as_recorded(answer: Mapping[str, Any], pods: Mapping[str, object]) -> dict[str, Any]:
    """Return an answer of Cutlist as a live cluster would show it: claims say what their NodeClaims do, and neither pods that
    only stand for spare capacity nor refusals without an event are left."""
    claims = []
    for claim in answer["claims"]:
        written = claim["launch"]["requirements"] if claim.get("launch") else claim["requirements"]
        if any(map(_has_too_few_values, written)):
            continue
        requirements = [each for each in written if each["key"] != INSTANCE_TYPE]
        claims.append(
            {
                **{member: value for member, value in claim.items() if member != "launch"},
                "requirements": requirements,
                "pods": [pod for pod in claim["pods"] if pod in pods],
                "prices": [None] * len(claim["instanceTypes"]),
            }
        )
    existing = {node: [pod for pod in placed if pod in pods] for node, placed in answer["existing"].items()}
    refusals = {**answer.get("errors", {}), **answer.get("ignored", {})}
    errors = {pod: text for pod, text in refusals.items() if pod in pods and not _waits_in_silence(text)}
    return {"claims": claims, "existing": {n: p for n, p in existing.items() if p}, "errors": errors, "ignored": {}}


def _has_too_few_values(requirement: Mapping[str, Any]) -> bool:
    """Tell whether the API server refuses a NodeClaim for a requirement, whatever the pass decided (S-125)."""
    return requirement["operator"] == "In" and len(requirement["values"]) < requirement.get("minValues", 0)


def _waits_in_silence(refusal: str) -> bool:
    """Tell whether Karpenter writes no event for a refusal: a pod waits for a reservation (S-80), or no NodePool takes part."""
    return refusal == schedule.NO_POOLS or any(shortage in refusal for shortage in ReservationShortage)


def _name(pod: Mapping[str, Any]) -> str:
    return full_name(pod["metadata"].get("namespace"), pod["metadata"]["name"])
