"""The Karpenter that objects are for, from the inputs of a component."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cutlist.api.written import class_group_of
from cutlist.core.errors import Problems
from cutlist.core.karpenter.baselines import BASELINES, DEFAULT, Baseline, baseline_of, chosen_baseline
from cutlist.core.karpenter.versions import read_chosen
from cutlist.core.services import AKS, Service, rules_of
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.planning.controller_settings import ControllerSettings

_OLDEST: Final = BASELINES[0]
_CORE_GROUP: Final = "karpenter.sh"


class ChosenKarpenter(NamedTuple):
    """What a Karpenter does, and the feature gates of its AWS provider that are on."""

    karpenter: Baseline = DEFAULT
    feature_gates: frozenset[str] = frozenset()


NEWEST: Final = ChosenKarpenter()


def rules_of_text(version: str) -> Baseline | None:
    """Return the rules of a version; for an older one the oldest known rules, and None for a later one and for other texts."""
    chosen = read_chosen(version)
    if chosen is None:
        return None
    return baseline_of(version) or (_OLDEST if chosen[0] < _OLDEST.minor else None)


def _service_of(args: Mapping[str, Any]) -> Service | None:
    """Return AKS if all objects of some inputs are for it, as far as they say."""
    objects = [args.get("manifest"), *(args.get("node_pools") or ()), *(args.get("node_classes") or ())]
    written = [each for each in objects if isinstance(each, Mapping)]
    groups = {group for each in written for group in (str(each.get("apiVersion")).partition("/")[0], class_group_of(each))}
    return AKS if groups - {"", _CORE_GROUP} == {AKS.group} else None


def chosen_karpenter(args: Mapping[str, Any], problems: Problems, at: Places = HERE) -> ChosenKarpenter:
    """Return the Karpenter that the inputs `karpenter_version` and `aws_feature_gates` name, by default the one that AKS runs
    for objects that are all for AKS, else the newest one known.

    A version whose rules are not known is a problem where `at` has it; of an older one the oldest known rules count.
    """
    version = args.get("karpenter_version")
    karpenter = rules_of(_service_of(args)) if version is None else rules_of_text(version)
    if version is not None and karpenter is None:
        chosen_baseline(version, at.member("karpenterVersion"), problems)
    gates = ControllerSettings.of({"awsFeatureGates": args.get("aws_feature_gates", {})})
    return ChosenKarpenter(karpenter or DEFAULT, gates.aws_gates(karpenter or DEFAULT))
