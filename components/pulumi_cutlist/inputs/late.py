"""Inputs that other resources provide: planned with stand-ins, checked once they are known.

Components decide names, counts and refusals before anything is registered. Ids and ARNs decide none of these, so a plan can be
made with stand-ins of the same form. What is registered gets the values themselves, and in an update waits until a plan with
them was made too: its mistakes end the update before anything that uses such a value.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

import pulumi

from cutlist.api.objects import NodeClassObject
from cutlist.core.errors import CutlistError, InputError
from cutlist.core.wording import camel_case
from pulumi_cutlist.inputs.edits import ObjectEdits
from pulumi_cutlist.inputs.late_forms import Whereabouts, digits, stand_in
from pulumi_cutlist.inputs.program_words import ProgramComponent, ProgramWords

Filler = Callable[[Any], Any]
Check = Callable[[Filler], object]
Constructor = TypeVar("Constructor", bound=Callable[..., None])


class LateInputs:
    """The inputs of one component, with stand-ins for those that are Outputs.

    A stand-in follows from where its input is, so that previews and updates have the same ones.
    """

    def __init__(self, args: Any, words: ProgramWords) -> None:
        self._words: Final = words
        self._outputs: dict[str, pulumi.Output[Any]] = {}
        account, region = _named(args, "accountId"), _named(args, "region")
        self._where: Final = Whereabouts(
            account if isinstance(account, str) else digits("accountId"), region if isinstance(region, str) else ""
        )
        self.args = self._planned(args, "")
        """The inputs as a plan takes them."""
        self._checked: pulumi.Input[bool] = True
        # The longest first, since one stand-in may begin with another.
        texts = sorted(self._outputs, key=len, reverse=True)
        self._pattern: Final = re.compile("|".join(map(re.escape, texts)))

    def __bool__(self) -> bool:
        return bool(self._outputs)

    def require(self, check: Check) -> None:
        """Call a check, once all values are known, with a function that fills them in. What it raises ends the run."""

        def run(known: list[Any]) -> bool:
            try:
                check(functools.partial(_filled, pattern=self._pattern, values=known[1]))
            except InputError as error:
                raise self._words.late_error(error) from None
            return True

        # Each check waits for those before it, and a value for all checks so far: the first mistake ends the run before
        # anything is made with a value.
        self._checked = pulumi.Output.all(self._checked, pulumi.Output.all(**self._outputs)).apply(run)

    def has(self, value: Any) -> bool:
        """Tell whether plain data contains a stand-in."""
        return bool(self) and any(self._pattern.search(text) for text in _texts(value))

    def fill(self, value: Any) -> Any:
        """Return a value with Outputs in place of stand-ins, also of those that an Output turns out to contain."""
        if isinstance(value, pulumi.Output):
            return value.apply(lambda known: self.fill(known) if self.has(known) else known)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {key: self.fill(inner) for key, inner in value.items()}
        return [self.fill(inner) for inner in value] if isinstance(value, list | tuple) else value

    def transform(self, resource: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult:
        """Return what a resource of the component is registered with."""
        return pulumi.ResourceTransformationResult(self.fill(resource.props), resource.opts)

    def _text(self, text: str) -> Any:
        names = sorted(set(self._pattern.findall(text)))
        if not names:
            return text
        values = pulumi.Output.all(**{name: self._value(name) for name in names})
        return values.apply(lambda known: _filled(text, pattern=self._pattern, values=known))

    def _value(self, stand_in: str) -> pulumi.Output[Any]:
        """Return the value that a stand-in is for; in an update, once the plan with all values was checked.

        A preview shows each value that it knows, and does not wait for others.
        """
        value = self._outputs[stand_in]
        if pulumi.runtime.is_dry_run():
            return value
        # A value that waits for the check does not become secret because another value is.
        return pulumi.Output.all(value, pulumi.Output.unsecret(pulumi.Output.from_input(self._checked))).apply(
            lambda known: known[0]
        )

    def _planned(self, value: Any, path: str) -> Any:
        if isinstance(value, pulumi.Output):
            return self._text_for(value, path)
        if isinstance(value, NodeClassObject) and value.has_late_values:
            return self._planned(value.manifest(), path)
        if isinstance(value, Mapping):
            return {key: self._planned(inner, f"{path}.{str(key).replace('.', '-')}") for key, inner in value.items()}
        return [self._planned(inner, f"{path}[{n}]") for n, inner in enumerate(value)] if isinstance(value, list) else value

    def _text_for(self, value: pulumi.Output[Any], path: str) -> Any:
        """Return the stand-in of an Output; one that no plan looks into stays as it is."""
        text = stand_in(path, self._where)
        if text is None:
            return value
        self._outputs[text] = value
        return text


class Component(ProgramComponent):
    """A component that takes Outputs where stand-ins have a form for them; its resources and outputs have their values."""

    _late: tuple[LateInputs, ...] = ()
    _edits: ObjectEdits | None = None

    def __init__(self, token: str, name: str, props: Any, opts: pulumi.ResourceOptions | None = None) -> None:
        parent = opts.parent if opts else None
        inherited = parent._late if isinstance(parent, Component) else ()
        # Pulumi hands transformations on to children by itself. What is inherited here is for values that are not inputs of a
        # resource.
        own: list[pulumi.ResourceTransformation] = [late.transform for late in self._late]
        self._late = (*self._late, *inherited)
        if isinstance(parent, Component) and self._edits is None:
            self._edits = parent._edits
        super().__init__(
            token, name, props, pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(transformations=own)) if own else opts
        )

    @property
    def edits(self) -> ObjectEdits | None:
        """Return where the edits of objects are noted: those of the component above that shows what they replace; None without
        one."""
        return self._edits

    def require(self, value: Any, check: Check) -> bool:
        """Check a value once it is known; return False, and do nothing, if it is known already."""
        late = next((late for late in self._late if late.has(value)), None)
        if late is not None:
            late.require(check)
        return late is not None

    def is_late(self, value: Any) -> bool:
        """Tell whether plain data of a plan contains what is known only later."""
        return any(late.has(value) for late in self._late)

    def with_values(self, value: Any) -> Any:
        """Return a value of a plan as it is registered, for values that are not inserted into a text unchanged, such as a
        hash."""
        return functools.reduce(lambda filled, late: late.fill(filled), self._late, value)

    def register_outputs(self, outputs: pulumi.Inputs) -> None:
        """Register the outputs, and have the same values in the attributes of the component."""
        for key, value in list(vars(self).items()) if self._late else ():
            if not key.startswith("_") and key != "urn" and isinstance(value, pulumi.Output | str | list | dict):
                setattr(self, key, self.with_values(value))
        super().register_outputs(self.with_values(outputs))


def planned(plan: Callable[[Any], object]) -> Callable[[Constructor], Constructor]:
    """Return a decorator that lets a component's constructor take inputs that are known late: it gets stand-ins for them, as
    its `plan` does, and the plan is made again with the values."""

    def decorate(construct: Constructor) -> Constructor:
        @functools.wraps(construct)
        def constructor(
            self: Component, name: str, args: Any, opts: pulumi.ResourceOptions | None = None, **parts: Any
        ) -> None:
            # A part that gets its plan was planned, with stand-ins, by the component that makes it.
            late = LateInputs(args, self._words) if parts.get("plan") is None else None
            if late:
                late.require(lambda fill: plan(fill(late.args)))
                self._late = (late,)
            construct(self, name, late.args if late else args, opts, **parts)

        return cast("Constructor", constructor)

    return decorate


def as_planned(value: pulumi.Input[str]) -> str:
    """Return an input as a plan has it: its text, or the stand-in for one that is known late."""
    if not isinstance(value, str):
        raise CutlistError("an Output where a plan needs a string; components take Outputs, their plans do not")
    return value


def all_as_planned(values: Iterable[pulumi.Input[str]]) -> list[str]:
    """Return inputs as a plan has them."""
    return [as_planned(value) for value in values]


def _named(args: Any, key: str) -> Any:
    """Return an input of a component or of its control plane, in either spelling, or an empty string without one."""
    groups = [args, *(args.get(group) for group in ("control_plane", "controlPlane"))] if isinstance(args, Mapping) else []
    members = (
        {camel_case(str(name)): value for name, value in group.items()} for group in groups if isinstance(group, Mapping)
    )
    return next((own[key] for own in members if own.get(key) is not None), "")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from (*_texts(key), *_texts(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _filled(value: Any, *, pattern: re.Pattern[str], values: Mapping[str, Any]) -> Any:
    """Return plain data with values in place of stand-ins; one that is the whole text may be of any type."""
    if isinstance(value, str):
        if value in values:
            return values[value]
        return pattern.sub(lambda match: _as_text(values[match[0]]), value)
    if isinstance(value, Mapping):
        return {key: _filled(inner, pattern=pattern, values=values) for key, inner in value.items()}
    return [_filled(inner, pattern=pattern, values=values) for inner in value] if isinstance(value, list | tuple) else value


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise CutlistError(f"an Output of a string turned out to be {value!r}")
    return value
