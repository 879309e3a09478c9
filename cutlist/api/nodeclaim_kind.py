"""The NodeClaim as a kind: its schema and rules (spec: api-objects 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api._findings import Hints
from cutlist.api.examination import Kind, Manifest
from cutlist.api.nodeclaim_fields import NodeClaimFields
from cutlist.api.nodeclaim_rules import CORE_RULES, RULES

HINTS: Final = Hints(moved={"spec.kubelet": "since v1 the kubelet is set in the node class"})


def _provider(manifest: Manifest) -> str:
    here: Any = manifest
    for member in ("spec", "nodeClassRef", "group"):
        here = here.get(member) if isinstance(here, Mapping) else None
    return here if isinstance(here, str) else ""


NODE_CLAIM: Final = Kind(NodeClaimFields, HINTS, lambda group: RULES.get(group, CORE_RULES), provider=_provider)
