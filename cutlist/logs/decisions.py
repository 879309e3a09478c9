"""Disruption commands, from Karpenter's messages about them (spec: disruption 11). Since v1.3 the log has them as fields,
before as sentences, which name the method up to v0.37.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from cutlist.core.records import HIDDEN, After, Count, Key, Price, about
from cutlist.logs.records import LoggedInstant, Record, claim_of, name_of, node_of

_CONSOLIDATION: Final = "consolidation"
_STRUCTURED: Final = "disrupting node(s)"
_REBOOT: Final = "committed node reboot"
_SENTENCE: Final = re.compile(
    r"(?:disrupting nodeclaim\(s\)|disrupting|deprovisioning|(?P<begins>consolidating)) via (?:(?P<method>[a-z-]+) )?"
    r"(?P<decision>delete|replace), terminating (?P<count>[0-9]{1,9}) (?:nodes|machines|candidates) "
    r"(?:\((?P<pods>[0-9]{1,9}) pods\) )?(?P<nodes>.+?)(?: and replacing with (?P<new>.+))?",
    re.IGNORECASE,
)
_NODE: Final = re.compile(r"(?P<name>[^/\s]+)/(?P<type>[^/\s]+)(?:/(?P<capacity>[^/\s]+))?")
_ONE: Final = re.compile(r"(?:(?P<capacity>spot|on-demand|reserved) )?(?:node|machine) from types? (?P<types>.+)")
_SEVERAL: Final = re.compile(r"(?P<spot>[0-9]{1,9}) spot and (?P<on_demand>[0-9]{1,9}) on-demand,? from types? (?P<types>.+)")
_OTHERS: Final = re.compile(r" and (?P<count>[0-9]{1,9}) other\(s\)$")
_SAVINGS: Final = re.compile(r"\(savings: \$(?P<amount>-?[0-9]{1,9}(?:\.[0-9]+)?)\)")
_EVENT: Final = re.compile(r"Disrupting (?:Node|NodeClaim): (?P<reason>[A-Za-z]+)(?:/(?P<decision>[A-Za-z]+))?")


@dataclass(frozen=True, slots=True)
class EndedNode:
    """A node that a command removes or reboots. Values that the message does not contain are empty."""

    name: str
    claim: Annotated[str, Key("nodeClaim")] = ""
    instance_type: str = ""
    capacity_type: str = ""


@dataclass(frozen=True, slots=True)
class NewNodes:
    """The replacement nodes: how many, their capacity type (empty if several are possible), the named types, and how many
    others there are."""

    count: Count
    capacity_type: str
    types: Annotated[tuple[str, ...], Key("instanceTypes")]
    others: Annotated[Count, about("Types that the log counts and does not name.")] = 0

    @property
    def text(self) -> str:
        """Return the types as Karpenter lists them."""
        return ", ".join(self.types) + (f" and {self.others} other(s)" if self.others else "")


@dataclass(frozen=True, slots=True)
class Decision:
    """A command: when, why, and what it does to which nodes and pods."""

    at: LoggedInstant
    reason: str
    decision: str
    nodes: Annotated[tuple[EndedNode, ...], HIDDEN]
    pods: Annotated[Count | None, about("Null where the log does not tell.")] = None
    new: Annotated[tuple[NewNodes, ...], Key("replacements"), After("savings")] = ()
    savings: Annotated[Price, about("USD; null where the log does not tell."), Key("savingsPerHour")] = None


def decision(record: Record) -> Decision | None:
    """Return the command that a record reports, or None if it reports something else."""
    if record.message == _STRUCTURED:
        return _structured(record)
    if record.message == _REBOOT:  # of repair, which does not use the queue (V15-55)
        return Decision(record.at, "unhealthy", "reboot", (EndedNode(node_of(record), claim_of(record)),))
    sentence = _SENTENCE.fullmatch(record.message)
    if sentence is not None:
        return _sentence(record, sentence)
    event = _EVENT.fullmatch(record.message)
    return None if event is None else _event(record, event)


def terminated_with(record: Record) -> str:
    """Return the reason in an event that says that a command removes a node now, or an empty string for other records. A
    command that launches nodes is logged before they are ready, and removes its nodes minutes later.
    """
    event = _EVENT.fullmatch(record.message)
    return "" if event is None else f"{event['reason']}/{event['decision'] or ''}"


def ended_nodes(record: Record) -> tuple[EndedNode, ...]:
    """Return the nodes and NodeClaims in the fields of a line about a command."""
    return tuple(_ended(node) for node in _objects(record.fields.get("disrupted-nodes")))


def _structured(record: Record) -> Decision:
    """Read a line of v1.3 and later: the command's text holds reason, decision and savings, the fields the nodes."""
    fields = record.fields
    command = str(fields.get("command", ""))
    savings = _SAVINGS.search(command)
    return Decision(
        record.at,
        command.partition("/")[0].lower() or record.reason,
        str(fields.get("decision", "")),
        ended_nodes(record),
        _count(fields.get("pod-count")),
        tuple(_new(node) for node in _objects(fields.get("replacement-nodes"))),
        float(savings["amount"]) if savings else None,
    )


def _ended(node: Mapping[str, Any]) -> EndedNode:
    name, claim = (name_of(node.get(kind)) for kind in ("Node", "NodeClaim"))
    return EndedNode(name, claim, str(node.get("instance-type", "")), str(node.get("capacity-type", "")))


def _new(node: Mapping[str, Any]) -> NewNodes:
    types, others = _types(str(node.get("instance-types") or ""))
    return NewNodes(1, str(node.get("capacity-type", "")), types, others)


def _sentence(record: Record, match: re.Match[str]) -> Decision:
    """Read a sentence of v1.2 and earlier. If it names several nodes, it counts only the pods of the last one, so the count is
    left out."""
    matches = _NODE.finditer(match["nodes"].replace(",", " "))
    nodes = tuple(EndedNode(m["name"], "", m["type"], m["capacity"] or "") for m in matches)
    pods = int(match["pods"]) if match["pods"] and int(match["count"]) == 1 else None
    reason = record.reason or match["method"] or (_CONSOLIDATION if match["begins"] else "")
    new = _replacements(match["new"] or "")
    return Decision(record.at, reason.lower(), match["decision"].lower(), nodes, pods, new)


def _replacements(text: str) -> tuple[NewNodes, ...]:
    if single := _ONE.fullmatch(text):
        return (NewNodes(1, single["capacity"] or "", *_types(single["types"])),)
    if several := _SEVERAL.fullmatch(text):
        types, others = _types(several["types"])
        counts = (("spot", int(several["spot"])), ("on-demand", int(several["on_demand"])))
        return tuple(NewNodes(count, capacity, types, others) for capacity, count in counts if count)
    return ()


def _event(record: Record, match: re.Match[str]) -> Decision:
    """Read an event, which is about one object; releases before v1.0 call it `Consolidation/Delete`."""
    node = EndedNode(node_of(record), claim_of(record))
    return Decision(record.at, match["reason"].lower(), (match["decision"] or "").lower(), (node,))


def _types(text: str) -> tuple[tuple[str, ...], int]:
    others = _OTHERS.search(text)
    named = text[: others.start()] if others else text
    return tuple(t.strip() for t in named.split(",") if t.strip()), int(others["count"]) if others else 0


def _objects(written: Any) -> list[Mapping[str, Any]]:
    return [item for item in written if isinstance(item, Mapping)] if isinstance(written, list) else []


def _count(written: Any) -> int | None:
    return written if isinstance(written, int) and not isinstance(written, bool) and written >= 0 else None
