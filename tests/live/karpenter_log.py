"""Karpenter's log, line by line, and the events that it writes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.live.api import Api

BEGINS: Final = "computing scheduling decision for provisionable pod(s)"
NEW_CLAIMS: Final = "computed new nodeclaim(s) to fit pod(s)"
CREATED: Final = "created nodeclaim"
DISRUPTING: Final = "disrupting node(s)"

Line = Mapping[str, Any]


def lines(log: Path, offset: int = 0) -> list[Line]:
    """Return the complete lines of a log from an offset on."""
    with log.open("rb") as file:
        file.seek(offset)
        rows = file.read().split(b"\n")[:-1]
    return [json.loads(row) for row in rows if row.startswith(b"{")]


def name_in(line: Line, kind: str) -> str:
    """Return the name of the object of a kind that a line is about."""
    value = line[kind]
    return str(value["name"] if isinstance(value, Mapping) else value)


def created_claims(rows: Sequence[Line]) -> list[str]:
    """Return the names of the NodeClaims that were created, in order."""
    return [name_in(row, "NodeClaim") for row in rows if row["message"] == CREATED]


def events(api: Api) -> list[dict[str, Any]]:
    """Return Karpenter's events, the oldest first."""
    own = [event for event in api.items("Event") if _source(event) == "karpenter"]
    return sorted(own, key=lambda event: int(event["metadata"]["resourceVersion"]))


def _source(event: Mapping[str, Any]) -> str | None:
    component: str | None = (event.get("source") or {}).get("component") or event.get("reportingComponent")
    return component


def nominated(message: str) -> tuple[str | None, str | None]:
    """Return the NodeClaim and the node that a nomination names."""
    claim, node = (re.search(rf"{kind}/([^,\s]+)", message) for kind in ("nodeclaim", "node"))
    return claim[1] if claim else None, node[1] if node else None
