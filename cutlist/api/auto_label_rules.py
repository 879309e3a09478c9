"""Which label keys a NodePool of EKS Auto Mode may carry, in the words of Auto Mode (spec: api-objects 1.8, 4.3)."""

from __future__ import annotations

from typing import Final, Literal

from cutlist.api._findings import Finding
from cutlist.errors import nearest
from cutlist.labels import AUTO, AUTO_GROUP, AUTO_LABELS, AWS, AWS_GROUP, CORE

Holder = Literal["labels", "requirements"]
"""The part of a pool that a key stands in."""

_AT_APPLY: Final = (AUTO_GROUP, "karpenter.sh")
_LISTED: Final = " ".join(sorted(CORE.well_known | AUTO_LABELS))
_DOMAINS: Final = " ".join(sorted(AUTO.restricted_domains))


def auto_key_findings(path: str, key: str, holder: Holder) -> list[Finding]:
    """Why Auto Mode refuses a key in labels or requirements: already at apply, or by a condition of the pool; empty when not.

    The condition's text names the labels and domains that Auto Mode knew when it came out, byte for byte (V-108, V-109).
    """
    where = key.partition("/")[0]
    # The API server compares the end of the text, so `ai.eks.amazonaws.com/x` is hit as well.
    domain = next((d for d in _AT_APPLY if where.endswith(d)), "")
    if domain and key not in AUTO.well_known:
        return [Finding(path, f'label domain "{domain}" is restricted', nearest=_near(key))]
    if AUTO.is_restricted(key):
        text = _WRAPPED[holder].format(key=key, text=restriction_text(key))
        return [Finding(path, text, nearest=mapped_key(key) or _near(key))]
    return []


def restriction_text(key: str) -> str:
    """What Auto Mode says of a key in a restricted domain, in pools and in pods."""
    return (
        f"label {key} is restricted; specify a well known label: [{_LISTED}], "
        f"or a custom label that does not use a restricted domain: [{_DOMAINS}]"
    )


def mapped_key(key: str) -> str:
    """The key of Auto Mode that means what a key of self-managed Karpenter does; empty when there is none."""
    group, _, name = key.partition("/")
    if group != AWS_GROUP:
        return ""
    found = f"{AUTO_GROUP}/{'nodeclass' if name == 'ec2nodeclass' else name}"
    return found if found in AUTO.well_known else ""


def self_managed_key(key: str) -> str:
    """The key of self-managed Karpenter that means what a key of Auto Mode does; empty when there is none."""
    group, _, name = key.partition("/")
    own = f"{AWS_GROUP}/{name}"
    return own if group == AUTO_GROUP and own in AWS.well_known else ""


def _near(key: str) -> str:
    return nearest(key, sorted(AUTO.well_known))


_WRAPPED: Final = {
    "labels": 'invalid key name "{key}" in labels, {text}',
    "requirements": "invalid value: {text} in requirements, restricted",
}
