"""Inputs as components declare them."""

# No `from __future__ import annotations`: modules that declare inputs do without.
from typing import Any, NotRequired, TypedDict

import pulumi


class InnerArgs(TypedDict):
    """A part."""

    node_count: int


class OuterArgs(TypedDict):
    """A whole, with a part in it."""

    cluster_name: str
    inner_part: InnerArgs
    zone_names: NotRequired[list[str]]
    hours: NotRequired[float]
    is_shared: NotRequired[bool]
    group_id: NotRequired[pulumi.Input[str]]
    tags: NotRequired[dict[str, pulumi.Input[str]]]
    parts: NotRequired[dict[str, InnerArgs]]
    anything: NotRequired[dict[str, Any]]


class Reached(TypedDict):
    """Inputs that may be known late."""

    name: pulumi.Input[str]
    ids: NotRequired[pulumi.Input[list[pulumi.Input[str]]]]
    tags: NotRequired[pulumi.Input[dict[str, pulumi.Input[str]]]]
    plain: NotRequired[str]
