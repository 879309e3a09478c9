"""All kinds that can be validated, by apiVersion and kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api import (
    aksnodeclass_fields,
    autonodeclass_fields,
    capacitybuffer_fields,
    ec2nodeclass_fields,
    nodeclaim_fields,
    nodeoverlay_fields,
    nodepool_fields,
)
from cutlist.api.aksnodeclass_rules import AKS_NODE_CLASS
from cutlist.api.autonodeclass_rules import AUTO_NODE_CLASS
from cutlist.api.capacitybuffer_rules import CAPACITY_BUFFER
from cutlist.api.ec2nodeclass_rules import EC2_NODE_CLASS
from cutlist.api.nodeclaim_rules import NODE_CLAIM
from cutlist.api.nodeoverlay_rules import NODE_OVERLAY
from cutlist.api.nodepool_rules import NODE_POOL
from cutlist.api.validation import ObjectKind
from cutlist.core.karpenter.baselines import DEFAULT, Baseline

KINDS: Final[Mapping[tuple[str, str], ObjectKind]] = {
    (nodepool_fields.API_VERSION, nodepool_fields.KIND): NODE_POOL,
    (nodeclaim_fields.API_VERSION, nodeclaim_fields.KIND): NODE_CLAIM,
    (nodeoverlay_fields.API_VERSION, nodeoverlay_fields.KIND): NODE_OVERLAY,
    (capacitybuffer_fields.API_VERSION, capacitybuffer_fields.KIND): CAPACITY_BUFFER,
    (ec2nodeclass_fields.API_VERSION, ec2nodeclass_fields.KIND): EC2_NODE_CLASS,
    (autonodeclass_fields.API_VERSION, autonodeclass_fields.KIND): AUTO_NODE_CLASS,
    (aksnodeclass_fields.API_VERSION, aksnodeclass_fields.KIND): AKS_NODE_CLASS,
    (aksnodeclass_fields.OLD_VERSION, aksnodeclass_fields.KIND): AKS_NODE_CLASS,
}

SHORT_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ec2nc", "ec2ncs"), ec2nodeclass_fields.KIND),
    **dict.fromkeys(("aksnc", "aksncs"), aksnodeclass_fields.KIND),
    "overlays": nodeoverlay_fields.KIND,
    "cb": capacitybuffer_fields.KIND,
}
"""What kubectl accepts as the name of a kind, by the short names of its CRD (spec: api-objects 3, 6; azure 2)."""


def kind_of_manifest(
    manifest: Mapping[str, Any], karpenter: Baseline = DEFAULT, gates: frozenset[str] = frozenset()
) -> ObjectKind | None:
    """Return the kind of an object in a Karpenter, or None for an unknown kind or a version that it does not serve."""
    kind = KINDS.get((str(manifest.get("apiVersion", "")), str(manifest.get("kind", ""))))
    return None if kind is None else kind.under(karpenter, gates)
