"""What nodes are told at their first boot, as they get it and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from cutlist.answers.userdata import NodeUserData

VERSION: Final = 1


def user_data_text(boots: Sequence[NodeUserData]) -> str:
    """The bytes that EC2 gets: nothing is added to a single one but the end of its last line; several have a heading each."""
    texts = [b.user_data if b.user_data.endswith("\n") or not b.user_data else f"{b.user_data}\n" for b in boots]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"==> {heading(boot)} <==\n{text}" for boot, text in zip(boots, texts, strict=True))


def heading(boot: NodeUserData) -> str:
    """Whose first boot it is."""
    pool = f"NodePool {boot.node_pool}, " if boot.node_pool else ""
    return f"{pool}EC2NodeClass {boot.node_class}, {boot.ami_family}, {boot.capacity_type}"


def user_data_json(boots: Sequence[NodeUserData]) -> str:
    """The same as indented JSON that ends in a newline; `nodePool` is null where no NodePool uses the class."""
    rows = [
        {
            "nodePool": boot.node_pool or None,
            "nodeClass": boot.node_class,
            "amiFamily": boot.ami_family,
            "capacityType": boot.capacity_type,
            "userData": boot.user_data,
        }
        for boot in boots
    ]
    return json.dumps({"version": VERSION, "nodes": rows}, indent=2) + "\n"
