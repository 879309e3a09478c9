"""Behaviours of Karpenter that began after 1.14.1, each with the statements that describe it."""

from __future__ import annotations

from enum import Enum


class Behaviour(Enum):
    """Something that Karpenter does from some release on. Code asks a `Baseline` for it by name, never for a version.

    `statements` are those of docs/spec that describe it; `text` is one sentence for readers.
    """

    MIN_VALUES_COUNT_ALLOWED_VALUES = "V15-1", "minValues counts only values that the claim still allows"
    OFFERING_OVERRIDES_REPLACE = "V15-2", "Overrides of an offering replace the type's amounts; before, they were added"
    RESERVATION_FULL_IS_AVAILABLE = (
        "V15-3 to V15-10, V15-38",
        "A full reservation may stay listed: it keeps its type and has no price, and pods do not wait for it",
    )
    ATTACH_LIMITS_ON_NEW_CLAIMS = (
        "V15-11 to V15-14",
        "New NodeClaims and young nodes obey the volume attachment limits of their instance types",
    )
    DRIVERS_WITHOUT_A_COUNT_ARE_UNBOUNDED = (
        "V15-15",
        "A driver that a CSINode lists without a number has no limit; before, allocatable without count meant a limit of 0",
    )
    VOLUMES_ARE_RESOLVED_ONCE = "V15-16", "A volume that cannot be looked up ends the pod's attempt, on existing and new nodes"
    DEFAULT_TOPOLOGY_SPREAD = (
        "V15-18 to V15-24",
        "--scheduler-config gives pods default spread constraints, with selectors deduced from Services and owners",
    )
    TERMINATE_FIRST = (
        "V15-25 to V15-31",
        "Drift and repair may terminate a node before its replacement exists, behind feature gates",
    )
    REBOOTING_IS_A_STATE = (
        "V15-32 to V15-34, V15-37, V15-58, V15-59, V15-63",
        "Nodes may be rebooting: they block disruption, consume budgets and count as capacity that comes back",
    )
    UNHEALTHY_IS_A_BUDGET_REASON = "V15-35, V15-36, V15-61", "Budgets may name the reason Unhealthy"
    DISRUPTION_COST_ANNOTATION = "V15-39", "Pods may set their disruption cost with the annotation karpenter.sh/disruption-cost"
    DELETION_COST_MUST_BE_AN_INTEGER = "V15-41", "pod-deletion-cost counts only when it is a 32-bit integer"
    DELETION_COSTS_MAY_BE_MANAGED = (
        "V15-40, V15-66",
        "Karpenter may write pod-deletion-cost in the order in which nodes may be disrupted, behind a feature gate",
    )
    REPAIR_IS_A_DISRUPTION_METHOD = (
        "V15-42 to V15-57",
        "Node repair is the first disruption method, with budgets, reasons, priorities, drain bounds and reboots",
    )
    CONSOLIDATE_AFTER_IS_OPTIONAL = "V15-60", "spec.disruption of a NodePool may omit consolidateAfter, which is then 0s"
    OVERDUE_PODS_ARE_DELETED_AT_ONCE = (
        "V15-68 to V15-70",
        "A drain with a deadline deletes overdue pods of all groups at once",
    )
    OPERATORS_ARE_LISTED_BY_USE = "VA15-116", "A refusal of an operator lists In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte"
    API_SERVER_NAMES_FORMATS = (
        "VA15-117",
        "The API server 1.37, whose answers are recorded with 1.15, names the format of a number that it refuses",
    )
    KUBELET_IS_OPEN = (
        "VA15-1 to VA15-12, VA15-20 to VA15-24, VA15-38, VA15-41, VA15-42",
        "spec.kubelet of an EC2NodeClass may hold any field; the controller checks it, and a faulty class is not ready",
    )
    KUBELET_EXPRESSIONS = (
        "VA15-30 to VA15-37, VA15-40, VA15-43, VA15-44",
        "maxPods and reserved amounts may be expressions that depend on the instance type, behind a feature gate",
    )
    ENCLAVES_ARE_AN_OPTION = (
        "VA15-50 to VA15-52",
        "spec.enclaveOptions turns on Nitro Enclaves; before, the resource eks.amazonaws.com/nip-slots did",
    )
    RESERVATIONS_FAIL_ONE_BY_ONE = (
        "VA15-60 to VA15-65, VA15-67",
        "Missing capacity is remembered for one reservation, and a full one stays available with no instance left",
    )
    MORE_ERRORS_ARE_MISSING_CAPACITY = (
        "VA15-66",
        "SpotMaxPriceTooLow and InvalidCapacityReservationState.Unavailable count as missing capacity",
    )
    BOTTLEROCKET_ROOT_IS_6_GIB = "VA15-70", "Bottlerocket's default root volume has 6 GiB; before, 4"
    BOTTLEROCKET_KEEPS_RESERVED_MEMORY = (
        "VA15-71",
        "Bottlerocket's user data keeps memory-manager-reserved-memory; before, it was dropped",
    )
    INTERFACE_LIMITS_OF_AUGUST_2026 = (
        "VA15-80, VA15-81",
        "Limits and bandwidth of 55 more instance types are known; i4i.large has 9 branch interfaces",
    )
    REQUESTED_DRIVERS_ASK_FOR_EFA = (
        "VA15-91",
        "A claim whose annotation requests the driver dra.net gets all EFA interfaces",
    )
    LAUNCH_FAILURES_REACH_PODS = (
        "V15-71, V15-72",
        "Pods whose NodeClaim finds no capacity get an event; messages are cut to 1,024 characters",
    )
    DEVICES_ARE_ALLOCATED = (
        "R-1 to R-128",
        "With --ignore-dra-requests=false, pods with ResourceClaims get nodes with devices for them; before, none",
    )
    DEVICES_OF_NOVEMBER_2026 = (
        "VA15-120",
        "The provider knows the GPUs of 60 instance types and the EFA adapters of 302; before, of 53 and 29",
    )

    def __init__(self, statements: str, text: str) -> None:
        self.statements = statements
        self.text = text
