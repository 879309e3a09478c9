"""User data of nodes, as EC2 receives it."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.verbs.userdata.answer import NodeUserData


def render_userdata(nodes: Sequence[NodeUserData]) -> str:
    """Return what EC2 receives: a single one unchanged except for a final newline; several with a heading each."""
    texts = [n.user_data if n.user_data.endswith("\n") or not n.user_data else f"{n.user_data}\n" for n in nodes]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"==> {heading(node)} <==\n{text}" for node, text in zip(nodes, texts, strict=True))


def heading(node: NodeUserData) -> str:
    """Return the NodePool, class and capacity type of a node's user data."""
    pool = f"NodePool {node.node_pool}, " if node.node_pool else ""
    return f"{pool}EC2NodeClass {node.node_class}, {node.ami_family}, {node.capacity_type}"
