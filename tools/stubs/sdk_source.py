"""The installed SDKs, read as text: which file defines a symbol, and its definition. No SDK is imported."""

from __future__ import annotations

import ast
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_TOP_LEVEL: Final = re.compile(r"^(?:(?:class|def) (\w+)|@)", re.MULTILINE)  # a decorator ends the definition before it
_IMPORTS: Final = re.compile(r"^(?:from (\.+) import (\w+) as (\w+)|import (pulumi_\w+))$", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A class or function of an SDK. Its module is the package that exports it, or that package's `outputs`."""

    module: str
    name: str

    @property
    def package(self) -> str:
        """Return the package that exports the symbol."""
        return self.module.removesuffix(".outputs")


@dataclass(frozen=True, slots=True)
class Source:
    """One file of an SDK. Its definitions are parsed one by one, because some files have a million characters."""

    package: str
    text: str
    spans: dict[str, tuple[int, int]]
    packages: dict[str, str]

    def parse(self, name: str) -> ast.ClassDef | ast.FunctionDef:
        """Return the definition of a name."""
        start, end = self.spans[name]
        definition = ast.parse(self.text[start:end]).body[0]
        assert isinstance(definition, ast.ClassDef | ast.FunctionDef)  # noqa: S101 - spans begin with class or def
        return definition


@cache
def directory_of(package: str) -> Path:
    """Return the folder of an SDK's package, without an import of the SDK."""
    sdk, *parts = package.split(".")
    spec = importlib.util.find_spec(sdk)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{sdk} is not installed")
    return Path(spec.origin).parent.joinpath(*parts)


@cache
def read_source(path: Path, package: str) -> Source:
    """Return a file of an SDK with the places of its definitions."""
    text = path.read_text()
    matches = list(_TOP_LEVEL.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    spans = {match[1]: (match.start(), end) for match, end in zip(matches, ends, strict=False) if match[1]}
    packages = {}
    for dots, name, alias, absolute in _IMPORTS.findall(text):
        if absolute:
            packages[absolute] = absolute
        else:
            above = package.split(".")[: len(package.split(".")) - len(dots) + 1]
            packages[alias] = ".".join([*above, name])
    return Source(package, text, spans, packages)


@cache
def source_of(symbol: Symbol) -> Source:
    """Return the file that defines a symbol. Raises LookupError when no file does."""
    folder = directory_of(symbol.package)
    if symbol.module.endswith(".outputs"):
        return read_source(folder / "outputs.py", symbol.package)
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", symbol.name).lower()
    likely = [folder / f"{stem}.py" for stem in ("_inputs", "_enums", symbol.name, snake, snake.removesuffix("_output"))]
    for path in (*likely, *sorted(folder.glob("*.py"))):
        if path.is_file() and symbol.name in (source := read_source(path, symbol.package)).spans:
            return source
    raise LookupError(f"no {symbol.name} in {symbol.module}")


def exists(symbol: Symbol) -> bool:
    """Tell whether an SDK defines a symbol."""
    try:
        return symbol.name in source_of(symbol).spans
    except (LookupError, FileNotFoundError):
        return False
