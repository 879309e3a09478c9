"""Inputs that other resources make: planned with stand-ins, checked once they are known.

Components decide names, counts and refusals before anything is registered. Ids and ARNs decide none of these, so a plan can be
made with stand-ins of the same form. What is registered gets the values themselves, and in an update waits until a plan with
them was made too: its mistakes end the update before anything that uses such a value.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

import pulumi

from cutlist.core.errors import CutlistError
from cutlist.infrastructure.inputs import camel_case
from cutlist.infrastructure.names import partition_of

Filler = Callable[[Any], Any]
Check = Callable[[Filler], object]
Constructor = TypeVar("Constructor", bound=Callable[..., None])
_IAM: Final = "arn:{partition}:iam::{account}:"
_KMS: Final = "arn:{partition}:kms:{region}:{account}:key/{uuid}"
_NETWORK: Final = "/subscriptions/{uuid}/resourceGroups/cutlist-late/providers/Microsoft.Network/virtualNetworks/late-{hex}"
_SUBNET, _GROUP, _WORD = "subnet-0{hex}", "sg-0{hex}", "cutlist-late-{hex}"
FORMS: Final[Mapping[str, str]] = {
    "accountId": "{digits}",
    "admins.*": _IAM + "role/" + _WORD,
    "publicAccessCidrs[]": "198.{address}/32",
    "adopted.vpcId": "vpc-0{hex}",
    "adopted.networkId": _NETWORK,
    "privateSubnets[].id": _SUBNET,
    "controlPlaneSubnets[].id": _SUBNET,
    "publicSubnets[].id": _SUBNET,
    "adoptedSubnetIds[]": _SUBNET,
    "adoptedGroup.id": _GROUP,
    "moreGroups[].id": _GROUP,
    "extraPolicyArns[]": _IAM + "policy/" + _WORD,
    "volumeKeyArns[]": _KMS,
    "imageParameterArns[]": "arn:{partition}:ssm:{region}:{account}:parameter/" + _WORD,
    "alarmActions[]": "arn:{partition}:sns:{region}:{account}:" + _WORD,
    "spec.role": _WORD,
    "spec.instanceProfile": _WORD,
    "spec.userData": "#!/bin/sh " + _WORD,
    "spec.tags.*": _WORD,
    "subnetSelectorTerms[].id": _SUBNET,
    "securityGroupSelectorTerms[].id": _GROUP,
    "amiSelectorTerms[].id": "ami-0{hex}",
    "capacityReservationSelectorTerms[].id": "cr-0{hex}",
    "ebs.kmsKeyID": _KMS,
    "ebs.snapshotID": "snap-0{hex}",
}
"""The form of each input that may be known late, by the end of its path; `.*` is any member of a mapping, `[]` of a list."""


class LateInputs:
    """The inputs of one component, with stand-ins for those that are Outputs.

    A stand-in follows from where its input is, so that previews and updates have the same ones.
    """

    def __init__(self, args: Any) -> None:
        self._outputs: dict[str, pulumi.Output[Any]] = {}
        self._account, self._region = "{account}", _named(args, "region")
        account = _named(args, "accountId")
        self._account = account if isinstance(account, str) else self._digits("accountId")
        self.args = self._stand_in(args, "")
        """The inputs as a plan takes them."""
        self._checked: pulumi.Input[bool] = True
        texts = sorted(self._outputs, key=len, reverse=True)
        self._pattern: Final = re.compile("|".join(map(re.escape, texts)))

    def __bool__(self) -> bool:
        return bool(self._outputs)

    def require(self, check: Check) -> None:
        """Have a check called with what fills in the values once all are known. What it raises ends the run."""

        def run(known: list[Any]) -> bool:
            check(functools.partial(_filled, pattern=self._pattern, values=known[1]))
            return True

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

    def _stand_in(self, value: Any, path: str) -> Any:
        if isinstance(value, pulumi.Output):
            return self._text_for(value, path)
        if isinstance(value, Mapping):
            return {key: self._stand_in(inner, f"{path}.{str(key).replace('.', '-')}") for key, inner in value.items()}
        return [self._stand_in(inner, f"{path}[{n}]") for n, inner in enumerate(value)] if isinstance(value, list) else value

    def _text_for(self, value: pulumi.Output[Any], path: str) -> Any:
        """Return the stand-in of an Output; one that no plan looks into stays as it is."""
        form = _form_of(path)
        if form is None:
            return value
        digest = hashlib.sha256(path.encode()).hexdigest()
        text = form.format(
            hex=digest[:16],
            digits=self._digits("accountId"),
            uuid="-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])),
            address=f"18.{int(digest[:2], 16)}.{int(digest[2:4], 16)}",
            account=self._account,
            region=self._region,
            partition=partition_of(self._region) if isinstance(self._region, str) else "aws",
        )
        self._outputs[text] = value
        return text

    def _digits(self, path: str) -> str:
        return f"{int(hashlib.sha256(path.encode()).hexdigest(), 16) % 10**12:012d}"


class Component(pulumi.ComponentResource):
    """A component whose inputs may be Outputs where FORMS has them, and whose resources and outputs have their values."""

    _late: tuple[LateInputs, ...] = ()

    def __init__(self, token: str, name: str, props: Any, opts: pulumi.ResourceOptions | None = None) -> None:
        parent = opts.parent if opts else None
        inherited = parent._late if isinstance(parent, Component) else ()
        own: list[pulumi.ResourceTransformation] = [late.transform for late in self._late]
        self._late = (*self._late, *inherited)
        super().__init__(
            token, name, props, pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(transformations=own)) if own else opts
        )

    def require(self, value: Any, check: Check) -> bool:
        """Have a value checked once it is known; False where it is known already, and nothing is done."""
        late = next((late for late in self._late if late.has(value)), None)
        if late is not None:
            late.require(check)
        return late is not None

    def is_late(self, value: Any) -> bool:
        """Tell whether plain data of a plan contains what is known only later."""
        return any(late.has(value) for late in self._late)

    def with_values(self, value: Any) -> Any:
        """Return a value of a plan as it is registered: for what is not put into a text as it is, such as a hash."""
        return functools.reduce(lambda filled, late: late.fill(filled), self._late, value)

    def register_outputs(self, outputs: pulumi.Inputs) -> None:
        """Register the outputs, and have the same values in the attributes of the component."""
        for key, value in list(vars(self).items()) if self._late else ():
            if not key.startswith("_") and key != "urn" and isinstance(value, pulumi.Output | str | list | dict):
                setattr(self, key, self.with_values(value))
        super().register_outputs(self.with_values(outputs))


def planned(plan: Callable[[Any], object]) -> Callable[[Constructor], Constructor]:
    """Return what has a component's constructor take inputs that are known late: it gets them with stand-ins, as its `plan`
    does, which is made again with the values."""

    def decorate(construct: Constructor) -> Constructor:
        @functools.wraps(construct)
        def constructor(
            self: Component, name: str, args: Any, opts: pulumi.ResourceOptions | None = None, **parts: Any
        ) -> None:
            late = LateInputs(args) if parts.get("plan") is None else None
            if late:
                late.require(lambda fill: plan(fill(late.args)))
                self._late = (late,)
            construct(self, name, late.args if late else args, opts, **parts)

        return cast("Constructor", constructor)

    return decorate


def as_planned(value: pulumi.Input[str]) -> str:
    """Return an input as a plan has it: its text, or the stand-in for one that is known late."""
    if not isinstance(value, str):
        raise CutlistError("an Output where a plan needs a text; components take Outputs, their plans do not")
    return value


def all_as_planned(values: Iterable[pulumi.Input[str]]) -> list[str]:
    """Return inputs as a plan has them."""
    return [as_planned(value) for value in values]


def _form_of(path: str) -> str | None:
    plain = ".".join(map(camel_case, re.sub(r"\[[0-9]+\]", "[]", path).split(".")))
    any_member = f"{plain.rpartition('.')[0]}.*"
    return next((FORMS[end] for end in FORMS if f".{end}" in (plain[-len(end) - 1 :], any_member[-len(end) - 1 :])), None)


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
        raise CutlistError(f"an Output of a text turned out to be {value!r}")
    return value
