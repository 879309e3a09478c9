"""The NodeOverlays that tell Karpenter what nodes offer of shared GPUs: which a plan lacks, and what the plan is with them."""

from __future__ import annotations

from dataclasses import replace

from cutlist.core.errors import InputError, Place
from cutlist.planning.allowed import allowed_types
from cutlist.planning.controllers import AUTO_MODE, controller_of
from cutlist.planning.gpu_sharing.overlays import NeededOverlay, needed_overlays
from cutlist.planning.gpu_sharing.sharing import gpu_sharing
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.shared_gpus import MiscountedGpus, MissingOverlay
from cutlist.planning.pass_inputs import overlaid_types
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.report.yaml import documents
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.settings.plan import WRITE
from cutlist.verbs.plan.answer import inputs_by_controller, joint_plan

_REASON = (
    "no NodePool has GPUs that NVIDIA's device plugin shares and that Karpenter counts otherwise, by the ConfigMaps, the "
    "ClusterPolicy and the labels of NodePools in the input"
)


def missing_overlays(inputs: PlanInputs) -> tuple[NeededOverlay, ...]:
    """Return the NodeOverlays that the inputs lack. EKS Auto Mode has none (GS-14), so its NodePools are left out."""
    sharing = gpu_sharing(inputs.documents)
    own = tuple(pool for pool in inputs.node_pools if controller_of(pool) != AUTO_MODE)
    pools = tuple(pool for pool in own if sharing.of(pool) is not None)
    if not pools:
        return ()
    classes = node_classes_by_pool(pools, inputs.node_classes)
    indexes = InstanceTypeIndexes(overlaid_types(replace(inputs, node_pools=pools)).types, inputs.options.karpenter)
    types = {allowed.pool.name: allowed.types for allowed in allowed_types(pools, indexes, classes)}
    return needed_overlays(sharing, pools, types, inputs.overlays)


def with_miscounted_gpus(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan with the NodeOverlays that its inputs lack, and what the plan is with them; unchanged without any."""
    missing = missing_overlays(inputs)
    if not missing:
        return plan
    overlays = tuple(needed.overlay for needed in missing)
    with_them = joint_plan(inputs_by_controller(replace(inputs, overlays=(*inputs.overlays, *overlays))))
    listed = tuple(
        MissingOverlay(of.overlay.name, of.overlay.requirements[0].values[0], of.source, dict(of.overlay.capacity))
        for of in missing
    )
    return replace(plan, miscounted_gpus=MiscountedGpus(listed, with_them.as_scaled))


def overlays_text(inputs: PlanInputs) -> str:
    """Return the missing NodeOverlays as documents of YAML. Raises InputError if none is missing."""
    missing = missing_overlays(inputs)
    if not missing:
        raise InputError.one(Place.of(WRITE), f"there is no NodeOverlay to write: {_REASON}")
    return documents(needed.manifest for needed in missing)
