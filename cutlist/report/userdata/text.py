"""What nodes are told at their first boot, as they get it."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.answers.userdata import NodeUserData


def render_userdata(boots: Sequence[NodeUserData]) -> str:
    """The bytes that EC2 gets: nothing is added to a single one but the end of its last line; several have a heading each."""
    texts = [b.user_data if b.user_data.endswith("\n") or not b.user_data else f"{b.user_data}\n" for b in boots]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"==> {heading(boot)} <==\n{text}" for boot, text in zip(boots, texts, strict=True))


def heading(boot: NodeUserData) -> str:
    """Whose first boot it is."""
    pool = f"NodePool {boot.node_pool}, " if boot.node_pool else ""
    return f"{pool}EC2NodeClass {boot.node_class}, {boot.ami_family}, {boot.capacity_type}"
