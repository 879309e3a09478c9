"""What a change does to the gates and settings that it is judged by, one finding each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.shapes import shown
from cutlist.policy.gates import Gates, Judgement
from cutlist.policy.gates.own import SUBJECT, own_outcome
from cutlist.verbs.gate.own_documents import EditedSetting, money_between

_ALLOWED: Final = "gates and settings as the base has them"
_ADVICE: Final = "change them first, in a change of their own"
_JUDGED: Final = "the change is judged by what the base has"
_AS_IS: Final = "it counts as it is"


def gate_changes(before: Gates, now: Gates, file: str) -> Iterator[Judgement]:
    """Yield a finding for each level, setting and exemption of a file of gates that a change edits."""
    for text in _differing(before, now):
        yield of_judge(file, Place(file), text)


def setting_changes(edited: Sequence[EditedSetting], price: Callable[[Mapping[str, Any]], float | None]) -> Iterator[Judgement]:
    """Yield a finding for each setting that says what a plan costs, and that a change edits; the first with the money that they
    hide together. `price` is that of the plan with settings in place of those at the base."""
    money = money_between(price({}), price({each.name: each.edited for each in edited})) if edited else ""
    for each in edited:
        yield of_judge("settings", Place(), f"{each.text}{money}", counts_as_is=each.counts_as_is)
        money = ""


def differing(name: str, before: Any, now: Any) -> str:
    """Return in words that a value was another one at the base."""
    return f"{name} was {_shown(before)} and is {_shown(now)}"


def not_there(file: str) -> Judgement:
    """Return the finding that a file of gates comes with the change."""
    return of_judge(file, Place(file), "the gates are not at the base yet", counts_as_is=True)


def of_judge(about: str, place: Place, text: str, *, counts_as_is: bool = False) -> Judgement:
    """Return the finding that a change edits what it is judged by. What is not at the base, or says what is judged, counts as
    it is."""
    return own_outcome(SUBJECT, about, place, f"{text}; {_AS_IS if counts_as_is else _JUDGED}", _ALLOWED, _ADVICE)


def _differing(before: Gates, now: Gates) -> Iterator[str]:
    for name in ("profile", "environment", "refuses_unknown", "baseline"):
        was, is_now = getattr(before, name), getattr(now, name)
        if was != is_now:
            yield differing(name, was, is_now)
    for rule in now.rules:
        was, is_now = before.levels.get(rule.id), now.levels[rule.id]
        if was is not None and was is not is_now and before.profile is now.profile:
            yield f"the level of {rule.id} was {was} and is {is_now}"
        settings = before.settings.get(rule.id, {})
        for name, value in now.settings[rule.id].items():
            if settings.get(name) != value:
                yield differing(f"{name} of {rule.id}", settings.get(name), value)
    was_exempt, is_exempt = ({(e.rule, e.object, e.until) for e in gates.exemptions} for gates in (before, now))
    for rule_id, about, until in sorted(is_exempt - was_exempt):
        yield f"the exemption of {about} from {rule_id} was absent and is until {until.isoformat()}"


def _shown(value: Any) -> str:
    if value is None or value in ((), []):
        return "not set"
    plain = str(value) if isinstance(value, StrEnum) else list(value) if isinstance(value, tuple) else value
    return shown(plain)
