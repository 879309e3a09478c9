"""User data of images of the user's own: what the user wrote, and nothing else."""

from __future__ import annotations

from cutlist.providers.aws.userdata.bootstrap import Bootstrap


def custom(node: Bootstrap) -> str:
    """The user's text as it is."""
    return node.own
