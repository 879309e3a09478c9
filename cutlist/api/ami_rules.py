"""The rules of an EC2NodeClass about its images: the family, the terms, and their aliases (spec: 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.ami_alias import ALIAS_FAMILIES, CUSTOM, LATEST, AmiAlias, alias_of
from cutlist.api.rule_table import Breach, Breaches, Part, Row, Rule
from cutlist.api.selector_rules import any_of, mixed_anywhere, selector_tags
from cutlist.core.errors import nearest

AMI_TERMS: Final = "spec.amiSelectorTerms"
AMI_FIELDS: Final = ("tags", "id", "name", "alias", "ssmParameter")
_ALIAS: Final = re.compile(r"[a-zA-Z0-9]+@.+")
_WINDOWS: Final = tuple(name for name in ALIAS_FAMILIES if AmiAlias(name, LATEST).is_windows)


def _list(words: Sequence[str], comma: str = ",") -> str:
    return comma.join(f"'{word}'" for word in words)


def _other_family(self: Part, short: str, family: str) -> Iterator[Breach]:
    terms = self.get("amiSelectorTerms") or ()
    families = [AmiAlias.read(term["alias"]).family for term in terms if term.get("alias") is not None]
    if short in families and self.get("amiFamily") not in (None, CUSTOM, family):
        yield Breach(("amiFamily",), nearest=family)


def _family_rule(short: str, family: str) -> Rule:
    article = "an" if family.startswith("AL") else "a"
    return Rule(
        "spec",
        f"if set, amiFamily must be '{family}' or 'Custom' when using {article} {family} alias",
        "!has(self.amiFamily) || (self.amiSelectorTerms.exists(x, has(x.alias) && "
        f"x.alias.find('^[^@]+') == '{short}') ? (self.amiFamily == 'Custom' || self.amiFamily == '{family}') : true)",
        lambda self: _other_family(self, short, family),
    )


def _no_family(self: Part) -> Breaches:
    if alias_of(self) is not None or self.get("amiFamily") is not None:
        return []
    return [Breach(instead=None if self.get("amiSelectorTerms") else "")]


def _crowded_alias(self: Sequence[Part]) -> Breaches:
    return [Breach((i, "alias")) for i, term in enumerate(self) if "alias" in term] if len(self) > 1 else []


def _malformed(self: str) -> Iterator[Breach]:
    if not _ALIAS.fullmatch(self):
        family, version = AmiAlias.read(self)
        near = f"{family}@{LATEST}" if family in ALIAS_FAMILIES and not version else ""
        yield Breach((), f", found {self!r}", nearest=near)


def _unknown_family(self: str) -> Iterator[Breach]:
    family, version = AmiAlias.read(self)
    if family not in ALIAS_FAMILIES:
        near = nearest(family.lower(), ALIAS_FAMILIES)
        yield Breach(nearest=f"{near}@{version}" if near and version else "")


def _pinned_windows(self: str) -> Iterator[Breach]:
    family, *rest = self.split("@")
    if family in _WINDOWS and rest[:1] != [LATEST]:
        yield Breach(nearest=f"{family}@{LATEST}")


AMI_RULES: Final[tuple[Row, ...]] = (
    *(_family_rule(short, family) for short, family in ALIAS_FAMILIES.items()),
    Rule(
        "spec",
        "must specify amiFamily if amiSelectorTerms does not contain an alias",
        "self.amiSelectorTerms.exists(x, has(x.alias)) ? true : has(self.amiFamily)",
        _no_family,
    ),
    any_of(AMI_TERMS, AMI_FIELDS),
    *(
        mixed_anywhere(
            AMI_TERMS,
            f"'{field}' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
            field,
            (other, "tags", "name", "owner"),
        )
        for field, other in (("id", "alias"), ("alias", "id"))
    ),
    Rule(
        AMI_TERMS,
        "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms",
        "!(self.exists(x, has(x.alias)) && self.size() != 1)",
        _crowded_alias,
    ),
    Rule(
        f"{AMI_TERMS}[].alias",
        "'alias' is improperly formatted, must match the format 'family@version'",
        "self.matches('^[a-zA-Z0-9]+@.+$')",
        _malformed,
    ),
    Rule(
        f"{AMI_TERMS}[].alias",
        f"family is not supported, must be one of the following: {_list(list(ALIAS_FAMILIES), ', ')}",
        f"self.split('@')[0] in [{_list(list(ALIAS_FAMILIES))}]",
        _unknown_family,
    ),
    Rule(
        f"{AMI_TERMS}[].alias",
        "windows families may only specify version 'latest'",
        f"self.split('@')[0] in [{_list(_WINDOWS)}] ? self.split('@')[1] == 'latest' : true",
        _pinned_windows,
    ),
    selector_tags(f"{AMI_TERMS}[].tags"),
)
