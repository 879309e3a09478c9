"""NodeClaims as they were made, compared with those of Cutlist: labels, annotations and taints; and the hashes of NodePools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api import nodepool_hash
from cutlist.core.annotations import REQUESTED_DRIVERS
from tests.live.recording import Recording
from tests.live.scenarios.builders import ZONE

_HASH: Final = "karpenter.sh/nodepool-hash"
_ANY: Final = ("*", "*int")
"""What stands for a label's value that is chosen when the machine is."""


def launch_differences(recording: Recording, answer: Mapping[str, Any]) -> list[str]:
    """Return what the NodeClaims of a recorded pass say of themselves and Cutlist's do not."""
    launches = [claim["launch"] | {"nodePool": claim["nodePool"]} for claim in answer["claims"] if claim.get("launch")]
    lines = []
    for made in recording.evidence.get("nodeClaims", ()):
        match = next((launch for launch in launches if not _parts_that_differ(made, launch)), None)
        if match is not None:
            launches.remove(match)
        else:
            nearest = min((_parts_that_differ(made, launch) for launch in launches), key=len, default=["no NodeClaim is left"])
            lines.append(f"NodeClaim {made['name']}: {'; '.join(nearest)}")
    return lines


def _parts_that_differ(made: Mapping[str, Any], launch: Mapping[str, Any]) -> list[str]:
    """Return how a NodeClaim differs from a launch. It has more labels: those of its machine. A zone may have another name."""
    lines = []
    if made["labels"]["karpenter.sh/nodepool"] != launch["nodePool"]:
        lines.append(f"NodePool: wanted {made['labels']['karpenter.sh/nodepool']}, got {launch['nodePool']}")
    for kind in ("labels", "annotations"):
        drivers = {REQUESTED_DRIVERS: ""} if REQUESTED_DRIVERS in made[kind] else {}
        for key, value in {**drivers, **launch[kind]}.items():
            actual = made[kind].get(key)
            is_free = value in _ANY or key == ZONE
            if actual is None or (actual != value and not is_free):
                lines.append(f"{kind}: wanted {key}={actual}, got {value}")
    taints = {kind: (_taints(made[kind]), _taints(launch[kind])) for kind in ("taints", "startupTaints")}
    return [*lines, *(f"{kind}: wanted {want}, got {got}" for kind, (want, got) in taints.items() if want != got)]


def _taints(taints: list[Mapping[str, str]]) -> list[str]:
    return sorted(f"{each.get('key')}={each.get('value') or ''}:{each.get('effect')}" for each in taints)


def hash_differences(recording: Recording) -> list[str]:
    """Return the NodePools whose hash Karpenter computed otherwise."""
    return [
        f"NodePool {pool['metadata']['name']}: wanted the hash {annotated}, got {own}"
        for pool in recording.scenario["nodePools"]
        if (annotated := (pool["metadata"].get("annotations") or {}).get(_HASH))
        and (own := nodepool_hash.stored_template_hash(pool["spec"]["template"])) != annotated
    ]
