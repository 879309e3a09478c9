"""What is different between two sides, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from cutlist.answers.diff import Difference
from cutlist.answers.diff_nodes import BlastRadius
from cutlist.core.instants import instant_text
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import Edit
from cutlist.disruption.rollout import Turn


def difference_json(made: Difference) -> str:
    """The difference as indented JSON that ends in a newline. Prices are USD/hour, instants in UTC."""
    data = {
        "old": made.before,
        "new": made.after,
        **made.comparison.to_dict(),
        "same": made.is_none,
        "drift": None if made.blast is None else _blast(made.blast),
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _blast(blast: BlastRadius) -> dict[str, Any]:
    done = blast.rollout.done
    return {
        "at": instant_text(blast.now),
        "nodes": blast.managed,
        "edits": [_edit(edit) for edit in blast.edits],
        "replaced": drifted_rows(blast.replaced),
        "possible": drifted_rows(blast.possible),
        "before": drifted_rows(blast.before),
        "spared": list(blast.spared),
        "deleted": [{"nodePool": pool, "nodeClaims": list(claims)} for pool, claims in blast.deleted.items()],
        "order": [_turn(turn) for turn in blast.rollout.turns],
        "doneAtTheEarliest": None if done is None else instant_text(done),
    }


def _edit(edit: Edit) -> dict[str, Any]:
    members = [{"path": m.path, "nodes": str(m.reach), "which": m.which or None} for m in edit.members]
    return {"kind": edit.kind, "name": edit.name, "nodes": str(edit.reach), "members": members}


def drifted_rows(found: Iterable[DriftedNode]) -> list[dict[str, Any]]:
    """NodeClaims that drift, each with why."""
    return [
        {"nodeClaim": one.claim, "nodePool": one.node_pool, "reason": str(one.reason), "members": list(one.members)}
        for one in found
    ]


def _turn(turn: Turn) -> dict[str, Any]:
    times = {"starts": turn.starts, "goneAtTheEarliest": turn.ends, "goneBy": turn.latest}
    return {
        "node": turn.node,
        "nodeClaim": turn.claim,
        "nodePool": turn.pool,
        "drifted": turn.drift,
        "budget": str(turn.reason),
        "expires": turn.expires,
        **{name: None if at is None else instant_text(at) for name, at in times.items()},
        "why": turn.why or None,
    }
