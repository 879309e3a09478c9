"""What gates say as JSON, in a stable order."""

from __future__ import annotations

import json
from typing import Any, Final

from cutlist.policy.gates import Outcome, Report

VERSION: Final = 1


def gates_json(report: Report) -> str:
    """`passed`, counts, and every outcome with its place taken apart; members that say nothing are null."""
    data = {
        "version": VERSION,
        "passed": report.has_passed,
        "environment": report.environment,
        "objects": report.looked_at,
        "rules": report.rules,
        "off": list(report.off),
        "counts": dict(report.counts),
        "outcomes": [outcome_dict(one, report) for one in report.outcomes],
    }
    return json.dumps(data, indent=2) + "\n"


def outcome_dict(one: Outcome, report: Report) -> dict[str, Any]:
    """One outcome; `verdict` is violated, exempt or cannot tell, `stops` whether the change may not go on."""
    return {
        "rule": one.rule,
        "title": one.title,
        "level": str(one.level),
        "verdict": str(one.verdict),
        "stops": report.stops(one),
        "object": one.about,
        "file": one.place.source or None,
        "document": one.place.document or None,
        "line": one.place.line or None,
        "path": one.path or None,
        "found": one.found,
        "allowed": one.allowed or None,
        "repair": one.advice or None,
        "exemption": one.note or None,
    }
