"""Environments that other programs render: stacks of Pulumi, and those of helmfiles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from shlex import quote

from cutlist.core.ledger import Environment
from cutlist.core.wording import first_of
from cutlist.documents.account.helmfile import Helmfile, piped
from cutlist.documents.environments import planned
from cutlist.documents.folders import Reading
from cutlist.documents.input_files import Paths
from cutlist.documents.pulumi_stacks import PulumiStack
from cutlist.settings.planning import HELMFILE_ENVIRONMENT, RECURSIVE
from cutlist.settings.stack import PROJECT_DIR, STACK


def of_stacks(stacks: Iterable[PulumiStack]) -> tuple[Environment, ...]:
    """Return the stacks of Pulumi projects."""
    return tuple(_of_stack(stack) for stack in stacks)


def _of_stack(stack: PulumiStack) -> Environment:
    is_here = os.path.normpath(stack.project) == os.curdir
    folder = "" if is_here else f" {PROJECT_DIR.flag} {quote(stack.project)}"
    command = f"cutlist preview {STACK.flag} {stack.name}{folder}"
    what = f"stack of {os.path.join('' if is_here else stack.project, 'Pulumi.yaml')}"
    return Environment(stack.name, what, command, stack=stack.name, project=stack.project)


def of_helmfiles(helmfiles: Iterable[Helmfile], named: Paths, reading: Reading) -> tuple[Environment, ...]:
    """Return the environments of helmfiles with several, if none is chosen: those of one name are one environment. Where the
    installed helmfile may be run, each has the command with which Cutlist runs it, else that of helmfile."""
    by_name: dict[str, list[Helmfile]] = {}
    for helmfile in (of for of in helmfiles if len(of.environments) > 1 and not reading.helmfile):
        for name in helmfile.environments:
            by_name.setdefault(name, []).append(helmfile)
    return tuple(_of_helmfiles(name, of, [os.fspath(path) for path in named], reading) for name, of in by_name.items())


def _of_helmfiles(name: str, helmfiles: Sequence[Helmfile], files: Sequence[str], reading: Reading) -> Environment:
    what = f"environment of {first_of([helmfile.path for helmfile in helmfiles], 2)}"
    if reading.helmfile is not None:
        return planned(name, what, files, {RECURSIVE: reading.recursive, HELMFILE_ENVIRONMENT: name})
    return Environment(name, what, piped([helmfile.rendering(name) for helmfile in helmfiles]))
