"""What the tests of commands share: reading and planning replaced by functions that return what a test sets."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.report.samples import PLAN


class Asked(dict[str, Any]):
    """What reading was asked, in place of inputs of which everything was read."""

    workloads = SimpleNamespace(notes=())
    price_age = None

    def on_day(self, _: date) -> Asked:
        """Return what was asked: calendars are of no interest here."""
        return self


class Engine:
    """Stands for reading and planning: gives `result`, or raises it; keeps what it was asked."""

    def __init__(self) -> None:
        self.result: Any = PLAN
        self.asked = Asked()

    def read(self, paths, **options):
        self.asked = Asked(paths=tuple(paths), **options)
        return self.asked

    def answer(self, _):
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


@pytest.fixture
def engine(monkeypatch):
    made = Engine()
    answers = {
        "input_options": {
            "read_inputs": made.read,
            "require_offerings": lambda *_, **__: None,
            "running_services": lambda _: (),
        },
        "plan": {
            "plan": made.answer,
            "bounded_plan": lambda inputs, _: made.answer(inputs),
            "with_launches": lambda planned, _: planned,
            "with_further_prices": lambda planned, *_: planned,
            "require_workloads": lambda *_, **__: None,
        },
        "types": {"types": made.answer, "pool_notes": lambda _: (), "running_services": lambda _: ()},
    }
    for module, functions in answers.items():
        for name, function in functions.items():
            monkeypatch.setattr(f"cutlist_cli.{module}.{name}", function)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return made
