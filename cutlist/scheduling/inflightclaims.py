"""The claims opened so far in a pass, indexed by what decides which of them a pod may join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cutlist.core.taints import HostPort
from cutlist.scheduling.admission import Admission, Amounts, InFlightState, PodData
from cutlist.scheduling.claim_order import ClaimOrder
from cutlist.scheduling.headroom import HeadroomIndex


@dataclass(slots=True, eq=False)
class InFlightClaim:
    """A node that will be launched: its state and which pods it carries, as numbers of pods by batch."""

    state: InFlightState
    pods: dict[int, int] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()


class InFlightClaims:
    """All open claims. A set of them is an integer, bit by number in the order of opening.

    A claim only ever shrinks, so a refusal is one bit, not asked again. The exception: when a pod's `NotIn` or `DoesNotExist`
    makes a key defined on the claim, pods that need the key may come in after all (spec 2.6); refusals are then forgotten.
    """

    __slots__ = ("_by_domain", "_ports", "_refused", "_room", "_undecided", "admission", "claims", "order")

    def __init__(self, admission: Admission, needs: Iterable[Amounts]) -> None:
        self.admission = admission
        self.claims: list[InFlightClaim] = []
        self.order = ClaimOrder()
        self._room = HeadroomIndex(needs, len(admission.resources))
        self._refused: dict[int, int] = {}
        self._by_domain: dict[str, dict[str, int]] = {}
        self._undecided: dict[str, int] = {}
        self._ports: dict[HostPort, int] = {}

    def open(self, state: InFlightState, batch: int, pods: int, claims: int = 1) -> range:
        """New claims, each with pods that came one right after the other before the next was opened; their numbers."""
        opened = self.order.open_alike(claims, pods)
        self.claims.extend(InFlightClaim(state, {batch: pods}) for _ in opened)
        self._room.add(self.admission.headroom(state), claims)
        for number in opened if state.ports or self._by_domain else ():
            self._take_ports(number, state.ports)
            for key in self._by_domain:
                self._file(key, number, state)
        return opened

    def advance(self, number: int, state: InFlightState, batch: int, pods: int) -> None:
        """A claim took so many pods and is now in a new state. Its place in the order is the caller's business."""
        claim = self.claims[number]
        before, claim.state = claim.state, state
        claim.pods[batch] = claim.pods.get(batch, 0) + pods
        self._room.update(number, self.admission.headroom(state))
        if before.ports != state.ports:
            self._take_ports(number, state.ports)
        if before.requirements != state.requirements:
            for key in self._by_domain:
                self._unfile(key, number)
                self._file(key, number, state)
            negated = self.admission.space.negated
            if not negated(state.requirements) <= negated(before.requirements):
                self._forget_refusals(number)

    def candidates(self, shape: PodData) -> int:
        """Claims that may take a pod of this shape, as far as room and earlier refusals tell."""
        found = self._room.candidates(shape.needs) & ~self._refused.get(shape.number, 0)
        for port in shape.ports:
            for taken, claims in self._ports.items():
                if port.conflicts(taken):
                    found &= ~claims
        return found

    def refuse(self, shape: PodData, number: int) -> None:
        """This claim takes no pod of this shape any more."""
        self._refused[shape.number] = self._refused.get(shape.number, 0) | 1 << number

    def by_domain(self, key: str) -> tuple[dict[str, int], int]:
        """For a topology key the claims that stand for one domain, by domain, and those that do not."""
        if key not in self._by_domain:
            self._by_domain[key], self._undecided[key] = {}, 0
            for number, claim in enumerate(self.claims):
                self._file(key, number, claim.state)
        return self._by_domain[key], self._undecided[key]

    def room(self, shape: PodData, wanted: int, number: int) -> int:
        """How many of so many wanted pods a claim can still take (see `Admission.room`); 0 is remembered as a refusal."""
        state = self.claims[number].state
        found = self.admission.room(state, shape, wanted)
        if not found:
            self.refuse(shape, number)
        return found

    def _forget_refusals(self, number: int) -> None:
        bit = 1 << number
        for shape, claims in self._refused.items():
            if claims & bit:
                self._refused[shape] = claims ^ bit

    def _take_ports(self, number: int, ports: Iterable[HostPort]) -> None:
        for port in ports:
            self._ports[port] = self._ports.get(port, 0) | 1 << number

    def _file(self, key: str, number: int, state: InFlightState) -> None:
        r = self.admission.result(state).get(key)
        if r is not None and not r.complement and len(r.values) == 1:
            domains = self._by_domain[key]
            domain = next(iter(r.values))
            domains[domain] = domains.get(domain, 0) | 1 << number
        else:
            self._undecided[key] |= 1 << number

    def _unfile(self, key: str, number: int) -> None:
        keep = ~(1 << number)
        self._undecided[key] &= keep
        for domain in self._by_domain[key]:
            self._by_domain[key][domain] &= keep
