"""Figures of a machine in the tables of each Karpenter: branch interfaces and bandwidth (spec: VA15-80, VA15-81).

The catalogue has the figures of 1.14, and those of 1.15 for types that only its tables contain.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from cutlist.catalog.machines import Machine
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour

FIRST_TABLE: Final = "1.14"  # the version of Karpenter whose table of interface limits counts
SECOND_TABLE: Final = "1.15"

# Tables of 2026-08-06, Karpenter's AWS provider 1.15.1 (Apache-2.0): the figures that changed.
_BRANCH_INTERFACES: Final = {"i4i.large": 9}
_BANDWIDTH_MBPS: Final = {"g7.2xlarge": 40_000, "g7.4xlarge": 80_000, "g7.8xlarge": 100_000, "mac-m3ultra.metal": 10_000}


def as_known_to(machine: Machine, karpenter: Baseline) -> Machine:
    """Return a machine with the figures of a Karpenter's tables."""
    return _as_in_second_table(machine) if karpenter.does(Behaviour.INTERFACE_LIMITS_OF_AUGUST_2026) else machine


@lru_cache(maxsize=8192)
def _as_in_second_table(machine: Machine) -> Machine:
    name = machine.name
    if machine.limits != SECOND_TABLE and name not in _BRANCH_INTERFACES and name not in _BANDWIDTH_MBPS:
        return machine
    return replace(
        machine,
        limits=FIRST_TABLE if machine.limits else "",
        trunk_interfaces=_BRANCH_INTERFACES.get(name, machine.trunk_interfaces),
        network_mbps=_BANDWIDTH_MBPS.get(name, machine.network_mbps),
    )
