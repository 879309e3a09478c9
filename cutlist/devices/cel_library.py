"""Functions that expressions in objects of Kubernetes may call besides CEL's own (spec: R-22, R-23).

Names and overloads are those of the API server's libraries for quantities, versions, lists, sets and regular expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import NANO, is_quantity
from cutlist.devices.cel_lists import list_functions
from cutlist.devices.cel_networks import network_functions
from cutlist.devices.cel_values import QUANTITY, SEMVER, nanos_of, quantity_of, quantity_value, version_value
from cutlist.devices.versions import Version, normalised, parse_version

NOT_EVALUATED: Final = ("format", "isURL", "named", "sortBy", "transformList", "transformMap", "url")
"""Functions and macros of the API server that are not here."""
_WHOLE: Final = range(-(2**63), 2**63)


def functions() -> list[Any]:
    """Return the declarations of all functions, with what they do."""
    return [*_quantities_and_versions(), *list_functions(_declared), *network_functions(_declared), *_texts()]


def _declared(name: str, *overloads: tuple[str, Any, list[Any], bool, Callable[..., Any] | None]) -> Any:
    from cel_expr_python import cel

    return cel.FunctionDecl(
        name, [cel.Overload(key, result, parameters, member, impl) for key, result, parameters, member, impl in overloads]
    )


def _quantities_and_versions() -> list[Any]:
    from cel_expr_python import cel

    text, whole, truth = cel.Type.STRING, cel.Type.INT, cel.Type.BOOL
    amount, version = cel.Type(QUANTITY), cel.Type(SEMVER)

    def compared(key: str, result: Any, given: Callable[[int], Any]) -> list[tuple[str, Any, list[Any], bool, Any]]:
        # At run time both types are of the kind "message", so one function serves both overloads.
        both = (f"quantity_{key}", result, [amount, amount], True, lambda a, b: given(_compare(a, b)))
        return [both, (f"semver_{key}", result, [version, version], True, None)]

    return [
        _declared("quantity", ("string_to_quantity", amount, [text], False, quantity_of)),
        _declared("isQuantity", ("is_quantity_string", truth, [text], False, is_quantity)),
        _declared(
            "semver",
            ("string_to_semver", version, [text], False, _semver),
            ("string_bool_to_semver", version, [text, truth], False, _semver),
        ),
        _declared(
            "isSemver",
            ("is_semver_string", truth, [text], False, _is_semver),
            ("is_semver_string_bool", truth, [text, truth], False, _is_semver),
        ),
        _declared("isGreaterThan", *compared("is_greater_than", truth, lambda order: order > 0)),
        _declared("isLessThan", *compared("is_less_than", truth, lambda order: order < 0)),
        _declared("compareTo", *compared("compare_to", whole, lambda order: order)),
        *(
            _declared(name, (f"semver_{name}", whole, [version], True, lambda v, name=name: getattr(_version(v), name)))
            for name in ("major", "minor", "patch")
        ),
        # A function and not a method, whatever the documentation of Kubernetes says.
        _declared("sign", ("quantity_sign", whole, [amount], False, lambda q: _order(nanos_of(q), 0))),
        _declared("asApproximateFloat", ("quantity_get_float", cel.Type.DOUBLE, [amount], True, lambda q: nanos_of(q) / NANO)),
        _declared("isInteger", ("quantity_is_integer", truth, [amount], True, lambda q: _whole(q) is not None)),
        _declared("asInteger", ("quantity_get_int", whole, [amount], True, _as_integer)),
        *(
            _declared(
                name,
                (f"quantity_{name}", amount, [amount, amount], True, lambda a, b, s=sign: _sum(a, s * nanos_of(b))),
                (f"quantity_{name}_int", amount, [amount, whole], True, lambda a, b, s=sign: _sum(a, s * b * NANO)),
            )
            for name, sign in (("add", 1), ("sub", -1))
        ),
    ]


def _texts() -> list[Any]:
    from cel_expr_python import cel

    text, whole, texts = cel.Type.STRING, cel.Type.INT, cel.Type.List(cel.Type.STRING)
    return [
        _declared("find", ("string_find_string", text, [text, text], True, _find)),
        _declared(
            "findAll",
            ("string_find_all_string", texts, [text, text], True, _find_all),
            ("string_find_all_string_int", texts, [text, text, whole], True, _find_all),
        ),
    ]


def _compare(a: Any, b: Any) -> int:
    if a.DESCRIPTOR is not b.DESCRIPTOR:
        raise ValueError("no such overload")
    is_amount = a.DESCRIPTOR.full_name == QUANTITY
    return _order(nanos_of(a), nanos_of(b)) if is_amount else _version(a).compare(_version(b))


def _order(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _version(value: Any) -> Version:
    version = parse_version(value.text)
    assert version is not None  # noqa: S101 - only versions become such values
    return version


def _semver(text: str, normalise: bool = False) -> Any:
    version = _parsed(text, normalise)
    if version is None:
        raise ValueError(f"{text!r} is not a semantic version")
    return version_value(version)


def _is_semver(text: str, normalise: bool = False) -> bool:
    return _parsed(text, normalise) is not None


def _parsed(text: str, normalise: bool) -> Version | None:
    return parse_version(normalised(text) if normalise else text)


def _whole(quantity: Any) -> int | None:
    units, rest = divmod(nanos_of(quantity), NANO)
    return units if not rest and units in _WHOLE else None


def _as_integer(quantity: Any) -> int:
    units = _whole(quantity)
    if units is None:
        raise QuantityError("cannot convert value to integer")
    return units


def _sum(quantity: Any, nanos: int) -> Any:
    return quantity_value(nanos_of(quantity) + nanos)


def _find(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    return found[0] if found else ""


def _find_all(text: str, pattern: str, most: int = -1) -> Sequence[str]:
    found = [match[0] for match in re.finditer(pattern, text)]
    return found if most < 0 else found[:most]
