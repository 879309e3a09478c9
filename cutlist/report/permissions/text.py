"""Policy documents, as IAM takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cutlist.answers.permissions import Permissions


def render_permissions(answers: Sequence[Permissions]) -> str:
    """Return the document of a single cluster alone, so that it can be saved; those of several with a heading each."""
    texts = [json.dumps(answer.policy, indent=2) + "\n" for answer in answers]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(f"==> {_heading(answer)} <==\n{text}" for answer, text in zip(answers, texts, strict=True))


def _heading(answer: Permissions) -> str:
    cluster = answer.cluster
    return f"cluster {cluster.cluster} in {cluster.region}, account {cluster.account}"
