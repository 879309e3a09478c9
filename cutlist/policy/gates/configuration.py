"""`gates:` of a stack file: the environment, levels and settings of rules, exemptions. Mistakes are kept, never ignored.

A part with a mistake counts as absent, so its rule stays as strict as the environment makes it, and the mistake itself is
a violation (GT-01).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems, nearest
from cutlist.policy.gates.bounds import limits_nothing
from cutlist.policy.gates.exemptions import Exemption, is_said, read_exemption
from cutlist.policy.gates.levels import BUILT_IN, PRODUCTION, AnyRule, Level, has_remedy

MEMBERS: Final = ("baseline", "environment", "exemptions", "refuseUnknown", "rules")
ENVIRONMENT_MEMBERS: Final = ("extends", "refuseUnknown", "rules")
LEVEL: Final = "level"
REASON: Final = "reason"
Locate = Callable[[str], Place]


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates of one environment.

    `levels` and `settings` are by rule id. `refuses_unknown` says whether an undetermined mandatory rule stops a change.
    `baseline` is a file with the last plan, or empty. `mistakes` are the parts that could not be read. `base` is the built-in
    environment that this one extends, or is; `lowered` are the rules that would stop a change there but not here, without a
    reason, each with the place that lowers it.
    """

    rules: tuple[AnyRule, ...]
    levels: Mapping[str, Level]
    settings: Mapping[str, Mapping[str, Any]] = field(repr=False)
    environment: str = PRODUCTION
    exemptions: tuple[Exemption, ...] = ()
    refuses_unknown: bool = False
    baseline: str = ""
    mistakes: tuple[Problem, ...] = ()
    base: str = PRODUCTION
    lowered: tuple[tuple[str, Place], ...] = ()

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
    at: Locate,
    environments: Any = None,
    environments_at: Locate | None = None,
) -> Gates:
    """Return the gates as configured: `data` is the value of `gates`, `environments` that of the project's `gateDefaults`.

    `at` finds the place of a path inside either value. Nothing is raised: problems are returned as mistakes.
    """
    reader = _Reader({rule.id: rule for rule in rules}, Problems())
    own = reader.mapping(data, at, "", MEMBERS, "gates")
    defined = reader.environments(environments, environments_at or at)
    name = own.get("environment", PRODUCTION)
    if name not in (*BUILT_IN, *defined):
        known = (*BUILT_IN, *defined)
        reader.problems.add(at(".environment"), f"no environment {name!r}", ", ".join(known), nearest(str(name), known))
        name = PRODUCTION
    state = reader.inherited(str(name), defined, environments_at or at)
    state = reader.applied(state, own, at, "")
    baseline = own.get("baseline", "")
    if not isinstance(baseline, str):
        reader.problems.add(at(".baseline"), f"baseline {baseline!r}", "a file with a plan as JSON")
        baseline = ""
    return Gates(
        tuple(rules),
        state.levels,
        state.settings,
        str(name),
        reader.exemptions(own.get("exemptions"), at),
        state.refuses_unknown,
        baseline,
        tuple(dict.fromkeys(reader.problems.found)),
        state.base,
        tuple(state.lowered.items()),
    )


@dataclass(frozen=True, slots=True)
class _State:
    """The levels and settings read so far, and the rules that were lowered without a reason."""

    levels: dict[str, Level]
    settings: dict[str, dict[str, Any]]
    base: str
    refuses_unknown: bool = False
    lowered: dict[str, Place] = field(default_factory=dict)


_MOST_UNKNOWN: Final = 100  # members that are compared with the known ones, each for some milliseconds


@dataclass(frozen=True, slots=True)
class _Reader:
    rules: Mapping[str, AnyRule]
    problems: Problems

    def mapping(self, data: Any, at: Locate, path: str, members: Sequence[str], what: str) -> Mapping[str, Any]:
        """Return a mapping with the known members; others are reported."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.problems.add(at(path), f"{what} is {data!r}", f"a mapping with {', '.join(members)}")
            return {}
        unknown = [key for key in data if members and key not in members]
        for key in unknown[:_MOST_UNKNOWN]:
            place = at(f"{path}.{key}")
            self.problems.add(place, f"unknown member {key!r}", ", ".join(members), nearest(str(key), members))
        if hidden := unknown[_MOST_UNKNOWN:]:
            self.problems.add(at(path), f"{len(hidden):,} more unknown members", ", ".join(members))
        return data

    def environments(self, data: Any, at: Locate) -> dict[str, Mapping[str, Any]]:
        """Return the environments that a project defines, by name."""
        if data is not None and not isinstance(data, Mapping):
            self.problems.add(at(""), f"gateDefaults is {data!r}", "a mapping of environments")
            return {}
        return {
            str(name): self.mapping(environment, at, f".{name}", ENVIRONMENT_MEMBERS, f"environment {name!r}")
            for name, environment in (data or {}).items()
        }

    def inherited(self, name: str, defined: Mapping[str, Mapping[str, Any]], at: Locate) -> _State:
        """Return the levels and settings of an environment: its own override those of the environment that it extends, down to
        a built-in one."""
        chain: list[str] = []
        while name in defined and name not in chain:
            chain.append(name)
            name = str(defined[name].get("extends", name if name in BUILT_IN else PRODUCTION))
        if name not in BUILT_IN:
            place, known = at(f".{chain[-1]}.extends"), (*BUILT_IN, *defined)
            text = (
                f"environments extend each other: {' > '.join((*chain, name))}" if name in chain else f"no environment {name!r}"
            )
            self.problems.add(place, text, ", ".join(known), "" if name in chain else nearest(name, known))
            name = PRODUCTION
        state = _State(
            {id_: BUILT_IN[name](rule) for id_, rule in self.rules.items()},
            {id_: rule.defaults for id_, rule in self.rules.items()},
            name,
        )
        for ancestor in reversed(chain):
            state = self.applied(state, defined[ancestor], at, f".{ancestor}")
        return state

    def applied(self, state: _State, data: Mapping[str, Any], at: Locate, path: str) -> _State:
        """Return a state overridden by the contents of a mapping."""
        refuses = data.get("refuseUnknown", state.refuses_unknown)
        if not isinstance(refuses, bool):
            self.problems.add(at(f"{path}.refuseUnknown"), f"refuseUnknown {refuses!r}", "true or false")
            refuses = state.refuses_unknown
        levels, settings = dict(state.levels), {id_: dict(held) for id_, held in state.settings.items()}
        lowered = dict(state.lowered)
        for id_, setting in self.mapping(data.get("rules"), at, f"{path}.rules", (), "rules").items():
            here = f"{path}.rules.{id_}"
            if id_ not in self.rules:
                self.problems.add(at(here), f"no rule {id_!r}", "an id of docs/rules.md", nearest(str(id_), self.rules))
                continue
            members, place = (setting, at(f"{here}.{LEVEL}")) if isinstance(setting, Mapping) else ({LEVEL: setting}, at(here))
            self._settings(id_, members, at, here, settings)
            level = self._level(id_, members[LEVEL], place, levels[id_]) if LEVEL in members else levels[id_]
            if level.stops or self._has_reason(members, at(f"{here}.{REASON}")):
                lowered.pop(id_, None)
            elif levels[id_].stops:
                lowered[id_] = place
            levels[id_] = level
        return _State(levels, settings, state.base, refuses, lowered)

    def _has_reason(self, setting: Mapping[str, Any], place: Place) -> bool:
        """Tell whether a setting has a reason; a meaningless reason is reported."""
        written = setting.get(REASON)
        if written is not None and not (isinstance(written, str) and is_said(written)):
            self.problems.add(place, f"{written!r} as reason", "a text that names a person, a team or a reason")
            return False
        return written is not None

    def exemptions(self, data: Any, at: Locate) -> tuple[Exemption, ...]:
        """Return all exemptions that can be read."""
        if data is not None and not isinstance(data, list | tuple):
            self.problems.add(at(".exemptions"), f"exemptions is {data!r}", "a list")
            return ()
        listed = enumerate(data or ())
        exemptions = [read_exemption(exemption, at(f".exemptions[{i}]"), self.rules, self.problems) for i, exemption in listed]
        return tuple(exemption for exemption in exemptions if exemption is not None)

    def _level(self, id_: str, written: Any, place: Place, kept: Level) -> Level:
        rule = self.rules[id_]
        allowed = [str(level) for level in Level if level is not Level.REMEDIATE or has_remedy(rule)]
        if written is False:  # YAML 1.1 reads `off` as false
            return Level.OFF
        if written not in allowed:
            self.problems.add(place, f"level {written!r} of {id_}", ", ".join(allowed), nearest(str(written), allowed))
            return kept
        return Level(written)

    def _settings(
        self, id_: str, written: Mapping[str, Any], at: Locate, here: str, settings: dict[str, dict[str, Any]]
    ) -> None:
        parameters = {p.name: p for p in self.rules[id_].parameters}
        for name, value in written.items():
            if name in (LEVEL, REASON):
                continue
            parameter = parameters.get(name)
            if parameter is None:
                known = (LEVEL, REASON, *parameters)
                self.problems.add(
                    at(f"{here}.{name}"), f"{id_} has no setting {name!r}", ", ".join(known), nearest(str(name), known)
                )
            elif not parameter.accepts(value):
                self.problems.add(at(f"{here}.{name}"), f"{name} of {id_} is {value!r}", parameter.shape.allowed)
            elif (bound := limits_nothing(id_, name, value)) is not None:
                self.problems.add(at(f"{here}.{name}"), f"{name} of {id_} is {value!r}, which limits nothing", bound)
            else:
                settings[id_][name] = value
