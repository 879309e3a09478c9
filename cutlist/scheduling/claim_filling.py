"""Where equal pods go that open claims take: each to the first in order that has room for one (spec 5.2).

Claims of one level that are equal, or a few equal kinds, rise together. So a million pods beside a million others take as many
steps as there are kinds of claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from cutlist.core.bits import mask_of_run, runs
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.poddata import PodData

_MANY: Final = 50
"""From so many equal pods and open claims on, pods that go to equal claims are placed together."""


def filled(claims: InFlightClaims, candidates: int, pod_data: PodData, wanted: int) -> Iterator[tuple[range, int]]:
    """Yield equal claims with how many pods each of them gets, for some candidates.

    Their order includes these pods already; their states have to, before the next ones are asked for.
    """
    order = claims.order
    while min(candidates.bit_count(), wanted) >= _MANY:
        lowest, distance = order.lowest(candidates)
        alike = claims.alike_in(lowest)
        if alike is None:
            break
        rooms = {run: claims.room(pod_data, wanted, run.start, len(run)) for run in alike}
        full = sum(mask_of_run(run) for run, room in rooms.items() if not room)
        candidates ^= full
        if full:
            continue
        rounds = max(1, min(wanted // lowest.bit_count(), distance, *rooms.values()))
        raised, each = order.raise_together(lowest, wanted, rounds)
        wanted -= each * raised.bit_count()
        for run, room in rooms.items():
            of_run = raised & mask_of_run(run)
            for numbers in runs(of_run):
                yield numbers, each
            candidates ^= of_run if each == room else 0
    if candidates and wanted:
        for number, pods in order.fill(candidates, partial(claims.room, pod_data, wanted), wanted).items():
            yield range(number, number + 1), pods
