"""What gates say in SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from cutlist.policy.gates import Outcome, Report, Verdict

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_HELP: Final = "docs/rules.md"


def gate_sarif(report: Report) -> str:
    """One run: a rule for each id that has an outcome, a result for each outcome; an exempt one is suppressed."""
    rules = {one.rule: one.title for one in report.outcomes}
    listed = [
        {"id": id_, "shortDescription": {"text": title}, "help": {"text": f"See {_HELP}, {id_}."}}
        for id_, title in sorted(rules.items())
    ]
    run = {
        "tool": {"driver": {"name": "cutlist", "rules": listed}},
        "results": [_result(one, report) for one in report.outcomes],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(one: Outcome, report: Report) -> dict[str, Any]:
    is_open = one.verdict is Verdict.UNKNOWN
    made: dict[str, Any] = {
        "ruleId": one.rule,
        "kind": "open" if is_open else "fail",
        "level": "error" if report.stops(one) else "none" if is_open else "warning",
        "message": {"text": one.sentence},
        "locations": [_location(one)],
    }
    if is_open and report.stops(one):
        made["kind"] = "fail"  # SARIF knows no level on what is open
    if one.verdict is Verdict.EXEMPT:
        made["suppressions"] = [{"kind": "external", "justification": one.note}]
    return made


def _location(one: Outcome) -> dict[str, Any]:
    logical = {"fullyQualifiedName": f"{one.about} {one.path}".strip()}
    if not one.place.source:
        return {"logicalLocations": [logical]}
    artifact = {"uri": quote(PurePath(one.place.source).as_posix())}
    physical = {"artifactLocation": artifact, "region": {"startLine": max(1, one.place.line)}}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
