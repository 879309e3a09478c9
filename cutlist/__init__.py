"""Cutlist: which nodes Karpenter will launch for a set of workloads, seen before anything is applied.

Everything a program needs is here: `from cutlist import EC2NodeClass, Gt, NodePool, Workloads`. Names are loaded when they are
first used, so importing the package costs next to nothing and brings in no SDK.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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
    from cutlist.calls import preview, resolve
    from cutlist.errors import CutlistError, InputError
    from cutlist.planned import Plan
    from cutlist.planned.comparison import Comparison
    from cutlist.requirements import Expression
    from cutlist.taints import Taint
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
    "preview",
    "resolve",
]

_ELSEWHERE: Final = {
    "Comparison": "cutlist.planned.comparison",
    "CutlistError": "cutlist.errors",
    "Expression": "cutlist.requirements",
    "InputError": "cutlist.errors",
    "Plan": "cutlist.planned",
    "Taint": "cutlist.taints",
    "Workloads": "cutlist.workloads",
    "preview": "cutlist.calls",
    "resolve": "cutlist.calls",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_ELSEWHERE.get(name, "cutlist.api")), name)
    globals()[name] = value  # the next use finds it without asking here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
