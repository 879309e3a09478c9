"""What AWS tells of instances: messages of the interruption queue, and their status (spec: disruption 10; D-78, D-79).

Messages come from EventBridge; a status is an entry of EC2's DescribeInstanceStatus. Both are read as leniently as the
provider reads them: what says nothing that it knows is not an interruption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from cutlist.disruption.interruption import Action, Interruption, Loss

Manifest = Mapping[str, Any]

IMPAIRED_FOR: Final = 120  # seconds of a failed check until the provider acts

NO_OP: Final = Interruption("no_op")
SPOT_INTERRUPTED: Final = Interruption("spot_interrupted", action=Action.DRAIN, event="SpotInterrupted", loss=Loss.OFFERING)
REBALANCE: Final = Interruption("rebalance_recommendation", event="SpotRebalanceRecommendation")
STOPPED: Final = Interruption("instance_stopped", action=Action.DRAIN, event="InstanceStopping")
TERMINATED: Final = Interruption("instance_terminated", action=Action.DRAIN, event="InstanceTerminating")
SCHEDULED_CHANGE: Final = Interruption("scheduled_change", action=Action.DRAIN, event="InstanceUnhealthy")
RESERVATION_INTERRUPTED: Final = Interruption(
    "capacity_reservation_interrupted",
    action=Action.DRAIN,
    event="CapacityReservationInstanceInterrupted",
    loss=Loss.RESERVATION,
)
INSTANCE_STATUS: Final = Interruption("instance_status", action=Action.END_NOW, event="InstanceUnhealthy")
SYSTEM_STATUS: Final = Interruption("system_status", action=Action.END_NOW, event="InstanceUnhealthy")
EVENT_STATUS: Final = Interruption("event_status", action=Action.DRAIN, event="InstanceUnhealthy")

_VERSION: Final = "0"
_STATE_CHANGE: Final = ("aws.ec2", "EC2 Instance State-change Notification")
_HEALTH: Final = ("aws.health", "AWS Health Event")
_OF_ONE_INSTANCE: Final = {
    ("aws.ec2", "EC2 Spot Instance Interruption Warning"): SPOT_INTERRUPTED,
    ("aws.ec2", "EC2 Instance Rebalance Recommendation"): REBALANCE,
    ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"): RESERVATION_INTERRUPTED,
}
_STATES: Final = {"stopping": STOPPED, "stopped": STOPPED, "shutting-down": TERMINATED, "terminated": TERMINATED}
_CHECKS: Final = (("InstanceStatus", INSTANCE_STATUS), ("SystemStatus", SYSTEM_STATUS))
_EVENT_CODES: Final = frozenset(
    ("instance-reboot", "system-reboot", "system-maintenance", "instance-retirement", "instance-stop")
)


def read_message(message: Manifest) -> Interruption:
    """Return what a message of the queue says. One that is unknown or of no interest is `NO_OP`."""
    what, detail = (message.get("source") or "", message.get("detail-type") or ""), message.get("detail") or {}
    if message.get("version") != _VERSION:
        return NO_OP
    if what == _HEALTH:
        return _of_health(detail)
    known = _STATES.get(detail.get("state", "")) if what == _STATE_CHANGE else _OF_ONE_INSTANCE.get(what)
    return NO_OP if known is None else replace(known, instances=(detail.get("instance-id") or "",))


def read_status(status: Manifest, now: float) -> tuple[Interruption, ...]:
    """Return what the status of an instance says: one interruption a category. Failing checks of its volumes do not count.

    A check has to have failed for two minutes at `now` (seconds since 1970); an event counts as soon as it is known.
    """
    found = [kind for key, kind in _CHECKS if any(_is_lasting(d, now) for d in (status.get(key) or {}).get("Details") or ())]
    if any(event.get("Code") in _EVENT_CODES for event in status.get("Events") or ()):
        found.append(EVENT_STATUS)
    return tuple(replace(kind, instances=(status.get("InstanceId") or "",)) for kind in found)


def _of_health(detail: Manifest) -> Interruption:
    if (detail.get("service"), detail.get("eventTypeCategory")) != ("EC2", "scheduledChange"):
        return NO_OP
    return replace(SCHEDULED_CHANGE, instances=tuple(e.get("entityValue") or "" for e in detail.get("affectedEntities") or ()))


def _is_lasting(detail: Manifest, now: float) -> bool:
    """Tell whether a check has failed for long enough; one that does not say since when has failed forever."""
    since = detail.get("ImpairedSince")
    return detail.get("Status") == "failed" and (not since or now - _instant(since) >= IMPAIRED_FOR)


def _instant(moment: datetime | str) -> float:
    return (moment if isinstance(moment, datetime) else datetime.fromisoformat(moment.replace("Z", "+00:00"))).timestamp()
