"""Cases of drift hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cutlist.api import aksnodeclass_hash, nodepool_hash
from cutlist.core.karpenter.baselines import Baseline, baseline_of
from cutlist.providers.aws import node_class_hash


def answer(path: Path) -> dict[str, Any]:
    """Return the hash of each case of a file, from the stored object."""
    cases = json.loads(path.read_text())
    return {case["name"]: {"hash": hash_of(case["stored"], case.get("caBundle") or "", karpenter_of(case))} for case in cases}


def karpenter_of(case: Mapping[str, Any]) -> Baseline:
    """Return the Karpenter that a case or a document of cases names, else the first whose answers were recorded."""
    baseline = baseline_of(case.get("karpenter", "1.14.1"))
    assert baseline is not None
    return baseline


def hash_of(stored: Mapping[str, Any], ca_bundle: str, karpenter: Baseline) -> str | None:
    """Return the hash of a stored object; None for a kind that has none."""
    spec = stored.get("spec") or {}
    match stored["kind"]:
        case "NodePool":
            return nodepool_hash.stored_template_hash(spec["template"])
        case "EC2NodeClass":
            return node_class_hash.stored_hash(spec, ca_bundle, karpenter)
        case "AKSNodeClass":
            return aksnodeclass_hash.stored_hash(spec)
    return None


def gates_of(case: Mapping[str, Any]) -> frozenset[str]:
    """Return the feature gates that are on, which cases spell as the chart does: `nodeClassCEL` is NodeClassCEL."""
    gates = (case.get("settings") or {}).get("featureGates") or {}
    return frozenset(f"{name[0].upper()}{name[1:]}".replace("DraNVIDIA", "DRANVIDIA") for name, is_on in gates.items() if is_on)
