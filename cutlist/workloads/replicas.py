"""Groups of a controller, split where replicas differ: existing claims, and ordinals that already run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Volume
from cutlist.workloads.read_pod import storage_request

Manifest = Mapping[str, Any]


def replica_groups(
    group: PodGroup,
    claim_templates: Sequence[Manifest],
    claims: Collection[str],
    placed: Sequence[str],
    default_class: str | None = None,
) -> list[PodGroup]:
    """Return the group without its `placed` pods. A StatefulSet's replicas whose claims are among `claims` become separate
    groups.

    The cost depends on the number of claims and placed pods, not on the count.
    """
    bound = len(placed)
    if group.kind != "StatefulSet" and not claim_templates:
        return [replace(group, count=max(0, group.count - bound), bound=bound)]
    volumes = tuple(_volume(t, default_class) for t in claim_templates)
    ordinals = range(group.first, group.first + group.count)
    running = {n for name in placed if (n := _ordinal(name, group.name)) is not None and n in ordinals}
    owned = {n: _volumes(volumes, f"{group.name}-{n}", claims) for n in _claimed(volumes, group.name, claims) if n in ordinals}

    def part(first: int, count: int, own: tuple[Volume, ...]) -> PodGroup:
        pod = replace(group.pod, volumes=(*own, *group.pod.volumes)) if own else group.pod
        return replace(group, count=count, first=first, pod=pod)

    parts = []
    at = ordinals.start
    for ordinal in sorted(running | owned.keys()):
        if ordinal > at:
            parts.append(part(at, ordinal - at, volumes))
        if ordinal not in running:
            parts.append(part(ordinal, 1, owned[ordinal]))
        at = ordinal + 1
    if at < ordinals.stop or not parts:
        parts.append(part(at, ordinals.stop - at, volumes))
    parts[0] = replace(parts[0], bound=bound)
    return parts


def _volume(template: Manifest, default_class: str | None) -> Volume:
    written = template["spec"].get("storageClassName")
    storage_class = default_class if written is None else written
    storage = storage_request(template["spec"])
    return Volume(template["metadata"]["name"], storage_class=storage_class, per_replica=True, storage=storage)


def _volumes(templates: Sequence[Volume], pod_name: str, claims: Collection[str]) -> tuple[Volume, ...]:
    return tuple(Volume(v.claim_of(pod_name)) if v.claim_of(pod_name) in claims else v for v in templates)


def _claimed(templates: Sequence[Volume], name: str, claims: Collection[str]) -> Iterator[int]:
    for volume in templates:
        for claim in claims:
            ordinal = _ordinal(claim, f"{volume.claim}-{name}")
            if ordinal is not None:
                yield ordinal


def _ordinal(name: str, stem: str) -> int | None:
    number = name.removeprefix(f"{stem}-")
    return int(number) if number != name and number.isdecimal() and str(int(number)) == number else None
