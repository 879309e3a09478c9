"""Cutlist: which nodes Karpenter will launch for a set of workloads, seen before anything is applied.

Everything a program needs is here: `from cutlist import EC2NodeClass, Gt, NodePool, Workloads`. Names are loaded when they are
first used, so importing the package costs next to nothing and brings in no SDK.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cutlist.answers.plan import plan
    from cutlist.answers.types import allowed_types
    from cutlist.api import (
        AKSNodeClass,
        AmiSelectorTerm,
        AutoNodeClass,
        BlockDeviceMapping,
        Budget,
        CapacityBuffer,
        Disruption,
        DoesNotExist,
        Ebs,
        EC2NodeClass,
        EphemeralStorage,
        Exists,
        Gt,
        Gte,
        In,
        Kubelet,
        Lt,
        Lte,
        MetadataOptions,
        NodeClaim,
        NodeClassRef,
        NodeOverlay,
        NodePool,
        NotIn,
        SecurityGroupSelectorTerm,
        SubnetSelectorTerm,
    )
    from cutlist.core.errors import CutlistError, InputError
    from cutlist.core.requirements import Expression
    from cutlist.core.taints import Taint
    from cutlist.planning.model import Plan
    from cutlist.planning.model.comparison import Comparison
    from cutlist.planning.of_objects import plan_inputs
    from cutlist.workloads import Workloads

__all__ = [
    "AKSNodeClass",
    "AmiSelectorTerm",
    "AutoNodeClass",
    "BlockDeviceMapping",
    "Budget",
    "CapacityBuffer",
    "Comparison",
    "CutlistError",
    "Disruption",
    "DoesNotExist",
    "EC2NodeClass",
    "Ebs",
    "EphemeralStorage",
    "Exists",
    "Expression",
    "Gt",
    "Gte",
    "In",
    "InputError",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "NodeClaim",
    "NodeClassRef",
    "NodeOverlay",
    "NodePool",
    "NotIn",
    "Plan",
    "SecurityGroupSelectorTerm",
    "SubnetSelectorTerm",
    "Taint",
    "Workloads",
    "allowed_types",
    "plan",
    "plan_inputs",
]

_ELSEWHERE: Final = {
    "Comparison": "cutlist.planning.model.comparison",
    "CutlistError": "cutlist.core.errors",
    "Expression": "cutlist.core.requirements",
    "InputError": "cutlist.core.errors",
    "Plan": "cutlist.planning.model",
    "Taint": "cutlist.core.taints",
    "Workloads": "cutlist.workloads",
    "allowed_types": "cutlist.answers.types",
    "plan": "cutlist.answers.plan",
    "plan_inputs": "cutlist.planning.of_objects",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_ELSEWHERE.get(name, "cutlist.api")), name)
    globals()[name] = value  # the next use finds it without asking here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
