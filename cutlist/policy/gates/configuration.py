"""`gates:` of a stack file: the environment, levels and settings of rules, exemptions. Mistakes are kept, never ignored.

A part with a mistake counts as absent, so its rule stays as strict as the environment makes it, and the mistake itself is
a violation (GT-01).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.shapes import (
    Located,
    Paths,
    Report,
    Ruled,
    Shape,
    SoundFields,
    SoundList,
    SoundMap,
    boolean,
    matching,
    shown,
    values,
)
from cutlist.policy.gates.bounds import limits_nothing
from cutlist.policy.gates.exemptions import RULE_IDS, SAID, Exemption, exemption
from cutlist.policy.gates.levels import BUILT_IN, PRODUCTION, AnyRule, Level, built_in_level, has_remedy
from cutlist.policy.rules.parameters import Parameter
from cutlist.policy.rules.profile import Grade, Profile, Severity

_LEVEL: Final = "level"
_REASON: Final = "reason"
_PROFILE: Final = values(list(map(str, Profile)))
_PLAN_FILE: Final = matching("[^\\0]*", "the path of a file", "a file with a plan as JSON")


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates of one environment.

    `levels` and `settings` are by rule id; levels begin with those of the `profile`. `refuses_unknown` says whether an
    undetermined mandatory rule stops a change. `baseline` is a file with the last plan, or empty. `mistakes` are the parts that
    could not be read. `base` is the built-in environment that this one extends, or is; `lowered` are the rules that would stop
    a change there but not here, without a reason, each with the place that lowers it. `chosen` are the rules whose level is
    written, which then holds for all that breaks them.
    """

    rules: tuple[AnyRule, ...]
    levels: Mapping[str, Level]
    settings: Mapping[str, Mapping[str, Any]] = field(repr=False)
    environment: str = PRODUCTION
    profile: Profile = Profile.START
    exemptions: tuple[Exemption, ...] = ()
    refuses_unknown: bool = False
    baseline: str = ""
    mistakes: tuple[Problem, ...] = ()
    base: str = PRODUCTION
    lowered: tuple[tuple[str, Place], ...] = ()
    chosen: frozenset[str] = frozenset()

    def level_of(self, rule: AnyRule, grade: Grade | None = None) -> Level:
        """Return the level of a rule, or of a violation of it that is less grave than others."""
        if grade is None or rule.id in self.chosen or not self.levels[rule.id].stops:
            return self.levels[rule.id]
        if grade is Severity.ADVISORY:
            return Level.ADVISORY
        return built_in_level(replace(rule, profile=grade), self.profile, self.base)

    @property
    def on(self) -> tuple[AnyRule, ...]:
        """Return the rules that are not switched off."""
        return tuple(rule for rule in self.rules if self.levels[rule.id] is not Level.OFF)

    @property
    def off(self) -> tuple[str, ...]:
        """Return the rules that are switched off."""
        return tuple(rule.id for rule in self.rules if self.levels[rule.id] is Level.OFF)


def read_gates(
    data: Any,
    rules: Sequence[AnyRule],
    where: Located | None = None,
    environments: Any = None,
    environments_where: Located | None = None,
    profile: Profile | None = None,
) -> Gates:
    """Return the gates as configured: `data` is the value of `gates`, `environments` that of the project's `gateDefaults`.

    `where` they are says the place of a path inside either value. A `profile` comes before the one that is written. Nothing is
    raised: problems are returned as mistakes.
    """
    problems = Problems()
    report = Report(where or Paths(), problems)
    names = (*BUILT_IN, *(map(str, environments) if isinstance(environments, Mapping) else ()))
    shared = {"profile": _PROFILE, "refuseUnknown": boolean, "rules": _of_rules(rules)}
    exemptions = SoundList(exemption([rule.id for rule in rules]))
    members = {"baseline": _PLAN_FILE, "environment": values(names), "exemptions": exemptions, **shared}
    own = SoundFields({}, members, member="a member of gates")(data, "", report)
    project = report if environments_where is None else Report(environments_where, problems)
    environment = SoundFields({}, {"extends": values(names), **shared}, member="a member of an environment")
    defined = SoundMap(environment)(environments, "", project)
    name = own.get("environment", PRODUCTION)
    base, chain = _inherited(name, defined, project)
    written_profiles = [written["profile"] for written in (*chain, own) if "profile" in written]
    chosen = profile or Profile([Profile.START, *written_profiles][-1])
    levels = {rule.id: built_in_level(rule, chosen, base) for rule in rules}
    state = _State(levels, {rule.id: rule.defaults for rule in rules}, {}, frozenset(), refuses_unknown=False)
    for written in (*chain, own):
        state = state.applied(written)
    return Gates(
        tuple(rules),
        state.levels,
        state.settings,
        name,
        chosen,
        own.get("exemptions", ()),
        state.refuses_unknown,
        own.get("baseline", ""),
        tuple(problems.found),
        base,
        tuple(state.lowered.items()),
        frozenset(state.chosen),
    )


def _inherited(name: str, defined: Mapping[str, Mapping[str, Any]], report: Report) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the built-in environment that one comes down to, and what is written for those in between, the nearest last."""
    chain: list[str] = []
    while name in defined and name not in chain:
        chain.append(name)
        name = defined[name].get("extends", name if name in BUILT_IN else PRODUCTION)
    if name not in BUILT_IN:
        ring = " > ".join((*chain, name))
        report.add(f"{chain[-1]}.extends", f"environments extend each other: {ring}", ", ".join((*BUILT_IN, *defined)))
        name = PRODUCTION
    return name, [defined[each] for each in reversed(chain)]


@dataclass(frozen=True, slots=True)
class _State:
    """The levels and settings read so far, the rules whose levels are written, and those lowered without a reason."""

    levels: Mapping[str, Level]
    settings: Mapping[str, Mapping[str, Any]]
    lowered: Mapping[str, Place]
    chosen: frozenset[str]
    refuses_unknown: bool

    def applied(self, written: Mapping[str, Any]) -> _State:
        """Return the state overridden by what is written for an environment."""
        levels, settings, lowered, chosen = dict(self.levels), dict(self.settings), dict(self.lowered), set(self.chosen)
        for id_, members in written.get("rules", {}).items():
            parameters = {name: value for name, value in members.items() if name not in (_LEVEL, _REASON)}
            settings[id_] = {**settings[id_], **parameters}
            level, place = members.get(_LEVEL, (levels[id_], None))
            if level.stops or _REASON in members:
                lowered.pop(id_, None)
            elif levels[id_].stops:
                lowered[id_] = place
            levels[id_] = level
            chosen |= {id_} if _LEVEL in members else set()
        return _State(levels, settings, lowered, frozenset(chosen), written.get("refuseUnknown", self.refuses_unknown))


def _of_rules(rules: Sequence[AnyRule]) -> Shape:
    """Return the shape of what is written for rules: their levels, reasons for them, and settings, by id."""
    return SoundFields({}, {rule.id: _of_rule(rule) for rule in rules}, member="a rule", names=RULE_IDS)


def _of_rule(rule: AnyRule) -> Shape:
    settings = {parameter.name: _setting(rule.id, parameter) for parameter in rule.parameters}
    return SoundFields({}, {_LEVEL: _level(rule), _REASON: SAID, **settings}, member="a setting of this rule", short=_LEVEL)


def _level(rule: AnyRule) -> Shape:
    """Return the shape of a level, which is read together with its place."""
    allowed = [level for level in Level if level is not Level.REMEDIATE or has_remedy(rule)]
    words = values(list(map(str, allowed)))

    def read(value: Any, path: str, report: Report) -> Any:
        name = Level.OFF if value is False else value  # YAML 1.1 reads `off` as false
        words(name, path, report)
        return next((level for level in allowed if level == name), None), report.document.at(path)

    return Ruled(read, words.schema, words.words)


def _setting(rule: str, parameter: Parameter) -> Shape:
    """Return the shape of a setting whose value limits something. It stays as it is written."""

    def check(value: Any, path: str, report: Report) -> Any:
        before = len(report.problems.found)
        parameter.shape(value, path, report)
        if len(report.problems.found) == before and (bound := limits_nothing(rule, parameter.name, value)) is not None:
            report.add(path, f"{shown(value)} limits nothing", bound)
        return value

    return Ruled(check, parameter.schema())
