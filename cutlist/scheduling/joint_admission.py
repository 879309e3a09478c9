"""Admission, topology and reservations together: whether a claim accepts one more pod (spec: scheduling 6, 7.8, 6.9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cutlist.core.labels import CORE
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.scheduling.claim_refusals import no_type, volume_pin
from cutlist.scheduling.dynamicresources.admission import DeviceAdmission
from cutlist.scheduling.dynamicresources.allocation import Allocation
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError, OutOfTimeError
from cutlist.scheduling.nodeclaim import ClaimAdmission, InFlightClaim, with_devices
from cutlist.scheduling.nodeclaimtemplate import PLACEHOLDER
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.refusals import (
    Incompatible,
    IncompatibleDevices,
    NoDevices,
    NoReservation,
    NoTopology,
    NoType,
    NoTypeWithDevices,
    OnlyFullReservations,
    PassEnded,
    Refusal,
)
from cutlist.scheduling.reservationmanager import ReservationManager
from cutlist.scheduling.topology import PodTopology, Topology
from cutlist.scheduling.topologygroup import TopologyGroup

_SHOWN_DOMAINS: Final = 25  # a refusal names the counts of at most this many domains, as Karpenter's does


class _Found(NamedTuple):
    """Requirements by number, with those of devices, and the devices themselves for a pod that has claims."""

    requirements: int
    allocation: Allocation | None


@dataclass(frozen=True, slots=True)
class JointAdmission:
    """Examines pods one by one. `host` is the number that a claim has or would get, `held` are the reservations it holds."""

    admission: ClaimAdmission
    topology: Topology
    reservations: ReservationManager
    devices: DeviceAdmission | None = None

    def can_add(
        self, claim: InFlightClaim, pod_data: PodData, pod_topology: PodTopology, host: int, held: frozenset[str]
    ) -> InFlightClaim | TopologyGroup | Refusal | None:
        """Return the claim with the pod on it; else the topology rule, the reservation or the lack of devices that forbids it,
        None for another cause.

        Of several alternatives of volumes the cause of the last one counts: a reservation forbids relaxing (spec 8).
        """
        blocked: TopologyGroup | Refusal | None = None
        space = self.admission.space
        for alternative in self.admission.alternatives(claim, pod_data):
            # An incompatible alternative after a blocked one hides why that one was blocked: the last error wins.
            if alternative is None:
                blocked = None
                continue
            found = self._find_devices(claim, pod_data, alternative, host)
            if not isinstance(found, _Found):
                blocked = found
                continue
            narrowed, allocation = found
            strict = space.sets[pod_data.strict_requirements]
            domains = self.topology.add_requirements(pod_data.pod, pod_topology, strict, space.sets[narrowed], host)
            if isinstance(domains, TopologyGroup):
                blocked = domains
                continue
            # Only this one choice of domains is tried: a domain without a fitting type refuses the pod (spec 6.5).
            bound = space.meet(narrowed, space.number(domains))
            after = None if bound is None else self.admission.add(claim, pod_data, bound)
            if allocation is not None and bound is not None:
                with_them = None if after is None else with_devices(after, allocation)
                if with_them is None:
                    blocked = no_type(self.admission, claim, pod_data, bound) if after is None else NoTypeWithDevices()
                    continue
                after = with_them
            # Reservations come last, since what they allow depends on the types that are left.
            reserved = None if after is None else self.reservations.choose(after, held)
            if not isinstance(reserved, NoReservation | OnlyFullReservations | None):
                return after
            blocked = reserved
        return blocked

    def can_add_in_some_domain(
        self, claim: InFlightClaim, pod_data: PodData, pod_topology: PodTopology, host: int, held: frozenset[str]
    ) -> InFlightClaim | TopologyGroup | Refusal | None:
        """Return the claim with the pod on it, in any of the equally good domains that has room.

        Karpenter picks a domain again for each claim, so if several claims have room in one of them, one of the claims almost
        surely accepts the pod; here it is the first.
        """
        after = self.can_add(claim, pod_data, pod_topology, host, held)
        # Only where neither a rule nor a reservation refused: then nothing but the types of the chosen domain may be in the
        # way.
        is_for_types = after is None or isinstance(after, NoType | NoTypeWithDevices)
        open_to = [g for g in pod_topology.obeyed if is_for_types and g.choices > 1 and self._undecided(claim, g)]
        before = [g.turn for g in open_to]
        for _ in range(max((g.choices for g in open_to), default=1) - 1):
            for group in open_to:
                group.turn += 1
            after = self.can_add(claim, pod_data, pod_topology, host, held)
            if isinstance(after, InFlightClaim):
                break
        # The next claim starts with the same domain as this one did; a failed attempt as a whole moves the turn on.
        for group, turn in zip(open_to, before, strict=True):
            group.turn = turn
        return after

    def _find_devices(self, claim: InFlightClaim, pod_data: PodData, narrowed: int, host: int) -> _Found | Refusal:
        """Return devices for the pod's claims and the requirements with theirs, or why it gets no devices.

        Neither the pod's own requirements nor those of its volumes are known to the search (R-71, R-90).
        """
        if self.devices is None or not pod_data.pod.uses_dynamic_resources:
            return _Found(narrowed, None)
        allocation = self.devices.on_claim(claim, host, pod_data.pod)
        if isinstance(allocation, ClaimError):
            if isinstance(allocation, OutOfTimeError):
                return PassEnded(tried=True)
            return NoDevices(str(allocation), allocation.cause)
        space = self.admission.space
        added = space.number(allocation.requirements)
        met = space.meet(narrowed, added)
        return IncompatibleDevices(space.clash(narrowed, added)) if met is None else _Found(met, allocation)

    def _undecided(self, claim: InFlightClaim, group: TopologyGroup) -> bool:
        """Tell whether a claim may still end up in one of several domains of a rule."""
        held = self.admission.requirements_of(claim).get(group.key)
        return held is None or held.complement or len(held.values) > 1

    def no_type_in_domains(self, claim: InFlightClaim, pod_data: PodData, pod_topology: PodTopology, host: int) -> Refusal:
        """Return why a pod that fits an empty new claim finds no type in the domains that its topology rules chose."""
        space = self.admission.space
        narrowed, strict = next(self.admission.narrow(claim, pod_data)), space.sets[pod_data.strict_requirements]
        domains = self.topology.add_requirements(pod_data.pod, pod_topology, strict, space.sets[narrowed], host)
        if isinstance(domains, TopologyGroup):
            return self.no_topology(domains, claim, pod_data, pod_topology, host)
        conflict = space.sets[narrowed].incompatibility(domains, space.well_known)
        if conflict:
            return Incompatible(conflict)
        return no_type(self.admission, claim, pod_data, space.join(narrowed, space.number(domains)))

    def no_topology(
        self, group: TopologyGroup, claim: InFlightClaim, pod_data: PodData, pod_topology: PodTopology, host: int
    ) -> NoTopology:
        """Return the refusal of a rule that leaves no domain of a claim; with `minDomains` or volumes where it would leave one
        without them.
        """
        space = self.admission.space
        counts = sorted((d if isinstance(d, str) else _placeholder(d), n) for d, n in group.domains.items())
        held = space.meet(claim.requirements, pod_data.requirements)
        strict, working = space.sets[pod_data.strict_requirements], space.sets[claim.requirements if held is None else held]
        *_, last = (working, *(space.sets[narrowed] for narrowed in self.admission.narrow(claim, pod_data)))
        refusal = NoTopology(
            kind=group.kind,
            key=group.key,
            domains=tuple(counts[:_SHOWN_DOMAINS]),
            more=max(len(counts) - _SHOWN_DOMAINS, 0),
            pod_domains=_shown_domains(strict, group.key, host),
            node_domains=_shown_domains(last, group.key, host),
        )
        # The pod contradicts the claim itself; whether minDomains matter cannot be asked then.
        if held is None:
            return refusal
        pin = volume_pin(self.admission, pod_data)
        if pin is not None:
            domains = self.topology.add_requirements(pod_data.pod, pod_topology, strict, working, host)
            return refusal if isinstance(domains, TopologyGroup) else replace(refusal, volumes=pin)
        wanted = strict.get_or_any(group.key)
        missing = group.missing_domains(wanted, working.get_or_any(group.key), self_selecting=group.selects(pod_data.pod))
        return replace(refusal, missing_domains=missing)


def _shown_domains(requirements: Requirements, key: str, host: int) -> Requirement:
    """Return the requirement on a key as Karpenter shows it: a missing one as Exists on the normalized key, and the hostname of
    a node that does not exist yet as a placeholder."""
    domains = requirements.get(key) or Requirement.exists(CORE.normalized.get(key, key))
    return Requirement.of(key, "In", [_placeholder(host)]) if PLACEHOLDER in domains.values else domains


def _placeholder(host: int) -> str:
    """Return the name that Karpenter gives a node until it exists."""
    return f"hostname-placeholder-{host:04}"
