"""By what a change is judged: the gates, documents and settings of an earlier revision, which the change cannot edit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents import collect_documents
from cutlist.documents.revisions import at_revision
from cutlist.settings.gate import GATES_DIGEST
from cutlist.verbs.gate.gate_changes import gate_changes
from cutlist.verbs.gate.own_documents import OF_JUDGE, JudgedBy, is_own
from cutlist_cli.diff_sides import Call, as_it_was

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutlist.policy.gates import Gates
    from cutlist_cli.input_options import InputOptions


@dataclass(frozen=True, slots=True)
class JudgeThen:
    """The gates, settings and documents by which files are judged."""

    gates: Gates
    settings: Mapping[str, Any]
    by: JudgedBy


def judge_at(
    revision: str, options: InputOptions, environment: str | None, gates_file: str | None, read: Callable[[str | None], Gates]
) -> JudgeThen:
    """Return by what files are judged as a revision of git has it, with a finding for each difference from the present.

    A file of gates that is not there yet counts as it is, since there is nothing else. `read` reads a file of gates. Raises
    InputError for a revision that there is not.
    """
    now = read(gates_file)
    with at_revision(revision) as root:
        then = as_it_was(Call((), options, revision, (), None, None, environment), root)
        is_there = gates_file is not None and os.path.isfile(gates_file)
        gates = replace(earlier := read(gates_file), mistakes=(*earlier.mistakes, *now.mistakes)) if is_there else now
        files = [file for file in then.options.files if os.path.exists(file)]
        documents = collect_documents(files, Problems(allow_empty=True), None, then.options.reading, Notes())
    before, present = then.options.settings, options.settings
    pairs = ((name, before.get(name), present.get(name)) for name in OF_JUDGE)
    edited = tuple((name, was, is_now) for name, was, is_now in pairs if (was or None) != (is_now or None))
    said = tuple(gate_changes(gates, now, gates_file)) if gates_file is not None else ()
    others = {name: value for name, value in present.items() if name not in OF_JUDGE}
    own_settings = {name: value for name, value in before.items() if name in OF_JUDGE}
    own = tuple(document for document in documents if is_own(document))
    return JudgeThen(gates, {**others, **own_settings}, JudgedBy(base=own, said=said, edited=edited))


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
