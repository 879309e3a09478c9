"""The AKSNodeClass as a kind: the rules of its CRD, and hints (spec: azure 2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from cutlist.api.aksnodeclass_fields import PATTERNS_IN_WORDS, AKSNodeClassFields
from cutlist.api.findings import Hints
from cutlist.api.kubelet_rules import image_gc_rule
from cutlist.api.rule_table import Breach, Breaches, Part, Row, Rule
from cutlist.api.validation import ObjectKind
from cutlist.core.requirement import integer

_SYSCTLS: Final = "spec.linuxOSConfig.sysctls"
_PORTS: Final = "netIPv4IPLocalPortRange"
_OVERRIDES: Final = ("spec.localDNS.kubeDNSOverrides", "spec.localDNS.vnetDNSOverrides")
_ODD: Final = re.compile(r"[<>%&?]")


def _fails(fine: Callable[[Any], bool], at: tuple[str, ...] = (), allowed: str = "") -> Callable[[Any], Breaches]:
    """Return a check that yields one breach, at a member, if a condition does not hold."""
    return lambda self: [] if fine(self) else [Breach(at, "", allowed)]


def _may_swap(self: Part) -> bool:
    swap = (self.get("linuxOSConfig") or {}).get("swapFileSize")
    return swap is None or (self.get("kubelet") or {}).get("failSwapOn") is False


def is_fips_family(*refused: str) -> Callable[[Part], bool]:
    """Return a check that a class with FIPS names an image family that is not one of these."""
    return lambda self: self.get("fipsMode") != "FIPS" or self.get("imageFamily") not in (None, *refused)


def fips_rule(message: str, cel: str, fine: Callable[[Part], bool]) -> Rule:
    """Return a rule on the spec whose breach is at `fipsMode`."""
    return Rule("spec", message, cel, _fails(fine, ("fipsMode",)))


_FIPS_RULES: Final = (
    fips_rule(
        "FIPS is not yet supported for Ubuntu2204 or Ubuntu2404",
        "has(self.fipsMode) && self.fipsMode == 'FIPS' ? (has(self.imageFamily) && self.imageFamily != 'Ubuntu2204' && "
        "self.imageFamily != 'Ubuntu2404') : true",
        is_fips_family("Ubuntu2204", "Ubuntu2404"),
    ),
)


def _ordered(low: str, high: str) -> Rule:
    fine = lambda self: low not in self or high not in self or self[low] <= self[high]  # noqa: E731
    cel = f"has(self.{low}) && has(self.{high}) ? self.{low} <= self.{high} : true"
    return Rule(_SYSCTLS, f"{low} must be <= {high}", cel, _fails(fine, (low,)))


def _port(self: Part, index: int) -> int | None:
    """Return a bound of the range of ports, or None if the text has no number there."""
    parts = self[_PORTS].split(" ")
    return integer(parts[index]) if index < len(parts) else None


def _port_rule(name: str, index: int, low: int, high: int) -> Rule:
    def fine(self: Part) -> bool:
        port = _port(self, index) if _PORTS in self else low
        return port is not None and low <= port <= high

    number = f"int(self.{_PORTS}.split(' ')[{index}])"
    cel = f"!has(self.{_PORTS}) || ({number} >= {low} && {number} <= {high})"
    return Rule(_SYSCTLS, f"{_PORTS} {name} port must be in [{low}, {high}]", cel, _fails(fine, (_PORTS,)))


def _ports_in_order(self: Part) -> bool:
    if _PORTS not in self:
        return True
    first, last = _port(self, 0), _port(self, 1)
    return first is not None and last is not None and first <= last


_SYSCTL_RULES: Final = (
    _ordered("netCoreRmemDefault", "netCoreRmemMax"),
    _ordered("netCoreWmemDefault", "netCoreWmemMax"),
    _ordered("netIPv4NeighDefaultGcThresh1", "netIPv4NeighDefaultGcThresh2"),
    _ordered("netIPv4NeighDefaultGcThresh2", "netIPv4NeighDefaultGcThresh3"),
    _port_rule("first", 0, 1024, 60999),
    _port_rule("last", 1, 32768, 65535),
    Rule(
        _SYSCTLS,
        f"{_PORTS} first port must be <= last port",
        f"!has(self.{_PORTS}) || int(self.{_PORTS}.split(' ')[0]) <= int(self.{_PORTS}.split(' ')[1])",
        _fails(_ports_in_order, (_PORTS,)),
    ),
)


def _is_external(zone: str) -> bool:
    return zone != "." and not zone.endswith("cluster.local")


def _to_cluster(self: Sequence[Part], meant: Callable[[str], bool]) -> Iterator[Breach]:
    for index, override in enumerate(self):
        if meant(override["zone"]) and override["forwardDestination"] == "ClusterCoreDNS":
            yield Breach((index, "forwardDestination"), nearest="VnetDNS")


def _missing_zones(self: Sequence[Part]) -> Iterator[Breach]:
    missing = [zone for zone in (".", "cluster.local") if zone not in [o["zone"] for o in self]]
    if missing:
        yield Breach((), "", f"entries for {' and '.join(missing)} as well")


_DNS_RULES: Final = (
    *(
        Rule(
            path,
            "must contain required zones '.' and 'cluster.local'",
            "['.', 'cluster.local'].all(z, self.exists(x, x.zone == z))",
            _missing_zones,
        )
        for path in _OVERRIDES
    ),
    *(
        Rule(
            f"{path}[]",
            "'cluster.local' cannot be forwarded to VnetDNS",
            "!(self.zone.endsWith('cluster.local') && self.forwardDestination == 'VnetDNS')",
            _fails(lambda o: not (o["zone"].endswith("cluster.local") and o["forwardDestination"] == "VnetDNS")),
        )
        for path in _OVERRIDES
    ),
    *(
        Rule(
            f"{path}[]",
            "serveStale Verify cannot be used with protocol ForceTCP",
            "!(self.serveStale == 'Verify' && self.protocol == 'ForceTCP')",
            _fails(lambda o: not (o["serveStale"] == "Verify" and o["protocol"] == "ForceTCP")),
        )
        for path in _OVERRIDES
    ),
    Rule(
        _OVERRIDES[1],
        "root zone '.' cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides",
        "!self.exists(x, x.zone == '.' && x.forwardDestination == 'ClusterCoreDNS')",
        lambda self: _to_cluster(self, lambda zone: zone == "."),
    ),
    Rule(
        _OVERRIDES[1],
        "external domains cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides",
        "!self.exists(x, x.zone != '.' && !x.zone.endsWith('cluster.local') && x.forwardDestination == 'ClusterCoreDNS')",
        lambda self: _to_cluster(self, _is_external),
    ),
)


def _keys(message: str, cel: str, wrong: Callable[[str, str], object]) -> Rule:
    return Rule("spec.tags", message, cel, lambda self: [Breach((k,)) for k, value in self.items() if wrong(k, value)])


_TAG_RULES: Final = (
    _keys("tags keys must be less than 512 characters", "self.all(k, size(k) <= 512)", lambda k, _: len(k) > 512),
    _keys(
        "tags keys must not contain '<', '>', '%', '&', or '?'",
        "self.all(k, !k.matches('[<>%&?]'))",
        lambda k, _: _ODD.search(k),
    ),
    _keys("tags keys must not contain '\\'", "self.all(k, !k.contains('\\\\'))", lambda k, _: "\\" in k),
    _keys(
        "tags values must be less than 256 characters",
        "self.all(k, size(self[k]) <= 256)",
        lambda _, value: len(value) > 256,
    ),
)

COMMON_RULES: Final[tuple[Row, ...]] = (
    Rule(
        "spec",
        "kubelet.failSwapOn must be set to false when linuxOSConfig.swapFileSize is specified",
        "!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSize) || "
        "(has(self.kubelet) && has(self.kubelet.failSwapOn) && self.kubelet.failSwapOn == false)",
        _fails(_may_swap, ("linuxOSConfig", "swapFileSize"), "kubelet.failSwapOn: false with it"),
    ),
    image_gc_rule("spec.kubelet"),
    *_SYSCTL_RULES,
    *_DNS_RULES,
    *_TAG_RULES,
)
"""The rules except those on FIPS, which change with the release after 1.14."""

RULES: Final[tuple[Row, ...]] = (*_FIPS_RULES, *COMMON_RULES)


_ONLY_ON_EC2: Final = "AKS decides this"
HINTS: Final = Hints(
    patterns=PATTERNS_IN_WORDS,
    moved={
        "spec.security.trustedLaunch": "it comes with the release after 1.14",
        **{
            f"spec.kubelet.{name}": _ONLY_ON_EC2
            for name in ("kubeReserved", "systemReserved", "evictionHard", "evictionSoft", "podsPerCore")
        },
        "spec.kubelet.maxPods": "here it is spec.maxPods",
        "spec.userData": _ONLY_ON_EC2,
        "spec.amiFamily": "here it is spec.imageFamily",
    },
)

AKS_NODE_CLASS: Final = ObjectKind(AKSNodeClassFields, HINTS, lambda _: RULES)
