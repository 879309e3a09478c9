"""Policy documents as IAM takes them, and custom roles as Azure does."""

from __future__ import annotations

import json

from cutlist.verbs.permissions.answer import UpdatePermissions


def render_permissions(answer: UpdatePermissions, **_: object) -> str:
    """Return the document of a single cluster alone, so that it can be saved; those of several with a heading each. A document
    has neither a width nor colour."""
    headed: list[tuple[str, object]] = []
    for permissions in answer.clusters:
        cluster = permissions.cluster
        headed.append((f"cluster {cluster.cluster} in {cluster.region}, account {cluster.account}", permissions.policy))
    for role in answer.aks_clusters:
        of = role.cluster
        headed.append((f"cluster {of.cluster} in {of.resource_group}, subscription {of.subscription}", role.role.as_data()))
    texts = [(heading, json.dumps(document, indent=2) + "\n") for heading, document in headed]
    if len(texts) == 1:
        return texts[0][1]
    return "\n".join(f"==> {heading} <==\n{text}" for heading, text in texts)
