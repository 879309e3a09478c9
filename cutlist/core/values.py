"""Dataclasses whose methods are made when they are first called.

A command imports some three hundred frozen dataclasses and creates values of a third of them. The standard decorator compiles
six functions for each class at import, which was a fifth of the time of a small plan. This one uses it for fields and slots
only, and compiles a method when a value needs it. `replace` copies such values in a third of the time of the standard function.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import lru_cache, partial
from reprlib import recursive_repr
from types import CodeType, FunctionType
from types import MemberDescriptorType as _Slot
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(cls: type[Any] | None = None, /, **options: Any) -> Any:
        """Return the class as the standard decorator does with these options, but with methods that are compiled late."""
        if cls is None:
            return lambda of: dataclass(of, **options)
        if not options.keys() <= _OPTIONS or "InitVar" in str(inspect.get_annotations(cls)):
            return dataclasses.dataclass(**options)(cls)
        return _with_late_methods(cls, options)

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a value with some fields changed, as the standard function does."""
        method = value.__class__.__dict__.get("__replace__")
        return dataclasses.replace(value, **changes) if method is None else method(value, **changes)


class KeepsHash:
    """A base of frozen values with many fields that are looked up often: the hash is computed at its first use, and kept.

    Copies and changed copies compute their own.
    """

    __slots__ = ("_hash",)


__all__ = ["KeepsHash", "dataclass", "replace"]

_OPTIONS: Final = frozenset({"frozen", "slots", "init", "eq", "kw_only"})
_ABSENT: Final = object()
"""The default of an argument whose value comes from a factory."""

_Maker = Callable[[type[Any]], Callable[..., Any]]


def _with_late_methods(cls: type[Any], options: Mapping[str, bool]) -> type[Any]:
    """Return the class with its fields and slots, and a stub for each method that it does not define."""
    written, is_frozen = dict(cls.__dict__), options.get("frozen", False)
    whole: type[Any] = dataclasses.dataclass(**{**options, "frozen": False, "init": False, "repr": False, "eq": False})(cls)
    makers: dict[str, _Maker] = {"__repr__": _repr}
    if options.get("init", True):
        makers["__init__"] = partial(_init, is_frozen=is_frozen)
    if options.get("eq", True):
        makers["__eq__"] = _eq
        if is_frozen and written.get("__hash__") is None:
            whole.__hash__ = _late(whole, "__hash__", _hash)
        elif "__hash__" not in written:
            whole.__hash__ = None  # type: ignore[assignment]
    if is_frozen and _is_plain(whole):
        makers["__replace__"] = _replace
    late = {name: _late(whole, name, make) for name, make in makers.items()}
    methods = {**late, **_OF_FROZEN} if is_frozen else late
    for name, method in methods.items():
        if name not in written:
            setattr(whole, name, method)
    return whole


def _is_plain(cls: type[Any]) -> bool:
    """Tell whether the values of a class consist of their slots, all of which are parameters of the constructor."""
    own = fields(cls)
    has_slots = all(isinstance(getattr(cls, field.name, None), _Slot) for field in own)
    return has_slots and all(field.init for field in own) and not hasattr(cls, "__post_init__")


def _late(owner: type[Any], name: str, make: _Maker) -> Callable[..., Any]:
    """Return a method that puts the real one in its place and calls it."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        real = make(owner)
        setattr(owner, name, real)
        return real(self, *arguments, **named)

    method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
    return method


def _refuse_change(_: Any, name: str, __: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(_: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_OF_FROZEN: Final[Mapping[str, Callable[..., Any]]] = {
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_removal,
    "__getstate__": _state,
    "__setstate__": _set_state,
}


def _replace(cls: type[Any]) -> Callable[..., Any]:
    """Return the method that copies a value of a class, slot by slot, with some fields changed."""
    names: dict[str, Any] = {"_absent": _ABSENT, "_new": object.__new__}
    body = ["_copy = _new(self.__class__)"]
    for field in fields(cls):
        names[f"_set_{field.name}"] = getattr(cls, field.name).__set__
        body.append(f"_set_{field.name}(_copy, self.{field.name} if {field.name} is _absent else {field.name})")
    signature = ", ".join(["self", *(f"{field.name}=_absent" for field in fields(cls))])
    return _compiled(cls, "__replace__", signature, [*body, "return _copy"], names)


def _init(cls: type[Any], *, is_frozen: bool) -> Callable[..., Any]:
    """Return the constructor of a class from its fields.

    Slots are filled without a look-up of their names, in half the time. Classes whose fields differ only in their names share
    the compiled code.
    """
    own = fields(cls)
    positional = [field for field in own if field.init and not field.kw_only]
    keywords = [field for field in own if field.init and field.kw_only]
    places = {field.name: f"a{place}" for place, field in enumerate((*positional, *keywords))}
    signature = ["self", *(places[field.name] for field in positional)]
    if keywords:
        signature += ["*", *(places[field.name] for field in keywords)]
    names: dict[str, Any] = {"_absent": _ABSENT, "_set": object.__setattr__}
    body: list[str] = []
    for at, field in enumerate(own):
        body += _assignments(cls, field, at, places.get(field.name), names, is_frozen)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    code = _constructor_code(", ".join(signature), "\n  ".join(body) or "pass")
    method = FunctionType(code.replace(co_varnames=("self", *places)), names, "__init__", tuple(_defaults(positional).values()))
    method.__kwdefaults__ = _defaults(keywords)
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method


def _defaults(arguments: Iterable[Field[Any]]) -> dict[str, Any]:
    """Return the defaults of those arguments that have one."""
    given = ((field.name, _ABSENT if field.default_factory is not MISSING else field.default) for field in arguments)
    return {name: default for name, default in given if default is not MISSING}


def _assignments(
    cls: type[Any], field: Field[Any], at: int, argument: str | None, names: dict[str, Any], is_frozen: bool
) -> Iterator[str]:
    """Yield the statement that sets a field, and add the names that it needs to `names`; nothing for a field that is set
    later."""
    if field.default_factory is not MISSING:
        names[f"_factory{at}"] = field.default_factory
        value = f"_factory{at}() if {argument} is _absent else {argument}" if argument else f"_factory{at}()"
    elif argument:
        value = argument
    elif field.default is not MISSING:
        names[f"_default{at}"] = field.default
        value = f"_default{at}"
    else:
        return
    if isinstance(slot := getattr(cls, field.name, None), _Slot):
        names[f"_set{at}"] = slot.__set__
        yield f"_set{at}(self, {value})"
    else:
        yield f"_set(self, {field.name!r}, {value})" if is_frozen else f"self.{field.name} = {value}"


def _repr(cls: type[Any]) -> Callable[..., Any]:
    shown = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in fields(cls) if field.repr)
    body = [f'return f"{{self.__class__.__qualname__}}({shown})"']
    return recursive_repr()(_compiled(cls, "__repr__", "self", body, {}))


def _eq(cls: type[Any]) -> Callable[..., Any]:
    compared = [field.name for field in fields(cls) if field.compare]
    mine, others = (f"({''.join(f'{who}.{name}, ' for name in compared)})" for who in ("self", "other"))
    body = [f"return {mine} == {others} if other.__class__ is self.__class__ else NotImplemented"]
    return _compiled(cls, "__eq__", "self, other", body, {})


def _hash(cls: type[Any]) -> Callable[..., Any]:
    hashed = [field.name for field in fields(cls) if (field.compare if field.hash is None else field.hash)]
    value = f"hash(({''.join(f'self.{name}, ' for name in hashed)}))"
    if not issubclass(cls, KeepsHash):
        return _compiled(cls, "__hash__", "self", [f"return {value}"], {})
    keep = vars(KeepsHash)["_hash"].__set__
    body = ["try:", "  return self._hash", "except AttributeError:", f"  _keep(self, {value})", "  return self._hash"]
    return _compiled(cls, "__hash__", "self", body, {"_keep": keep})


@lru_cache(maxsize=1024)
def _constructor_code(signature: str, body: str) -> CodeType:
    """Return the compiled code of a constructor."""
    made: dict[str, FunctionType] = {}
    exec(f"def __init__({signature}):\n  {body}", made)  # noqa: S102 - the text is made of the names of fields
    return made["__init__"].__code__


def _compiled(cls: type[Any], name: str, signature: str, body: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    text = f"def {name}({signature}):\n" + "\n".join(f"  {line}" for line in body)
    exec(text, names)  # noqa: S102 - the text is made of the names of fields
    method: Callable[..., Any] = names[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method
