"""The inputs of a pass over the pods of a simulated cluster."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod


def pass_inputs(state: ClusterState, groups: Sequence[tuple[PodBatch, list[RunningPod]]]) -> SchedulerInputs:
    """Return the inputs of a pass that places batches of pods, with the volumes that they have now and without daemons."""
    return SchedulerInputs(
        pools=tuple(state.pools.values()),
        types=state.types,
        batches=[batch for batch, _ in groups],
        registry=state.registry,
        options=state.options,
        namespaces=state.namespaces,
        volumes={
            number: state.storage.of_pod(batch.pod, batch.name, state.registry)
            for number, (batch, _) in enumerate(groups)
            if batch.pod.volumes
        },
        selectors=state.selectors,
        devices=state.devices,
    )
