"""Selectors: expressions in CEL that choose devices (spec: R-21 to R-29)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from cutlist.core.cel_errors import errors_in_go, infinite_literal
from cutlist.devices.cel_library import NOT_EVALUATED, functions
from cutlist.devices.cel_values import QUANTITY, messages, quantity_value, version_value
from cutlist.devices.device import Attribute, Device
from cutlist.devices.versions import parse_version

_NO_KEY: Final = re.compile(r'Key not found in map : "(.*)"', re.DOTALL)

_PRESENCE: Final = r"\bhas\(\s*device\.(?:driver|attributes|capacity|allowMultipleAllocations)\s*\)"
_OF_LISTS: Final = r"no matching overload for '(indexOf|lastIndexOf)' applied to '\(?list\("
_TWO_VARIABLES: Final = r"\.(?:all|exists|exists_one|existsOne)\(\s*\w+\s*,\s*\w+\s*,"
_TOO_DEEP: Final = r"recursion limit exceeded|max recursion depth"
_WHOLE_DEVICE: Final = r"\bdevice\b\s*(?:\.\?|==|!=|\))|(?:==|!=|\()\s*device\b(?!\s*[.\[])"
# The domain of no attribute and no capacity is an empty map, not an error.
_DOMAIN: Final = re.compile(r"""(\bdevice\.(?:attributes|capacity)\s*)\[\s*('[^'\\\n]*'|"[^"\\\n]*")\s*\]""")
_ORDINARY_OR_EMPTY: Final = r"\1[?\2].orValue({})"

_OTHER_WORDS: Final = (
    (r"undeclared reference to 'device\.(\w+)' \(in container ''\)", r"undefined field '\1'"),
    (r"\\u003F", "?"),
)


class SelectorError(Exception):
    """Raised for an expression that does not compile, or fails on a device, with the reason in the API server's words.

    `not_evaluated` names a function of the API server that Cutlist does not have, if that is the reason.
    """

    def __init__(self, message: str, not_evaluated: str = "") -> None:
        super().__init__(message)
        self.not_evaluated = not_evaluated


@dataclass(frozen=True, slots=True, eq=False)
class Selector:
    """An expression that compiles: as it is written, and in the form that is evaluated."""

    text: str
    written: Any
    program: Any

    def matches(self, device: Device, driver: str) -> bool:
        """Tell whether it chooses a device of a driver. Raises SelectorError if it fails on it."""
        return _outcome(self, device, driver)


@lru_cache(maxsize=1024)
def compiled(text: str) -> Selector:
    """Return a compiled expression. Raises SelectorError if it does not compile, or cannot give a bool."""
    from cel_expr_python import cel

    # A member of the device is always there, and is a variable here, which has() does not know.
    written = re.sub(_PRESENCE, lambda match: "true".ljust(len(match[0])), text)
    try:
        program = _environment().compile(written)
    except RuntimeError as error:
        if missing := _not_evaluated(text, str(error)):
            raise SelectorError(f"{missing} is not evaluated by Cutlist", missing) from None
        message = str(error).removeprefix("INVALID_ARGUMENT: ").removesuffix(" [INVALID_ARGUMENT]")
        for ours, theirs in _OTHER_WORDS:
            message = re.sub(ours, theirs, message)
        raise SelectorError(f"compilation failed: {errors_in_go(message, text)}") from None
    if infinite := infinite_literal(text):
        raise SelectorError(f"compilation failed: {infinite}")
    result = program.return_type()
    if result not in (cel.Type.BOOL, cel.Type.DYN):
        raise SelectorError(f"must evaluate to bool or the unknown type, not {result.name().lower()}")
    evaluated = _DOMAIN.sub(_ORDINARY_OR_EMPTY, written)
    return Selector(text, program, program if evaluated == written else _environment().compile(evaluated))


def chosen_by(selectors: Iterable[str | None], device: Device, driver: str) -> bool:
    """Tell whether all selectors choose a device. One that does not compile or fails on it does not, nor does None."""
    try:
        return all(text is not None and compiled(text).matches(device, driver) for text in selectors)
    except SelectorError:
        return False


def _not_evaluated(text: str, error: str) -> str:
    """Return what of an expression only the API server has, if that is why it does not compile; else an empty text."""
    missing = next((name for name in NOT_EVALUATED if f"'{name}'" in error), "")
    if missing:
        return f"{missing}()"
    if re.search(_TOO_DEEP, error):  # The API server's limit is 250, that of cel-expr-python 32.
        return "an expression more than 32 levels deep"
    of_list = re.search(_OF_LISTS, error)
    if of_list is not None:
        return f"{of_list[1]}() of a list"
    if re.search(_TWO_VARIABLES, text) and "undeclared reference to" in error:
        return "a loop with two variables"
    is_whole = "undeclared reference to 'device'" in error and re.search(_WHOLE_DEVICE, text)
    return "the device as a whole" if is_whole else ""


@lru_cache(maxsize=1)
def _environment() -> Any:
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings

    text, by_name = cel.Type.STRING, cel.Type.Map
    # Members are declared as variables, so that a wrong one is found while compiling, as the API server does.
    variables = {
        "device.driver": text,
        "device.attributes": by_name(text, by_name(text, cel.Type.DYN)),
        "device.capacity": by_name(text, by_name(text, cel.Type(QUANTITY))),
        "device.allowMultipleAllocations": cel.Type.BOOL,
    }
    extensions = [ext_strings.ExtStrings(2), ext_bindings.ExtBindings(), ext_optional.ExtOptional()]
    return cel.NewEnv(messages().pool, variables=variables, extensions=extensions, functions=functions())


@lru_cache(maxsize=65536)
def _outcome(selector: Selector, device: Device, driver: str) -> bool:
    outcome = selector.program.eval(data=_values(device, driver)).value()
    if isinstance(outcome, bool):
        return outcome
    message = str(outcome)
    raise SelectorError(_in_go(message, _NO_KEY.search(message)))


@lru_cache(maxsize=4096)
def _values(device: Device, driver: str) -> Mapping[str, Any]:
    attributes: dict[str, dict[str, Any]] = {}
    for name, attribute in device.attributes.items():
        domain, short = _qualified(name, driver)
        attributes.setdefault(domain, {})[short] = _value(name, attribute)
    capacity: dict[str, dict[str, Any]] = {}
    for name, held in device.capacity.items():
        domain, short = _qualified(name, driver)
        capacity.setdefault(domain, {})[short] = quantity_value(held.amount)
    return {
        "device.driver": driver,
        "device.attributes": attributes,
        "device.capacity": capacity,
        "device.allowMultipleAllocations": device.shared,
    }


def _value(name: str, attribute: Attribute) -> Any:
    if attribute.kind != "version":
        if not attribute.kind:
            raise SelectorError(f"attribute {name}: unsupported attribute value")
        return attribute.value
    version = parse_version(str(attribute.value))
    if version is None:
        raise SelectorError(f"attribute {name}: parse semantic version: {attribute.value}")
    return version_value(version)


def _qualified(name: str, driver: str) -> tuple[str, str]:
    domain, separator, short = name.partition("/")
    return (domain, short) if separator else (driver, name)


def _in_go(message: str, missing: re.Match[str] | None) -> str:
    """Return an error of an evaluation in the words of Go's library."""
    if missing is not None:
        return f"no such key: {missing[1]}"
    return "no such overload" if "No matching overloads found" in message else message.partition(": ")[2] or message
