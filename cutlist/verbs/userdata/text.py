"""User data of nodes, as EC2 receives it."""

from __future__ import annotations

from cutlist.verbs.userdata.answer import UserData


def render_userdata(answer: UserData, **_: object) -> str:
    """Return what EC2 receives: a single one unchanged except for a final newline; several with a heading each. A document has
    neither a width nor colour."""
    nodes = answer.nodes
    texts = [n.user_data if n.user_data.endswith("\n") or not n.user_data else f"{n.user_data}\n" for n in nodes]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"==> {node.heading} <==\n{text}" for node, text in zip(nodes, texts, strict=True))
