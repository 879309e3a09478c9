"""What the page of a rule and its text in a terminal share: its levels, its settings, and what a repair does to nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.policy.gates import AnyRule
from cutlist.policy.gates.bounds import BOUNDS
from cutlist.policy.gates.levels import DEVELOPMENT, built_in_level, has_remedy
from cutlist.policy.guides import FixSafety, Guide
from cutlist.policy.rules import Parameter, Profile
from cutlist.settings.gate import FIX

_HOSTS: Final = {
    "core": "kubernetes-sigs/karpenter",
    "aws": "aws/karpenter-provider-aws",
    "azure": "Azure/karpenter-provider-azure",
    "tf-eks": "terraform-aws-modules/terraform-aws-eks",
}
"""Short names of repositories."""
FIXES: Final[Mapping[FixSafety, str]] = {
    FixSafety.SAFE: "Safe.",
    FixSafety.REPLACES_NODES: "Replaces nodes: they drift, and Karpenter replaces them as the pool's budgets allow.",
    FixSafety.NEEDS_JUDGEMENT: "Needs judgement.",
}
_WHY: Final[Mapping[Profile, str]] = {
    Profile.START: "nobody wants it, whatever their cluster is for",
    Profile.RECOMMENDED: "it costs money, nodes or safety, and who needs it can say why",
    Profile.STRICT: "sane set-ups break it as well, so it is a standard of your own",
}
"""Why a profile has a rule that looser ones have not."""
REMEDY: Final = f"`cutlist gate {FIX.flag}` makes this change, and so does an engine at level `remediate`."


def levels(rule: AnyRule) -> str:
    """Return where a rule stops a change: `Stops a change from the profile recommended on; advice in development`."""
    stopping = first_profile(rule)
    if stopping is None:
        return "Advice in every profile"
    where = "in every profile" if stopping is Profile.START else f"in {' and '.join(map(str, _from(stopping)))}"
    in_development = built_in_level(rule, stopping, DEVELOPMENT).stops
    lesser = "; some of its violations are less grave, and stop later or never" if rule.graded else ""
    return f"Stops a change {where}: {_WHY[stopping]}. {'Also' if in_development else 'Advice'} in development{lesser}"


def first_profile(rule: AnyRule) -> Profile | None:
    """Return the first profile in which a rule can stop a change, or None if it only advises."""
    return next((profile for profile in Profile if built_in_level(rule, profile).stops), None)


def _from(first: Profile) -> list[Profile]:
    return [profile for profile in Profile if profile.includes(first)]


def fix_words(rule: AnyRule, guide: Guide) -> str:
    """Return in sentences what repairing a violation does to nodes, and whether Cutlist can do it."""
    return " ".join(text for text in (FIXES[guide.fix], guide.note, REMEDY if has_remedy(rule) else "") if text)


def setting_words(rule: AnyRule, parameter: Parameter) -> str:
    """Return what a setting is for, its kind, default and limits, in Markdown."""
    bound = BOUNDS.get((rule.id, parameter.name))
    default = (
        "none; the rule is undetermined until you set it" if parameter.default is None else f"`{value(parameter.default)}`"
    )
    allowed = f" Allowed: {bound.words}." if bound else ""
    return f"`{parameter.name}`, {parameter.shape.words}: {parameter.help} Default: {default}.{allowed}"


def value(setting: object) -> str:
    """Return the value of a setting as YAML writes it on one line."""
    match setting:
        case bool():
            return str(setting).lower()
        case list():
            return f"[{', '.join(map(str, setting))}]"
        case dict():
            return "{" + ", ".join(f"{key}: {value(amount)}" for key, amount in setting.items()) + "}"
    return str(setting)


def issue_address(short: str) -> str:
    """Return the address of an issue or pull request that is named in short, such as `core#745` or `core PR#2164`."""
    name, _, number = short.partition("#")
    repository = name.removesuffix(" PR")
    return f"https://github.com/{_HOSTS.get(repository, repository)}/{'pull' if name.endswith(' PR') else 'issues'}/{number}"
