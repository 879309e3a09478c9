"""Policy documents and roles as Markdown, for the change of those who grant them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cutlist.core.wording import counted
from cutlist.report.markup import code, fenced, folded, words
from cutlist.verbs.permissions.answer import UpdatePermissions


def permissions_markdown(answer: UpdatePermissions) -> str:
    """Return each cluster's document, folded below its size and what it does not cover. Ends in a newline."""
    lines = []
    for permissions in answer.clusters:
        cluster = permissions.cluster
        lines += [
            f"### Permissions to update {code(cluster.cluster)} in {code(cluster.region)}, account {code(cluster.account)}\n",
            f"An IAM policy of {permissions.size:,} characters; a managed policy may have {permissions.limit:,}.\n",
            *_document("Policy", permissions.policy, permissions.not_covered),
        ]
    for of_aks in answer.aks_clusters:
        facts, role = of_aks.cluster, of_aks.role
        where = f"{code(facts.resource_group)}, subscription {code(facts.subscription)}"
        lines += [
            f"### Permissions to update {code(facts.cluster)} in {where}\n",
            f"The custom role {words(role.name)} with {counted(len(role.actions), 'operation')}.\n",
            *_document("Role", role.as_data(), of_aks.not_covered),
        ]
    return "\n".join(lines).rstrip() + "\n"


def _document(title: str, document: object, not_covered: Sequence[str]) -> list[str]:
    lines = [f"- not covered: {code(type_)}, add it" for type_ in not_covered]
    return [*lines, *([""] if lines else []), *folded(title, fenced(json.dumps(document, indent=2), "json"))]
