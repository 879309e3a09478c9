"""A rule of the type check: no built-in `sum` of floating-point numbers, as its last digit depends on the version of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.plugin import FunctionSigContext, Plugin
from mypy.types import AnyType, FunctionLike, Instance, Type, UnionType, get_proper_type

_CODE: Final = ErrorCode("float-sum", "A built-in sum of numbers that may be floats", "Cutlist")
_MESSAGE: Final = (
    "sum() of what may be floats differs between versions of Python: use math.fsum, money_sum, or sum_in_turn as Go adds"
)


def plugin(_version: str) -> type[Plugin]:
    """Return the rule for mypy."""
    return _FloatSums


class _FloatSums(Plugin):
    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Return the check of calls of `sum`, None for every other function."""
        return _checked if fullname == "builtins.sum" else None


def _checked(call: FunctionSigContext) -> FunctionLike:
    """Return the signature unchanged, and report the call if an item or the start may be a float."""
    items, *start = [argument for arguments in call.args for argument in arguments]
    if isinstance(call.api, TypeChecker):
        item = call.api.analyze_iterable_item_type(items)[1]
        if any(map(_may_be_float, [item, *map(call.api.get_expression_type, start)])):
            call.api.fail(_MESSAGE, call.context, code=_CODE)
    return call.default_signature


def _may_be_float(type_: Type) -> bool:
    """Tell whether a value of this type may be a float; `Any` hides what it is."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return any(map(_may_be_float, proper.items))
    return isinstance(proper, AnyType) or (isinstance(proper, Instance) and proper.type.has_base("builtins.float"))
