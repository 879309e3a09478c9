"""DaemonSets that EKS Auto Mode has in its node image already (spec: api-objects 8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.api import NodePool
from cutlist.core.labels import AUTO, COMPUTE_TYPE
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.scheduling.nodeclaimtemplate import tolerated
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pod_requirements import strict_requirements

AGENTS: Final = frozenset(
    ("aws-node", "ebs-csi-node", "eks-node-monitoring-agent", "eks-pod-identity-agent", "kube-proxy", "node-local-dns")
)
_AUTO_NODE: Final = Requirements.of_labels({COMPUTE_TYPE: "auto"}, AUTO)


def agent_notes(pools: Sequence[NodePool], daemons: Iterable[DaemonSet]) -> list[Note]:
    """DaemonSets of agents that would run on Auto Mode nodes a second time; recent manifests of them exclude those nodes."""
    auto = [pool for pool in pools if pool.registry is AUTO]
    found = []
    for daemon in daemons:
        runs = daemon.name in AGENTS and _AUTO_NODE.compatible(strict_requirements(daemon.pod, AUTO), AUTO.well_known)
        if runs and any(tolerated(daemon.pod, pool.taints) for pool in auto):
            text = f"{daemon.workload}: nodes of EKS Auto Mode have this agent built in; exclude them by affinity on"
            found.append(Note("agent-built-in", f"{text} {COMPUTE_TYPE} NotIn [auto]"))
    return found
