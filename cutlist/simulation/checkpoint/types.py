"""Declare the types of values that a saved state may have: the name of each in the file, its class, and what of it is saved.

Together with the parts in `parts.py`, this table is the form of the file. Only what it names is written or read, so a class may
be renamed or moved without a change of the file. A member with another name than its attribute is written `member=attribute`.
Whoever changes a name or the members of a type changes the form: raise the version in `cutlist/verbs/simulate/state.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from cutlist.catalog.prices import Price
from cutlist.catalog.ranges import Deviation, Deviations
from cutlist.core.requirement import Expression, Operator, Requirement
from cutlist.core.taints import HostPort, Taint, Toleration
from cutlist.devices.claims import (
    AllocatedDevice,
    Allocation,
    ClaimSpec,
    Consumer,
    DeviceClass,
    DeviceConstraint,
    DeviceRequest,
    ResourceClaim,
)
from cutlist.devices.device import AmountRange, Attribute, Capacity, Device, DeviceID, RequestPolicy
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.slices import AttributeBinding, DynamicResources, ResourceSlice, ResourceSliceTemplate
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.disruption.command import Command, FollowingNodes, Replacement, TerminateFirst
from cutlist.disruption.drift_reason import CoreDrift, Drift
from cutlist.disruption.methods import Method
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import SimulatedPass
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.dynamicresources.allocation import ClaimAllocation, DeviceResult
from cutlist.scheduling.dynamicresources.pool import OfferedDevice
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim
from cutlist.simulation import events, outside_events
from cutlist.simulation.autoscalers import AutoscalerInput, SteppedAutoscaler
from cutlist.simulation.command_queue import RunningCommand
from cutlist.simulation.demand import autoscaling
from cutlist.simulation.demand.curves import Curve
from cutlist.simulation.demand.jobs import JobProgress, JobTerms
from cutlist.simulation.demand.replica_calculator import Metric, MetricSource, MetricTarget, PodCounts, Tolerance
from cutlist.simulation.disruption_budgets import BudgetCounts
from cutlist.simulation.draining import NodeDrain
from cutlist.simulation.ledger import CommandRecord, HourRecord, NodeLife
from cutlist.simulation.recording.recorder import WaitingRound
from cutlist.simulation.workload import Job, Workload
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import Condition, NodeClaimState, StateNode
from cutlist.state.volumes import Storage
from cutlist.workloads.default_selectors import PodController
from cutlist.workloads.objects import (
    EvictionBudgets,
    PersistentVolume,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    StorageClass,
)
from cutlist.workloads.pods import LabelSelector, Pod, PodClaim, PodTerm, Preference, SpreadConstraint, Volume


@dataclass(frozen=True, slots=True, eq=False)
class SavedType:
    """A type as it is saved: its name in the file, its class, and its members, each with the attribute that it is.

    A member of an enumeration is saved as its name alone.
    """

    name: str
    kind: type[Any]
    members: tuple[str, ...]
    attributes: tuple[str, ...]

    @staticmethod
    def of(name: str, kind: type[Any], members: str) -> SavedType:
        """Return a type by its row of a table."""
        pairs = [member.partition("=") for member in members.split()]
        return SavedType(name, kind, tuple(p[0] for p in pairs), tuple(p[2] or p[0] for p in pairs))

    @property
    def is_enumeration(self) -> bool:
        """Tell whether values are members of an enumeration."""
        return issubclass(self.kind, Enum)


def table_of(rows: Mapping[str, tuple[type[Any], str]]) -> Mapping[str, SavedType]:
    """Return a table of types by their names in the file."""
    return MappingProxyType({name: SavedType.of(name, *row) for name, row in rows.items()})


TYPES: Final = table_of(
    {
        "Price": (Price, "usd_per_hour source date estimated currency low high"),
        "Expression": (Expression, "key operator values min_values"),
        "Operator": (Operator, ""),
        "Requirement": (Requirement, "key complement values gte lte min_values"),
        "HostPort": (HostPort, "ip port protocol"),
        "Taint": (Taint, "key effect value"),
        "Toleration": (Toleration, "key operator value effect"),
        "Candidate": (Candidate, "node pool instance_type price cost pods has_pod_blockers paid"),
        "ClusterState": (
            ClusterState,
            "now nodes pools types disk_prices launching pending displaced buffers daemons evictions storage "
            "namespaces overlays selectors devices registry options feature_gates controller_memory repair_policies",
        ),
        "ControllerMemory": (ControllerMemory, "nominated queued buffered reboots"),
        "Command": (
            Command,
            "reason candidates replacements simulation disk_savings followed_by terminate_first reboot bounds",
        ),
        "Deviations": (Deviations, "by_family"),
        "Deviation": (Deviation, "below above"),
        "FollowingNodes": (FollowingNodes, "nodes price is_estimated deviations"),
        "Replacement": (Replacement, "node_pool requirements types prices pods requests"),
        "CoreDrift": (CoreDrift, ""),
        "Drift": (Drift, ""),
        "TerminateFirst": (TerminateFirst, ""),
        "Method": (Method, ""),
        "Reason": (Reason, ""),
        "SimulatedPass": (SimulatedPass, "batches pods running claims moves errors error devices"),
        "InstanceType": (
            InstanceType,
            "name requirements capacity overhead offerings capacity_overlaid attach_limits dynamic_resources",
        ),
        "Offering": (
            Offering,
            "requirements price available reservation_capacity capacity_override overhead_override price_overlaid "
            "basis fee rank list_price",
        ),
        "InstanceTypeOptions": (InstanceTypeOptions, "types prices"),
        "PodBatch": (PodBatch, "name pod count created uid virtual controller"),
        "PlacedClaim": (PlacedClaim, "node_pool pods requirements requests candidates min_values_relaxed devices"),
        "AutoscalerInput": (AutoscalerInput, "replicas pods usage"),
        "SteppedAutoscaler": (SteppedAutoscaler, "autoscaler curves history steady"),
        "RunningCommand": (RunningCommand, "number names replacements cause bounds"),
        "HorizontalAutoscaler": (autoscaling.HorizontalAutoscaler, "workload least most metrics behavior tolerance"),
        "ScalingBehavior": (autoscaling.ScalingBehavior, "up down"),
        "ScalingHistory": (autoscaling.ScalingHistory, "recommendations additions removals"),
        "ScalingPolicy": (autoscaling.ScalingPolicy, "value period is_percent"),
        "ScalingRules": (autoscaling.ScalingRules, "policies window select"),
        "SelectPolicy": (autoscaling.SelectPolicy, ""),
        "Curve": (Curve, "times values"),
        "JobProgress": (JobProgress, "succeeded failed failures_in_row last_failure"),
        "JobTerms": (JobTerms, "completions parallelism backoff_limit deadline ignores_evictions"),
        "Metric": (Metric, "source name target_type target container request"),
        "MetricSource": (MetricSource, ""),
        "MetricTarget": (MetricTarget, ""),
        "PodCounts": (PodCounts, "ready unready missing"),
        "Tolerance": (Tolerance, "below above"),
        "BudgetCounts": (BudgetCounts, "expected healthy"),
        "NodeDrain": (NodeDrain, "cause since due"),
        "AutoscalersDue": (events.AutoscalersDue, "at"),
        "BatchClosed": (events.BatchClosed, "at window"),
        "CommandDue": (events.CommandDue, "at number"),
        "CronJobDue": (events.CronJobDue, "at workload"),
        "DrainDue": (events.DrainDue, "at node"),
        "InstanceLaunched": (events.InstanceLaunched, "at node"),
        "InstanceStopped": (events.InstanceStopped, "at node"),
        "Interrupted": (events.Interrupted, "at node"),
        "JobDue": (events.JobDue, "at workload"),
        "LaunchFailed": (events.LaunchFailed, "at node"),
        "NodeExpired": (events.NodeExpired, "at node"),
        "NodeReady": (events.NodeReady, "at node"),
        "NodeRecovered": (events.NodeRecovered, "at node condition since"),
        "NodeUnreachableFor": (events.NodeUnreachableFor, "at node since"),
        "OfferingsDue": (events.OfferingsDue, "at"),
        "OrphansCollected": (events.OrphansCollected, "at"),
        "PodCompleted": (events.PodCompleted, "at pod start"),
        "PodReady": (events.PodReady, "at pod start"),
        "PodStopped": (events.PodStopped, "at pod"),
        "RepairDue": (events.RepairDue, "at"),
        "RoundDue": (events.RoundDue, "at"),
        "CommandRecord": (CommandRecord, "at method reason decision nodes launched savings outcome"),
        "HourRecord": (HourRecord, "pending_ms pods_ms cpu_requested cpu_allocatable evictions"),
        "NodeLife": (NodeLife, "name pool instance_type zone capacity_type price started ended cause os below above"),
        "CapacityLost": (outside_events.CapacityLost, "at instance_type zone capacity_type until"),
        "ClusterEdited": (outside_events.ClusterEdited, "at edition"),
        "ImageReleased": (outside_events.ImageReleased, "at pools reason"),
        "JobStarted": (outside_events.JobStarted, "at workload terms duration"),
        "NodeSelection": (outside_events.NodeSelection, "name pool instance_type zone capacity_type count"),
        "NodesFailed": (outside_events.NodesFailed, "at nodes condition status reason lasts"),
        "NodesInterrupted": (outside_events.NodesInterrupted, "at nodes"),
        "ReplicasSet": (outside_events.ReplicasSet, "at workload replicas"),
        "TemplateChanged": (outside_events.TemplateChanged, "at workload revision pod"),
        "WaitingRound": (WaitingRound, "number state waiting answers during"),
        "Job": (Job, "terms duration started progress due"),
        "Workload": (
            Workload,
            "group pod replicas next pods ending jobs job_of old former old_replicas new_replicas controller",
        ),
        "RunningPod": (
            RunningPod,
            "name pod node uid created phase terminating owners do_not_disrupt started unready deletion_cost "
            "disruption_cost priority_class grace deletion_timestamp controller",
        ),
        "SchedulingNode": (
            SchedulingNode,
            "name node labels taints own_labels own_taints initialized removed tracked resting capacity available "
            "daemon_requests ports attached attach_limits uncounted_drivers",
        ),
        "Condition": (Condition, "status since reason"),
        "NodeClaimState": (
            NodeClaimState,
            "name labels annotations created deleted provider_id image_id expire_after termination_grace_period "
            "conditions last_pod_event",
        ),
        "StateNode": (StateNode, "state claim annotations conditions pods created"),
        "PodController": (PodController, "api_version kind name"),
        "EvictionBudgets": (EvictionBudgets, "by_namespace"),
        "PodDisruptionBudget": (PodDisruptionBudget, "name namespace selector min_available max_unavailable raw"),
        "LabelSelector": (LabelSelector, "match_labels expressions"),
        "Pod": (
            Pod,
            "namespace labels node_selector required preferred tolerations requests host_ports spread affinity "
            "anti_affinity preferred_affinity preferred_anti_affinity volumes uses_match_fields "
            "uses_dynamic_resources resource_claims priority",
        ),
        "PodTerm": (PodTerm, "topology_key selector namespaces namespace_selector weight"),
        "Preference": (Preference, "weight expressions"),
        "SpreadConstraint": (
            SpreadConstraint,
            "topology_key max_skew when_unsatisfiable selector min_domains match_label_keys node_affinity_policy "
            "node_taints_policy",
        ),
        "PersistentVolume": (PersistentVolume, "name terms local driver deleting raw"),
        "PersistentVolumeClaim": (
            PersistentVolumeClaim,
            "name namespace storage_class volume phase bind_completed deleting raw",
        ),
        "Storage": (Storage, "claims volumes classes"),
        "StorageClass": (StorageClass, "name provisioner binding_mode topologies default raw"),
        "Volume": (Volume, "claim ephemeral storage_class per_replica storage"),
        "PodClaim": (PodClaim, "name claim template"),
        "DynamicResources": (DynamicResources, "slices bindings"),
        "ResourceSliceTemplate": (ResourceSliceTemplate, "driver pool devices counters"),
        "AttributeBinding": (AttributeBinding, "attribute devices"),
        "ClaimAllocation": (ClaimAllocation, "claim node devices requirements of_type batch"),
        "DeviceResult": (DeviceResult, "request offered consumed"),
        "OfferedDevice": (OfferedDevice, "id device of_type requirements"),
        "DeviceInventory": (DeviceInventory, "classes claims templates slices"),
        "DeviceClass": (DeviceClass, "name selectors extended_resource"),
        "ResourceClaim": (ResourceClaim, "namespace name spec of_pod allocation consumers"),
        "ClaimSpec": (ClaimSpec, "requests constraints"),
        "DeviceRequest": (DeviceRequest, "name device_class selectors mode count capacity alternatives admin_access"),
        "DeviceConstraint": (DeviceConstraint, "attribute requests distinct"),
        "Allocation": (Allocation, "devices terms"),
        "AllocatedDevice": (AllocatedDevice, "id request consumed"),
        "DeviceID": (DeviceID, "driver pool device"),
        "Consumer": (Consumer, "name uid is_pod"),
        "ResourceSlice": (
            ResourceSlice,
            "name driver pool generation slices owner node all_nodes terms devices counter_sets counters has_taints",
        ),
        "Device": (Device, "name attributes capacity shared consumes"),
        "Attribute": (Attribute, "kind value"),
        "Capacity": (Capacity, "amount policy"),
        "RequestPolicy": (RequestPolicy, "default range values"),
        "AmountRange": (AmountRange, "minimum maximum step"),
    }
)
