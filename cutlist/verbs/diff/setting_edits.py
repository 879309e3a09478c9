"""The edits of what a plan is made with besides objects: settings, Karpenter's release, the catalogue, figures of a stack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from cutlist.catalog.comparison import compare
from cutlist.catalog.regions import AnyRegion
from cutlist.core.errors import InputError, Place
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.planning.variants import variant
from cutlist.settings import planning
from cutlist.settings.planning import PlanSettings, with_defaults
from cutlist.verbs.diff.objects import ChangedField, ObjectChange
from cutlist.verbs.diff.trees import differences, path_text

SETTING: Final = "setting"
"""The kind of an edit of what a plan is made with, besides objects."""
CATALOGUE: Final = "catalogue"
_KARPENTER: Final = "Karpenter"
_REGION: Final = planning.REGION.key
_REPLICAS: Final = planning.REPLICAS.key
_DEFAULT_SPREAD: Final = planning.SCHEDULER_CONFIG.key
_FIGURES: Final = "figures"
"""The figures of the cluster that a stack knows."""
_COMPARED: Final = (
    planning.ZONES,
    planning.BUILT_IN_POOLS,
    planning.OVERHEAD_PROFILE,
    planning.EXTERNAL_CLASSES,
    planning.FEATURE_GATES,
)
"""Settings that are edits if their values differ."""
_SETTING_OF: Final[Mapping[str, str]] = {
    _KARPENTER: planning.KARPENTER.name,
    _REGION: planning.REGION.name,
    **{setting.key: setting.name for setting in _COMPARED},
}
"""The name of the setting behind an edit."""


def setting_edits(before: PlanInputs, after: PlanInputs) -> Iterator[ObjectChange]:
    """Yield the edits of what the plans of two sides are made with."""
    karpenter = [str(inputs.options.karpenter) for inputs in (before, after)]
    if karpenter[0] != karpenter[1]:
        yield _edit(_KARPENTER, *karpenter)
    if before.catalog.region != after.catalog.region:
        yield _edit(_REGION, before.catalog.region, after.catalog.region)
    elif before.catalog is not after.catalog and compare(before.catalog, after.catalog):
        yield _edit(CATALOGUE, *(_dates(inputs.catalog) for inputs in (before, after)))
    first, second = with_defaults(before.settings), with_defaults(after.settings)
    for setting in _COMPARED:
        values = [_listed(of.get(setting.name)) for of in (first, second)]
        if values[0] != values[1]:
            yield _edit(setting.key, *values)
    replicas = _replicas(before, after), _replicas(after, before)
    if set(replicas[0]) != set(replicas[1]):
        yield _edit(_REPLICAS, *map(_listed, replicas))
    if before.options.default_spread != after.options.default_spread:
        yield _edit(_DEFAULT_SPREAD, _spread(before), _spread(after))
    figures = tuple(ChangedField(path_text(path), old, new) for path, old, new in differences(before.known, after.known))
    if figures:
        yield ObjectChange(SETTING, "", _FIGURES, Change.CHANGED, Place(), figures)


def with_earlier(before: PlanInputs, after: PlanInputs, names: Collection[str]) -> PlanInputs:
    """Return the later side with what some edits, by their names, have on the earlier one."""
    earlier = with_defaults(before.settings)
    of_edits = {_SETTING_OF[name] for name in names if name in _SETTING_OF}
    settings = {**after.settings, **{name: value for name, value in earlier.items() if name in of_edits}}
    return replace(
        after,
        settings=cast("PlanSettings", settings),
        catalog=before.catalog if {CATALOGUE, _REGION} & {*names} else after.catalog,
        replicas=_replicas(before, after) if _REPLICAS in names else _replicas(after, before),
        options=replace(after.options, default_spread=(before if _DEFAULT_SPREAD in names else after).options.default_spread),
        known=before.known if _FIGURES in names else after.known,
    )


def _replicas(side: PlanInputs, other: PlanInputs) -> tuple[str, ...]:
    """Return the choices of replicas of a side, and those of the other one for workloads that this side lacks."""
    return (*side.replicas, *(choice for choice in other.replicas if choice not in side.replicas and not _takes(side, choice)))


def _takes(side: PlanInputs, choice: str) -> bool:
    """Tell whether a side has the workload of a choice."""
    try:
        variant(side, side.documents, replicas=[choice])
    except InputError:
        return False
    return True


def _edit(name: str, before: Any, after: Any) -> ObjectChange:
    return ObjectChange(SETTING, "", name, Change.CHANGED, Place(), (ChangedField("", before, after),))


def _listed(value: Any) -> Any:
    return (list(value) or None) if isinstance(value, (list, tuple)) else value


def _spread(inputs: PlanInputs) -> Any:
    """Return the default constraints, each in a few words."""
    constraints = inputs.options.default_spread
    return _listed([f"{of.topology_key} maxSkew {of.max_skew} {of.when_unsatisfiable}" for of in constraints])


def _dates(catalog: AnyRegion) -> str:
    """Return how old the prices of a catalogue are."""
    dates = {price.date for price in catalog.on_demand.values()}
    return f"of {max(dates)}" if any(dates) else "without a date"
