"""Resources in the CloudFormation templates of a program, as types of Cloud Control, which have the same members."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.cloudformation.short_forms import parse_template
from cutlist.policy.rules.access.callers import THIS_ACCOUNT
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.types.table import native_of

STACKS: Final = (
    "aws:cloudformation/stack:Stack",
    "aws:cloudformation/stackSet:StackSet",
    "aws-native:cloudformation:Stack",
    "aws-native:cloudformation:StackSet",
)
_SINGLE: Final[Mapping[str, tuple[str, str]]] = {
    "aws:cloudcontrol/resource:Resource": ("typeName", "desiredState"),
    "aws-native:index:ExtensionResource": ("type", "properties"),
}
"""The members that name the type of one resource and hold its own, by type."""
SINGLE_TYPES: Final = tuple(_SINGLE)
BODY: Final = "templateBody"
_TYPE: Final = re.compile(r"AWS::(?P<service>\w+)::(?P<kind>\w+)")
_DOCUMENTS: Final = ("Document", "Policy", "PolicyText", "Pattern", "Variables", "Parameters", "Value")
"""What ends the names of members whose own members are not CloudFormation's."""
_ACRONYM: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z]|$)|[A-Z]")
_ELSEWHERE: Final = "{{resolve:"
_NOTHING: Final = "AWS::NoValue"
_PSEUDO: Final[Mapping[str, str]] = {
    "AWS::AccountId": THIS_ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": "us-east-1",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": "stack",
}
_PLACEHOLDER: Final = re.compile(r"\$\{(!?)([^}]*)\}")
_NAMES: Final = ("RoleName", "UserName", "GroupName", "ManagedPolicyName", "QueueName", "Name")
_DEEPEST: Final = 60
_LONGEST_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class _Template:
    """A template with the values of its parameters, as far as they are known."""

    urn: str
    resources: Mapping[str, Any]
    parameters: Mapping[str, Any]

    def value(self, data: Any, depth: int = 0) -> Any:
        """Return data with its functions resolved. What cannot be resolved is unknown."""
        if depth > _DEEPEST:
            return UNKNOWN
        if isinstance(data, Mapping):
            if len(data) == 1:
                ((name, argument),) = data.items()
                if name == "Ref" or str(name).startswith("Fn::"):
                    return self._resolved(str(name), argument, depth + 1)
            return {str(key): self.value(inner, depth + 1) for key, inner in data.items()}
        if isinstance(data, list):
            return [self.value(item, depth + 1) for inner in data for item in _branches(inner)]
        return UNKNOWN if isinstance(data, str) and _ELSEWHERE in data else data

    def _resolved(self, name: str, argument: Any, depth: int) -> Any:
        match name, argument:
            case "Ref", str():
                return self._named(argument)
            case "Fn::GetAtt", [str() as target, str() as attribute]:
                return self._attribute(target, attribute)
            case "Fn::Sub", str() | [str(), {}]:
                text, own = (argument, {}) if isinstance(argument, str) else argument
                return self._filled(text, own, depth)
            case "Fn::Join", [str() as separator, list() as parts]:
                texts = self.value(parts, depth)
                return UNKNOWN if UNKNOWN in texts else _bounded(separator.join(map(str, texts)))
            case "Fn::If", [_, first, second]:
                # The condition is decided when the stack is deployed: the value is only known if both branches have the same.
                kept = [branch for branch in (first, second) if branch != {"Ref": _NOTHING}]
                values = [self.value(branch, depth) for branch in kept]
                return values[0] if values and all(value == values[0] for value in values) else UNKNOWN
            case "Fn::Base64" | "Fn::ToJsonString", _:
                return self.value(argument, depth)
            case "Fn::Split", [str() as separator, text]:
                whole = self.value(text, depth)
                return whole.split(separator) if isinstance(whole, str) else UNKNOWN
        return UNKNOWN

    def _named(self, name: str) -> Any:
        """Return the value of a `Ref`: a parameter's value, or the name of a resource."""
        if name == _NOTHING:
            return None
        if name in _PSEUDO or name in self.parameters:
            return _PSEUDO.get(name) or self.parameters[name]
        return self._physical(name) if name in self.resources else UNKNOWN

    def _physical(self, name: str) -> str:
        """Return the name of a resource in its account; its name in the template replaces one that CloudFormation generates, or
        that depends on another resource."""
        members = _members(self.resources[name])
        written = next((members[key] for key in _NAMES if key in members), None)
        value = replace(self, resources={}).value(written)
        return value if isinstance(value, str) else name

    def _attribute(self, target: str, attribute: str) -> Any:
        if target not in self.resources:
            return UNKNOWN
        name = self._physical(target)
        match = _TYPE.fullmatch(str(_type_of(self.resources[target])))
        if match is None or not attribute.endswith("Arn"):
            return name
        service, kind = match["service"].lower(), match["kind"]
        if service == "iam":
            return f"arn:aws:iam::{THIS_ACCOUNT}:{'policy' if kind == 'ManagedPolicy' else kind.lower()}/{name}"
        return f"arn:aws:{service}:us-east-1:{THIS_ACCOUNT}:{name}"

    def _filled(self, text: str, own: Mapping[str, Any], depth: int) -> Any:
        """Return a text with its placeholders filled; variables of IAM are written `${!...}` in a template."""
        values = {str(name): self.value(value, depth) for name, value in own.items()}
        pieces: list[str] = []
        end = 0
        for match in _PLACEHOLDER.finditer(text):
            target, _, attribute = match[2].strip().partition(".")
            value: Any = f"${{{match[2]}}}"
            if not match[1]:
                own_value = values.get(match[2].strip())
                value = own_value or (self._attribute(target, attribute) if attribute else self._named(target))
            if value is UNKNOWN:
                return UNKNOWN
            pieces += (text[end : match.start()], str(value))
            end = match.end()
        return _bounded("".join((*pieces, text[end:])))


def _bounded(text: str) -> Any:
    """Return a text that may be a member of a resource; a longer one, as nested functions can make, is unknown."""
    return text if len(text) <= _LONGEST_TEXT else UNKNOWN


def template_of(stack: Resource) -> Mapping[str, Any] | None:
    """Return the template that a stack has as text or data, or None if it has none, or only an unknown or invalid one."""
    if stack.type in _SINGLE:
        return _template_of_one(stack, *_SINGLE[stack.type])
    body = stack.data.get(BODY)
    if isinstance(body, str):
        return parse_template(body)
    return body if isinstance(body, Mapping) and isinstance(body.get("Resources"), Mapping) else None


def _template_of_one(resource: Resource, kind: str, members: str) -> Mapping[str, Any] | None:
    """Return a template of the one resource that Cloud Control makes, or None if it is not known."""
    written = resource.data.get(members)
    try:
        data = json.loads(written) if isinstance(written, str) else written
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, Mapping):
        return None
    return {"Resources": {resource.name: {"Type": resource.data.get(kind), "Properties": data}}}


def resources_of_stack(stack: Resource) -> Iterator[Resource]:
    """Yield the resources in the template of a stack, with their functions resolved as far as that can be done."""
    data = template_of(stack) if stack.type in (*STACKS, *_SINGLE) else None
    if data is None:
        return
    resources = {str(name): written for name, written in data["Resources"].items()}
    template = _Template(stack.urn, resources, dict(_parameters(stack, data)))
    for name, written in resources.items():
        match = _TYPE.fullmatch(str(_type_of(written)))
        if match is not None:
            yield _resource(stack, template, name, match)


def unseen_in(stack: Resource) -> str:
    """Return in words which part of a stack cannot be seen; empty if its template shows everything."""
    template = template_of(stack)
    if template is None:
        return "what its template makes"
    if template.get("Transform"):
        return "what the macros of its template make"
    kinds = {str(_type_of(written)) for written in template["Resources"].values()}
    custom = sorted(kind for kind in kinds if kind.startswith("Custom::") or kind == "AWS::CloudFormation::CustomResource")
    return f"what {', '.join(custom)} does" if custom else ""


def _resource(stack: Resource, template: _Template, name: str, match: re.Match[str]) -> Resource:
    members = _members(template.resources[name])
    data = {_lowered(key): _renamed(template.value(value), str(key)) for key, value in members.items()}
    references = {_lowered(key): tuple(_urn(stack, other) for other in _named_in(value)) for key, value in members.items()}

    at = _SINGLE[stack.type][1] if stack.type in _SINGLE else f"{BODY}.Resources.{name}.Properties"

    def place(inner: str) -> Place:
        return stack.place(f"{at}.{inner}" if inner else at)

    kind = native_of(match[0]) or f"aws-native:{match['service'].lower()}:{match['kind']}"
    known = {key: value for key, value in data.items() if value is not None}
    return replace(stack, type=kind, name=name, data=known, place=place, urn=_urn(stack, name), references=references)


def _urn(stack: Resource, name: str) -> str:
    return f"{stack.urn}#{name}"


def _parameters(stack: Resource, template: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the parameters of a template with their values: those of the stack, else their defaults, else unknown ones."""
    written = stack.data.get("parameters")
    values = written if isinstance(written, Mapping) else {}
    declared = template.get("Parameters")
    for name, parameter in declared.items() if isinstance(declared, Mapping) else ():
        default = parameter.get("Default", UNKNOWN) if isinstance(parameter, Mapping) else UNKNOWN
        value = values.get(name, default)
        is_list = isinstance(parameter, Mapping) and "List" in str(parameter.get("Type"))
        yield str(name), value.split(",") if is_list and isinstance(value, str) else value


def _branches(item: Any) -> Sequence[Any]:
    """Return the items that an item of a list may be: each branch of a condition, or the item itself."""
    branches = item.get("Fn::If") if isinstance(item, Mapping) and len(item) == 1 else None
    if not isinstance(branches, list) or len(branches) != 3:
        return (item,)
    return [inner for branch in branches[1:] if branch != {"Ref": _NOTHING} for inner in _branches(branch)]


def _named_in(data: Any, depth: int = 0) -> Iterator[str]:
    """Yield the names of resources that functions in data refer to."""
    if depth > _DEEPEST:
        return
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == "Ref" and isinstance(value, str):
                yield value
            elif key == "Fn::GetAtt" and isinstance(value, list) and value:
                yield str(value[0])
            else:
                yield from _named_in(value, depth + 1)
    elif isinstance(data, list):
        for item in data:
            yield from _named_in(item, depth + 1)


def _members(written: Any) -> Mapping[str, Any]:
    members = written.get("Properties") if isinstance(written, Mapping) else None
    return members if isinstance(members, Mapping) else {}


def _type_of(written: Any) -> Any:
    return written.get("Type") if isinstance(written, Mapping) else None


def _renamed(data: Any, name: str) -> Any:
    """Return a value with its members named as Pulumi names them. Documents have names of their own."""
    if name.endswith(_DOCUMENTS):
        return data
    if isinstance(data, Mapping):
        return {_lowered(key): _renamed(value, str(key)) for key, value in data.items()}
    return [_renamed(item, name) for item in data] if isinstance(data, list) else data


def _lowered(key: Any) -> str:
    name = str(key)
    return _ACRONYM.sub(lambda match: match[0].lower(), name, count=1) if name[:1].isupper() else name
