"""Expressions in `spec.kubelet` of an EC2NodeClass: CEL, evaluated for each instance type (spec: VA15-30 to VA15-37)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from cutlist.api.kubelet_rules import RESERVATIONS
from cutlist.core.cel_errors import errors_in_go, infinite_literal
from cutlist.core.quantity import is_quantity

GATE: Final = "NodeClassCEL"
MAX_PODS_VALUES: Final = range(2**31)
_TYPE_NAMES: Final = {
    "null": "null_type",
    "duration": "google.protobuf.Duration",
    "timestamp": "google.protobuf.Timestamp",
}
_MOST_ARGUMENTS: Final = 12
_STEPS: Final = {"cpu": (10, "m"), "memory": (16, "Mi"), "ephemeral-storage": (1, "Gi")}
"""The step to which a result is rounded up, and its unit; other results are plain numbers (VA15-33)."""


class ExpressionError(Exception):
    """Raised for an expression that cannot be compiled or evaluated, with the reason in the controller's words."""


class Expression(NamedTuple):
    """An expression as written: the field as the controller names it, its path below `spec.kubelet`, and the text."""

    field: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of an expression: facts of an instance type."""

    vcpus: int
    memory_mib: int
    default_enis: int
    ips_per_eni: int
    max_pods: int
    instance_type: str

    def values(self) -> dict[str, int | str]:
        """Return the variables by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def listed_expressions(kubelet: Mapping[str, Any]) -> tuple[Expression, ...]:
    """Return the expressions among the settings, in the order in which the controller looks at fields.

    In a reserved map, a text that is not a quantity is an expression (VA15-34).
    """
    max_pods = kubelet.get("maxPods")
    expressions = [Expression("maxPods", "maxPods", max_pods)] if isinstance(max_pods, str) else []
    for field in RESERVATIONS:
        entries = kubelet.get(field)
        for key, text in sorted(entries.items()) if isinstance(entries, Mapping) else ():
            if text is None or (isinstance(text, str) and not is_quantity(text)):  # Go reads null as an empty text
                expressions.append(Expression(f"{field}[{key}]", f"{field}.{key}", text or ""))
    return tuple(expressions)


@lru_cache(maxsize=256)
def compiled(text: str) -> Any:
    """Return a compiled expression. Raises ExpressionError with the place of a mistake, or if its result is not a number."""
    from cel_expr_python import cel  # imported late: few classes have expressions

    if infinite := infinite_literal(text):
        raise ExpressionError(f"compiling expression, {infinite} (expression={text})")
    try:
        program = _environment().compile(text)
    except RuntimeError as error:
        message = str(error).removeprefix("INVALID_ARGUMENT: ").removesuffix(" [INVALID_ARGUMENT]")
        raise ExpressionError(f"compiling expression, {errors_in_go(message, text)} (expression={text})") from None
    result = program.return_type()
    if result not in (cel.Type.INT, cel.Type.DOUBLE):
        raise ExpressionError(f"expression must return int or double (expression={text}, output-type={_in_cel(result.name())})")
    return program


def _in_cel(name: str) -> str:
    """Return a type's name as Karpenter's library writes it."""
    name = name.lower()
    return _TYPE_NAMES.get(name, name.replace("<", "(").replace(">", ")"))


@lru_cache(maxsize=1)
def _environment() -> Any:
    from cel_expr_python import cel  # an optional extra

    whole, real, unused = cel.Type.INT, cel.Type.DOUBLE, cel.Type.List(cel.Type.List(cel.Type.BYTES))
    functions = [
        cel.FunctionDecl(
            name,
            [
                cel.Overload(f"{name}_{a.name()}_{b.name()}".lower(), real if real in (a, b) else whole, [a, b], impl=choose)
                for a in (whole, real)
                for b in (whole, real)
            ]
            # No expression has such an argument: they make the compiler report wrong numbers of arguments.
            + [
                cel.Overload(f"{name}_{count}{style}", whole, [unused] * count, is_member=bool(style), impl=choose)
                for count in range(1, _MOST_ARGUMENTS)
                for style in ("", "_member")
            ],
        )
        for name, choose in (("max", _larger), ("min", _smaller))
    ]
    names = ("vcpus", "memory_mib", "default_enis", "ips_per_eni", "max_pods")
    variables = {**dict.fromkeys(names, whole), "instance_type": cel.Type.STRING}
    return cel.NewEnv(variables=variables, functions=functions)


def _larger(a: Any, b: Any) -> Any:
    """Return the larger of two numbers, the second of equal ones; as a fraction if either is one. Karpenter's own function does
    so."""
    a, b = _alike(a, b)
    return a if a > b else b


def _smaller(a: Any, b: Any) -> Any:
    a, b = _alike(a, b)
    return a if a < b else b


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    return (float(a), float(b)) if isinstance(a, float) or isinstance(b, float) else (a, b)


def evaluated(text: str, variables: Variables) -> int:
    """Return the result for one instance type; a fraction is truncated towards zero. Raises ExpressionError."""
    outcome = compiled(text).eval(data=variables.values())
    value = outcome.value()
    where = f"(expression={text}, instance-type={variables.instance_type}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"evaluating expression, {_error_text(value)} {where})")
    if isinstance(value, float) and not math.isfinite(value):
        raise ExpressionError(f"expression returned a non-finite value {where}, value={_in_go(value)})")
    if isinstance(value, float) and not -(2.0**63) <= value < 2.0**63:
        return -(2**63)  # Go's conversion on amd64 returns this for every number that is too large
    return int(value)


def _error_text(value: Any) -> str:
    """Return an error of the library in the words of the one that Karpenter uses."""
    words = str(value).partition(": ")[2] or str(value)
    return {"divide by zero": "division by zero"}.get(words, words)


def _in_go(value: float) -> str:
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def resolved_reservations(written: Mapping[str, str], variables: Variables) -> dict[str, str]:
    """Return a reserved map with results in place of expressions; failed or negative ones are left out (VA15-35)."""
    amounts: dict[str, str] = {}
    for key, text in written.items():
        if is_quantity(text):
            amounts[key] = text
            continue
        try:
            result = evaluated(text, variables)
        except ExpressionError:
            continue
        if result >= 0:
            amounts[key] = _with_unit(key, result)
    return amounts


def _with_unit(key: str, result: int) -> str:
    step, unit = _STEPS.get(key, (1, ""))
    rounded = -(-result // step) * step
    return f"{rounded if rounded < 2**63 else result}{unit}"


def resolved_max_pods(text: str, variables: Variables) -> int:
    """Return maxPods for one instance type. Raises ExpressionError if it fails or is out of range (VA15-36)."""
    result = evaluated(text, variables)
    if result not in MAX_PODS_VALUES:
        raise ExpressionError(
            "maxPods expression evaluated to a value outside the valid range [0, 2147483647] "
            f"(expression={text}, instance-type={variables.instance_type}, result={result})"
        )
    return result
