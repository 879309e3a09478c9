"""The services that run Karpenter for their users, and what each of them decides, with its source and date: one table."""

from __future__ import annotations

from cutlist.core.services.additions import AddedByService, Addition, added_by
from cutlist.core.services.facts import BuiltInClass, BuiltInPool, ClusterLimit, GateState, Service
from cutlist.core.services.rules import chosen_rules, rules_of
from cutlist.core.services.running import OF_ANSWER, RunningService
from cutlist.core.services.table import AKS, AUTOMATIC, BASE, EKS_AUTO, SERVICES

__all__ = [
    "AKS",
    "AUTOMATIC",
    "BASE",
    "EKS_AUTO",
    "OF_ANSWER",
    "SERVICES",
    "AddedByService",
    "Addition",
    "BuiltInClass",
    "BuiltInPool",
    "ClusterLimit",
    "GateState",
    "RunningService",
    "Service",
    "added_by",
    "chosen_rules",
    "rules_of",
]
