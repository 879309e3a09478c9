"""Mutation of the rules: each condition of a rule, negated or widened, has to be caught by a case or by a row of the table.

`python -m tests.gates.mutations [RULE ...]` prints the mutants that nothing catches, by rule, with their lines.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from cutlist.policy.gates import read_gates
from cutlist.policy.registry import ALL
from cutlist.policy.rules import CannotTell, Finding, ObjectRule, Resource, Resources, StackRule
from cutlist.policy.rules.rule import DAY
from tests.gates.trick import Trick
from tests.gates.tricks import CLASSES
from tests.unit.policy.rules.cases import CASES
from tests.unit.policy.rules.limits import LIMITS

Rule = ObjectRule | StackRule
_DAY: Final = date(2026, 11, 23)
_WIDER: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_STEP: Final = "one step further"
EQUIVALENT: Final[Mapping[str, str]] = {
    "choice.py _overlaps: not (_values_of(wanted, key))": "by fewer keys, more pairs are compared",
    "choice.py _overlaps: not (sum(map(len, with_values)) + len(free.get(key, ())) < len(candidates))": "as above",
    "choice.py _overlaps: one step further in sum(map(len, with_values)) + len(free.get(key, ())) < len(candidates)": (
        "as above"
    ),
    "own_machines.py few_together: one step further in machines > largest[0]": "of groups of one size, any may be named",
    "validity.py accepted: not (is_old)": "it chooses between words of the advice",
}
"""Changes after which the rules find the same, by file, function and change, each with the reason."""
_OTHERWISE: Final[Mapping[type[ast.boolop], type[ast.boolop]]] = {ast.And: ast.Or, ast.Or: ast.And}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one condition: the file, its line, the function around it, the number of the node, and what is done to it."""

    file: Path
    line: int
    function: str
    number: int
    change: str

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line} {self.function}: {self.change}"

    @property
    def key(self) -> str:
        """Return what `EQUIVALENT` names it by."""
        return f"{self.file.name} {self.function}: {self.change}"


@dataclass(frozen=True, slots=True)
class Module:
    """A module with rules, as text and as it runs."""

    module: ModuleType
    file: Path
    tree: ast.Module
    rules: tuple[Rule, ...]

    @staticmethod
    def of(name: str) -> Module:
        """Return the module of a name."""
        module = import_module(name)
        file = Path(str(module.__file__))
        return Module(module, file, ast.parse(file.read_text("utf-8")), tuple(module.RULES))

    def functions(self) -> dict[str, ast.FunctionDef]:
        """Return the functions of the module by name, those of classes among them."""
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}

    def reached_from(self, rule: Rule) -> frozenset[str]:
        """Return the functions of the module that the check of a rule may call."""
        functions, reached, waiting = self.functions(), set[str](), [rule.check.__name__]
        while waiting:
            name = waiting.pop()
            if name in functions and name not in reached:
                reached.add(name)
                nodes = (node for statement in functions[name].body for node in ast.walk(statement))
                waiting += [
                    n.id if isinstance(n, ast.Name) else n.attr for n in nodes if isinstance(n, ast.Name | ast.Attribute)
                ]
        return frozenset(reached)

    def mutants(self) -> Iterator[Mutant]:
        """Yield every change of a condition in the module's functions."""
        for name, function in self.functions().items():
            numbers = {id(node): number for number, node in enumerate(ast.walk(function))}
            for node, change in _changes_in(function):
                yield Mutant(self.file, node.lineno, name, numbers[id(node)], change)

    def with_mutant(self, mutant: Mutant) -> tuple[Rule, ...]:
        """Return the rules of the module as they are with a mutant."""
        tree = copy.deepcopy(self.tree)
        functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        function = functions[mutant.function]
        _change(function, list(ast.walk(function))[mutant.number], mutant.change)
        made = ModuleType(self.module.__name__)
        made.__dict__.update(__file__=str(self.file), __package__=self.module.__package__)
        code = compile(ast.fix_missing_locations(tree), str(self.file), "exec")
        held = sys.modules[self.module.__name__]
        sys.modules[self.module.__name__] = made  # dataclasses look up the module of a class by its name
        try:
            exec(code, made.__dict__)  # noqa: S102 - the project's own code
        finally:
            sys.modules[self.module.__name__] = held
        return tuple(made.RULES)


def _changes_in(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, str]]:
    """Yield the conditions of a function with what may be done to each: it is negated, and what it is made of is widened."""
    for condition in _conditions(function):
        yield condition, f"not ({ast.unparse(condition)})"
        for node in ast.walk(condition):
            if isinstance(node, ast.BoolOp) and not isinstance(node.values[-1], ast.Constant):
                yield node, f"{'or' if isinstance(node.op, ast.And) else 'and'} in {ast.unparse(node)}"
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _WIDER:
                yield node, f"{_STEP} in {ast.unparse(node)}"


def _conditions(function: ast.FunctionDef) -> Iterator[ast.expr]:
    is_test = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    for node in (inner for statement in function.body for inner in ast.walk(statement)):
        if isinstance(node, ast.If | ast.While) or (isinstance(node, ast.IfExp) and not _is_wording(node.body, node.orelse)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.Return) and is_test and not isinstance(node.value, ast.Constant | None):
            yield node.value


def _is_wording(*values: ast.expr) -> bool:
    """Tell whether one of several values is a text, so that the choice between them is one of words."""
    return any(isinstance(v, ast.JoinedStr) or (isinstance(v, ast.Constant) and isinstance(v.value, str)) for v in values)


def _change(function: ast.FunctionDef, target: ast.AST, change: str) -> None:
    if isinstance(target, ast.BoolOp) and not change.startswith("not ("):
        target.op = _OTHERWISE[type(target.op)]()
    elif isinstance(target, ast.Compare) and change.startswith(_STEP):
        target.ops = [_WIDER[type(target.ops[0])]()]
    else:
        _Negated(target).visit(function)


class _Negated(ast.NodeTransformer):
    """Puts a `not` before one expression."""

    def __init__(self, target: ast.AST) -> None:
        self._target = target

    def visit(self, node: ast.AST) -> Any:
        """Return the node, negated if it is the target."""
        if node is self._target and isinstance(node, ast.expr):
            return ast.UnaryOp(ast.Not(), node)
        return self.generic_visit(node)


def findings(rule: Rule, subjects: Sequence[Resource], settings: Mapping[str, Any]) -> list[Finding]:
    """Return what a rule says of some subjects under its defaults and these settings."""
    full = {DAY: _DAY, **rule.defaults, **settings}
    if isinstance(rule, StackRule):
        return rule.findings(Resources.of(subjects), full)
    return [finding for subject in subjects for finding in rule.findings(subject, full)]


def is_caught(rule: Rule) -> bool:
    """Tell whether a case of the rule, a limit of its settings or a row of the table comes out otherwise than it has to."""
    try:
        return any(_by_cases(rule)) or any(_by_limits(rule)) or any(_by_rows(rule))
    except Exception:  # a mutant may do anything; a test would fail with it
        return True


def _by_cases(rule: Rule) -> Iterator[bool]:
    cases = CASES[rule.id]
    yield from (findings(rule, subjects, cases.settings) != [] for subjects in cases.keeps)
    for broken in cases.breaks:
        found = findings(rule, broken.subjects, broken.settings)
        yield [one.path for one in found] != [broken.path, *broken.others] or any(isinstance(one, CannotTell) for one in found)
    for subjects in cases.leaves_open:
        outcomes = findings(rule, subjects, cases.settings)
        yield not outcomes or not all(isinstance(one, CannotTell) for one in outcomes)


def _by_limits(rule: Rule) -> Iterator[bool]:
    for (id_, name), limits in LIMITS.items():
        for limit in limits if id_ == rule.id else ():
            settings = {**limit.others, name: limit.limit}
            yield findings(rule, limit.keeps, settings) != [] or findings(rule, limit.breaks, settings) == []
            yield findings(rule, limit.breaks, {**limit.others, name: limit.moved}) != []


@cache
def _rows_of(rule: str) -> tuple[Trick, ...]:
    rows = [trick for tricks in CLASSES.values() for trick in tricks if trick.rule == rule]
    return tuple(sorted(rows, key=lambda trick: bool(trick.files)))  # those with a plan take longest


def _by_rows(rule: Rule) -> Iterator[bool]:
    rules = [rule if other.id == rule.id else other for other in ALL]
    for trick in _rows_of(rule.id):
        gates = read_gates({"profile": "strict", **trick.gates}, rules if trick.gates else [rule])
        yield not trick.holds(trick.judged_by(gates))


def modules() -> Iterator[Module]:
    """Yield the modules that have rules."""
    yield from (Module.of(name) for name in dict.fromkeys(rule.check.__module__ for rule in ALL))


def survivors(only: Sequence[str] = ()) -> tuple[dict[str, list[Mutant]], int]:
    """Return the mutants that nothing catches by rule, of some rules or of all, and how many mutants there are."""
    left: dict[str, list[Mutant]] = defaultdict(list)
    count = 0
    for module in modules():
        concerned = [rule for rule in module.rules if not only or rule.id in only]
        reached = {rule.id: module.reached_from(rule) for rule in concerned}
        for mutant in module.mutants() if concerned else ():
            ids = [id_ for id_, functions in reached.items() if mutant.function in functions]
            if not ids or mutant.key in EQUIVALENT:
                continue
            count += 1
            changed = {rule.id: rule for rule in _mutated(module, mutant)}
            if changed and not any(is_caught(changed[id_]) for id_ in ids):
                left[ids[0]].append(mutant)
    return dict(left), count


def _mutated(module: Module, mutant: Mutant) -> tuple[Rule, ...]:
    try:
        return module.with_mutant(mutant)
    except Exception:  # a module that cannot even be imported is caught
        return ()


def main(arguments: Sequence[str]) -> int:
    """Print the mutants that nothing catches."""
    left, count = survivors(arguments)
    for id_, mutants in sorted(left.items()):
        sys.stdout.write("".join(f"{id_} {mutant}\n" for mutant in mutants))
    surviving = sum(map(len, left.values()))
    sys.stdout.write(f"{count} mutants, {surviving} survive\n")
    return int(bool(surviving))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
