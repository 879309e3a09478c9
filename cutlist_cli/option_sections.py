"""How help orders the options of commands: the few that matter first, and all of them by what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIRST: Final[Mapping[str, tuple[str, ...]]] = {
    "budgets": ("--file", "--recursive", "--from", "--nodes", "--output"),
    "diff": ("--file", "--recursive", "--git", "--region", "--output"),
    "disrupt": ("--file", "--region", "--until-stable", "--spot-ends", "--output"),
    "explain": ("--file", "--recursive", "--region", "--restrictions", "--output"),
    "gate": ("--file", "--recursive", "--region", "--stack", "--gates"),
    "interrupt": ("--file", "--region", "--spot-ends", "--from-plan", "--output"),
    "new": ("--cloud", "--region", "--cluster", "--like", "--platform"),
    "nodes": ("--file", "--context", "--region", "--watch", "--output"),
    "plan": ("--file", "--recursive", "--region", "--helm", "--output"),
    "preview": ("--stack", "--strict", "--resources", "--before", "--output"),
    "resolve": ("--file", "--recursive", "--region", "--profile", "--to"),
    "serve": ("--file", "--recursive", "--region", "--before", "--port"),
    "simulate": ("--file", "--region", "--cluster", "--days", "--output"),
    "suggest": ("--file", "--recursive", "--region", "--write", "--output"),
    "sweep": ("--region", "--account", "--vpc", "--dry-run", "--yes"),
    "types": ("--file", "--recursive", "--region", "--limit", "--output"),
    "update": ("--region", "--cloud", "--public", "--profile", "--to"),
    "upgrade": ("--file", "--recursive", "--from", "--target", "--output"),
    "userdata": ("--file", "--region", "--cluster-name", "--node-pool", "--output"),
    "validate": ("--file", "--recursive", "--karpenter", "--kubernetes", "--output"),
    "verify": ("--file", "--plan", "--cluster", "--log", "--output"),
    "why": ("--file", "--recursive", "--region", "--log", "--output"),
}
"""The options that most calls of a command with many options need, by its name."""

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "What is read": (
        "--file",
        "--environment",
        "--recursive",
        "--kustomize",
        "--kustomize-remote",
        "--helm",
        "--helm-values",
        "--helm-kube-version",
        "--helm-api-version",
        "--helmfile",
        "--helmfile-environment",
        "--fetch",
        "--offline",
        "--project-dir",
        "--time-limit",
        "--allow-empty",
    ),
    "Region and prices": ("--region", "--zone", "--catalog", "--paid", "--paid-as", "--rates"),
    "Karpenter": (
        "--karpenter",
        "--scheduler-config",
        "--feature-gate",
        "--dra",
        "--built-in-pool",
        "--overhead-profile",
        "--external-class",
        "--spot-to-spot",
        "--node-repair",
        "--legacy-node-repair",
        "--terminate-first-drift",
        "--terminate-first-repair",
        "--pod-deletion-cost-management",
        "--reboot-for-repair",
    ),
    "Pods": ("--replicas", "--usage", "--percentile", "--margin"),
    "Workers": ("--workers", "--dask"),
    "Form of the answer": ("--watch", "--output", "--to", "--width", "--debug"),
}
"""Options that several commands share, by what they are about. Those of a command alone come before them."""
