"""Stubs of the classes that components use, written from the installed SDKs: `python -m tools.stubs.generate`.

The SDKs of the clouds take hundreds of megabytes, so a type check that follows them takes minutes. The stubs hold the resources
and functions that are used, and all that their signatures name. Nested inputs are dictionaries here, as components write them.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.stubs.definitions import Annotations, definition_text
from tools.stubs.sdk_source import Symbol, directory_of, exists, source_of

SDKS: Final = ("pulumi_aws", "pulumi_azure_native", "pulumi_eks", "pulumi_kubernetes")
HERE: Final = Path(__file__).parent
COMPONENTS: Final = HERE.parents[1] / "components" / "pulumi_cutlist"
HEADER: Final = "# Written by `python -m tools.stubs.generate`. Do not edit.\n"
TYPING: Final = "from collections.abc import Mapping, Sequence\nfrom enum import Enum\n" + (
    "from typing import Any, Literal, NotRequired, Optional, TypedDict, Union\n"
)
_QUOTED_TYPE: Final = re.compile(r"[a-z_0-9]+(\.[a-z_0-9]+)*\.[A-Z]\w+")


@dataclass(slots=True)
class Stubs:
    """The stubs of all modules while they are collected."""

    definitions: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    modules: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, symbol: Symbol, *, constructed: bool = False) -> None:
        """Add a symbol and everything that its definition names."""
        waiting = [(symbol, constructed)]
        while waiting:
            symbol, constructed = waiting.pop()
            if symbol.name in self.definitions[symbol.module] and not constructed:
                continue
            source = source_of(symbol)
            annotations = Annotations(symbol.module, source)
            self.definitions[symbol.module][symbol.name] = definition_text(symbol, source, annotations, constructed=constructed)
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
    """Write the stubs, or with --check report whether the existing ones are current."""
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
