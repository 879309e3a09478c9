"""Everything in the product is reached from what users call: no function, class or constant is there for tests alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.recorded import PROJECT
from tests.source import ONE_WORKER, nodes, tree

pytestmark = ONE_WORKER

Symbol = tuple[str, str]
"""A module and a top-level name of it; the empty name stands for what runs when the module is imported."""

ROOTS = {
    "cutlist": PROJECT / "cutlist",
    "cutlist_cli": PROJECT / "cutlist_cli",
    "cutlist_live": PROJECT / "cutlist_live",
    "pulumi_cutlist": PROJECT / "components" / "pulumi_cutlist",
    "cutlist_policies": PROJECT / "policies" / "cutlist_policies",
}
PROGRAMS = [PROJECT / "__main__.py", PROJECT / "components" / "__main__.py", PROJECT / "policies" / "__main__.py"]
# What is built and tested but not yet part of a simulation.
BUILDING: tuple[str, ...] = ()
# Packages whose public names users import; what `__all__` of these lists is used.
PUBLIC = re.compile(r"cutlist|cutlist_cli|pulumi_cutlist\.(aws|azure|kubernetes|plan)|cutlist\.policy\.rules")


def module_name(file: Path) -> str:
    for name, root in ROOTS.items():
        if file.is_relative_to(root):
            parts = file.relative_to(root).with_suffix("").parts
            return ".".join((name, *(parts[:-1] if parts[-1] == "__init__" else parts)))
    return f"program {file.relative_to(PROJECT)}"


@cache
def files() -> dict[str, Path]:
    """The product's modules."""
    paths = [*PROGRAMS, *(file for root in ROOTS.values() for file in root.rglob("*.py"))]
    return {module_name(file): file for file in paths}


def names_of(statement: ast.stmt) -> list[str]:
    """What a top-level statement defines."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Top-level statements, those under `if TYPE_CHECKING` and its `else` included."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield from statements([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try | ast.With):
            yield from (ast.Expr(item.context_expr) for item in getattr(statement, "items", ()))
            yield from statements(statement.body)
        else:
            yield statement


class Module:
    """Where the names of a module come from, and what its definitions use."""

    def __init__(self, name: str, file: Path) -> None:
        self.name = name
        self.defined: dict[str, list[ast.stmt]] = {}
        self.runs: list[ast.stmt] = []
        self.imported: dict[str, Symbol] = {}
        for node in nodes(file):
            if isinstance(node, ast.ImportFrom) and node.module:
                self.imported |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                self.imported |= {alias.asname or alias.name.split(".")[0]: (alias.name, "") for alias in node.names}
        for statement in statements(tree(file).body):
            names = names_of(statement)
            for each in names:
                self.defined.setdefault(each, []).append(statement)
            if (not names and not isinstance(statement, ast.Import | ast.ImportFrom)) or self._registers(statement):
                self.runs.append(statement)

    def _registers(self, statement: ast.stmt) -> bool:
        """Whether a decorator hands the definition to another one of the module, such as a group of commands."""
        if not isinstance(statement, ast.FunctionDef):
            return False
        calls = (d.func if isinstance(d, ast.Call) else d for d in statement.decorator_list)
        return any(isinstance(c, ast.Attribute) and isinstance(c.value, ast.Name) and c.value.id in self.defined for c in calls)

    def uses(self, name: str) -> Iterator[Symbol]:
        """What a definition uses, or what runs at import."""
        for statement in self.runs if not name else self.defined.get(name, ()):
            if not name and isinstance(statement, ast.FunctionDef):
                yield self.name, statement.name
            for node in ast.walk(statement):
                if isinstance(node, ast.Name):
                    yield self.resolved(node.id)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "later":
                    module, view = (str(ast.literal_eval(argument)) for argument in node.args)
                    yield module, view
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    module, inner = self.resolved(node.value.id)
                    path = f"{module}.{inner}".rstrip(".")
                    if path in files():
                        yield path, node.attr

    def resolved(self, name: str) -> Symbol:
        return (self.name, name) if name in self.defined else self.imported.get(name, ("", ""))


@cache
def modules() -> dict[str, Module]:
    return {name: Module(name, file) for name, file in files().items()}


def exported(module: Module) -> list[str]:
    """The names in a module's `__all__`."""
    return [
        constant.value
        for statement in module.defined.get("__all__", ())
        for constant in ast.walk(statement)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    ]


def origin(symbol: Symbol) -> Symbol:
    """Where a name is defined that a package only passes on."""
    module, name = symbol
    seen = set()
    while module in modules() and name not in modules()[module].defined and name in modules()[module].imported:
        if (module, name) in seen:
            break
        seen.add((module, name))
        module, name = modules()[module].imported[name]
    return module, name


def called() -> Iterator[Symbol]:
    """What users call: programs, public names, commands, plugins, and views that are named by their path."""
    for name, module in modules().items():
        if name.startswith("program") or name == "cutlist_policies":
            yield name, ""
        if PUBLIC.fullmatch(name):
            yield from (origin((name, each)) for each in exported(module))
            yield from ((name, each) for each in ("__getattr__", "__dir__", "__version__"))
        if name.startswith("cutlist_cli.") and name.count(".") == 1:
            yield name, "command"
    public = modules()["cutlist"].imported
    yield from (origin(symbol) for symbol in public.values())
    yield "cutlist.verbs.notebook", "fragment"


def reached() -> set[Symbol]:
    """Every definition that is used by one that is used."""
    found: set[Symbol] = set()
    waiting = list(called())
    while waiting:
        passed_on, name = waiting.pop()
        if passed_on in modules() and (passed_on, "") not in found and name:
            waiting.append((passed_on, ""))  # what runs when a module is imported for a name that it only passes on
        module, name = origin((passed_on, name))
        if (module, name) in found or module not in modules():
            continue
        found.add((module, name))
        waiting += modules()[module].uses(name)
        waiting.append((module, ""))
        waiting += [(package, "") for package in packages_of(module)]
    return found


def packages_of(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


@pytest.mark.slow
def test_every_definition_is_reached_from_what_users_call() -> None:
    """Top-level functions, classes and constants, through imports, whatever tests do with them."""
    everything = reached()
    left = [
        f"{name}.{each}"
        for name, module in modules().items()
        for each in module.defined
        if (name, each) not in everything and each != "__all__" and not name.startswith(("program", *BUILDING))
    ]
    assert left == []


def is_written(member: ast.FunctionDef) -> bool:
    """Whether a property is a member of a record."""
    return any(isinstance(mark, ast.Call) and ast.unparse(mark.func) == "computed" for mark in member.decorator_list)


def members() -> Iterator[tuple[str, str, str]]:
    """Public methods and properties of classes, by module, without those that records write as members."""
    for name, file in files().items():
        for class_of in (node for node in nodes(file) if isinstance(node, ast.ClassDef)):
            for member in class_of.body:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and not is_written(member):
                    yield name, class_of.name, member.name


def mentions() -> Mapping[str, int]:
    """How often a word stands in the product as an attribute, a name or a text, templates included."""
    counts: dict[str, int] = {}
    for file in files().values():
        for node in nodes(file):
            words: list[str] = []
            if isinstance(node, ast.Attribute):
                words = [node.attr]
            elif isinstance(node, ast.Name):
                words = [node.id]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 60:
                words = re.findall(r"\w+", node.value)
            for word in words:
                counts[word] = counts.get(word, 0) + 1
    for template in PROJECT.glob("cutlist/**/*.j2"):
        for word in re.findall(r"\w+", template.read_text("utf-8")):
            counts[word] = counts.get(word, 0) + 1
    return counts


@pytest.mark.slow
def test_every_public_method_is_used() -> None:
    """By name, somewhere in the product. Users call those of public classes themselves; some override a method of a base."""
    public = {origin(symbol) for symbol in modules()["cutlist"].imported.values()}
    counts = mentions()
    overridden = {
        "format_commands", "get_command", "invoke", "list_commands", "resolve_command", "convert", "show",  # click
        "do_GET", "handle_error", "log_message",  # http.server
        "ignore_aliases",  # PyYAML
        "create_module", "exec_module", "path_stats",  # importlib
        "RequirePulumiVersion", "check", "create", "delete", "diff", "new_resource", "read", "update",  # Pulumi
    }  # fmt: skip
    unused = [
        f"{module}.{class_of}.{member}"
        for module, class_of, member in members()
        if not counts.get(member)
        and (module, class_of) not in public
        and member not in overridden
        and not module.startswith(BUILDING)
    ]
    assert unused == []
