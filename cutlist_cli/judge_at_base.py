"""By what a change is judged: the gates, documents and settings of an earlier revision, which the change cannot edit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.documents import collect_documents
from cutlist.documents.revisions import at_revision
from cutlist.settings.gate import GATES_DIGEST
from cutlist.verbs.gate.gate_changes import gate_changes, setting_changes
from cutlist.verbs.gate.own_documents import JudgedBy, is_own
from cutlist_cli.diff_sides import Call, as_it_was
from cutlist_cli.project_settings import PROJECT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutlist.policy.gates import Gates
    from cutlist_cli.input_options import InputOptions

_OF_JUDGE: Final = (
    *("catalog", "external_classes", "feature_gates", "overhead_profile", "paid", "paid_as", "replicas", "scheduler_config"),
    "zones",
)
"""The settings that say what a plan costs, and not which cluster it is of."""


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
        gates = read(gates_file) if is_there else now
        files = [file for file in then.options.files if os.path.exists(file)]
        documents = collect_documents(files, Problems(allow_empty=True), None, then.options.reading, Notes())
    earlier = {name: value for name, value in then.options.settings.items() if name in _OF_JUDGE}
    present = {name: value for name, value in options.settings.items() if name in _OF_JUDGE}
    said = [
        *(gate_changes(gates, now, gates_file) if gates_file is not None else ()),
        *setting_changes(earlier, present, PROJECT_FILE),
    ]
    others = {name: value for name, value in options.settings.items() if name not in _OF_JUDGE}
    own = tuple(document for document in documents if is_own(document))
    return JudgeThen(gates, {**others, **earlier}, JudgedBy(base=own, said=tuple(said)))


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
