"""What a change does to the gates and settings that it is judged by, one finding each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.shapes import shown
from cutlist.policy.gates import Gates, Judgement
from cutlist.policy.gates.own import SUBJECT, own_outcome
from cutlist.verbs.gate.own_documents import money_between

_ALLOWED: Final = "gates and settings as the base has them"
_ADVICE: Final = "change them first, in a change of their own"
_JUDGED: Final = "the change is judged by what the base has"


@dataclass(frozen=True, slots=True)
class Differing:
    """A value by its name, at the base and now, as messages show it."""

    name: str
    before: str
    now: str


def gate_changes(before: Gates, now: Gates, file: str) -> Iterator[Judgement]:
    """Yield a finding for each level, setting and exemption of a file of gates that a change edits."""
    for differing in _differing(before, now):
        yield of_judge(file, Place(file), differing)


def setting_changes(
    edited: Sequence[tuple[str, Any, Any]], price: Callable[[Mapping[str, Any]], float | None]
) -> Iterator[Judgement]:
    """Yield a finding for each setting that says what a plan costs, and that a change edits; the first with the money that they
    hide together. `price` is that of the plan with settings in place of those at the base."""
    money = money_between(price({}), price({name: now for name, _, now in edited})) if edited else ""
    for name, before, now in edited:
        yield of_judge("settings", Place(), Differing(name, _shown(before), f"{_shown(now)}{money}"))
        money = ""


def of_judge(about: str, place: Place, differing: Differing) -> Judgement:
    """Return the finding that a change edits what it is judged by."""
    text = f"{differing.name} was {differing.before} and is {differing.now}; {_JUDGED}"
    return own_outcome(SUBJECT, about, place, text, _ALLOWED, _ADVICE)


def _differing(before: Gates, now: Gates) -> Iterator[Differing]:
    for name in ("profile", "environment", "refuses_unknown", "baseline"):
        was, is_now = getattr(before, name), getattr(now, name)
        if was != is_now:
            yield Differing(name, _shown(was), _shown(is_now))
    for rule in now.rules:
        was, is_now = before.levels.get(rule.id), now.levels[rule.id]
        if was is not None and was is not is_now and before.profile is now.profile:
            yield Differing(f"the level of {rule.id}", str(was), str(is_now))
        settings = before.settings.get(rule.id, {})
        for name, value in now.settings[rule.id].items():
            if settings.get(name) != value:
                yield Differing(f"{name} of {rule.id}", _shown(settings.get(name)), _shown(value))
    was_exempt, is_exempt = ({(e.rule, e.object, e.until) for e in gates.exemptions} for gates in (before, now))
    for rule_id, about, until in sorted(is_exempt - was_exempt):
        yield Differing(f"the exemption of {about} from {rule_id}", "absent", f"until {until.isoformat()}")


def _shown(value: Any) -> str:
    return "not set" if value is None or value in ((), []) else shown(str(value) if isinstance(value, StrEnum) else value)
