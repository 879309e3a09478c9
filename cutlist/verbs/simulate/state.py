"""The state of a simulation as a file, and the check that a run continues with its own state. The file is one JSON object; each
member and each entry of `objects` has its own line:

    format, version     what it is
    cutlist, program    the version of Cutlist that wrote it, and the digest of its files: another one may decide otherwise
    run                 what the run depends on: digests of its inputs and its demand, its start, length and seed
    classes, objects, state
                        the parts of the simulation (cutlist/simulation/checkpoint/objects.py has the form)
    checksum            of all lines before it
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.documents import file_text
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.verbs.digests import program_digest

_FORMAT: Final = "cutlist simulation state"
_VERSION: Final = 2
_BEGINNING: Final = f'{{\n"format":"{_FORMAT}"'
_CHECKSUM: Final = ',\n"checksum":"'
_END: Final = '"\n}\n'
_WRITTEN: Final = "a file that `cutlist simulate --until --save` has written"
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


def state_text(parts: SavedParts, run: RunFacts) -> str:
    """Return the file that holds a state of a run: equal states of equal runs are equal texts."""
    members = {
        "version": _VERSION,
        "cutlist": version("cutlist"),
        "program": program_digest(),
        "run": dict(run),
        "classes": parts.classes,
    }
    lines = [_BEGINNING, *(f'"{name}":{_json(value)}' for name, value in members.items())]
    entries = ",\n".join(_json(entry) for entry in parts.objects)
    text = ",\n".join([*lines, f'"objects":[\n{entries}\n]', f'"state":{_json(parts.state)}'])
    return f"{text}{_CHECKSUM}{_digest(text)}{_END}"


def read_state(path: str, run: RunFacts) -> SavedParts:
    """Return the state of a file. Raises InputError for another or a damaged file, and for one of another Cutlist or run."""
    problems = Problems()
    text = file_text(path, problems)
    problems.raise_if_any()
    place = Place(path)
    data = _checked(text or "", place)
    if data["version"] != _VERSION:
        raise InputError.one(
            place, f"has version {data['version']} of its format", f"version {_VERSION}, which this Cutlist writes"
        )
    if data["program"] != program_digest():
        own = f"this Cutlist, {version('cutlist')}: another one may decide otherwise"
        raise InputError.one(place, f"was saved by another Cutlist, {data['cutlist']}", own)
    for name, value in run.items():
        saved = data["run"].get(name)
        if saved != value:
            text = f"is of a run with {FACTS[name]}{_values(saved, value)}"
            problems.add(place, text, "the files and options with which it was saved")
    problems.raise_if_any()
    return SavedParts(data["classes"], data["objects"], data["state"])


def _checked(text: str, place: Place) -> Mapping[str, Any]:
    """Return the members of a file that is whole."""
    if not text.startswith(_BEGINNING):
        raise InputError.one(place, "is not the state of a simulation", _WRITTEN)
    body, _, checksum = text.rpartition(_CHECKSUM)
    if checksum != f"{_digest(body)}{_END}":
        raise InputError.one(place, "is not whole, or was changed: its checksum is wrong", _WRITTEN)
    data: Mapping[str, Any] = json.loads(text)
    return data


def _values(saved: object, own: object) -> str:
    """Return two values in words where a person can read them."""
    if isinstance(own, str) and len(own) == len(_digest("")):
        return ""
    return f" ({saved or 'none'}, not {own or 'none'})"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
