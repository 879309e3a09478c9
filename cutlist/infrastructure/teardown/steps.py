"""The sweep's calls in order, and the meaning of each one's error codes (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

BATCH: Final = 50  # instances per call
POLL_SECONDS: Final = 10.0
TERMINATION_SECONDS: Final = 15 * 60.0
RETRY_SECONDS: Final = 5 * 60.0  # for one call

_CLIENTS: Final = {"tag": "resourcegroupstaggingapi"}
PERMITTED: Final = "DryRunOperation"
_THROTTLES: Final = frozenset({"RequestLimitExceeded", "Throttling", "ThrottlingException"})
_DENIALS: Final = frozenset({"UnauthorizedOperation", "AccessDenied", "AccessDeniedException"})


class ErrorMeaning(StrEnum):
    """The meaning of an error code for a step."""

    DONE = "what was to be done is done already"
    AGAIN = "try again"
    DENIED = "not permitted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SweepStep:
    """A call, under the name that IAM policies use. `tolerated` and `retried` are error codes; others end the step."""

    action: str
    tolerated: frozenset[str] = frozenset()
    retried: frozenset[str] = frozenset()

    @property
    def service_client(self) -> str:
        """Return the service of the call, as the SDK names it."""
        service = self.action.partition(":")[0]
        return _CLIENTS.get(service, service)

    def outcome(self, code: str) -> ErrorMeaning:
        """Return the meaning of an error code for this step."""
        if code in self.tolerated:
            return ErrorMeaning.DONE
        if code in self.retried or code in _THROTTLES:
            return ErrorMeaning.AGAIN
        return ErrorMeaning.DENIED if code in _DENIALS else ErrorMeaning.FAILED


def _write(action: str, tolerated: str, *retried: str) -> SweepStep:
    return SweepStep(action, frozenset(tolerated.split()), frozenset(retried))


# Instances come first in the sweep, because they hold the profiles and the interfaces.
IDENTITY: Final = SweepStep("sts:GetCallerIdentity")
CLUSTER: Final = SweepStep("eks:DescribeCluster", frozenset({"ResourceNotFoundException"}))
INSTANCES: Final = SweepStep("ec2:DescribeInstances")
TERMINATE: Final = _write("ec2:TerminateInstances", "InvalidInstanceID.NotFound", "IncorrectInstanceState")
TEMPLATES: Final = SweepStep("ec2:DescribeLaunchTemplates")
DELETE_TEMPLATE: Final = _write(
    "ec2:DeleteLaunchTemplate", "InvalidLaunchTemplateId.NotFound InvalidLaunchTemplateName.NotFoundException"
)
PROFILES: Final = SweepStep("iam:ListInstanceProfiles")
PROFILE: Final = SweepStep("iam:GetInstanceProfile", frozenset({"NoSuchEntity"}))
REMOVE_ROLE: Final = _write("iam:RemoveRoleFromInstanceProfile", "NoSuchEntity", "DeleteConflict", "ConcurrentModification")
DELETE_PROFILE: Final = _write("iam:DeleteInstanceProfile", "NoSuchEntity", "DeleteConflict", "ConcurrentModification")
INTERFACES: Final = SweepStep("ec2:DescribeNetworkInterfaces")
DELETE_INTERFACE: Final = _write(
    "ec2:DeleteNetworkInterface",
    "InvalidNetworkInterfaceID.NotFound",
    "InvalidNetworkInterface.InUse",
    "InvalidParameterValue",  # it is still attached
)
VOLUMES: Final = SweepStep("ec2:DescribeVolumes")
DELETE_VOLUME: Final = _write("ec2:DeleteVolume", "InvalidVolume.NotFound", "VolumeInUse")
TAGGED: Final = SweepStep("tag:GetResources")
LOG_GROUPS: Final = SweepStep("logs:DescribeLogGroups")
