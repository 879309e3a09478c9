"""Workflows that gate each change of a repository: one for GitHub, one for GitLab, for what is in the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.documents.text.writing import flow_text
from cutlist.settings.new import SOURCE

CHECKOUT: Final = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2"
PYTHON: Final = "actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0"
"""The actions of GitHub that workflows use."""
_SOURCE: Final = re.compile(r"(https://[A-Za-z0-9.-]+(?::\d+)?/[A-Za-z0-9._/-]+?)(?:\.git)?@([A-Za-z0-9._/-]+)")
_GITHUB: Final = re.compile(r"https://github\.com/([A-Za-z0-9-]+/[A-Za-z0-9._-]+)")
PLACEHOLDER: Final = "OWNER/cutlist@COMMIT"
"""What stands where no source is known."""
_TEMPLATE: Final = "tools/integrations/gitlab/cutlist.yml"


@dataclass(frozen=True, slots=True)
class Source:
    """Where pipelines take Cutlist from: the address of its repository, and the commit or tag."""

    address: str
    revision: str

    @classmethod
    def of(cls, text: str) -> Source:
        """Return the source that a text such as `https://github.com/acme/cutlist@4f1c0de` names. Raises InputError for another
        text."""
        match = _SOURCE.fullmatch(text)
        if match is None:
            allowed = "an address with a commit, such as https://github.com/acme/cutlist@4f1c0de"
            raise InputError.one(Place.of(SOURCE), f"{text!r} is not an address with a revision", allowed)
        return cls(match[1], match[2])


@dataclass(frozen=True, slots=True)
class Judged:
    """What a pipeline judges: environments of the project's file, else stacks, else all of the repository. `folder` has the
    project, relative to the root of the repository."""

    environments: tuple[str, ...] = ()
    stacks: tuple[str, ...] = ()
    folder: str = "."

    @property
    def key(self) -> str:
        """Return what one of several is called; empty if all of the repository is judged at once."""
        return "environment" if self.environments else "stack" if self.stacks else ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of what is judged, one by one."""
        return self.environments or self.stacks


def github_workflow(judged: Judged, source: Source | None) -> str:
    """Return a workflow for GitHub that gates each pull request; without a source, a line of it is to be filled in.

    Raises InputError for a source that is not on GitHub, from which no action can be taken.
    """
    return "".join(f"{line}\n" for line in _github_lines(judged, _action(source)))


def gitlab_pipeline(judged: Judged, source: Source | None) -> str:
    """Return a configuration for GitLab that gates each merge request; without a source, lines of it are to be filled in."""
    return "".join(f"{line}\n" for line in _gitlab_lines(judged, source))


def lines_to_fill(text: str) -> list[int]:
    """Return the numbers of the lines of a pipeline that name no source yet."""
    return [number for number, line in enumerate(text.splitlines(), 1) if "OWNER" in line or "COMMIT" in line]


def _action(source: Source | None) -> str:
    if source is None:
        return PLACEHOLDER
    match = _GITHUB.fullmatch(source.address)
    if match is None:
        message = f"{source.address} is not on github.com, where workflows take actions from"
        raise InputError.one(Place.of(SOURCE), message, "such as https://github.com/acme/cutlist@4f1c0de")
    return f"{match[1]}@{source.revision}"


def _github_lines(judged: Judged, action: str) -> Iterator[str]:
    is_matrix = len(judged.names) > 1
    yield "# What a pull request changes in nodes and price and why, and whether the gates let it through: one comment on it."
    yield from ("name: Cutlist", "on: pull_request", "permissions: {contents: read, pull-requests: write}")
    yield "concurrency: {group: 'cutlist-${{ github.ref }}', cancel-in-progress: true}"
    yield from ("jobs:", "  gate:", "    runs-on: ubuntu-latest")
    if is_matrix:
        yield from ("    strategy:", "      fail-fast: false", "      matrix:")
        yield f"        {judged.key}: {flow_text(list(judged.names))}"
    yield from ("    steps:", f"      - uses: {CHECKOUT}")
    yield from (f"      - uses: {PYTHON}", "        with: {python-version: '3.13'}")
    yield f"      - uses: {action}"
    inputs = [] if judged.folder == "." else [f"project-dir: {flow_text(judged.folder)}"]
    if is_matrix:
        inputs += [f"{judged.key}: ${{{{ matrix.{judged.key} }}}}", "page: cutlist-${{ strategy.job-index }}"]
    elif judged.key:
        inputs.append(f"{judged.key}: {flow_text(judged.names[0])}")
    if inputs:
        yield from ("        with:", *(f"          {line}" for line in inputs))


def _raw(address: str) -> str:
    """Return where the files of a repository are served, below which come the revision and the path."""
    match = _GITHUB.fullmatch(address)
    return f"{address}/-/raw" if match is None else f"https://raw.githubusercontent.com/{match[1]}"


def _gitlab_lines(judged: Judged, source: Source | None) -> Iterator[str]:
    address, revision = ("OWNER/cutlist", "COMMIT") if source is None else (source.address, source.revision)
    yield "# What a merge request changes in nodes and price and why, and whether the gates let it through: one note on it."
    yield "# The note needs a masked variable CUTLIST_TOKEN with a token of scope api."
    yield from ("include:", f"  - remote: {_raw(address)}/{revision}/{_TEMPLATE}")
    yield from ("variables:", f"  CUTLIST_SOURCE: {address}.git", f"  CUTLIST_REVISION: {flow_text(revision)}")
    if judged.folder != ".":
        yield f"  CUTLIST_PROJECT_DIR: {flow_text(judged.folder)}"
    if not judged.key:
        return
    variable = f"CUTLIST_{judged.key.upper()}"
    if len(judged.names) == 1:
        yield f"  {variable}: {flow_text(judged.names[0])}"
    else:
        yield from ("cutlist-gate:", "  parallel:", "    matrix:", f"      - {variable}: {flow_text(list(judged.names))}")
