"""By what a change is judged: the gates, documents and settings of an earlier revision, which the change cannot edit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents.collecting import collect_documents
from cutlist.documents.revisions import RevisionCopy
from cutlist.policy.gates import Judgement
from cutlist.policy.rules import Profile
from cutlist.settings.gate import GATES, GATES_DIGEST, PROFILE
from cutlist.settings.planning import FETCHING, FILES
from cutlist.settings.validate import KUBERNETES
from cutlist.verbs.gate.edited_settings import edited_settings
from cutlist.verbs.gate.gate_changes import differing, gate_changes, not_there, of_judge
from cutlist.verbs.gate.own_documents import OF_JUDGE, JudgedBy, is_own
from cutlist_cli.diff_sides import Call, as_it_was, settings_of_project
from cutlist_cli.setting_options import on_the_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutlist.core.setting import Setting
    from cutlist.policy.gates import Gates
    from cutlist_cli.input_options import InputOptions

    Read = Callable[[str | None, Profile | None], Gates]

_ASIDE: Final = (GATES, PROFILE, KUBERNETES, *FETCHING)
"""Settings of a project's file that say nothing of a plan, or that have words of their own here."""


@dataclass(frozen=True, slots=True)
class GatesChosen:
    """The file of gates and the profile that a call or the project's file names."""

    file: str | None
    profile: str | None

    def read(self, read: Read) -> Gates:
        """Return the gates."""
        return read(self.file, None if self.profile is None else Profile(self.profile))


@dataclass(frozen=True, slots=True)
class JudgeThen:
    """The gates, settings and documents by which files are judged."""

    gates: Gates
    settings: Mapping[str, Any]
    by: JudgedBy


def judge_at(
    copy: RevisionCopy,
    options: InputOptions,
    environment: str | None,
    own: Mapping[str, Any],
    chosen: GatesChosen,
    read: Read,
) -> JudgeThen:
    """Return by what files are judged as an earlier revision has it, with a finding for each difference from the present.

    The copy has to stay as long as the settings are used. What the command line names counts; a file of gates that was not
    there yet counts as it is, since there is nothing else. `read` reads a file of gates under a profile.
    """
    now = chosen.read(read)
    call = Call((), options, copy.revision, (), None, None, environment, own)
    with copy.working() as root:
        there = settings_of_project(root, call)
        if there is None:  # nothing was said yet, or nothing of this environment
            there = settings_of_project(root, replace(call, environment=None)) or {}
        then = as_it_was(call, root, there)
        chosen_then = _chosen_then(chosen, there)
        is_there = chosen_then.file is None or os.path.isfile(chosen_then.file)
        gates = replace(earlier := chosen_then.read(read), mistakes=(*earlier.mistakes, *now.mistakes)) if is_there else now
        files = [file for file in then.options.files if os.path.exists(file)]
        documents = collect_documents(files, Problems(allow_empty=True), None, then.options.reading, Notes())
    present = options.settings
    edited = edited_settings(then.options.settings, present, copy)
    settings = {**present, **{each.name: each.counted for each in edited}}
    said = [*_of_gates(chosen_then, chosen, is_there=is_there), *(gate_changes(gates, now, chosen.file or "gates"))]
    said += _of_project(there, settings_of_project(None, call))
    by = JudgedBy(
        base=tuple(document for document in documents if is_own(document)),
        said=tuple(said),
        edited=edited,
        is_edited=copy.is_edited,
    )
    return JudgeThen(gates, settings, by)


def _chosen_then(chosen: GatesChosen, there: Mapping[Setting, Any]) -> GatesChosen:
    """Return the gates that the project's file names at the base, unless the command line names some."""
    line = on_the_line(click.get_current_context(), (GATES, PROFILE))
    return GatesChosen(
        chosen.file if GATES in line else there.get(GATES), chosen.profile if PROFILE in line else there.get(PROFILE)
    )


def _of_gates(then: GatesChosen, now: GatesChosen, *, is_there: bool) -> Iterator[Judgement]:
    """Yield what is to say of another file of gates, and of one that is not at the base."""
    if then.file != now.file:
        yield of_judge(GATES.key, Place(), differing(GATES.key, then.file, now.file), counts_as_is=not is_there)
    elif not is_there and now.file is not None:
        yield not_there(now.file)


def _of_project(then: Mapping[Setting, Any], now: Mapping[Setting, Any] | None) -> Iterator[Judgement]:
    """Yield what a change does to the settings of the project's file that say what is judged; they count as they are."""
    present = now or {}
    for setting in dict.fromkeys((*then, *present)):
        was, is_now = then.get(setting), present.get(setting)
        if setting in _ASIDE or setting.name in OF_JUDGE or was == is_now:
            continue
        if setting == FILES and set(was or ()) <= set(is_now or ()):
            continue  # more files are judged
        yield of_judge("settings", Place(), differing(setting.key, was, is_now), counts_as_is=True)


def require_digest(file: str | None, digest: str | None) -> None:
    """Raise InputError unless the file of gates is the one that was pinned."""
    if digest is None:
        return
    if file is None:
        raise InputError.one(Place.of(GATES_DIGEST), "no file of gates is named", "a file of gates")
    try:
        with open(file, "rb") as opened:
            found = hashlib.sha256(opened.read()).hexdigest()
    except OSError:
        return  # which reading it reports
    if found != digest.removeprefix("sha256:").lower():
        raise InputError.one(Place(file), f"has the SHA-256 {found}, and not the one that is pinned", f"the file with {digest}")
