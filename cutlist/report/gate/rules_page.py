"""The page on all rules, made from the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.policy.gates import OWN, AnyRule
from cutlist.policy.gates.bounds import BOUNDS
from cutlist.policy.gates.levels import DEVELOPMENT, PRODUCTION, built_in_level, has_remedy
from cutlist.policy.registry import themes
from cutlist.policy.rules import Parameter, StackRule

_HOSTS: Final = {
    "core": "kubernetes-sigs/karpenter",
    "aws": "aws/karpenter-provider-aws",
    "azure": "Azure/karpenter-provider-azure",
    "tf-eks": "terraform-aws-modules/terraform-aws-eks",
}
"""Short names of repositories."""
_HEAD: Final = """# The rules

Made by `cutlist gate --rules`. How rules are set, exempted and run is described in [Gates](gates.md).

Each rule passes, is violated (with the field, what is allowed and one repair), or is undetermined, with what is not known. A
mandatory violation ends `cutlist gate` with exit code 1, and a preview under the policy pack. Issues name people who were
hurt by what the rule protects from.
"""
_GATES: Final = """## The gates themselves

These cannot be switched off or exempted.

| id | rule | protects from | level |
|---|---|---|---|"""


def rules_page(others: Sequence[AnyRule] = ()) -> str:
    """Return every rule by theme with its levels, its purpose and its settings; `others` are those of other packages."""
    lines = [_HEAD, _GATES]
    lines += [f"| {gate.id} | {gate.title} | {gate.protects} | {gate.level} |" for gate in OWN]
    for theme in themes():
        lines += ["", f"## {theme.title}", ""]
        lines += [line for rule in theme.rules for line in _rule(rule)]
    if others:
        lines += ["", "## Rules of other packages", ""]
        lines += [line for rule in others for line in _rule(rule)]
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _rule(rule: AnyRule) -> Iterator[str]:
    yield f"### {rule.id} {rule.title}"
    yield ""
    yield f"Protects from: {rule.protects}."
    yield ""
    yield f"- levels: {built_in_level(rule, PRODUCTION)} in production, {built_in_level(rule, DEVELOPMENT)} in development"
    scope = "how these go together" if isinstance(rule, StackRule) else "each by itself"
    yield f"- looks at: {', '.join(f'`{kind}`' for kind in rule.looks_at)}, {scope}"
    if rule.hurt:
        yield f"- issues: {', '.join(map(_issue, rule.hurt))}"
    if has_remedy(rule):
        yield "- repaired by `cutlist gate --fix`, and by an engine at level `remediate`"
    for parameter in rule.parameters:
        bound = BOUNDS.get((rule.id, parameter.name))
        yield f"- setting {_parameter(parameter)}{f' Allowed: {bound.words}.' if bound else ''}"
    yield ""


def _parameter(parameter: Parameter) -> str:
    default = "none, and without it the rule cannot tell" if parameter.default is None else f"`{_value(parameter.default)}`"
    return f"`{parameter.name}`, {parameter.kind}: {parameter.help} Default: {default}."


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(str, value))}]"
        case dict():
            return "{" + ", ".join(f"{key}: {amount}" for key, amount in value.items()) + "}"
    return str(value)


def _issue(short: str) -> str:
    name, _, number = short.partition("#")
    host = _HOSTS.get(name.removesuffix(" PR"), name.removesuffix(" PR"))
    kind = "pull" if name.endswith(" PR") else "issues"
    return f"[{short}](https://github.com/{host}/{kind}/{number})"
