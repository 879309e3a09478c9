"""The request of a NodePlan as plain data, so that a process other than the program's can read the files and plan."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.documents import Reading
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.providers.eks_auto import DEFAULT_PROFILE


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """Sources and manifests of a plan, and the settings with which they are read, as `read_inputs` has them.

    Paths are relative to `folder`. `baseline` is a file with an earlier plan, empty without one.
    """

    region: str
    sources: tuple[str, ...] = ()
    manifests: tuple[Mapping[str, Any], ...] = ()
    zones: tuple[str, ...] = ()
    built_in_pools: tuple[str, ...] = ()
    overhead_profile: str = DEFAULT_PROFILE
    external_classes: tuple[str, ...] = ()
    allow_empty: bool = False
    recursive: bool = False
    karpenter: str = str(DEFAULT)
    figures: Mapping[str, Any] = field(default_factory=dict)
    baseline: str = ""
    folder: str = field(default_factory=os.getcwd)

    def read(self) -> PlanInputs:
        """Return the inputs of the plan. Raises InputError with every mistake in what is read."""
        with contextlib.chdir(self.folder):
            return read_inputs(
                self.sources,
                region=self.region or None,
                manifests=self.manifests,
                zones=self.zones,
                built_in_pools=self.built_in_pools,
                overhead_profile=self.overhead_profile,
                figures=self.figures,
                external_classes=self.external_classes,
                allow_empty=self.allow_empty,
                reading=Reading(recursive=self.recursive),
                karpenter=self.karpenter,
            )


def request_of(inputs: PlanInputs, baseline: str) -> PlanRequest | None:
    """Return what another process reads to have equal inputs: NodePools and node classes as manifests, and the files that
    workloads were read from. None if these say less than the inputs, or something else."""
    workloads = inputs.workloads
    places = [*(group.place for group in workloads.groups), *(daemon.place for daemon in workloads.daemons)]
    request = PlanRequest(
        inputs.catalog.region,
        tuple(sorted({place.source for place in places})),
        tuple(written.manifest() for written in (*inputs.node_pools, *inputs.node_classes)),
        inputs.zones,
        allow_empty=True,
        baseline=baseline,
    )
    try:
        again = request.read()
    except (InputError, OSError):
        return None
    return request if replace(again, warnings=inputs.warnings) == inputs else None


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """What a NodePlan registers: the plan in few words, and the measures that gates look at."""

    digest: Mapping[str, Any]
    measures: Mapping[str, Any]

    @property
    def registered(self) -> dict[str, Any]:
        """Return the inputs of the resource."""
        return {**self.digest, "measures": self.measures}
