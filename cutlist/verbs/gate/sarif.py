"""The gates' report in SARIF 2.1.0, which code hosts show next to the lines of a change."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.report.plain import visible

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_HELP: Final = "docs/rules.md"
_LINK: Final = re.compile(r"\[(?=[^\]]*\]\()")


def gate_sarif(report: Report) -> str:
    """Return one run: a rule for each id that has an outcome, a result for each outcome; an exempt one is suppressed."""
    rules = {outcome.rule: outcome.title for outcome in report.outcomes}
    listed = [
        {"id": id_, "shortDescription": {"text": title}, "help": {"text": f"See {_HELP}, {id_}."}}
        for id_, title in sorted(rules.items())
    ]
    run = {
        "tool": {"driver": {"name": "cutlist", "rules": listed}},
        "results": [_result(outcome, report) for outcome in report.outcomes],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(outcome: Judgement, report: Report) -> dict[str, Any]:
    is_open = outcome.verdict is Verdict.UNKNOWN
    result: dict[str, Any] = {
        "ruleId": outcome.rule,
        "kind": "open" if is_open else "fail",
        "level": "error" if report.stops(outcome) else "none" if is_open else "warning",
        "message": {"text": _plain(outcome.sentence)},
        "locations": [_location(outcome)],
    }
    if is_open and report.stops(outcome):
        result["kind"] = "fail"  # SARIF has no level for undetermined results
    if outcome.verdict is Verdict.EXEMPT:
        result["suppressions"] = [{"kind": "external", "justification": _plain(outcome.note)}]
    return result


def _plain(text: str) -> str:
    """Return a text that a reader of SARIF shows unchanged: invisible characters spelled out, and no links."""
    return _LINK.sub(r"\\[", visible(text))


def _location(outcome: Judgement) -> dict[str, Any]:
    logical = {"fullyQualifiedName": visible(f"{outcome.about} {outcome.path}".strip())}
    if not outcome.place.source:
        return {"logicalLocations": [logical]}
    artifact = {"uri": quote(PurePath(outcome.place.source).as_posix(), errors="surrogateescape")}
    physical = {"artifactLocation": artifact, "region": {"startLine": max(1, outcome.place.line)}}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
