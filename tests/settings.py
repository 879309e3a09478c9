"""A value of each setting of a plan, to be set in every place where settings are written."""

from __future__ import annotations

from typing import Any

from cutlist.core.setting import Kind, Setting

_VALID = {
    "region": "us-west-2",
    "zones": ["us-west-2a", "us-west-2b"],
    "built_in_pools": ["general-purpose"],
    "overhead_profile": "2025-node",
    "karpenter": "1.14",
}
"""Values of settings that some places check."""


class Reached(Exception):
    """The settings of a plan have reached the reading of its inputs."""


def value_of(setting: Setting) -> Any:
    """Return a value that is not the default."""
    if setting.name in _VALID:
        return _VALID[setting.name]
    if setting.kind is Kind.FLAG:
        return True
    if setting.kind is Kind.WHOLE_NUMBER:
        return int(setting.least or 0) + 1
    text = setting.choices[0] if setting.choices else f"{setting.name}.yaml"
    return [text] if setting.several else text


def received(value: Any) -> Any:
    """Return a value as functions get it, which take any sequence."""
    return list(value) if isinstance(value, tuple) else value
