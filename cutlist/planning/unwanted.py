"""Pods that no NodePool can take, whatever its limits are and whatever else runs: only nodes of others may run them."""

from __future__ import annotations

from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.refusals import Incompatible, LimitsExceeded, NodesExhausted, NotTolerated, NoType, Refusal
from cutlist.scheduling.results import Results
from cutlist.state.volumes import NO_VOLUMES


def is_unwanted(batch: int, results: Results, inputs: SchedulerInputs) -> bool:
    """Tell whether the pods of a batch are those that every NodePool of a controller excludes: by taints, by labels, or since
    they fit none of its types.

    Pods that wait for a limit, a reservation, or a place that a topology rule allows are Karpenter's, and so are those whose
    volumes are not found. Which nodes a term with `matchFields` means is not known before they run.
    """
    of_batch = inputs.batches[batch]
    if of_batch.virtual or of_batch.pod.uses_match_fields or inputs.volumes.get(batch, NO_VOLUMES).problem:
        return False
    if batch in results.ignored:
        return True
    refused = [u for u in results.unplaced if u.batch == batch]
    return bool(refused) and all(not u.dropped and all(_excludes(refusal) for _, refusal in u.refusals) for u in refused)


def _excludes(refusal: Refusal) -> bool:
    if isinstance(refusal, LimitsExceeded | NodesExhausted):
        return refusal.besides is not None and _excludes(refusal.besides)
    if isinstance(refusal, NoType):
        return not refusal.limits if refusal.besides is None else _excludes(refusal.besides)
    return isinstance(refusal, NotTolerated) or (isinstance(refusal, Incompatible) and not refusal.with_pod)
