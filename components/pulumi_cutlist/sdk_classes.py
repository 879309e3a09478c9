"""Modules of nested types of Pulumi's SDKs, whose classes are made by need.

`_inputs`, `outputs` and `_enums` of a service hold the nested types of all its resources: 1,236 classes for EC2, of which a
program uses a tenth. Their compiled files are read as ever; a class statement is carried out when something asks for its
class. Only files in the generators' own form are taken so: imports and `__all__`, then nothing but classes.
"""

from __future__ import annotations

import builtins
import importlib
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from cutlist.core.values import dataclass

ENUMS: Final = "_enums"
INPUTS: Final = "_inputs"
TYPES: Final = (ENUMS, "outputs", INPUTS)
_TOP_LEVEL: Final = re.compile(r"^[^\s#].*$", re.MULTILINE)
_DECORATOR: Final = re.compile(r'@(pulumi\.(?:input_type|output_type|type_token\("[^"]*"\)))')
_CLASS: Final = re.compile(r"class (\w+)(?:\(([\w., ]+)\))?:")
_FIRST: Final = re.compile(r"^(?:@|class )", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 300
"""Characters of an annotation; longer texts are documentation."""
_PENDING: Final = "__pending__"
_NAMES: Final = "__names__"
_STARRED: Final = "__starred__"
_LOCK: Final = threading.RLock()


class _Importing(threading.local):
    """The package of which a thread imports a module that is given the names which it mentions: its stars need not add any."""

    package = ""


_IMPORTING: Final = _Importing()


@dataclass(frozen=True, slots=True)
class _Statement:
    """A class statement: the code of its body, and the text of its decorators and bases."""

    body: CodeType
    decorators: tuple[str, ...]
    bases: str

    def carried_out(self, name: str, namespace: dict[str, Any]) -> Any:
        """Return the class that the statement makes in a module."""
        bases = eval(f"({self.bases},)", namespace) if self.bases else ()  # noqa: S307 - text of the module itself
        made = builtins.__build_class__(FunctionType(self.body, namespace, name), name, *bases)
        for decorator in reversed(self.decorators):
            made = eval(decorator, namespace)(made)  # noqa: S307 - text of the module itself
        return made


class TypesModule(ModuleType):
    """A module whose classes are made when something asks for them."""

    def __getattr__(self, name: str) -> Any:
        """Return a class that is not made yet; or `__all__`, for which all are made."""
        if name == "__all__":
            return [] if self.__name__.rpartition(".")[0] == _IMPORTING.package else self.make_all()
        with _LOCK:
            namespace = self.__dict__
            statement = namespace[_PENDING].pop(name, None)
            if statement is not None:
                namespace[name] = statement.carried_out(name, namespace)
                _fill(namespace, statement.body, namespace[_STARRED])
            elif name not in namespace:
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
            return namespace[name]

    def __dir__(self) -> list[str]:
        """Return all names."""
        self.make_all()
        return sorted(self.__dict__)

    def holds(self, name: str) -> bool:
        """Tell whether the module exports a class, made or not."""
        return name in self.__dict__[_NAMES]

    def make_all(self) -> list[str]:
        """Make all classes, and return their names."""
        names = self.__dict__[_NAMES]
        for name in names:
            getattr(self, name)
        return list(names)


class _OfSdk(Loader):
    """A loader of a module of a service, in place of the ordinary one."""

    def __init__(self, loader: Any) -> None:
        self._loader: Final = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to the ordinary loader."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def __getattr__(self, name: str) -> Any:
        """Return what the ordinary loader says of the module, such as its source."""
        return getattr(self._loader, name)


class TypesLoader(_OfSdk):
    """A loader of a module of nested types, by need if it has the generators' form."""

    def exec_module(self, module: ModuleType) -> None:
        """Carry out what stands before the classes, and keep their statements."""
        code, source = self._loader.get_code(module.__name__), Path(self._loader.path).read_text(encoding="utf-8")
        statements, namespace = _statements(source, code), module.__dict__
        if statements:
            starred = _starred(code, module.__name__)
            with given_names(module.__name__.rpartition(".")[0]):
                exec(compile(_before_classes(source), self._loader.path, "exec"), namespace)  # noqa: S102 - as an import does
            names = dict.fromkeys(namespace.pop("__all__", ()))
            if names.keys() == statements.keys():
                namespace.update({_PENDING: statements, _NAMES: names, _STARRED: (module, *starred)})
                module.__class__ = TypesModule
                return
        exec(code, namespace)  # noqa: S102 - as the ordinary loader does


class PartLoader(_OfSdk):
    """A loader of a module of a service that takes nested types by a star: only those are made that it mentions."""

    def exec_module(self, module: ModuleType) -> None:
        """Carry out the module with the names that it mentions; others are found when something asks the module for them."""
        code, namespace = self._loader.get_code(module.__name__), module.__dict__
        starred = _starred(code, module.__name__)
        if not starred:
            exec(code, namespace)  # noqa: S102 - as the ordinary loader does
            return

        def taken(name: str) -> Any:
            for of in starred:
                if of.holds(name):
                    return getattr(of, name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        _fill(namespace, code, starred)
        namespace["__getattr__"] = taken
        with given_names(module.__name__.rpartition(".")[0]):
            exec(code, namespace)  # noqa: S102 - as an import does


@contextmanager
def given_names(package: str) -> Iterator[None]:
    """Let a star give modules of a package no names meanwhile; with an empty name each star gives all."""
    before, _IMPORTING.package = _IMPORTING.package, package
    try:
        yield
    finally:
        _IMPORTING.package = before


def _before_classes(source: str) -> str:
    first = _FIRST.search(source)
    return source[: first.start()] if first else source


def _statements(source: str, code: CodeType) -> dict[str, _Statement]:
    """Return the class statements of a module by name; none if it has another form."""
    bodies = [const for const in code.co_consts if isinstance(const, CodeType)]
    by_name = {body.co_name: body for body in bodies if not body.co_freevars}
    statements: dict[str, _Statement] = {}
    decorators: list[str] = []
    for line in _TOP_LEVEL.findall(source, len(_before_classes(source))):
        if decorator := _DECORATOR.fullmatch(line):
            decorators.append(decorator[1])
        elif (found := _CLASS.fullmatch(line)) and found[1] in by_name:
            statements[found[1]] = _Statement(by_name[found[1]], tuple(decorators), found[2] or "")
            decorators = []
        else:
            return {}
    return statements if len(statements) == len(bodies) else {}


def _starred(code: CodeType, module: str) -> tuple[TypesModule, ...]:
    """Return the modules of types beside a module that its code takes all names of, as far as they are made by need."""
    package = module.rpartition(".")[0]
    beside = (importlib.import_module(f"{package}.{name}") for name in (ENUMS, INPUTS) if name in code.co_names)
    return tuple(of for of in beside if isinstance(of, TypesModule))


def _fill(namespace: dict[str, Any], code: CodeType, starred: Sequence[TypesModule]) -> None:
    """Put the types that code mentions, such as in its annotations, into the namespace that it is carried out in."""
    for word in _mentioned(code):
        for of in starred:
            if of.holds(word) and word not in namespace:
                namespace[word] = getattr(of, word)


def _mentioned(code: CodeType) -> Iterator[str]:
    """Yield the words of code that may be names of types, and of all code in it."""
    yield from code.co_names
    yield from _words_of(code.co_consts)


def _words_of(constants: tuple[object, ...]) -> Iterator[str]:
    """Yield the words of constants; from Python 3.12 on, annotations that are all text are one tuple."""
    for const in constants:
        if isinstance(const, CodeType):
            yield from _mentioned(const)
        elif isinstance(const, tuple):
            yield from _words_of(const)
        elif isinstance(const, str) and const.isidentifier():
            yield const
        elif isinstance(const, str) and "[" in const and len(const) < _LONGEST:
            yield from _WORD.findall(const)
