"""What a program runs with, as far as look-ups depend on it: configuration, providers, the catalogue's regions."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from cutlist.catalog import embedded
from cutlist.core.errors import InputError
from cutlist.settings.planning import REGION
from pulumi_cutlist.lookups.question import Question

_ACCOUNT: Final = re.compile(r"[0-9]{12}", re.ASCII)
_OF_ROLE: Final = re.compile(r"arn:[a-z-]+:(?:iam|sts)::([0-9]{12}):", re.ASCII)
_NAMES: Final = ("accountId", "account_id", "account", "awsAccountId", "aws_account_id")
"""What projects call the key with their account."""
_OF_CLUSTERS: Final = ("karpenterCluster", "autoModeCluster")


@dataclass(frozen=True, slots=True)
class Known:
    """A value, and what it is from."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Context:
    """What a program runs with: its project, its stack's configuration by qualified key, and the day it runs on.

    `provider` returns the inputs of a provider that the program has registered, by its URN.
    """

    project: str
    config: Mapping[str, str]
    day: date
    provider: Callable[[str], Mapping[str, Any]] = field(default=lambda _: {})

    def setting(self, question: Question, package: str, name: str) -> Known | None:
        """Return a setting of the provider that is asked: its own input, else that of the configuration, such as
        `aws:region`."""
        if question.provider:
            own = self.provider(question.provider).get(name)
            text = own if isinstance(own, str) else json.dumps(own)
            return Known(text, f"the provider {question.provider.rpartition('::')[2]}") if own not in (None, "") else None
        key = f"{package}:{name}"
        return Known(self.config[key], key) if self.config.get(key) else None

    def region(self, question: Question) -> Known | None:
        """Return the region of AWS that is asked: that of the arguments, of the provider, of the environment."""
        asked = question.arguments.get("region")
        if isinstance(asked, str) and asked:
            return Known(asked, "the arguments")
        if (found := self.setting(question, "aws", "region")) is not None:
            return found
        variables = (Known(os.environ[name], f"${name}") for name in REGION.variables if os.environ.get(name))
        own = self.config.get(f"{self.project}:region", "")
        written = Known(own, f"{self.project}:region") if own in embedded.regions() else None
        return next(variables, written)

    def account(self, question: Question) -> Known | None:
        """Return the account of AWS that is asked, if something that the program runs with names one."""
        return next(self._accounts(question), None)

    def _accounts(self, question: Question) -> Iterator[Known]:
        allowed, roles = (self.setting(question, "aws", name) for name in ("allowedAccountIds", "assumeRoles"))
        if roles is not None and (found := _OF_ROLE.findall(roles.value)):
            yield Known(found[-1], f"the role of {roles.source}")
        if (one := self.setting(question, "aws", "assumeRole")) is not None and (found := _OF_ROLE.findall(one.value)):
            yield Known(found[-1], f"the role of {one.source}")
        listed = _listed(allowed.value) if allowed is not None else []
        if allowed is not None and len(listed) == 1:
            yield Known(listed[0], allowed.source if question.provider else "aws:allowedAccountIds")
        if question.provider:
            return
        for key in (f"{self.project}:{name}" for name in _NAMES):
            if _ACCOUNT.fullmatch(self.config.get(key, "")):
                yield Known(self.config[key], key)
        for key in (f"{self.project}:{name}" for name in _OF_CLUSTERS):
            written = _data(self.config.get(key, ""))
            account = written.get("accountId") if isinstance(written, Mapping) else None
            if isinstance(account, str) and _ACCOUNT.fullmatch(account):
                yield Known(account, f"{key}.accountId")

    def zones(self, region: str) -> list[tuple[str, str]]:
        """Return names and ids of the zones of a region that the catalogue has; none for another region."""
        try:
            return [(zone.name, zone.zone_id) for zone in embedded.load(region).zones]
        except InputError:
            return []


def _listed(written: str) -> list[str]:
    data = _data(written)
    return [str(item) for item in data] if isinstance(data, list) else [written]


def _data(written: str) -> Any:
    try:
        return json.loads(written)
    except (json.JSONDecodeError, RecursionError):
        return written
