"""Programs that make objects of Kubernetes: those of Pulumi, CDK and cdk8s, and the command that shows what each makes.

A program counts as one that makes objects if its sources name a library or a type of Kubernetes. Nothing is run to find out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.ledger import Ledger, OpenInput
from cutlist.documents.account.forms import is_template
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.commands import option_words
from cutlist.documents.input_files import is_in
from cutlist.settings.stack import PROJECT_DIR, STACK

PULUMI: Final = ("Pulumi.yaml", "Pulumi.yml")
_SOURCES: Final = (".py", ".ts", ".js", ".mjs", ".go", ".java", ".kt", ".cs", ".fs", ".yaml")
_MOST: Final = 500
"""Sources of a program that are searched, in the order of their names: a program that makes objects says so in one of them."""
_OF_PULUMI: Final = re.compile(
    r"pulumi[_./-]{1,2}(?:sdk/v\d+/go/)?(?:kubernetes|eks)\b"  # packages of Python, Node.js and Go
    r"|Pulumi\.(?:Kubernetes|Eks)\b"  # namespaces of .NET
    r"|com\.pulumi\.(?:kubernetes|eks)\b"
    r"|type:\s*[\"']?(?:kubernetes|eks):"  # YAML
    r"|\bnew (?:\w+\.)*(?:eks\.(?:NodeGroup|Cluster)|containerservice\.\w+)\b"  # node groups in TypeScript and C#
    r"|\beks\.New(?:NodeGroup|Cluster)\b|\bcontainerservice\.New\w+"  # and in Go
)
_OF_CDK: Final = re.compile(r"aws[-_]eks\b|Amazon\.CDK\.AWS\.EKS\b|services\.eks\b|KubernetesManifest\b")
_RUNTIME: Final = re.compile(r"^runtime:[ \t]*(?:(?:\n\s+|\{\s*)name:[ \t]*)?[\"']?(\w+)", re.MULTILINE)
_STACK: Final = re.compile(r"^Pulumi\.(.+)\.ya?ml$")
_PYTHON: Final = "python"


@dataclass(frozen=True, slots=True)
class _Program:
    """What marks a program, the name of its kind, which of its sources make objects, and how it is left open."""

    marker: tuple[str, ...]
    form: str
    makes: re.Pattern[str] | None
    opened: Callable[[str, Sequence[str]], tuple[str, str]]
    is_written: Callable[[str, Iterable[str]], bool] = lambda _folder, _read: False


def leave_programs_open(files: Sequence[str], read: Iterable[str], ledger: Ledger) -> set[str]:
    """Leave each program open whose objects are not among the files; return the real paths of the files that mark one.

    `read` are the real paths of files that were read: what a program wrote into one of them is known.
    """
    taken: set[str] = set()
    names = {path: os.path.basename(path) for path in files}
    for program in _PROGRAMS:
        for path in (path for path, name in names.items() if name in program.marker):
            folder = os.path.dirname(path)
            if program.is_written(folder, read) or not _makes_objects(program.makes, folder, files):
                continue
            why, command = program.opened(folder, files)
            real = os.path.realpath(path)
            ledger.is_open(real, program.form)
            ledger.leave_open(OpenInput(path, program.form, why, command))
            taken.add(real)
    return taken


def _makes_objects(pattern: re.Pattern[str] | None, folder: str, files: Iterable[str]) -> bool:
    """Tell whether one of a program's sources names what makes objects of Kubernetes."""
    if pattern is None:
        return True
    own = sorted(path for path in files if path.endswith(_SOURCES) and is_in(path, folder))
    return any(pattern.search(beginning_of(path)) for path in own[:_MOST])


def _pulumi(folder: str, files: Sequence[str]) -> tuple[str, str]:
    """Return why a program of Pulumi is open, and the command that runs it, with the first of its stacks: Cutlist's own for one
    in Python that has a stack, since only these run without an account."""
    mark = next(path for path in files if os.path.dirname(path) == folder and os.path.basename(path) in PULUMI)
    runtime = _RUNTIME.search(beginning_of(mark))
    own = (os.path.basename(path) for path in files if os.path.dirname(path) == folder)
    stacks = [match[1] for name in own if (match := _STACK.match(name)) and not is_template(name)]
    why = f"a program of Pulumi{f' ({runtime[1]})' if runtime else ''}, whose objects only a run of it knows"
    if len(stacks) > 1:
        why += f", with the stacks {', '.join(stacks)}"
    if runtime is not None and runtime[1] == _PYTHON and stacks:
        return why, " ".join(("cutlist preview", *option_words({PROJECT_DIR: folder or os.curdir, STACK: stacks[0]})))
    chosen = f" -s {stacks[0]}" if stacks else ""
    return why, f"pulumi preview --cwd {folder or os.curdir}{chosen}"


def _cdk(folder: str, _files: Sequence[str]) -> tuple[str, str]:
    synth = f"(cd {folder} && cdk synth)" if folder else "cdk synth"
    return "an app of CDK, which only cdk synthesizes", f"{synth} && cutlist plan -f {os.path.join(folder, 'cdk.out')}"


def _cdk8s(folder: str, _files: Sequence[str]) -> tuple[str, str]:
    synth = f"(cd {folder} && cdk8s synth --stdout)" if folder else "cdk8s synth --stdout"
    return "an app of cdk8s, which only cdk8s synthesizes", f"{synth} | cutlist plan -f -"


def _wrote(ending: str) -> Callable[[str, Iterable[str]], bool]:
    """Return what tells whether a program wrote a file with an ending below its folder that was read."""

    def is_written(folder: str, read: Iterable[str]) -> bool:
        real = os.path.realpath(folder or os.curdir)
        return any(path.endswith(ending) and path.startswith(real + os.sep) for path in read)

    return is_written


_PROGRAMS: Final = (
    _Program(PULUMI, "Pulumi", _OF_PULUMI, _pulumi),
    _Program(("cdk.json",), "CDK", _OF_CDK, _cdk, _wrote(".template.json")),
    _Program(("cdk8s.yaml",), "cdk8s", None, _cdk8s, _wrote(".k8s.yaml")),
)
