"""Values that stand in for what a look-up would find, where the program needs a plain value at once.

Each has the form of what it stands in for, so that a program can take it apart, and is recognizable: where an input of a
resource holds one, the input counts as unknown.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.infrastructure.names import partition_of
from pulumi_cutlist.lookups.question import Question

ACCOUNT: Final = "000000000000"
"""An account that AWS has given to nobody."""
_RANGE: Final = "198.18.0.0/16"
"""From the range for benchmarks (RFC 2544), which no network of a cloud uses."""
_RANGES: Final[Mapping[str, str]] = {"subnet": "198.18.{}.0/20", "routetable": "0.0.0.0/0"}
"""The ranges of subnets that stand in do not overlap; a route that stands in leads to the internet."""
_TRUE: Final = ("enableDnsSupport", "enableDnsHostnames", "endpointPrivateAccess")
"""What is on wherever nodes can join a cluster."""
_AVAILABLE: Final = "available"
_PLAIN: Final = ("", "{}", _AVAILABLE, _RANGES["routetable"])
"""Texts that stand in and that a program has besides."""
_SEVERAL: Final = 3
"""How many ids or names stand in for a list, since programs often name the second and the third, one for each zone."""
_LISTED: Final = ("id", "name", "arn")
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PREFIXES: Final[Mapping[str, str]] = {
    "ami": "ami",
    "capacityreservation": "cr",
    "dhcpoptions": "dopt",
    "eip": "eipalloc",
    "image": "ami",
    "instance": "i",
    "internetgateway": "igw",
    "launchtemplate": "lt",
    "natgateway": "nat",
    "networkinterface": "eni",
    "prefixlist": "pl",
    "routetable": "rtb",
    "mainroutetable": "rtb",
    "securitygroup": "sg",
    "clustersecuritygroup": "sg",
    "subnet": "subnet",
    "transitgateway": "tgw",
    "vpc": "vpc",
    "vpcendpoint": "vpce",
}
"""What ids of EC2 begin with, by the noun of a function or of a member."""
_ENCODED: Final = ("data", "authorizationtoken", "base64")
"""Members that programs decode: certificates, and the user and password of a registry."""
_UUIDS: Final = ("clientId", "objectId", "subscriptionId", "tenantId", "principalId")
_DOCUMENTS: Final = ("json", "policy", "document", "secretstring", "assumerolepolicy", "inlinepolicy", "result")
_CREDENTIALS: Final = "credentials"
"""How functions end whose values are kubeconfigs, which programs decode."""


@dataclass(slots=True)
class StandIns:
    """Makes the values that stand in for the members of a result; `number` is the look-up's. Texts that it made are in
    `texts`."""

    question: Question
    number: int
    region: str = ""
    zones: Sequence[str] = ()
    zone_ids: Sequence[str] = ()
    texts: list[str] = field(default_factory=list)
    _made: int = 0

    def fill(self, known: Mapping[str, Any], members: Collection[str] | None = None) -> dict[str, Any]:
        """Return the whole result: what is known of it, and values that stand in for these members, for all without any."""
        shape = self.question.shape if isinstance(self.question.shape, Mapping) else {}
        asked = {key: value for key, value in self.question.arguments.items() if key in shape and value is not None}
        given = {**self._own_name(shape), **asked, **known}
        filled = {
            name: self._value(name, inner)
            for name, inner in shape.items()
            if name not in given and (members is None or name in members)
        }
        whole = {**filled, **given}
        for name in members or ():
            if name in known and isinstance(known[name], list):
                whole[name] = [self._completed(item, shape.get(name)) for item in known[name]]
        return whole

    def _own_name(self, shape: Mapping[str, Any]) -> dict[str, Any]:
        """Return the name of a resource of Azure, by which it is asked for."""
        asked = {key.lower(): value for key, value in self.question.arguments.items()}
        name = asked.get(f"{self._noun}name", asked.get("resourcename"))
        is_named = self.question.token.startswith("azure-native:") and "name" in shape and isinstance(name, str)
        return {"name": name} if is_named else {}

    def _completed(self, item: Any, shape: Any) -> Any:
        """Return a member of a list with values that stand in for what it lacks."""
        inner = shape[0] if isinstance(shape, list) else {}
        if not isinstance(item, Mapping) or not isinstance(inner, Mapping):
            return item
        return {**{name: self._value(name, of) for name, of in inner.items() if name not in item}, **item}

    def _value(self, name: str, shape: Any) -> Any:
        if isinstance(shape, list):
            count = _SEVERAL if shape == ["string"] and self._singular(name).lower().endswith(_LISTED) else 1
            return [self._value(self._singular(name), shape[0]) for _ in range(count)]
        if shape == {"*": "string"} and name == "tags":
            return {"Name": self._value("Name", "string")}
        if isinstance(shape, Mapping):
            return {key: self._value(key, inner) for key, inner in shape.items() if key != "*"}
        if shape == "number":
            return 0
        if shape == "boolean":
            return name in _TRUE
        if shape == "any":
            return None
        self._made += 1
        text = self._text(name)
        # A program that decodes the text goes on with what is in it.
        for one in (text, f"unknown-{self._serial}") if self._is_encoded(name.lower()) else (text,):
            if one not in (*self.texts, *self.zones, *self.zone_ids, self.region, *_PLAIN):
                self.texts.append(one)
        return text

    def _is_encoded(self, lower: str) -> bool:
        """Tell whether programs decode a member from base64."""
        return lower.endswith(_ENCODED) or (lower == "value" and self._noun.endswith(self._singular(_CREDENTIALS)))

    @staticmethod
    def _singular(name: str) -> str:
        if name.endswith(("as", "ss", "us")):
            return name
        return name.removesuffix("es") if name.endswith("ses") else name.removesuffix("s")

    @property
    def _noun(self) -> str:
        """Return what the function is about, such as `subnet` for `aws:ec2/getSubnets:getSubnets`."""
        return self._singular(self.question.token.rpartition(":")[2].removeprefix("get")).lower()

    def _text(self, name: str) -> str:
        lower, package = name.lower(), self.question.token.partition(":")[0]
        if lower in ("accountid", "ownerid", "account"):
            return ACCOUNT
        if name in _UUIDS:
            return f"00000000-0000-0000-0000-{self._serial:012x}"
        if package == "aws" and (text := self._of_aws(lower)):
            return text
        if lower.endswith(_DOCUMENTS):
            return "{}"
        if lower.endswith(("endpoint", "url", "issuer", "uri")):
            return f"https://unknown-{self._serial}.invalid"
        if self._is_encoded(lower):
            return base64.b64encode(f"AWS:unknown-{self._serial}".encode()).decode()
        return f"unknown-{'-'.join(_words(name))}-{self._serial}"

    @property
    def _serial(self) -> int:
        """Return a number that no other stand-in of the program has."""
        return self.number * 256 + self._made

    def _of_aws(self, lower: str) -> str:
        if lower.endswith("arn"):
            service = self.question.token.partition(":")[2].partition("/")[0].replace("index", "sts")
            region = "" if service in ("iam", "sts") else self.region
            return f"arn:{partition_of(self.region)}:{service}:{region}:{ACCOUNT}:{self._noun}/unknown-{self._serial}"
        if lower.endswith(("cidrblock", "cidr")) and "v6" not in lower:
            return _RANGES.get(self._noun, _RANGE).format(self._asked * 16)
        if lower in ("availabilityzone", "zone") and self.zones:
            return self.zones[self._asked % len(self.zones)]
        if lower == "availabilityzoneid" and self.zone_ids:
            return self.zone_ids[self._asked % len(self.zone_ids)]
        if lower in ("region", "state"):
            return self.region if lower == "region" else _AVAILABLE
        if lower == "name" and self._noun == "availabilityzone" and self.region:
            return f"{self.region}{'abc'[self._made % _SEVERAL]}"
        noun = self._noun if lower == "id" else lower.removesuffix("id")
        if lower.endswith("id") and noun in _PREFIXES:
            return f"{_PREFIXES[noun]}-{self._serial:017x}"
        asked = str(self.question.arguments.get("name") or "").lower()
        if lower in ("value", "insecurevalue") and ("ami" in asked or "image_id" in asked or "image-id" in asked):
            return f"ami-{self._serial:017x}"
        return ""

    @property
    def _asked(self) -> int:
        """Return the last digit of the id that is asked for, by which subnets that stand in are in different zones."""
        id_ = str(self.question.arguments.get("id") or "")
        return int(id_[-1], 16) if id_[-1:].lower() in _HEX and id_ else 0


_HEX: Final = tuple("0123456789abcdef")


def _words(name: str) -> Iterator[str]:
    return (word.lower() for word in _WORD.findall(name))
