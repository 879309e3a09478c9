"""Modules of Terraform and OpenTofu: their variables, locals, resources and the modules of this checkout that they call."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from glob import glob
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.unknown import LATE, UNKNOWN
from cutlist.documents.beginnings import beginning_of
from cutlist.documents.folders import CONFIGURATIONS
from cutlist.documents.terraform.effort import Effort
from cutlist.documents.terraform.hcl.expressions import Scope
from cutlist.documents.terraform.hcl.functions import call
from cutlist.documents.terraform.hcl.json_syntax import blocks_in_json, is_json
from cutlist.documents.terraform.hcl.parsing import Block, Tree, blocks_of, parse
from cutlist.documents.terraform.hcl.templates import pairs_of

_DEEPEST: Final = 8
_MOST_INSTANCES: Final = 10_000
"""How many instances of a block a `count` may ask for."""
_SEPARATOR: Final = re.compile(r"^---.*$", re.MULTILINE)
_LOCAL: Final = ("./", "../")
_DATA: Final = ("kubectl_path_documents", "kubectl_filename_list", "kubectl_file_documents")
_REPEATED: Final = frozenset(("count", "for_each"))
_FILES: Final = frozenset(("file", "fileset", "templatefile", "fileexists", "filebase64"))


class Lazy(Mapping[str, Any]):
    """Values by name, each evaluated when it is asked for; one that depends on itself, or is too large, is unknown."""

    def __init__(self, names: Mapping[str, Callable[[], Any]], effort: Effort) -> None:
        self._names = names
        self._effort = effort
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            make = self._names[name]
            self._known[name] = UNKNOWN
            value = make()
            self._known[name] = value if self._effort.holds(value) else UNKNOWN
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class Resource:
    """An instance of a resource: its address, where its block is, and the values of its members.

    `unknown` says why there may be more or fewer of it, if that is not known. `folders` are those of the root module, where
    relative paths begin, and of its own.
    """

    address: str
    type: str
    file: str
    line: int
    values: Mapping[str, Any]
    unknown: str = ""
    folders: tuple[str, str] = ("", "")

    def located(self, written: str) -> str:
        """Return where a path in its values leads."""
        return _located(written, self.folders)


@dataclass(slots=True)
class Module:
    """A folder with the files of a module, and what its caller gives it. `read` has the other files that it reads.

    `root` is the folder of the module that no other one calls: Terraform runs there, so relative paths begin there.
    """

    folder: str
    given: Mapping[str, Any]
    problems: Problems
    read: set[str]
    prefix: str = ""
    depth: int = 0
    root: str | None = None
    effort: Effort = field(default_factory=Effort)
    _blocks: list[tuple[str, Block]] = field(default_factory=list)
    _scope: Scope | None = None
    _called: dict[str, list[tuple[Any, Module]] | None] = field(default_factory=dict)

    def load(self) -> Module:
        """Read the files, and return the module."""
        names = sorted(os.listdir(self.folder or os.curdir)) if os.path.isdir(self.folder or os.curdir) else []
        for name in names:
            path = os.path.join(self.folder, name)
            if name.endswith(CONFIGURATIONS):
                self._blocks += [(path, block) for block in self._read(path)]
        return self

    def _read(self, path: str) -> Iterable[Block]:
        if is_json(path):
            return blocks_in_json(path, self.problems)
        body = parse(beginning_of(path), path, self.problems)
        return blocks_of(body) if body is not None else ()

    def resources(self) -> Iterator[Resource]:
        """Yield the instances of the resources of this module and of those that it calls."""
        for file, block in self._of("resource"):
            if len(block.words) > 2:
                address = f"{self.prefix}{block.words[1]}.{block.words[2]}"
                for suffix, bound, unknown in self._instances(block):
                    values = self._members(block, bound)
                    folders = self._root, self.folder
                    yield Resource(f"{address}{suffix}", block.words[1], file, block.line, values, unknown, folders)
        for name in [block.words[1] for _, block in self._of("module") if len(block.words) > 1]:
            for _, module in self._modules(name) or ():
                yield from module.resources()

    def switched_off(self) -> Iterator[Resource]:
        """Yield the resources of this module, and of those that it calls, that have no instance; without values."""
        for file, block in self._of("resource"):
            if len(block.words) > 2 and not self._instances(block):
                yield Resource(f"{self.prefix}{block.words[1]}.{block.words[2]}", block.words[1], file, block.line, {})
        for name in [block.words[1] for _, block in self._of("module") if len(block.words) > 1]:
            for _, module in self._modules(name) or ():
                yield from module.switched_off()

    def written(self, kind: str, type_: re.Pattern[str], member: str) -> Iterator[tuple[str, Any]]:
        """Yield what a member is in the blocks of a kind, such as `provider`, and type: where it is written, and its value.
        A provider with an alias is for single resources, and left out."""
        for file, block in self._of(kind):
            members = block.attributes
            if member in members and "alias" not in members and len(block.words) > 1 and type_.fullmatch(block.words[1]):
                yield f"{'.'.join(block.words[1:])} ({file}:{block.line})", self._evaluated(members[member])

    def remote_calls(self) -> Iterator[Resource]:
        """Yield the calls of modules from elsewhere, by this module and those that it calls; their source is the type."""
        for file, block in self._of("module"):
            source = self._evaluated(block.attributes.get("source"))
            if len(block.words) < 2 or not isinstance(source, str) or source.startswith(_LOCAL):
                continue
            address = f"{self.prefix}module.{block.words[1]}"
            for suffix, bound, unknown in self._instances(block):
                folders = self._root, self.folder
                yield Resource(f"{address}{suffix}", source, file, block.line, self._members(block, bound), unknown, folders)
        for name in [block.words[1] for _, block in self._of("module") if len(block.words) > 1]:
            for _, module in self._modules(name) or ():
                yield from module.remote_calls()

    def outputs(self) -> Lazy:
        """Return what the module gives to its caller."""
        blocks = {block.words[1]: block.attributes.get("value") for _, block in self._of("output") if len(block.words) > 1}
        return Lazy({name: self._later(node) for name, node in blocks.items() if node is not None}, self.effort)

    def local_sources(self) -> Iterator[str]:
        """Yield the folders of the modules of this checkout that it calls."""
        for _, block in self._of("module"):
            source = self._evaluated(block.attributes.get("source"))
            if isinstance(source, str) and source.startswith(_LOCAL):
                yield os.path.normpath(os.path.join(self.folder, source))

    @property
    def _root(self) -> str:
        return self.folder if self.root is None else self.root

    def _path(self, written: str) -> str:
        return _located(written, (self._root, self.folder))

    def _of(self, kind: str) -> list[tuple[str, Block]]:
        return [(file, block) for file, block in self._blocks if block.words[0] == kind]

    @property
    def scope(self) -> Scope:
        """Return what the names of the module stand for."""
        if self._scope is None:
            declared = {block.words[1]: block for _, block in self._of("variable") if len(block.words) > 1}
            variables = {name: self._variable(name, block) for name, block in declared.items()}
            written = [item for _, block in self._of("locals") for item in block.attributes.items()]
            modules = {block.words[1] for _, block in self._of("module") if len(block.words) > 1}
            folder = self.folder or "."
            names = {
                "var": Lazy(variables, self.effort),
                "local": Lazy({name: self._later(node) for name, node in written}, self.effort),
                "module": Lazy({name: self._outputs_later(name) for name in modules}, self.effort),
                "data": {type_: Lazy(self._data(type_), self.effort) for type_ in _DATA},
                "path": {"module": folder, "root": self._root or ".", "cwd": self._root or "."},
            }
            self._scope = Scope(self._objects() | names, self._call, self.effort)
        return self._scope

    def _objects(self) -> dict[str, Lazy]:
        """Return what is written of objects of Kubernetes that are one each, by type and name: an apply keeps it as it is."""
        by_type: dict[str, dict[str, Callable[[], Any]]] = {}
        for _, block in self._of("resource"):
            if len(block.words) > 2 and block.words[1].startswith("kubernetes_") and not _REPEATED & block.attributes.keys():
                by_type.setdefault(block.words[1], {})[block.words[2]] = partial(self._members, block, {})
        return {type_: Lazy(names, self.effort) for type_, names in by_type.items()}

    def _data(self, type_: str) -> dict[str, Callable[[], Any]]:
        """Return what data sources of the kubectl provider read from files, by name."""
        blocks = {block.words[2]: block for _, block in self._of("data") if block.words[1:2] == (type_,)}
        return {name: self._documents_later(block) for name, block in blocks.items()}

    def _documents_later(self, block: Block) -> Callable[[], Any]:
        def documents() -> Any:
            members = self._members(block, {})
            if "content" in members:
                texts = [members["content"]]
            else:
                pattern = members.get("pattern")
                paths = sorted(glob(self._path(pattern))) if isinstance(pattern, str) else None
                if paths is None:
                    return UNKNOWN
                if block.words[1] == "kubectl_filename_list":
                    return {"matches": paths}
                texts = [self._call("templatefile", [path, members.get("vars", {})]) for path in paths]
            if any(not isinstance(text, str) for text in texts):
                return UNKNOWN
            parts = [part.strip() + "\n" for text in texts for part in _SEPARATOR.split(text) if part.strip()]
            return {"documents": parts, "manifests": {str(index): part for index, part in enumerate(parts)}}

        return documents

    def _variable(self, name: str, block: Block) -> Callable[[], Any]:
        if name in self.given:
            return lambda: self.given[name]
        return self._later(block.attributes.get("default"))

    def _later(self, node: Tree | None) -> Callable[[], Any]:
        return lambda: self._evaluated(node)

    def _outputs_later(self, name: str) -> Callable[[], Any]:
        def outputs() -> Any:
            modules = self._modules(name)
            if modules is None:
                return UNKNOWN
            by_key = {key: module.outputs() for key, module in modules}
            return by_key.get(None, by_key)

        return outputs

    def _evaluated(self, node: Tree | None, bound: Mapping[str, Any] | None = None) -> Any:
        if node is None:
            return UNKNOWN
        scope = self.scope
        return (scope if not bound else replace(scope, names={**scope.names, **bound})).evaluate(node)

    def _instances(self, block: Block) -> list[tuple[str, Mapping[str, Any], str]]:
        """Return the instances of a block: the suffix of the address, the names that each binds, and what is unknown."""
        attributes = block.attributes
        for member in ("for_each", "count"):
            node = attributes.get(member)
            if node is None:
                continue
            value = self._evaluated(node)
            if member == "count" and isinstance(value, int):
                if value > _MOST_INSTANCES:
                    return [("", {}, f"count is {value:,}, and up to {_MOST_INSTANCES:,} are read")]
                return [(f"[{index}]", {"count": {"index": index}}, "") for index in range(value)]
            if member == "for_each" and isinstance(value, Mapping | list):
                return [(f'["{key}"]', {"each": {"key": key, "value": item}}, "") for key, item in _each(value)]
            return [("", {}, f"{member} {LATE}")]
        return [("", {}, "")]

    def _members(self, block: Block, bound: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a block: its attributes, and a list of those of the blocks below by name."""
        values = {name: self._evaluated(node, bound) for name, node in block.attributes.items()}
        for below in block.blocks:
            is_dynamic = below.words[0] == "dynamic"
            name = below.words[-1] if is_dynamic else below.words[0]
            made = self._generated(below, bound) if is_dynamic else [self._members(below, bound)]
            if made is None:
                values[name] = UNKNOWN
            elif values.get(name) is not UNKNOWN:
                values[name] = [*values.get(name, []), *made]
        return values

    def _generated(self, block: Block, bound: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        """Return the values of the blocks that a dynamic one makes; None if it is not known how many there are."""
        items = self._evaluated(block.attributes.get("for_each"), bound)
        content = [below for below in block.blocks if below.words[0] == "content"]
        if not isinstance(items, Mapping | list) or len(content) != 1 or "iterator" in block.attributes:
            return None
        named = ({block.words[-1]: {"key": key, "value": item}} for key, item in _each(items))
        return [self._members(content[0], {**bound, **of}) for of in named]

    def _modules(self, name: str) -> list[tuple[Any, Module]] | None:
        """Return the instances of a module that is called, by key; None if it or its number is not known."""
        if name not in self._called:
            self._called[name] = None
            block = next(block for _, block in self._of("module") if block.words[1] == name)
            self._called[name] = self._instantiated(name, block)
        return self._called[name]

    def _instantiated(self, name: str, block: Block) -> list[tuple[Any, Module]] | None:
        source = self._evaluated(block.attributes.get("source"))
        if not isinstance(source, str) or not source.startswith(_LOCAL) or self.depth >= _DEEPEST:
            return None
        folder = os.path.normpath(os.path.join(self.folder, source))
        modules: list[tuple[Any, Module]] = []
        for suffix, bound, unknown in self._instances(block):
            if unknown or not self.effort.takes_module():
                return None
            given = {member: self._evaluated(node, bound) for member, node in block.attributes.items()}
            prefix = f"{self.prefix}module.{name}{suffix}."
            module = Module(folder, given, self.problems, self.read, prefix, self.depth + 1, self._root, self.effort).load()
            key = bound["each"]["key"] if "each" in bound else bound["count"]["index"] if "count" in bound else None
            modules.append((key, module))
        return modules

    def _call(self, name: str, arguments: list[Any]) -> Any:
        """Return what a function gives; those of files read below the checkout."""
        if name not in _FILES:
            return call(name, arguments)
        if name == "fileset":
            is_known = len(arguments) == 2 and all(isinstance(argument, str) for argument in arguments)
            return _fileset(self._path(arguments[0]), arguments[1]) if is_known else UNKNOWN
        if not arguments or not isinstance(arguments[0], str):
            return UNKNOWN
        path = self._path(arguments[0])
        if not os.path.isfile(path):
            return False if name == "fileexists" else UNKNOWN
        if name == "templatefile" and len(arguments) > 1:
            self.read.add(path)
            return self.scope.rendered(beginning_of(path), arguments[1]) if isinstance(arguments[1], Mapping) else UNKNOWN
        if name == "file":
            self.read.add(path)
            return beginning_of(path)
        return True if name == "fileexists" else UNKNOWN


def _each(items: Mapping[str, Any] | list[Any]) -> list[tuple[Any, Any]]:
    """Return the keys and values that a `for_each` goes through; an item of a list is its own key."""
    return pairs_of(items) if isinstance(items, Mapping) else [(item, item) for item in items]


def _located(written: str, folders: tuple[str, str]) -> str:
    """Return where a path leads: one that is relative, and does not begin with what `path` names, begins at the root module's
    folder, which is the first."""
    if os.path.isabs(written) or any(folder and _begins(written, folder) for folder in folders):
        return os.path.normpath(written)
    return os.path.normpath(os.path.join(folders[0], written))


def _begins(path: str, folder: str) -> bool:
    """Tell whether a path begins with a folder, as both are written."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _fileset(folder: str, pattern: str) -> list[str]:
    """Return the files below a folder that match a pattern, as paths from there."""
    return sorted(path for path in glob(pattern, root_dir=folder, recursive=True) if os.path.isfile(os.path.join(folder, path)))
