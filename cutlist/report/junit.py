"""Answers as JUnit XML, which build servers list as tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from cutlist.report.plain import visible


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is reported on a test: a failure with its details, or, without a `failure`, just a text."""

    text: str
    failure: str = ""

    @property
    def xml(self) -> str:
        """Return the element."""
        text = escape(visible(self.text))
        if not self.failure:
            return f"    <system-out>{text}</system-out>"
        return f"    <failure message={quoteattr(visible(self.failure))}>{text}</failure>"


@dataclass(frozen=True, slots=True)
class Case:
    """A test with what is reported on it; it fails if that is a failure."""

    name: str
    remarks: Sequence[Remark]

    @property
    def has_failed(self) -> bool:
        """Tell whether a failure is reported."""
        return any(remark.failure for remark in self.remarks)


def junit(verb: str, cases: Sequence[Case], passed: str = "") -> str:
    """Return the tests of a verb; `passed` names one more, on which nothing is reported. Ends in a newline."""
    failures = sum(case.has_failed for case in cases)
    head = f'<testsuite name="cutlist {verb}" tests="{len(cases) + bool(passed)}" failures="{failures}">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head]
    for case in cases:
        opened = f'  <testcase classname="cutlist.{verb}" name={quoteattr(visible(case.name))}>'
        lines += [opened, *(remark.xml for remark in case.remarks), "  </testcase>"]
    lines += [f'  <testcase classname="cutlist.{verb}" name="{passed}"/>'] if passed else []
    return "\n".join((*lines, "</testsuite>")) + "\n"
