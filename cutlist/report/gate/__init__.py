"""What gates say, as text, Markdown, JSON, SARIF and JUnit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cutlist.policy.gates import Report
from cutlist.report.gate.json import gates_json
from cutlist.report.gate.junit import gates_junit
from cutlist.report.gate.markdown import gates_markdown
from cutlist.report.gate.sarif import gates_sarif
from cutlist.report.gate.text import render_gates

MACHINE_FORMS: Final[Mapping[str, Callable[[Report], str]]] = {
    "json": gates_json,
    "junit": gates_junit,
    "sarif": gates_sarif,
}
"""The forms that have neither width nor colour, by name."""

__all__ = ["MACHINE_FORMS", "gates_json", "gates_junit", "gates_markdown", "gates_sarif", "render_gates"]
