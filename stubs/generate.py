"""Stubs of the classes that components use, written from the SDKs that are installed: `python -m stubs.generate`.

The SDKs of the clouds take hundreds of megabytes, so a type check that follows them takes minutes. The stubs hold the resources
and functions that are used, and all that their signatures name. Nested inputs are dictionaries here, as components write them.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

SDKS: Final = ("pulumi_aws", "pulumi_azure_native", "pulumi_eks", "pulumi_kubernetes")
HERE: Final = Path(__file__).parent
COMPONENTS: Final = HERE.parent / "components" / "pulumi_cutlist"
HEADER: Final = "# Written by `python -m stubs.generate`. Do not edit.\n"
TYPING: Final = "from collections.abc import Mapping, Sequence\nfrom enum import Enum\n" + (
    "from typing import Any, Literal, NotRequired, Optional, TypedDict, Union\n"
)
_TYPING_NAMES: Final = {
    "Any",
    "Literal",
    "Mapping",
    "NotRequired",
    "Optional",
    "Sequence",
    "Union",
    "bool",
    "float",
    "int",
    "str",
}
_RESOURCES: Final = {"ComponentResource", "CustomResource", "ProviderResource"}
_TOP_LEVEL: Final = re.compile(r"^(?:(?:class|def) (\w+)|@)", re.MULTILINE)  # a decorator ends the definition before it
_IMPORTS: Final = re.compile(r"^(?:from (\.+) import (\w+) as (\w+)|import (pulumi_\w+))$", re.MULTILINE)
_QUOTED_TYPE: Final = re.compile(r"[a-z_0-9]+(\.[a-z_0-9]+)*\.[A-Z]\w+")
_ARGUMENTS: Final = re.compile(r"get_resource_args_opts\((\w+),")


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
    """One file of an SDK. Its definitions are parsed one by one, for some files have a million characters."""

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


def _values(symbol: Symbol) -> list[str]:
    """Return the values of an enumeration, which an SDK takes as well as its members; none for what is no enumeration."""
    definition = source_of(symbol).parse(symbol.name)
    if isinstance(definition, ast.FunctionDef) or not any("Enum" in ast.unparse(base) for base in definition.bases):
        return []
    return [ast.unparse(node.value) for node in definition.body if isinstance(node, ast.Assign)]


class Annotations(ast.NodeTransformer):
    """Writes the annotations of one definition as the stub of its module has them, and notes the symbols that they name."""

    def __init__(self, module: str, source: Source) -> None:
        self.module, self.source = module, source
        self.takes_any_text = False
        self.symbols: set[Symbol] = set()
        self.modules: set[str] = set()

    def text(self, annotation: ast.expr | None) -> str:
        """Return an annotation as text."""
        return "Any" if annotation is None else ast.unparse(self.visit(annotation))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Write a quoted name without quotes."""
        if not isinstance(node.value, str):
            return node
        expression: ast.expr = self.visit(ast.parse(node.value, mode="eval").body)
        return expression

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Write one form for nested inputs: the dictionary."""
        head = ast.unparse(node.value)
        if head == "Literal":
            return node
        if head == "pulumi.InputType":
            inner: ast.expr = self.visit(node.slice)
            return inner
        if head == "Union":
            self.takes_any_text = "_builtins.str" in ast.unparse(node)
            members = dict.fromkeys(ast.unparse(member) for member in self._members(node))
            if any(member.endswith("ArgsDict") for member in members):
                members = {member: None for member in members if not member.startswith("outputs.")}
            self.takes_any_text = False
            return ast.parse(f"Union[{', '.join(members)}]", mode="eval").body
        return ast.Subscript(self.visit(node.value), self.visit(node.slice), node.ctx)

    def _members(self, node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Union" and isinstance(node.slice, ast.Tuple):
            for member in node.slice.elts:
                yield from self._members(member)
        else:
            yield self.visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Write a name of the same package."""
        return node if node.id in _TYPING_NAMES else self._written([node.id])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Write a qualified name."""
        parts = ast.unparse(node).split(".")
        if parts[0] == "pulumi":
            return node
        return ast.Name(parts[1]) if parts[0] == "_builtins" else self._written(parts)

    def _written(self, parts: list[str]) -> ast.expr:
        symbol = self._as_dictionary(self._resolve(parts))
        if not exists(symbol):  # SDKs name types of other packages without an import
            return ast.Name("Any")
        self.symbols.add(symbol)
        values = [] if self.takes_any_text else _values(symbol)
        written = self._qualified(symbol)
        return ast.parse(f"Union[{written}, Literal[{', '.join(values)}]]" if values else written, mode="eval").body

    def _qualified(self, symbol: Symbol) -> str:
        if symbol.module == self.module:
            return symbol.name
        if symbol.module == f"{self.module}.outputs":
            return f"outputs.{symbol.name}"
        self.modules.add(symbol.module)
        return f"{symbol.module}.{symbol.name}"

    def _resolve(self, parts: list[str]) -> Symbol:
        package = self.source.package
        if parts[0] == "outputs":
            return Symbol(f"{package}.outputs", parts[-1])
        if parts[0] in self.source.packages:
            return Symbol(".".join([self.source.packages[parts[0]], *parts[1:-1]]), parts[-1])
        return Symbol(package, parts[-1])

    @staticmethod
    def _as_dictionary(symbol: Symbol) -> Symbol:
        dictionary = Symbol(symbol.module, f"{symbol.name}Dict")
        return dictionary if symbol.name.endswith("Args") and exists(dictionary) else symbol


@dataclass(slots=True)
class Stubs:
    """The stubs of all modules while they are collected."""

    definitions: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    modules: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, symbol: Symbol, *, constructed: bool = False) -> None:
        """Add a symbol and all that its definition names."""
        waiting = [(symbol, constructed)]
        while waiting:
            symbol, constructed = waiting.pop()
            if symbol.name in self.definitions[symbol.module] and not constructed:
                continue
            source = source_of(symbol)
            annotations = Annotations(symbol.module, source)
            self.definitions[symbol.module][symbol.name] = _definition(symbol, source, annotations, constructed=constructed)
            self.modules[symbol.module] |= annotations.modules
            waiting.extend((named, False) for named in sorted(annotations.symbols))

    def files(self) -> dict[str, str]:
        """Return the text of every stub by its path."""
        packages = {module.removesuffix(".outputs") for module in self.definitions}
        packages |= {".".join(parts[:n]) for parts in (p.split(".") for p in packages) for n in range(1, len(parts))}
        files = {}
        for package in packages:
            folder = package.replace(".", "/")
            inner = sorted(p.rpartition(".")[2] for p in packages if p.rpartition(".")[0] == package)
            has_outputs = bool(self.definitions.get(f"{package}.outputs"))
            files[f"{folder}/__init__.pyi"] = self._text(package, [*inner, *(["outputs"] if has_outputs else [])])
            if has_outputs:
                files[f"{folder}/outputs.pyi"] = self._text(f"{package}.outputs", [])
        return dict(sorted(files.items()))

    def _text(self, module: str, members: list[str]) -> str:
        definitions = self.definitions.get(module, {})
        imports = "".join(f"import {other}\n" for other in sorted({"pulumi", *self.modules.get(module, ())}))
        exports = "".join(f"from . import {name} as {name}\n" for name in sorted(members))
        bodies = "\n".join(definitions[name] for name in sorted(definitions))
        return HEADER + (TYPING + imports if definitions else "") + exports + ("\n" + bodies if definitions else "")


def _definition(symbol: Symbol, source: Source, annotations: Annotations, *, constructed: bool) -> str:
    definition = source.parse(symbol.name)
    if isinstance(definition, ast.FunctionDef):
        result = ((definition.returns and ast.unparse(definition.returns)) or "Any").replace("Awaitable", "")
        returned = annotations.text(ast.parse(result, mode="eval").body)
        return f"def {definition.name}({_parameters(definition, annotations)}) -> {returned}: ...\n"
    bases = {ast.unparse(base).rpartition(".")[2] for base in definition.bases}
    if "TypedDict" in bases:
        return _class(definition.name, "TypedDict", _fields(definition, annotations))
    if "Enum" in bases:
        members = [ast.unparse(node) for node in definition.body if isinstance(node, ast.Assign)]
        return _class(
            definition.name, ", ".join(ast.unparse(base).removeprefix("_builtins.") for base in definition.bases), members
        )
    if symbol.name.endswith("Args"):
        return _class(definition.name, "", [f"def __init__(self, {_parameters(_init(definition), annotations)}) -> None: ..."])
    attributes = [f"{name}: {annotations.text(returns)}" for name, returns in _properties(definition)]
    if not bases & _RESOURCES:
        return _class(definition.name, "", attributes)
    base = f"pulumi.{next(iter(bases))}"
    return _class(
        definition.name, base, [*attributes, *([_constructor(definition, source, annotations)] if constructed else [])]
    )


def _class(name: str, base: str, body: list[str]) -> str:
    indented = "\n".join(f"    {line}" for line in body) or "    ..."
    return f"class {name}{f'({base})' if base else ''}:\n{indented}\n"


def _fields(definition: ast.ClassDef, annotations: Annotations) -> list[str]:
    return [
        f"{ast.unparse(n.target)}: {annotations.text(n.annotation)}" for n in definition.body if isinstance(n, ast.AnnAssign)
    ]


def _properties(definition: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    for node in definition.body:
        if isinstance(node, ast.FunctionDef) and any("pulumi.getter" in ast.unparse(d) for d in node.decorator_list):
            yield node.name, node.returns


def _constructor(definition: ast.ClassDef, source: Source, annotations: Annotations) -> str:
    """Return `__init__` with the resource's inputs as keywords, needed where its class of inputs needs them."""
    arguments = _ARGUMENTS.search(source.text[slice(*source.spans[definition.name])])
    if arguments is None:
        return f"def __init__(self, {_parameters(_init(definition), annotations)}) -> None: ..."
    inputs = source.parse(arguments[1])
    assert isinstance(inputs, ast.ClassDef)  # noqa: S101 - the class of inputs
    named = _parameters(_init(inputs), annotations).replace(" resource_name:", " resource_name_:")  # as the SDK has it
    return f"def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., {named}) -> None: ..."


def _init(definition: ast.ClassDef) -> ast.FunctionDef:
    return next(n for n in definition.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")


def _parameters(function: ast.FunctionDef, annotations: Annotations) -> str:
    positional, named = function.args.args, function.args.kwonlyargs
    needed = len(positional) - len(function.args.defaults)
    texts = [
        f"{parameter.arg}: {annotations.text(parameter.annotation)}{'' if index < needed else ' = ...'}"
        for index, parameter in enumerate(positional)
        if parameter.arg not in {"self", "__self__"} and not parameter.arg.startswith("__")
    ]
    named_texts = [
        f"{parameter.arg}: {annotations.text(parameter.annotation)}{'' if default is None else ' = ...'}"
        for parameter, default in zip(named, function.args.kw_defaults, strict=True)
    ]
    return ",\n        ".join([", ".join([*texts, *(["*"] if named_texts else [])]), *named_texts])


def used_symbols(folder: Path = COMPONENTS) -> dict[Symbol, bool]:
    """Return the symbols of SDKs that components name, and for each whether it is named outside of annotations."""
    used: dict[Symbol, bool] = {}
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text())
        aliases = {
            alias.asname or alias.name: alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
            if alias.name in SDKS
        }
        for expression, quoted in _expressions(tree) if aliases else ():
            head, *parts = ast.unparse(expression).split(".")
            symbol = _symbol(aliases[head], parts) if head in aliases else None
            if symbol is not None:
                used[symbol] = used.get(symbol, False) or not quoted
    return used


def _expressions(tree: ast.Module) -> Iterator[tuple[ast.Attribute, bool]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_plain(node):
            yield node, False
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _QUOTED_TYPE.fullmatch(node.value):
            inner = ast.parse(node.value, mode="eval").body
            yield from ((part, True) for part in ast.walk(inner) if isinstance(part, ast.Attribute) and _is_plain(part))


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _symbol(package: str, parts: list[str]) -> Symbol | None:
    """Return the symbol that a chain of attributes ends in; None where it goes on or names a package."""
    while len(parts) > 1 and directory_of(package).joinpath(parts[0]).is_dir():
        package, parts = f"{package}.{parts[0]}", parts[1:]
    return Symbol(package, parts[0]) if len(parts) == 1 and not directory_of(package).joinpath(parts[0]).is_dir() else None


def generate() -> dict[str, str]:
    """Return the text of every stub by its path below this folder."""
    stubs = Stubs()
    for symbol, constructed in sorted(used_symbols().items()):
        if exists(symbol):  # a name that is missing here is an error of the type check
            stubs.add(symbol, constructed=constructed)
    return stubs.files()


def main() -> int:
    """Write the stubs, or with --check tell whether those that are there are current."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a stub is not current")
    check = parser.parse_args().check
    stubs = generate()
    present = {path.relative_to(HERE).as_posix(): path.read_text() for path in HERE.rglob("*.pyi")}
    if check or stubs == present:
        return int(stubs != present)
    for path in present.keys() - stubs.keys():
        (HERE / path).unlink()
    for path, text in stubs.items():
        (HERE / path).parent.mkdir(parents=True, exist_ok=True)
        (HERE / path).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
