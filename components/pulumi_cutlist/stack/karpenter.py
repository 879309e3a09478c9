"""The Karpenter of a stack as its configuration has it: the version, and the feature gates that are on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.karpenter.baselines import DEFAULT, Baseline, baseline_of
from cutlist.core.services import AKS, rules_of
from cutlist.planning.controller_settings import ControllerSettings
from pulumi_cutlist.kubernetes.chosen_karpenter import rules_of_text
from pulumi_cutlist.stack.cluster_figures import of_karpenter
from pulumi_cutlist.stack.gate_keys import json_value

VERSION: Final = "karpenterVersion"
FEATURE_GATES: Final = "featureGates"
AWS_FEATURE_GATES: Final = "awsFeatureGates"
_CLUSTER: Final = "karpenterCluster"
_AKS: Final = "aksCluster"


def controller_figures(config: Mapping[str, str]) -> dict[str, Any]:
    """Return the part `controller` of a document of kind Figures, from what a stack says of the Karpenter of a cluster that
    exists already."""
    written = {key: json_value(config.get(key)) for key in (FEATURE_GATES, AWS_FEATURE_GATES)}
    return {"controller": {key: gates for key, gates in written.items() if isinstance(gates, Mapping)}}


def installed_karpenter(version: object) -> Baseline:
    """Return what the version does that a stack's cluster installs: the oldest rules known for an older one, and the newest for
    none and for one that is mistaken, which the cluster's own check reports."""
    return (rules_of_text(version) if isinstance(version, str) else None) or DEFAULT


def karpenter_of(config: Mapping[str, str]) -> tuple[Baseline, frozenset[str]]:
    """Return what the Karpenter of a stack does, and the feature gates of its AWS provider that are on.

    `config` is by key without the project's name. What is mistaken counts as not written, since the stack's program reports it.
    """
    cluster = json_value(config.get(_CLUSTER))
    of_cluster: Mapping[str, Any] = cluster if isinstance(cluster, Mapping) else {}
    karpenter = baseline_of(config.get(VERSION, "")) or (
        rules_of(AKS) if _AKS in config else installed_karpenter(of_cluster.get(VERSION))
    )
    figures = of_karpenter(of_cluster) if of_cluster else controller_figures(config)
    return karpenter, ControllerSettings.of(figures["controller"]).aws_gates(karpenter)
