"""The shape of a controller's settings, as a document of kind `Figures` and stack files may have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.karpenter.feature_gates import FEATURE_GATES
from cutlist.core.shapes import Rule, boolean, closed, one_of
from cutlist.infrastructure.charts.keys import gate_key
from cutlist.planning.controller_settings import BEST_EFFORT, IGNORE


def _rules(*, of_aws: bool) -> dict[str, Rule]:
    gates = (g for g in FEATURE_GATES if g.is_of_aws == of_aws and any(g.is_in(b.aws_release) for b in BASELINES))
    return {gate_key(gate.name): boolean for gate in gates}


CONTROLLER_SETTINGS: Final[Mapping[str, Rule]] = {
    "featureGates": closed(optional=_rules(of_aws=False)),
    "awsFeatureGates": closed(optional=_rules(of_aws=True)),
    "legacyNodeRepair": boolean,
    "ignoreDRARequests": boolean,
    "enableDRA": boolean,
    "preferencePolicy": one_of("Respect", IGNORE),
    "minValuesPolicy": one_of("Strict", BEST_EFFORT),
}
"""What may be written of these settings of these settings."""
