"""What nodes run at their first boot, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cutlist.core.records import TextOrNull, json_of
from cutlist.verbs.userdata.answer import NodeUserData

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Node:
    node_pool: TextOrNull
    node_class: str
    ami_family: str
    capacity_type: str
    user_data: str


@dataclass(frozen=True, slots=True)
class UserDataRecord:
    """The user data that nodes of each NodePool boot with."""

    version: Literal[1]
    nodes: tuple[_Node, ...]


def userdata_json(boots: Sequence[NodeUserData]) -> str:
    """Return the user data as indented JSON that ends in a newline; `nodePool` is null where no NodePool uses the class."""
    nodes = (_Node(boot.node_pool, boot.node_class, boot.ami_family, boot.capacity_type, boot.user_data) for boot in boots)
    return json_of(UserDataRecord(VERSION, tuple(nodes)))
