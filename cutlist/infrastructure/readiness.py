"""Why an EC2NodeClass is not ready, and which of the controller's permissions may be missing (spec: aws-infrastructure 3.7,
3.3).

Karpenter tries a launch template, a fleet and a launch, in this order, without creating any of them. The first refusal is the
reason of the condition ValidationSucceeded; later steps are not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Final

from cutlist.core.records import computed, form_of

_KIND: Final = "EC2NodeClass"


@dataclass(frozen=True, slots=True)
class ConditionReason:
    """A reason of a condition: what it means, the statements of the controller's policies to look at, and what to do."""

    name: str
    meaning: str
    statements: tuple[str, ...]
    advice: str

    @property
    def message(self) -> str:
        """Return the message for users."""
        where = f" (statement{'s' if len(self.statements) > 1 else ''} {', '.join(self.statements)})" if self.statements else ""
        return f"{self.name}: {self.meaning}{where}; {self.advice}"


_REFUSED: Final = (
    "compare the class's subnets, groups, images and tags with the statement's resources and conditions; "
    "Karpenter keeps the answer for 30 minutes, since 1.15 for 25 to 35"
)

REASONS: Final = (
    ConditionReason(
        "CreateLaunchTemplateAuthCheckFailed",
        "the role may not make the launch template of this class",
        ("A3", "A4"),
        _REFUSED,
    ),
    ConditionReason(
        "CreateFleetAuthCheckFailed", "the role may not make the fleet of this class", ("A1", "A2", "A3", "A4"), _REFUSED
    ),
    ConditionReason(
        "RunInstancesAuthCheckFailed",
        "the role may not launch instances of this class, or not hand them their role",
        ("A1", "A2", "A3", "A4", "B1"),
        _REFUSED,
    ),
    ConditionReason(
        "InstanceProfileNotFound",
        "the class's instance profile, or the role for it, does not exist",
        ("B2", "B3", "B4", "F5"),
        "spec.role is a bare name, and so is spec.instanceProfile: neither an ARN nor a path",
    ),
    ConditionReason(
        "DependenciesNotReady",
        "subnets, security groups or images were not found",
        ("F1", "F2"),
        "the conditions SubnetsReady, SecurityGroupsReady and AMIsReady say which; compare its terms with the tags",
    ),
    ConditionReason("TagValidationFailed", "spec.tags has a key that only Karpenter may write", (), "take the key away"),
    ConditionReason("UserDataSizeLimitExceeded", "user data is longer than 16 KiB", (), "fetch what is long at first boot"),
    ConditionReason(
        "InvalidKubeletConfiguration", "a field of spec.kubelet is wrong", (), "the message of the condition names it"
    ),
    ConditionReason(
        "UnsupportedKubeletConfiguration",
        "the image family cannot take a field of spec.kubelet",
        (),
        "take the field away, or another family",
    ),
    ConditionReason(
        "KubeletExpressionsDisabled",
        "spec.kubelet has an expression, and the feature gate NodeClassCEL is off",
        (),
        "turn the gate on, or write amounts",
    ),
    ConditionReason(
        "KubeletExpressionInvalid", "an expression of spec.kubelet gives no number", (), "the message names the field"
    ),
    ConditionReason(
        "KubeletExpressionEvaluationFailed",
        "an expression of spec.kubelet fails for an instance type",
        (),
        "the message names the type: the expression has to hold for all, also for those that no NodePool allows",
    ),
    ConditionReason(
        "NVIDIAConsumableCapacityInvalid",
        "the annotation karpenter.k8s.aws/nvidia-consumable-capacity is wrong",
        (),
        "write disabled, memory, unlimited or a number from 1",
    ),
    ConditionReason("DRADisabled", "GPUs are to be shared, and the feature gate DRANVIDIAGPU is off", (), "turn the gate on"),
    ConditionReason(
        "ClusterCIDRResolutionFailed",
        "the cluster's service range could not be read",
        ("C1",),
        "the role has to be allowed to describe the cluster",
    ),
)
"""The reasons that Karpenter gives."""
_BY_NAME: Final = {reason.name: reason for reason in REASONS}


@dataclass(frozen=True, slots=True)
class UnreadyClass:
    """An EC2NodeClass by its name, and why it is not ready."""

    name: str
    reason: Annotated[ConditionReason, form_of(str).through(attrgetter("name"))]

    @property
    @computed(after="reason")
    def message(self) -> str:
        """Return the message of the reason for users."""
        return self.reason.message


def unready_classes(manifests: Iterable[Mapping[str, Any]]) -> tuple[UnreadyClass, ...]:
    """Return the EC2NodeClasses among some objects that are not ready for a known reason, by name, each reason once."""
    unready = {}
    for manifest in manifests:
        if manifest.get("kind") != _KIND:
            continue
        for condition in (manifest.get("status") or {}).get("conditions") or ():
            reason = _BY_NAME.get(condition.get("reason"))
            if reason is not None and condition.get("status") != "True":
                name = str((manifest.get("metadata") or {}).get("name"))
                unready[name, reason.name] = UnreadyClass(name, reason)
    return tuple(unready[key] for key in sorted(unready))
