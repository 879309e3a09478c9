"""The fields of groups of pods that are scheduled together, of `scheduling.k8s.io`; notation and source are those of
`cutlist.workloads.fields.pods`. Of versions before those of 1.37 only the names of objects are described, of groups
of groups the first level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NAMED: Final = "apiVersion text, kind text, metadata! NamedMeta"
_RANK: Final = "priorityClassName text, priority int32, preemptionPolicy text"
_GROUP: Final = (
    "schedulingPolicy GroupPolicy, schedulingConstraints GroupConstraints, resourceClaims [GroupClaim],"
    f" disruptionMode GroupDisruption, {_RANK}"
)

POD_GROUP_TYPES: Final[Mapping[str, str]] = {
    "PodGroup": f"{_NAMED}, spec PodGroupSpec, status any",
    "PodGroupSpec": f"parentCompositePodGroupName text, workloadRef GroupWorkload, {_GROUP}",
    "GroupWorkload": "workloadName text, templateName text",
    "GroupPolicy": "basic EmptyPolicy, gang GangPolicy",
    "EmptyPolicy": "",
    "GangPolicy": "minCount int32",
    "GroupConstraints": "topology [GroupTopology]",
    "GroupTopology": "key text",
    "GroupClaim": "name text, resourceClaimName text, resourceClaimTemplateName text",
    "GroupDisruption": "single EmptyPolicy, all EmptyPolicy",
    "Workload": f"{_NAMED}, spec WorkloadSpec",
    "WorkloadSpec": (
        "controllerRef WorkloadController, podGroupTemplates [PodGroupTemplate],"
        " compositePodGroupTemplates [CompositePodGroupTemplate]"
    ),
    "WorkloadController": "apiGroup text, kind text, name text",
    "PodGroupTemplate": f"name text, {_GROUP}",
    "CompositePodGroupTemplate": (
        "name text, schedulingPolicy CompositePolicy, schedulingConstraints GroupConstraints, disruptionMode GroupDisruption,"
        f" {_RANK}, podGroupTemplates [PodGroupTemplate], compositePodGroupTemplates [any]"
    ),
    "CompositePolicy": "basic EmptyPolicy, gang CompositeGangPolicy",
    "CompositeGangPolicy": "minGroupCount int32",
    "PodGroupBefore1.37": f"{_NAMED}, spec any, status any",
    "WorkloadBefore1.37": f"{_NAMED}, spec any",
}
