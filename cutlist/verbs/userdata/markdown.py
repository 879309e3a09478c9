"""User data of nodes as Markdown, for reading: the text view has what EC2 receives."""

from __future__ import annotations

from cutlist.report.markup import code, fenced
from cutlist.verbs.userdata.answer import NodeUserData, UserData


def userdata_markdown(answer: UserData) -> str:
    """Return the user data of each NodePool as a block of code below a heading. Ends in a newline."""
    parts = [f"### {_heading(node)}\n\n" + "\n".join(fenced(node.user_data)) for node in answer.nodes]
    return "\n\n".join(parts) + "\n"


def _heading(node: NodeUserData) -> str:
    pool = f"NodePool {code(node.node_pool)}, " if node.node_pool else ""
    return f"{pool}EC2NodeClass {code(node.node_class)}, {code(node.ami_family)}, {node.capacity_type}"
