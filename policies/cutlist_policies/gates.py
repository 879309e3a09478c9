"""The gates and the Karpenter of the previewed stack, from the configuration that an engine passes to a pack."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from pulumi.runtime.config import get_config_env
from pulumi_cutlist.stack.gate_keys import GATE_DEFAULTS, GATES, json_value, stray_keys
from pulumi_cutlist.stack.karpenter import karpenter_of

from cutlist.core.errors import Place, Problem
from cutlist.core.shapes import Below, Paths
from cutlist.policy.gates import Gates, read_gates
from cutlist.policy.registry import known_rules
from cutlist_policies.reading import Reader


def gates_from_environment() -> Gates:
    """Return the gates of the running stack, by default those of production."""
    return gates_of(get_config_env(), os.environ.get("PULUMI_PROJECT", ""))


def gates_of(config: Mapping[str, str], project: str) -> Gates:
    """Return the gates in a stack's configuration, by qualified keys."""
    keys = (f"{project}:{name}" for name in (GATES, GATE_DEFAULTS))
    gates, defaults = ((key, json_value(config.get(key))) for key in keys)
    stray = tuple(
        Problem(Place(path=f"config.{key}"), f"{key} is not read by project {project}", meant, meant)
        for key, meant in stray_keys((key for key in config if not key.startswith(f"{project}:")), project)
    )
    read = read_gates(
        gates[1],
        known_rules(),
        Below(Paths(), f"config.{gates[0]}"),
        defaults[1],
        Below(Paths(), f"config.{defaults[0]}"),
    )
    return replace(read, mistakes=(*read.mistakes, *stray))


def reader_from_environment() -> Reader:
    """Return what reads the resources of the running stack, for the Karpenter that its configuration chooses."""
    return reader_of(get_config_env(), os.environ.get("PULUMI_PROJECT", ""))


def reader_of(config: Mapping[str, str], project: str) -> Reader:
    """Return what reads the resources of a stack with this configuration, by qualified keys."""
    prefix = f"{project}:"
    own = {key.removeprefix(prefix): text for key, text in config.items() if key.startswith(prefix)}
    return Reader(*karpenter_of(own), config, project)
