"""Removal: each leftover by its id, in batches where possible, and the result of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind
from cutlist.infrastructure.teardown.report import Result, SweptLeftover
from cutlist_live.errors import FailedCallError
from cutlist_live.sweep.calls import Calls
from cutlist_live.sweep.inventory import VALUES, batches

_INSTANCE_ID: Final = re.compile(r"\bi-[0-9a-f]+\b")


@dataclass(frozen=True, slots=True)
class _Delete:
    """How EC2 deletes resources of one kind."""

    step: steps.SweepStep
    operation: str
    argument: str


_SINGLE: Final = {
    LeftoverKind.LAUNCH_TEMPLATE: _Delete(steps.DELETE_TEMPLATE, "delete_launch_template", "LaunchTemplateId"),
    LeftoverKind.INTERFACE: _Delete(steps.DELETE_INTERFACE, "delete_network_interface", "NetworkInterfaceId"),
    LeftoverKind.NODE_VOLUME: _Delete(steps.DELETE_VOLUME, "delete_volume", "VolumeId"),
    LeftoverKind.CLAIM_VOLUME: _Delete(steps.DELETE_VOLUME, "delete_volume", "VolumeId"),
}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Reports what a removal would be allowed to do. IAM has no dry run, so nothing is known about profiles beforehand."""

    calls: Calls

    def __call__(self, leftovers: Sequence[Leftover]) -> list[SweptLeftover]:
        """Check the permissions for leftovers of one kind; nothing is written."""
        return [self._asked(leftover) for leftover in leftovers]

    def _asked(self, leftover: Leftover) -> SweptLeftover:
        if self._is_permitted(leftover):
            return SweptLeftover(leftover, Result.TO_REMOVE)
        return SweptLeftover(leftover, Result.DENIED, "the credentials do not allow it")

    def _is_permitted(self, leftover: Leftover) -> bool:
        if leftover.kind is LeftoverKind.INSTANCE:
            return self.calls.is_permitted(steps.TERMINATE, "terminate_instances", InstanceIds=[leftover.id])
        if delete := _SINGLE.get(leftover.kind):
            return self.calls.is_permitted(delete.step, delete.operation, **{delete.argument: leftover.id})
        return True


@dataclass(frozen=True, slots=True)
class Removal:
    """Removes the given leftovers without further checks."""

    calls: Calls

    def __call__(self, leftovers: Sequence[Leftover]) -> list[SweptLeftover]:
        """Remove leftovers of one kind and return the result of each; instances are terminated when this returns."""
        if leftovers and leftovers[0].kind is LeftoverKind.INSTANCE:
            return self._instances(leftovers)
        return [
            self._tried(leftover, self._profile if leftover.kind is LeftoverKind.INSTANCE_PROFILE else self._single)
            for leftover in leftovers
        ]

    def _tried(self, leftover: Leftover, remove: Callable[[Leftover], object]) -> SweptLeftover:
        try:
            remove(leftover)
        except FailedCallError as error:
            return SweptLeftover(leftover, Result.DENIED if error.is_denied else Result.FAILED, str(error))
        return SweptLeftover(leftover, Result.REMOVED)

    def _single(self, leftover: Leftover) -> None:
        delete = _SINGLE[leftover.kind]
        self.calls.one(delete.step, delete.operation, **{delete.argument: leftover.id})

    def _profile(self, leftover: Leftover) -> None:
        name = leftover.id
        for role in leftover.attached:
            operation = "remove_role_from_instance_profile"
            self.calls.one(steps.REMOVE_ROLE, operation, InstanceProfileName=name, RoleName=role)
        self.calls.one(steps.DELETE_PROFILE, "delete_instance_profile", InstanceProfileName=name)

    def _instances(self, leftovers: Sequence[Leftover]) -> list[SweptLeftover]:
        by_id = {leftover.id: leftover for leftover in leftovers}
        refused: dict[str, SweptLeftover] = {}
        for batch in batches(sorted(by_id), steps.BATCH):
            refused |= self._terminate(batch, by_id)
        late = self._states([id_ for id_ in by_id if id_ not in refused])
        refused |= {id_: _late(by_id[id_], state) for id_, state in late.items()}
        return [refused.get(leftover.id) or SweptLeftover(leftover, Result.REMOVED) for leftover in leftovers]

    def _terminate(self, batch: list[str], by_id: Mapping[str, Leftover]) -> dict[str, SweptLeftover]:
        """Return what could not be terminated.

        EC2 refuses a batch as a whole: ids that no longer exist are dropped, else each is tried alone.
        """
        while batch:
            try:
                self.calls.answer(steps.TERMINATE, "terminate_instances", InstanceIds=batch)
            except FailedCallError as error:
                left = [id_ for id_ in batch if id_ not in _INSTANCE_ID.findall(error.message)]
                if steps.TERMINATE.outcome(error.code) is not steps.ErrorMeaning.DONE or len(left) == len(batch):
                    tried = (self._tried(by_id[id_], self._alone) for id_ in batch)
                    return {finding.leftover.id: finding for finding in tried if finding.result is not Result.REMOVED}
                batch = left
            else:
                break
        return {}

    def _alone(self, leftover: Leftover) -> None:
        self.calls.one(steps.TERMINATE, "terminate_instances", InstanceIds=[leftover.id])

    def _states(self, ids: list[str]) -> dict[str, str]:
        """Wait until the instances are terminated, and return the states of those that take too long."""
        until = self.calls.clock.now().timestamp() + steps.TERMINATION_SECONDS
        while alive := self._not_terminated(ids):
            if self.calls.clock.now().timestamp() + steps.POLL_SECONDS > until:
                return alive
            self.calls.clock.pause(steps.POLL_SECONDS)
        return {}

    def _not_terminated(self, ids: list[str]) -> dict[str, str]:
        reservations: list[Mapping[str, Any]] = []
        for some in batches(ids, VALUES):  # as a filter: an id that no longer exists is not an error there
            filters = [{"Name": "instance-id", "Values": some}]
            reservations += self.calls.all(steps.INSTANCES, "describe_instances", "Reservations", Filters=filters)
        states = {record["InstanceId"]: str(record["State"]["Name"]) for entry in reservations for record in entry["Instances"]}
        return {id_: state for id_, state in sorted(states.items()) if state != "terminated"}


def _late(leftover: Leftover, state: str) -> SweptLeftover:
    return SweptLeftover(leftover, Result.FAILED, f"still {state} after {steps.TERMINATION_SECONDS / 60:.0f} minutes")
