"""The state of a simulation as a file, and the check that a run continues with its own state.

The file is one JSON object, `StateRecord`. Each member, each shared object and each part has its own line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Annotated, Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.instants import instant_text
from cutlist.core.records import Form, InstantText, about, read
from cutlist.core.shapes import Schema, anything, map_of, object_schema
from cutlist.documents.files import file_text
from cutlist.settings.simulate import SAVE, UNTIL
from cutlist.simulation.checkpoint.parts import PARTS, SavedParts
from cutlist.verbs.digests import program_digest

_FORMAT: Final = "cutlist simulation state"
VERSION: Final = 7
"""The version of the form, raised whenever a part, a type, or a member of one is added, renamed or removed."""
_BEGINNING: Final = f'{{\n"format":"{_FORMAT}"'
_CHECKSUM: Final = ',\n"checksum":"'
_END: Final = '"\n}\n'
_WRITTEN: Final = f"a file that `cutlist simulate {UNTIL.flag} {SAVE.flag}` has written"
FACTS: Final = {
    "inputs": "other objects, or other settings of the plan",
    "demand": "other files of demand",
    "events": "other events",
    "typical": "another typical week",
    "gates": "other feature gates",
    "start": "another start",
    "days": "another number of days",
    "seed": "another seed",
}
"""What a run depends on, and how a message says that it is another."""

RunFacts = Mapping[str, str | int | float]
"""What a run depends on: by the names of `FACTS`."""


def _parts_schema() -> Schema:
    parts = {
        name: object_schema({key: {} for key in part.members}, list(part.members), about=part.about)
        for name, part in PARTS.items()
    }
    return object_schema(parts, list(parts), about="What each part of the simulation holds.")


@dataclass(frozen=True, slots=True)
class StateRecord:
    """The state of a simulation, which the same release of Cutlist continues with the same inputs."""

    format: Annotated[str, about("What the file is.")]
    version: Annotated[int, about("The version of this form.")]
    cutlist: Annotated[str, about("The release of Cutlist that wrote it.")]
    program: Annotated[str, about("The digest of the files of that release.")]
    run: Annotated[
        Mapping[str, Any], about("What the run depends on: digests of its inputs and its demand, its start, length and seed.")
    ]
    instant: Annotated[InstantText, about("The instant of the state.")]
    shared: Annotated[Sequence[Any], about("Objects that occur more than once; others refer to them by their positions.")]
    parts: Annotated[Mapping[str, Any], replace(Form.of(map_of(map_of(anything))), schema=_parts_schema())]
    checksum: Annotated[str, about("The SHA-256 of all text before this member.")]


def state_text(parts: SavedParts, run: RunFacts, instant: float) -> str:
    """Return the file that holds the state of a run at an instant: equal states of equal runs are equal texts."""
    members = {
        "version": VERSION,
        "cutlist": version("cutlist"),
        "program": program_digest(),
        "run": dict(run),
        "instant": instant_text(instant),
    }
    shared = ",\n".join(map(_json, parts.shared))
    own = ",\n".join(f'"{name}":{_json(part)}' for name, part in parts.parts.items())
    lines = [_BEGINNING, *(f'"{name}":{_json(value)}' for name, value in members.items())]
    text = ",\n".join([*lines, f'"shared":[\n{shared}\n]', f'"parts":{{\n{own}\n}}'])
    return f"{text}{_CHECKSUM}{_digest(text)}{_END}"


def read_state(path: str, run: RunFacts) -> SavedParts:
    """Return the state of a file. Raises InputError for another or a damaged file, and for one of another Cutlist or run."""
    problems = Problems()
    text = file_text(path, problems)
    problems.raise_if_any()
    place = Place(path)
    state = _record(_whole(text or "", place), place)
    if state.program != program_digest():
        own = f"this Cutlist, {version('cutlist')}: another one may decide otherwise"
        raise InputError.one(place, f"was saved by another Cutlist, {state.cutlist}", own)
    for name, value in run.items():
        saved = state.run.get(name)
        if saved != value:
            difference = f"is of a run with {FACTS[name]}{_values(saved, value)}"
            problems.add(place, difference, "the files and options with which it was saved")
    problems.raise_if_any()
    return SavedParts(list(state.shared), state.parts, path)


def _whole(text: str, place: Place) -> Mapping[str, Any]:
    """Return the members of a file that is whole."""
    if not text.startswith(_BEGINNING):
        raise InputError.one(place, "is not the state of a simulation", _WRITTEN)
    body, _, checksum = text.rpartition(_CHECKSUM)
    if checksum != f"{_digest(body)}{_END}":
        raise InputError.one(place, "is not whole, or was changed: its checksum is wrong", _WRITTEN)
    try:
        data: Mapping[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError.one(place, "is not JSON", _WRITTEN) from None
    return data


def _record(data: Mapping[str, Any], place: Place) -> StateRecord:
    """Return the members of a state. The version comes first: a state of another one has other members."""
    if data.get("version") != VERSION:
        text = f"has version {data.get('version', 'none')} of its format"
        raise InputError.one(place, text, f"version {VERSION}, which this Cutlist writes")
    try:
        return read(StateRecord, data, "the state of a simulation")
    except InputError as error:
        raise InputError([replace(p, place=place.at(p.place.path)) for p in error.problems]) from None


def _values(saved: object, own: object) -> str:
    """Return two values in words where a person can read them."""
    if isinstance(own, str) and len(own) == len(_digest("")):
        return ""
    return f" ({saved or 'none'}, not {own or 'none'})"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
