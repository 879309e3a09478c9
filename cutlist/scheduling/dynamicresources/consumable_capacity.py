"""How much of a shared device a request takes (spec: R-108 to R-115)."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.core.quantity import NANO, whole
from cutlist.devices.device import AmountRange, Capacity, Device, RequestPolicy


def consumed_capacity(device: Device, wanted: Mapping[str, int]) -> Mapping[str, int] | None:
    """Return the amounts in nano-units that a request takes of a shared device, or None if it may not have it."""
    if any(name not in device.capacity for name in wanted):
        return None
    taken: dict[str, int] = {}
    for name, capacity in device.capacity.items():
        amount = _taken(capacity, wanted.get(name))
        if capacity.policy is not None and not _allows(capacity.policy, amount):
            return None
        taken[name] = amount
    return taken


def _taken(capacity: Capacity, wanted: int | None) -> int:
    policy = capacity.policy
    if wanted is None:
        return capacity.amount if policy is None or policy.default is None else policy.default
    if policy is not None and policy.range is not None and policy.range.minimum is not None:
        return _in_range(policy.range, policy.range.minimum, wanted)
    if policy is not None and policy.values:
        return next((value for value in policy.values if wanted <= value), wanted)
    return wanted


def _in_range(allowed: AmountRange, minimum: int, wanted: int) -> int:
    if wanted < minimum:
        return minimum
    if allowed.step is None:
        return wanted
    start, step = whole(minimum), whole(allowed.step)
    return (start + -(-(whole(wanted) - start) // step) * step) * NANO


def _allows(policy: RequestPolicy, amount: int) -> bool:
    if policy.default is not None and amount == policy.default:
        return True
    if policy.range is None:
        return not policy.values or amount in policy.values
    allowed = policy.range
    if allowed.maximum is not None and amount > allowed.maximum:
        return False
    return allowed.step is None or not (whole(amount) - whole(allowed.minimum or 0)) % whole(allowed.step)
