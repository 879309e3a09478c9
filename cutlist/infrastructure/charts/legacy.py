"""Settings of installations from before 0.33, when they stood in two ConfigMaps (spec: aws-infrastructure 7.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.api.convert.chart_values import chart_values, is_settings
from cutlist.core.errors import Place, Problems
from cutlist.documents import merged


@dataclass(frozen=True, slots=True)
class LegacySettings:
    """Values of today's chart, and what is said of the old keys: those that went elsewhere, and those that nobody knows."""

    values: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def legacy_settings(config_maps: Iterable[Mapping[str, Any]], problems: Problems) -> LegacySettings:
    """The settings in the ConfigMaps karpenter-global-settings and config-logging; other objects are passed over."""
    values: dict[str, Any] = {}
    notes: list[str] = []
    unknown: list[str] = []
    for config_map in config_maps:
        if not is_settings(config_map):
            continue
        made = chart_values(config_map)
        values = merged(values, made.values)
        for finding in made.findings:
            name = config_map["metadata"]["name"]
            problems.add(Place(path=f"{name} {finding.path}"), finding.message, finding.allowed, finding.nearest)
        notes += [change.text for change in made.changes if change.kind not in ("carried over", "needs a decision")]
        unknown += [change.old.removeprefix("data.") for change in made.changes if change.kind == "needs a decision"]
    return LegacySettings(values, tuple(notes), tuple(unknown))
