"""Packages of Pulumi's SDKs, imported by need: a service's package imports the module of a class when the class is asked for.

The package of EC2 imports 180 modules, of which a program uses ten: that is more than everything else that a program does. Only
packages that do nothing but import names of their own modules are imported by need, and they hold the same names: whatever
is not found where its name suggests, and whatever looks at all names, has the whole package imported in its own order.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_SDK: Final = re.compile(r"pulumi_\w+\.[\w.]+")
_GENERATED: Final = "*** Do not edit by hand unless you're certain you know what you are doing! ***"
_STAR: Final = re.compile(r"from \.(\w+) import \*")
_ORDINARY: Final = re.compile(r"#.*|import builtins as _builtins|import typing|from \.+ import _utilities|")
_OUTPUTS: Final = "from . import outputs"
_NAMES: Final = re.compile(r"(?:Awaitable)?(\w+?)(?:ArgsDict|Args|Result|_output)?")
_INPUTS: Final = "_inputs"
_ENUMS: Final = "_enums"
_PARTS: Final = "__parts__"


class _Package(ModuleType):
    """A package that imports its modules when their names are asked for. `__parts__` are the modules, in its own order."""

    def __getattr__(self, name: str) -> Any:
        """Return what the package has under a name, for which its module is imported."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        for part in _candidates(name, self.__dict__[_PARTS]):
            module = importlib.import_module(f"{self.__name__}.{part}")
            if name in self.__dict__:
                return self.__dict__[name]
            if part == name:
                return module  # which is being imported, and imports itself
        _import_all(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Take a module that was imported as the package's own import would: with the names that it exports."""
        super().__setattr__(name, value)
        if isinstance(value, ModuleType) and self.__dict__[_PARTS].get(name):
            self.__dict__.update(_exported(value))

    def __dir__(self) -> list[str]:
        """Return all names of the package."""
        _import_all(self)
        return sorted(self.__dict__)


class _Loader(Loader):
    """A loader of a package of an SDK, by need where the package does nothing but import its own modules."""

    def __init__(self, loader: Any, origin: str) -> None:
        self._loader: Final = loader
        self._origin: Final = origin

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to the ordinary loader."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Make the package one that imports by need; all that its own code would do besides is to import its SDK."""
        parts = _parts(Path(self._origin).read_text(encoding="utf-8"))
        if not parts:
            self._loader.exec_module(module)
            return
        utilities = importlib.import_module(f"{module.__name__.partition('.')[0]}._utilities")
        module.__dict__.update(_builtins=importlib.import_module("builtins"), typing=importlib.import_module("typing"))
        module.__dict__.update({"_utilities": utilities, _PARTS: parts})
        module.__class__ = _Package

    def __getattr__(self, name: str) -> Any:
        """Return what the ordinary loader says of the package, such as its source."""
        return getattr(self._loader, name)


class _Finder(MetaPathFinder):
    """The finder of the packages of SDKs, whose files are read when they are imported; all others are left to other finders."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a package is, with the loader that imports it by need if it can."""
        spec = PathFinder.find_spec(fullname, path, target) if _SDK.fullmatch(fullname) else None
        if spec is None or not spec.origin:
            return None
        if spec.submodule_search_locations is None:
            return None
        spec.loader = _Loader(spec.loader, spec.origin)
        return spec


@contextlib.contextmanager
def by_need() -> Iterator[None]:
    """Import the packages of SDKs by need while the block runs."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def _parts(source: str) -> dict[str, bool]:
    """Return the modules that a package imports in order, and of which it takes all names; none if it does anything else."""
    if _GENERATED not in source:
        return {}
    parts: dict[str, bool] = {}
    for line in source.splitlines():
        star = _STAR.fullmatch(line)
        if star is not None:
            parts[star[1]] = True
        elif line == _OUTPUTS:
            parts["outputs"] = False
        elif not _ORDINARY.fullmatch(line):
            return {}
    return parts


def _candidates(name: str, parts: Mapping[str, bool]) -> Iterator[str]:
    """Yield the modules that a name may be of: one of its own name, in any spelling, then the one of nested inputs."""
    if name in parts:
        yield name
    match = _NAMES.fullmatch(name)
    wanted = {_plain(name), _plain(match[1])} if match else set()
    yield from (part for part in parts if part != name and _plain(part) in wanted)
    if _INPUTS in parts and name.endswith(("Args", "ArgsDict")):
        yield _INPUTS
    if _ENUMS in parts:
        yield _ENUMS


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _exported(module: ModuleType) -> dict[str, Any]:
    names = module.__dict__.get("__all__") or [name for name in module.__dict__ if not name.startswith("_")]
    return {name: getattr(module, name) for name in names}


def _import_all(package: ModuleType) -> None:
    """Import all modules of a package and take their names, in its own order."""
    parts = package.__dict__[_PARTS]
    package.__class__ = ModuleType
    modules = {part: importlib.import_module(f"{package.__name__}.{part}") for part in parts}
    for part, takes_names in parts.items():
        package.__dict__.update(_exported(modules[part]) if takes_names else {part: modules[part]})
