"""Which label keys and values a pool may carry (spec: api-objects 1.8)."""

from __future__ import annotations

from typing import Final

from cutlist import labels
from cutlist.api._findings import Finding
from cutlist.api.auto_label_rules import Holder, auto_key_findings
from cutlist.api.names import qualified_findings
from cutlist.errors import nearest
from cutlist.labels import LabelRegistry
from cutlist.requirements import Expression

LEGACY_KEYS: Final = {
    "karpenter.sh/provisioner-name": labels.NODEPOOL,
    "node.kubernetes.io/capacity-type": labels.CAPACITY_TYPE,
    "eks.amazonaws.com/capacityType": labels.CAPACITY_TYPE,
}
"""Keys of the past that users still write, and today's."""

_NODE_CLASS_LABEL: Final = f"{labels.AWS_GROUP}/ec2nodeclass"


def key_findings(path: str, key: str, registry: LabelRegistry, holder: Holder = "requirements") -> list[Finding]:
    """Why a pool may not use a key as label or requirement; empty when it may."""
    if key == labels.NODEPOOL or key == labels.HOSTNAME:
        return [Finding(path, f'label "{key}" is restricted', nearest=LEGACY_KEYS.get(key, ""))]
    if registry is labels.AUTO:
        found = [f._replace(nearest=LEGACY_KEYS.get(key, f.nearest)) for f in auto_key_findings(path, key, holder)]
        return found or qualified_findings(path, key)
    if key == _NODE_CLASS_LABEL:
        return [Finding(path, f'label "{key}" is restricted: name the class in spec.template.spec.nodeClassRef instead')]
    restricted = _restricted_domain(key, registry)
    if restricted:
        known = sorted(k for k in registry.well_known if labels.domain(k) == restricted and k != labels.NODEPOOL)
        return [Finding(path, f'label domain "{restricted}" is restricted', _allowed(known), _near(key, known))]
    return qualified_findings(path, key)


def known_value_findings(path: str, e: Expression, registry: LabelRegistry) -> list[Finding]:
    """Why `In` on a key with a closed set of values can never hold; empty when it can (V-30 to V-34)."""
    key = registry.normalize(e.key)
    known = sorted(registry.well_known_values.get(key, ()))
    valid = [v for v in e.values if v in known]
    given, allowed = f"[{' '.join(e.values)}] for {key}", ", ".join(known)
    if known and e.values and not valid:
        return [Finding(path, f"no valid values found in {given}", allowed, nearest(e.values[0].lower(), known))]
    if known and e.min_values is not None and len(valid) < e.min_values <= len(e.values):
        text = f"not enough valid values found in {given}, expected at least {e.min_values} valid values, got {len(valid)}"
        return [Finding(path, text, allowed)]
    return []


def _restricted_domain(key: str, registry: LabelRegistry) -> str:
    # The CRD compares the end of the text, so `mykarpenter.sh/x` is hit as well (V-37).
    where = key.partition("/")[0]
    if key in registry.well_known:
        return ""
    return next((d for d in sorted(registry.restricted_domains) if where.endswith(d)), "")


def _allowed(known: list[str]) -> str:
    return "a domain of your own" + (f", or {', '.join(known)}" if known and len(known) <= 4 else "")


def _near(key: str, known: list[str]) -> str:
    return LEGACY_KEYS.get(key) or nearest(key, known)
