"""Pods that no NodePool can take, whatever its limits are and whatever else runs: only nodes of others may run them."""

from __future__ import annotations

from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.refusals import Incompatible, NotTolerated, NoType, Refusal, beyond_limits
from cutlist.scheduling.results import Results
from cutlist.state.volumes import NO_VOLUMES


def unwanted(results: Results, inputs: SchedulerInputs) -> frozenset[int]:
    """Return the batches whose pods every NodePool of a controller excludes: by taints, by labels, or because no type fits.

    Pods that wait for a limit, a reservation, or a place that a topology rule allows are Karpenter's, and so are those whose
    volumes are not found. Which nodes a term with `matchFields` means is not known before they run.
    """
    wanted = {u.batch for u in results.unplaced if not all(_excludes(refusal) for _, refusal in u.refusals)}
    refused = {u.batch for u in results.unplaced} - wanted
    return frozenset(batch for batch in refused | results.ignored.keys() if not _is_open(batch, inputs))


def _is_open(batch: int, inputs: SchedulerInputs) -> bool:
    """Tell whether it is not known which nodes may run the pods of a batch, or whether these are no pods yet."""
    of_batch = inputs.batches[batch]
    return bool(of_batch.virtual or of_batch.pod.uses_match_fields or inputs.volumes.get(batch, NO_VOLUMES).problem)


def _excludes(refusal: Refusal) -> bool:
    match beyond_limits(refusal):
        case NoType(limits=limits):
            return not limits
        case Incompatible(with_pod=with_pod):
            return not with_pod
        case NotTolerated():
            return True
    return False
