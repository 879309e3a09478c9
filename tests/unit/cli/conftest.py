"""What the tests of commands share: reading and planning replaced by functions that return what a test sets."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from cutlist.planning import absences
from tests.unit.report.samples import PLAN


class Asked(dict[str, Any]):
    """What reading was asked, in place of inputs of which everything was read."""

    workloads = SimpleNamespace(notes=())


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
    inputs, plan = ModuleType("cutlist.planning.read_inputs"), ModuleType("cutlist.verbs.plan.answer")
    types = ModuleType("cutlist.verbs.types.answer")
    inputs.read_inputs = made.read
    plan.plan = made.answer
    plan.bounded_plan = lambda inputs, _: made.answer(inputs)
    types.types = made.answer
    plan.with_launches, types.pool_notes = lambda planned, _: planned, lambda _: ()
    monkeypatch.setitem(sys.modules, "cutlist.planning.read_inputs", inputs)
    monkeypatch.setitem(sys.modules, "cutlist.verbs.plan.answer", plan)
    monkeypatch.setattr(absences, "require_workloads", lambda *_, **__: None)
    monkeypatch.setattr(absences, "require_offerings", lambda *_, **__: None)
    monkeypatch.setitem(sys.modules, "cutlist.verbs.types.answer", types)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return made
