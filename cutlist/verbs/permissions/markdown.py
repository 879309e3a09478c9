"""Policy documents and roles as Markdown, for the change of those who grant them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cutlist.core.wording import counted
from cutlist.infrastructure.iam.documents import MANAGED_POLICY_LIMIT
from cutlist.report.markup import code, fenced, folded, words
from cutlist.verbs.permissions.answer import AksPermissions, Permissions


def permissions_markdown(answers: Sequence[Permissions], of_aks: Sequence[AksPermissions] = ()) -> str:
    """Return each cluster's document, folded below its size and what it does not cover. Ends in a newline."""
    lines = []
    for answer in answers:
        cluster = answer.cluster
        lines += [
            f"### Permissions to update {code(cluster.cluster)} in {code(cluster.region)}, account {code(cluster.account)}",
            "",
        ]
        lines += [
            f"An IAM policy of {answer.document.size:,} characters; a managed policy may have {MANAGED_POLICY_LIMIT:,}.",
            "",
        ]
        lines += _document("Policy", answer.policy, answer.not_covered)
    for role in of_aks:
        of = role.cluster
        lines += [
            f"### Permissions to update {code(of.cluster)} in {code(of.resource_group)}, subscription {code(of.subscription)}",
            "",
        ]
        lines += [f"The custom role {words(role.role.name)} with {counted(len(role.role.actions), 'operation')}.", ""]
        lines += _document("Role", role.role.as_data(), role.not_covered)
    return "\n".join(lines).rstrip() + "\n"


def _document(title: str, document: dict[str, Any], not_covered: Sequence[str]) -> list[str]:
    lines = [f"- not covered: {code(type_)}, add it" for type_ in not_covered]
    return [*lines, *([""] if lines else []), *folded(title, fenced(json.dumps(document, indent=2), "json"))]
