"""The request of a NodePlan as plain data, so that a process other than the program's can read the files and plan."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from cutlist.core.errors import InputError
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.settings.planning import PlanSettings


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """Sources and manifests of a plan, and its settings, as `read_inputs` has them.

    Paths are relative to `folder`. `baseline` is a file with an earlier plan, empty without one. `objects` are the NodePools
    and node classes of the cluster that the plan is for, in place of those in the sources; None where all are in the sources.
    """

    sources: tuple[str, ...] = ()
    manifests: tuple[Mapping[str, Any], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    baseline: str = ""
    folder: str = field(default_factory=os.getcwd)
    objects: tuple[Mapping[str, Any], ...] | None = None

    @property
    def is_of_cluster(self) -> bool:
        """Tell whether a cluster of the program asks for the plan of its own nodes."""
        return self.objects is not None

    def read(self) -> PlanInputs:
        """Return the inputs of the plan. Raises InputError with every mistake in what is read."""
        with contextlib.chdir(self.folder):
            return read_inputs(
                self.sources,
                manifests=self.manifests,
                objects=self.objects,
                figures=self.figures,
                **cast("PlanSettings", self.settings),
            )


def request_of(inputs: PlanInputs, baseline: str) -> PlanRequest | None:
    """Return what another process reads to have equal inputs: NodePools and node classes as manifests, and the files that
    workloads were read from. None if these say less than the inputs, or something else."""
    workloads = inputs.workloads
    places = [*(group.place for group in workloads.groups), *(daemon.place for daemon in workloads.daemons)]
    request = PlanRequest(
        tuple(sorted({place.source for place in places})),
        tuple(written.manifest() for written in (*inputs.node_pools, *inputs.node_classes)),
        {"region": inputs.catalog.region, "zones": inputs.zones, "allow_empty": True},
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
