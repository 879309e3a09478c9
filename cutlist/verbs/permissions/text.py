"""Policy documents as IAM takes them, and custom roles as Azure does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cutlist.verbs.permissions.answer import AksPermissions, Permissions


def render_permissions(answers: Sequence[Permissions], of_aks: Sequence[AksPermissions] = ()) -> str:
    """Return the document of a single cluster alone, so that it can be saved; those of several with a heading each."""
    headed = [(_heading(answer), answer.policy) for answer in answers]
    headed += [(_aks_heading(answer), answer.role.as_data()) for answer in of_aks]
    texts = [(heading, json.dumps(document, indent=2) + "\n") for heading, document in headed]
    if len(texts) == 1:
        return texts[0][1]
    return "\n".join(f"==> {heading} <==\n{text}" for heading, text in texts)


def _heading(answer: Permissions) -> str:
    cluster = answer.cluster
    return f"cluster {cluster.cluster} in {cluster.region}, account {cluster.account}"


def _aks_heading(answer: AksPermissions) -> str:
    cluster = answer.cluster
    return f"cluster {cluster.cluster} in {cluster.resource_group}, subscription {cluster.subscription}"
