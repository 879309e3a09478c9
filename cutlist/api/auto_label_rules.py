"""What EKS Auto Mode says of label keys, and which of its keys mean what those of Karpenter do (spec: api-objects 4.3)."""

from __future__ import annotations

from typing import Final

from cutlist.core.labels import AUTO, AUTO_GROUP, AUTO_LABELS, AWS, AWS_GROUP, CORE

_LISTED: Final = " ".join(sorted(CORE.well_known | AUTO_LABELS))
_DOMAINS: Final = " ".join(sorted(AUTO.restricted_domains))


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
