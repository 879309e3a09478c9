"""The AKSNodeClass of the release after Karpenter 1.14, which recorded answers know already (spec: azure 2)."""

from __future__ import annotations

from typing import Final

from cutlist.api.aksnodeclass_fields import AKSNodeClassFields, AKSNodeClassSpec, NextSecurity
from cutlist.api.aksnodeclass_rules import COMMON_RULES, HINTS, Part, fips_rule, is_fips_family
from cutlist.api.fields import Field
from cutlist.api.validation import ObjectKind


class NextAKSNodeClassSpec(AKSNodeClassSpec):
    """The same in releases after 1.14."""

    security: NextSecurity | None = None


class NextAKSNodeClassFields(AKSNodeClassFields):
    """The same in releases after 1.14."""

    spec: NextAKSNodeClassSpec = Field(default_factory=NextAKSNodeClassSpec)


def _trusted(self: Part) -> bool:
    launch = (self.get("security") or {}).get("trustedLaunch") or {}
    return bool(launch.get("vtpm") or launch.get("secureBoot"))


def _fips_is_trusted(self: Part) -> bool:
    family = self.get("imageFamily")
    return self.get("fipsMode") != "FIPS" or (family is not None and (family != "Ubuntu2204" or _trusted(self)))


def _trusted_fips_family(self: Part) -> bool:
    asked = self.get("fipsMode") == "FIPS" and _trusted(self)
    return not asked or self.get("imageFamily") in (None, "Ubuntu", "Ubuntu2204")


_HAS_TRUSTED: Final = (
    "has(self.security) && has(self.security.trustedLaunch) && ((has(self.security.trustedLaunch.vtpm) && "
    "self.security.trustedLaunch.vtpm) || (has(self.security.trustedLaunch.secureBoot) && "
    "self.security.trustedLaunch.secureBoot))"
)
_NEXT_FIPS_RULES: Final = (
    fips_rule(
        "FIPS is not yet supported for Ubuntu2404",
        "has(self.fipsMode) && self.fipsMode == 'FIPS' ? (has(self.imageFamily) && self.imageFamily != 'Ubuntu2404') : true",
        is_fips_family("Ubuntu2404"),
    ),
    fips_rule(
        "TrustedLaunch is required for FIPS support with Ubuntu2204",
        "has(self.fipsMode) && self.fipsMode == 'FIPS' ? (has(self.imageFamily) && "
        f"(self.imageFamily != 'Ubuntu2204' || ({_HAS_TRUSTED}))) : true",
        _fips_is_trusted,
    ),
    fips_rule(
        "TrustedLaunch with FIPSMode FIPS is only supported for Ubuntu and Ubuntu2204",
        f"has(self.fipsMode) && self.fipsMode == 'FIPS' && {_HAS_TRUSTED} ? (!has(self.imageFamily) || "
        "self.imageFamily == 'Ubuntu' || self.imageFamily == 'Ubuntu2204') : true",
        _trusted_fips_family,
    ),
)

NEXT_AKS_NODE_CLASS: Final = ObjectKind(NextAKSNodeClassFields, HINTS, lambda _: (*_NEXT_FIPS_RULES, *COMMON_RULES))
