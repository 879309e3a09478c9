"""What a new stack takes over from the one that it is made after, and what becomes its own: names, account and region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cutlist.catalog import embedded
from cutlist.core.errors import Place, Problem
from cutlist.documents.pulumi_stacks import REGION_KEYS
from cutlist.settings.new import ACCOUNT, REGION
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack.clusters import KEYS
from pulumi_cutlist.stack.gate_keys import json_value
from pulumi_cutlist.stack.stack_file import StackFile

_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)
_OWN_TYPES: Final = "cutlist:index:"
_REGION_INPUTS: Final = ("region", "location")
_ACCOUNT_INPUTS: Final = ("account_id", "accountId", "subscription")
_OF_OTHERS: Final = re.compile(r"\b(?:vpc|subnet|sg|rtb|acl|vpce)-[0-9a-f]{8,17}\b|\.eks\.(?:[\w-]+\.)?amazonaws\.com")


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one stack from another: its name, the folder of its own files (relative to the project and with slashes), and
    the names of its cluster, of the account or subscription and of the region. Empty is what a stack does not say."""

    stack: str
    folder: str
    cluster: str
    account: str
    region: str

    @staticmethod
    def of(file: StackFile, folder: str) -> Identity:
        """Return what a stack's file says."""
        cluster = _cluster(file)
        on_azure = cluster.get("cluster", {})
        named = on_azure if isinstance(on_azure, dict) else {}
        return Identity(
            stack=file.stack,
            folder=folder,
            cluster=_text(cluster.get("clusterName", named.get("name"))),
            account=_text(cluster.get("accountId", named.get("subscription"))),
            region=next((file.config[key] for key in (f"{file.project}:region", *REGION_KEYS) if file.config.get(key)), ""),
        )

    def renamed(self, stack: str, folder: str, account: str = "", region: str = "") -> Identity:
        """Return that of a new stack. Its cluster is called like the old one, with the new stack's name for the old one's in
        it, or else behind it."""
        part = re.compile(rf"(?<![A-Za-z0-9]){re.escape(self.stack)}(?![A-Za-z0-9])")
        cluster = part.sub(partial(_put, stack), self.cluster) if part.search(self.cluster) else f"{self.cluster}-{stack}"
        return Identity(stack, folder, cluster if self.cluster else "", account or self.account, region or self.region)


def _cluster(file: StackFile) -> Mapping[str, Any]:
    """Return the settings of the stack's cluster; empty without any, or where they cannot be read."""
    for key in KEYS:
        args = json_value(file.config.get(f"{file.project}:{key}"))
        if isinstance(args, dict) and args:
            return args
    return {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How the text of one stack becomes that of another."""

    old: Identity
    new: Identity

    def text(self, written: str) -> str:
        """Return a file of the old stack as the new one has it; comments and layout stay.

        Replaced are the stack's folder, and the names of cluster, account, region and zones as whole words wherever they stand;
        the stack's own name where it is the whole value of a key or a word of a comment, so that `/dev/xvda` stays.
        """
        for pattern, new in self._words():
            written = pattern.sub(partial(_put, new), written)
        name = re.compile(rf"(?<![\w./-]){re.escape(self.old.stack)}(?![\w/-]|\.\w)")
        return _COMMENT.sub(lambda comment: name.sub(partial(_put, self.new.stack), comment[0]), written)

    def _words(self) -> Iterator[tuple[re.Pattern[str], str]]:
        old, new = self.old, self.new
        yield re.compile(rf"(?<![\w./-]){re.escape(old.folder)}(?![\w.-])"), new.folder
        yield re.compile(rf"(?<=: ){re.escape(old.stack)}(?=\s*(?:[,}}#]|$))", re.MULTILINE), new.stack
        yield re.compile(rf"(?<=: ([\"'])){re.escape(old.stack)}(?=\1)"), new.stack
        if old.cluster:
            yield re.compile(rf"(?<![A-Za-z0-9_]){re.escape(old.cluster)}(?![A-Za-z0-9_])"), new.cluster
        if old.account:
            yield re.compile(rf"(?<!\w){re.escape(old.account)}(?!\w)"), new.account
        for before, after in self._zones():
            yield re.compile(rf"(?<![\w-]){re.escape(before)}(?![\w-])"), after
        if old.region:
            yield re.compile(rf"(?<![\w-]){re.escape(old.region)}(?=[a-z]?(?![\w-]))"), new.region

    def _zones(self) -> Iterator[tuple[str, str]]:
        """Return zones by their place among those of their region: not every region has a zone for every letter."""
        both = (self.old.region, self.new.region)
        if both[0] != both[1] and {*both} <= {*embedded.regions(), *embedded.locations()}:
            old, new = (sorted(zone.name for zone in embedded.load_chosen(None, region).zones) for region in both)
            yield from zip(old, new, strict=False)


def kept_by_program(likeness: Likeness, recording: Recording) -> Iterator[Problem]:
    """Yield what a new stack's program still says as that of the old stack does, though the new one is to have its own.

    The files of the new stack no longer name it, so it is written in the program.
    """
    for what, keys, place in (("region", _REGION_INPUTS, REGION), ("account", _ACCOUNT_INPUTS, ACCOUNT)):
        old, new = getattr(likeness.old, what), getattr(likeness.new, what)
        own = (r.inputs for r in recording.resources.values() if r.type.startswith(_OWN_TYPES))
        said = sorted({value for inputs in own for value in _said(inputs, keys)} - {new})
        if said and old != new and (not old or old in said):
            text = f"the program names the {what} {', '.join(said)} itself, so a new stack cannot have {new}"
            allowed = (
                f'a program that reads it, such as pulumi.Config().require("{what}"), and its value in the file of the stack'
            )
            yield Problem(Place.of(place), text, allowed)


def _said(inputs: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        value = inputs.get(key)
        if isinstance(value, str):
            yield value


def _put(new: str, _: re.Match[str]) -> str:
    """Put a text in as it is, whatever characters it has."""
    return new


def lines_of_others(written: str) -> list[int]:
    """Return the lines, from 1, that name what somebody else has made: resources of a VPC, the endpoint of a cluster."""
    return [number for number, line in enumerate(written.splitlines(), 1) if _OF_OTHERS.search(line)]
