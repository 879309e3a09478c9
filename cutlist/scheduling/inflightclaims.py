"""The claims opened so far in a pass, indexed by the properties that decide which of them a pod may join."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import cycle, pairwise
from typing import Final, NamedTuple

from cutlist.core.bits import bits, mask_of_run, runs
from cutlist.core.go_sort import ClaimOrder, FirstClaims
from cutlist.core.taints import HostPort
from cutlist.scheduling.headroom import HeadroomIndex
from cutlist.scheduling.nodeclaim import ClaimAdmission, InFlightClaim
from cutlist.scheduling.poddata import Amounts, PodData
from cutlist.scheduling.reservationmanager import NO_RESERVATIONS

_MANY: Final = 50
"""From so many claims on, places of claims that were asked for are remembered: before, the sort changes them at each step."""

_FEW: Final = 8
"""Up to so many runs of equal claims are looked at instead of claims, and more if there are so many claims for each."""


class _Opened(NamedTuple):
    """Claims that were opened together, each with this many pods of a batch: equal ones, each filled before the next is opened,
    or those of a `unit` again and again, which get pods in turns."""

    numbers: range
    unit: tuple[InFlightClaim, ...]
    pods: int
    carried: Mapping[int, int]


class InFlightClaims:
    """All open claims. A set of them is an integer, bit by number in the order of opening.

    By number, `claims` holds each claim's present state, `pods` how many pods of each batch it carries, and `reserved` which
    reservations it holds. A claim only ever shrinks, so a refusal is one bit and the claim is not tried again. The exception:
    when a pod's `NotIn` or `DoesNotExist` makes a key defined on the claim, pods that need the key may fit after all (spec
    2.6); its refusals are then dropped.
    """

    __slots__ = (
        "_by_domain",
        "_firsts",
        "_length",
        "_ports",
        "_refused",
        "_room",
        "_room_of_runs",
        "_runs",
        "_starts",
        "_undecided",
        "_unfiled",
        "admission",
        "claims",
        "order",
        "pods",
        "reserved",
    )

    def __init__(self, admission: ClaimAdmission, requests: Collection[Amounts]) -> None:
        self.admission = admission
        self.claims: list[InFlightClaim] = []
        self.pods: list[Mapping[int, int]] = []
        self.reserved: list[frozenset[str]] = []
        self.order = ClaimOrder()
        self._room = HeadroomIndex(requests, len(admission.resources))
        self._refused: dict[int, int] = {}
        self._by_domain: dict[str, dict[str, int]] = {}
        self._undecided: dict[str, int] = {}
        self._firsts: dict[tuple[str, str], FirstClaims] = {}
        self._ports: dict[HostPort, int] = {}
        self._length = 0
        self._runs = 0
        self._starts: list[int] = []
        self._unfiled: list[_Opened] = []
        self._room_of_runs = HeadroomIndex(requests, len(admission.resources))

    def __len__(self) -> int:
        return self._length

    def open(self, claim: InFlightClaim, batch: int, pods: int, claims: int = 1) -> range:
        """Open equal claims and return their numbers; each gets its pods one after the other before the next is opened."""
        return self._open((claim,), batch, pods, claims)

    def open_in_turns(self, unit: tuple[InFlightClaim, ...], batch: int, pods: int, times: int) -> range:
        """Open the claims of a unit so many times and return their numbers; those of a time get their pods in turns before the
        next are opened."""
        return self._open(unit, batch, pods, times * len(unit))

    def _open(self, unit: tuple[InFlightClaim, ...], batch: int, pods: int, claims: int) -> range:
        opened = _Opened(range(self._length, self._length + claims), unit, pods, {batch: pods})
        self._length += claims
        self._runs += 1
        self._room_of_runs.add(tuple(map(max, zip(*map(self.admission.headroom, unit), strict=True))))
        self._unfiled.append(opened)
        return opened.numbers

    def settle(self) -> None:
        """File the claims that were opened since the last time.

        That waits until something is asked that they may be the answer to: a million equal claims that are full are then never
        looked at one by one.
        """
        for opened in self._unfiled:
            unit, claims = opened.unit, len(opened.numbers)
            self.claims.extend(unit * (claims // len(unit)))
            self.pods.extend([opened.carried] * claims)
            self.reserved.extend([NO_RESERVATIONS] * claims)
            if len(unit) == 1:
                self._starts.append(opened.numbers.start)
                self.order.open_alike(claims, opened.pods)
                self._room.add(self.admission.headroom(unit[0]), claims)
            else:
                self._starts.extend(opened.numbers)
                self.order.open_in_turns(claims, len(unit), opened.pods)
                for claim in self.claims[opened.numbers.start :]:
                    self._room.add(self.admission.headroom(claim))
            # Thousands of equal claims may be opened at once; most of them have nothing to file.
            for number in opened.numbers if unit[0].ports or self._by_domain else ():
                claim = self.claims[number]
                self._take_ports(number, claim.ports)
                for key in self._by_domain:
                    self._file(key, number, claim)
        self._unfiled.clear()

    def advance(self, numbers: range, after: InFlightClaim, batch: int, pods: int) -> None:
        """Record that equal claims accepted a number of pods each, and their new state. Their places in the order are up to the
        caller."""
        first, claims = numbers.start, len(numbers)
        before, carried = self.claims[first], self.pods[first]  # which other claims may share
        self.claims[first : first + claims] = [after] * claims
        self.pods[first : first + claims] = [{**carried, batch: carried.get(batch, 0) + pods}] * claims
        self._part(first)
        self._part(first + claims)
        self._room.update(first, self.admission.headroom(after), claims)
        if before.ports != after.ports:
            for number in numbers:
                self._take_ports(number, after.ports)
        if before.requirements != after.requirements:
            for number in numbers if self._by_domain else ():
                for key in self._by_domain:
                    self._unfile(key, number)
                    self._file(key, number, after)
            # The one way in which a claim may accept more than before (spec 2.6).
            negated = self.admission.space.negated
            if not negated(after.requirements) <= negated(before.requirements):
                self._forget_refusals(mask_of_run(numbers))

    def each(self) -> Iterator[tuple[range, InFlightClaim, Mapping[int, int], frozenset[str]]]:
        """Yield each claim with its pods and reservations; its number is a range of one."""
        self.settle()
        for number, of in enumerate(zip(self.claims, self.pods, self.reserved, strict=True)):
            yield range(number, number + 1), *of

    def alike(self) -> Iterator[tuple[range, InFlightClaim, Mapping[int, int], frozenset[str]]]:
        """Yield the same, where no claim has a reservation: once for those that were opened and filled together."""
        for start, stop in pairwise((*self._starts, len(self.claims))):
            yield range(start, stop), self.claims[start], self.pods[start], NO_RESERVATIONS
        for opened in self._unfiled:
            if len(opened.unit) == 1:
                yield opened.numbers, opened.unit[0], opened.carried, NO_RESERVATIONS
                continue
            for number, claim in zip(opened.numbers, cycle(opened.unit), strict=False):
                yield range(number, number + 1), claim, opened.carried, NO_RESERVATIONS

    def alike_in(self, claims: int) -> list[range] | None:
        """Return claims as runs of equal ones, or None if they are mostly different."""
        most, found = max(_FEW, claims.bit_count() // _FEW), list[range]()
        while claims:
            after = bisect_right(self._starts, (claims & -claims).bit_length() - 1)
            stop = self._starts[after] if after < len(self._starts) else len(self.claims)
            equal = claims & mask_of_run(range(stop))
            claims ^= equal
            found += runs(equal)
            if len(found) > most:
                return None
        return found

    def candidates(self, pod_data: PodData) -> int:
        """Return the claims that may accept such a pod, judging by room and earlier refusals."""
        claims = self._candidates(pod_data)
        # Where no claim is a candidate, their order does not matter.
        if self._unfiled and (claims or self._may_join_unfiled(pod_data)):
            self.settle()
            claims = self._candidates(pod_data)
        return claims

    def _may_join_unfiled(self, pod_data: PodData) -> bool:
        """Tell whether claims that are not filed yet may accept such a pod."""
        numbers = bits(self._room_of_runs.candidates(pod_data.requests) >> self._runs - len(self._unfiled))
        # What is free of each resource may belong to different types, and of thousands of equal claims one is asked.
        is_asked = len(pod_data.volume_requirements) == 1
        units = (self._unfiled[number].unit for number in numbers)
        return any(not is_asked or self.admission.room(claim, pod_data, 1) for unit in units for claim in unit)

    def _candidates(self, pod_data: PodData) -> int:
        claims = self._room.candidates(pod_data.requests) & ~self._refused.get(pod_data.number, 0)
        # A port of one address conflicts with the same one of all addresses, so taken ones are compared, not looked up.
        for port in pod_data.host_ports:
            for taken, holders in self._ports.items():
                if port.conflicts(taken):
                    claims &= ~holders
        return claims

    def refuse(self, pod_data: PodData, claims: int) -> None:
        """Record that these claims no longer accept such a pod."""
        self._refused[pod_data.number] = self._refused.get(pod_data.number, 0) | claims

    def by_domain(self, key: str) -> tuple[dict[str, int], int]:
        """Return for a topology key the claims bound to one domain, by domain, and those that are not."""
        self.settle()
        if key not in self._by_domain:
            self._by_domain[key], self._undecided[key] = {}, 0
            for number, claim in enumerate(self.claims):
                self._file(key, number, claim)
        return self._by_domain[key], self._undecided[key]

    def first(self, candidates: int, key: str) -> int | None:
        """Return the first of some claims in order, or None for no claims. `key` is the label over whose domains rules spread
        the pods, or an empty text: each time claims of other domains may be asked for, but in a domain much the same ones."""
        if len(self.claims) < _MANY:
            return self.order.first(candidates)
        found = []
        for domain, claims in self._by_domain.get(key, {}).items():
            found.append(self._first_of(candidates & claims, key, domain))
            candidates &= ~claims
        found.append(self._first_of(candidates, key, ""))
        return min((claim for claim in found if claim is not None), key=self.order.place, default=None)

    def _first_of(self, candidates: int, key: str, domain: str) -> int | None:
        if (key, domain) not in self._firsts:
            self._firsts[key, domain] = FirstClaims(self.order)
        return self._firsts[key, domain].of(candidates)

    def room(self, pod_data: PodData, wanted: int, number: int, claims: int = 1) -> int:
        """Return how many of `wanted` pods each of equal claims, of which this is the first, can still accept (see
        `ClaimAdmission.room`); 0 is recorded as a refusal."""
        room = self.admission.room(self.claims[number], pod_data, wanted)
        if not room:
            self.refuse(pod_data, mask_of_run(range(number, number + claims)))
        return room

    def _part(self, number: int) -> None:
        """Let a run of equal claims end before a claim."""
        at = bisect_left(self._starts, number)
        if number < len(self.claims) and (at == len(self._starts) or self._starts[at] != number):
            self._starts.insert(at, number)

    def _forget_refusals(self, claims: int) -> None:
        for pod_data, refused in self._refused.items():
            self._refused[pod_data] = refused & ~claims

    def _take_ports(self, number: int, ports: Iterable[HostPort]) -> None:
        for port in ports:
            self._ports[port] = self._ports.get(port, 0) | 1 << number

    def _file(self, key: str, number: int, claim: InFlightClaim) -> None:
        r = self.admission.requirements_of(claim).get(key)
        # A claim with one value left counts in that domain; with several it may still end up in any.
        if r is not None and not r.complement and len(r.values) == 1:
            domains = self._by_domain[key]
            domain = next(iter(r.values))
            domains[domain] = domains.get(domain, 0) | 1 << number
        else:
            self._undecided[key] |= 1 << number

    def _unfile(self, key: str, number: int) -> None:
        others = ~(1 << number)
        self._undecided[key] &= others
        for domain in self._by_domain[key]:
            self._by_domain[key][domain] &= others
