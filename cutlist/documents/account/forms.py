"""What a file is that holds no manifests: a template, encrypted, Jsonnet, CUE and others, and what renders it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.ledger import OpenInput
from cutlist.documents.account.packed_files import PACKED, packed_file
from cutlist.documents.beginnings import KARPENTERS, KINDS, beginning_of
from cutlist.documents.files import FILE_SUFFIXES, POINTER, TEMPLATE_SUFFIXES, is_pointer
from cutlist.documents.text.yaml import parse

_TEMPLATE_NAMES: Final = re.compile(r"(^|[._-])(template|tmpl|tpl)\.(ya?ml|json)$")
_OBJECT: Final = re.compile(r"""^[\s\-{]*["']?kind["']?\s*:\s*["']?[A-Z$\[{<]""", re.MULTILINE)
_CUE_OBJECT: Final = re.compile(rf"\bapiVersion\b|\bkind:|#(?:{KINDS})\b", re.MULTILINE)
_BUNDLE: Final = re.compile(r"^bundle\s*:", re.MULTILINE)
"""What a file of CUE is that Timoni installs; the entry of its modules has a name of its own."""
_PLACE_OF_VALUE: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|\$\{[^}\s]*\}", re.DOTALL)
_PROSE: Final = (".md", ".markdown", ".rst", ".adoc")
_SCRIPT_SUFFIXES: Final = (".sh", ".bash", ".zsh", ".fish", ".ksh", ".ps1", ".psm1", ".bat", ".cmd", ".mk")
_SCRIPT_NAMES: Final = frozenset(("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Jenkinsfile", "Tiltfile"))
_INTERPRETED: Final = "#!"
_PLURALS: Final = r"nodepools?|nodeoverlays?|(?:ec2|aks)?nodeclass(?:es)?"
_CHANGES: Final = r"patch|replace|create|edit|scale"
_OF_KARPENTER: Final = re.compile(
    rf"{KARPENTERS.pattern}|\bkubectl\b[^\n]*\b(?:{_CHANGES})\b[^\n]*\b(?:{_PLURALS})\b", re.MULTILINE
)
"""What a script has that applies an object of Karpenter, or changes one."""
_IN_JSON: Final = re.compile(rf"""["']kind["']\s*:\s*["']({KINDS})["']""")
_DIRECTIVE: Final = re.compile(r"^\s*#@|[:-][ \t]+#@", re.MULTILINE)
"""A line of ytt, whose values are comments to a reader of YAML."""
_OF_CI: Final = re.compile(r"(^|/)(\.(github|gitea|forgejo)/(workflows|actions)/|\.circleci/|\.gitlab-ci)")
_ENCRYPTED: Final = re.compile(r"""^\s*["']?sops["']?\s*:""", re.MULTILINE)
_SECRET: Final = re.compile(r"""^[\s{]*["']?kind["']?\s*:\s*["']?(Secret|SecretList|ConfigMap|ksops)["']?""", re.MULTILINE)
_ENCRYPTED_VALUE: Final = "ENC[AES256_GCM,"

TEMPLATE: Final = "template"
TEMPLATES: Final = "templates"
ENCRYPTED: Final = "encrypted"
CONFIGURATION: Final = "of configuration"
OTHERS: Final = "others"
LINKS: Final = "links to folders"
CHART_FILES: Final = "of charts"
POINTERS: Final = "pointers of Git LFS"
KUSTOMIZATIONS: Final = "kustomizations not built"
OF_KUSTOMIZATIONS: Final = "of kustomizations not built"

SCRIPTS: Final = "scripts"
SCRIPT_WHY: Final = "a script that applies or changes objects of Karpenter; pass these as files"
MANIFEST_WHY: Final = "a manifest under another name, which some tools apply; name it, or let it end in .yaml"
TEMPLATE_WHY: Final = "a template that is not rendered; render it first, or pass what it renders"
ENCRYPTED_WHY: Final = "encrypted with SOPS; decrypt it first"


@dataclass(frozen=True, slots=True)
class _Language:
    """A language whose programs make objects: what one has that does, and the command that shows them."""

    name: str
    makes: re.Pattern[str]
    program: str
    command: str


def _language(name: str, library: str, program: str, command: str) -> _Language:
    """Return a language whose programs write the members of objects, or take their types from a library or of Karpenter."""
    makes = rf"\bapiVersion\b|\bkind\s*[:=]|{library}|\b(?:{KINDS})\b"
    return _Language(name, re.compile(makes, re.MULTILINE), program, f"{program} {command}")


_LANGUAGES: Final[Mapping[str, _Language]] = {
    ".dhall": _language("Dhall", r"\bdhall-kubernetes\b", "dhall-to-yaml", "--documents --file"),
    ".k": _language("KCL", r"^\s*import\s+\S*\b(?:k8s|konfig)\b", "kcl", "run"),
    ".ncl": _language("Nickel", r"\bk8s\b", "nickel", "export --format yaml"),
    ".pkl": _language("Pkl", r"\bpkl-k8s\b", "pkl", "eval --format yaml"),
}
"""Languages by the ending of their files. CUE and Jsonnet, whose folders may be those of other tools, are apart."""


@dataclass(frozen=True, slots=True)
class FileForm:
    """What a file is: a word for several of its kind, and what is open if an answer depends on it."""

    form: str
    open: OpenInput | None = None


def form_of(path: str) -> FileForm:
    """Return what a file is that was not read as manifests."""
    name = os.path.basename(path)
    if os.path.isdir(path):
        return FileForm(LINKS)
    text = beginning_of(path) if is_template(name) or name.endswith((*FILE_SUFFIXES, ".cue")) else ""
    if is_of_ci(path):
        return FileForm(CONFIGURATION)
    if is_pointer(text.encode()):
        command = f"git lfs pull --include {path}"
        return FileForm(POINTERS, OpenInput(path, "pointer of Git LFS", POINTER, command))
    if is_encrypted(text):
        kind = None if _SECRET.search(text) or not _OBJECT.search(text) else "encrypted"
        command = f"sops decrypt {path} | cutlist plan -f -"
        return FileForm(ENCRYPTED, OpenInput(path, kind, ENCRYPTED_WHY, command) if kind else None)
    if is_template(name) or (name.endswith(FILE_SUFFIXES) and _PLACE_OF_VALUE.search(text) and _OBJECT.search(text)):
        opened = OpenInput(path, TEMPLATE, TEMPLATE_WHY) if _OBJECT.search(text) else None
        return FileForm(TEMPLATES, opened)
    if name.endswith(FILE_SUFFIXES) and has_directives(text):
        command = f"ytt -f {os.path.dirname(path) or '.'} | cutlist plan -f -"
        opened = OpenInput(path, TEMPLATE, "a template that only ytt renders", command) if _OBJECT.search(text) else None
        return FileForm(TEMPLATES, opened)
    if name.endswith(".cue"):
        return FileForm("CUE", _cue(path, text) if _CUE_OBJECT.search(text) else None)
    if _is_script(path) and _OF_KARPENTER.search(beginning_of(path)):
        return FileForm(SCRIPTS, OpenInput(path, "script", SCRIPT_WHY))
    language = _LANGUAGES.get(os.path.splitext(name)[1])
    if language is not None and language.makes.search(beginning_of(path)):
        why = f"{language.name}, which only {language.program} evaluates"
        opened = OpenInput(path, language.name, why, f"{language.command} {path} | cutlist plan -f -")
        return FileForm(language.name, opened)
    if name.endswith((*FILE_SUFFIXES, *_PROSE)):
        return FileForm(CONFIGURATION if name.endswith(FILE_SUFFIXES) else OTHERS)
    if _is_manifest_of_karpenter(beginning_of(path)):
        return FileForm(OTHERS, OpenInput(path, "manifest", MANIFEST_WHY, f"cutlist plan -f {path}"))
    packed = packed_file(path)
    return FileForm(PACKED if packed else OTHERS, packed)


def is_of_ci(path: str) -> bool:
    """Tell whether a file is of pipelines, by where it lies: Cutlist writes one of these itself."""
    return _OF_CI.search(path) is not None


def _is_script(path: str) -> bool:
    name = os.path.basename(path)
    return name.endswith(_SCRIPT_SUFFIXES) or name in _SCRIPT_NAMES or beginning_of(path).startswith(_INTERPRETED)


def _is_manifest_of_karpenter(text: str) -> bool:
    """Tell whether a text as a whole is manifests with an object of Karpenter, whatever its file is called: YAML, JSON, or an
    object of JSON in each line."""
    if _IN_JSON.search(text) and text.lstrip().startswith("{"):
        return True
    if not KARPENTERS.search(text):
        return False
    problems = Problems()
    values = [document.value for document in parse(text, "", problems) if document.value is not None]
    return not problems and all(isinstance(value, dict) and "kind" in value for value in values)


def _cue(path: str, text: str) -> OpenInput:
    """Return a file of CUE as open, with what renders it: Timoni, if the file is a bundle or in one of its modules."""
    folder = os.path.dirname(path) or os.curdir
    if _BUNDLE.search(text):
        return OpenInput(path, "CUE", "a bundle of Timoni", f"timoni bundle build -f {path} | cutlist plan -f -")
    module = _around(folder, "timoni.cue")
    if module:
        name = os.path.basename(os.path.abspath(module))
        return OpenInput(module, "CUE", "a module of Timoni", f"timoni build {name} {module} | cutlist plan -f -")
    command = f"cue export {'.' if folder == '.' else f'./{folder}'} --out yaml | cutlist plan -f -"
    return OpenInput(path, "CUE", "CUE, which only cue evaluates", command)


def _around(folder: str, name: str) -> str:
    """Return the nearest folder that has a file: this one, or one of those around it in the path; empty without any."""
    while not os.path.isfile(os.path.join(folder, name)):
        if folder in (os.curdir, os.sep):
            return ""
        folder = os.path.dirname(folder) or os.curdir
    return folder


def is_template(name: str) -> bool:
    """Tell whether the name of a file is that of a template."""
    return name.endswith(TEMPLATE_SUFFIXES) or _TEMPLATE_NAMES.search(name) is not None


def has_directives(text: str) -> bool:
    """Tell whether ytt renders a text: its values are not those that a reader of YAML sees."""
    return "#@" in text and _DIRECTIVE.search(text) is not None


def may_be_encrypted(text: str) -> bool:
    """Tell whether a text has a value that SOPS encrypted."""
    return _ENCRYPTED_VALUE in text


def is_encrypted(text: str) -> bool:
    """Tell whether a text was encrypted with SOPS."""
    return _ENCRYPTED_VALUE in text and _ENCRYPTED.search(text) is not None


_SKIPPED: Final = frozenset((".git", ".hg", ".svn", ".terraform", ".terragrunt-cache", "node_modules", "__pycache__", ".venv"))
"""Folders that tools keep for themselves."""


def files_below(folder: str, *, recursive: bool) -> Iterator[str]:
    """Yield the files of a folder, and of its subfolders if asked to, without those that tools keep for themselves.

    Links to folders are not followed, as kubectl does not, and count as files.
    """
    for at, subfolders, names in os.walk(folder):
        names += [name for name in subfolders if os.path.islink(os.path.join(at, name))] if recursive else []
        subfolders[:] = sorted(name for name in subfolders if name not in _SKIPPED) if recursive else []
        yield from (os.path.normpath(os.path.join(at, name)) for name in sorted(names))
