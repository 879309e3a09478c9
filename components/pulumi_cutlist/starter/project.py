"""All files of a new project: one with stacks for development and production, or one that adopts a cluster that runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.karpenter.versions import NEWEST
from pulumi_cutlist.starter.adopted import Adopted
from pulumi_cutlist.starter.choices import StarterChoices
from pulumi_cutlist.starter.node_pools import ENVIRONMENTS, node_pools, workloads
from pulumi_cutlist.starter.stack_files import FOLDER, TO_CHECK, ignored, program, project_file, requirements, stack_file

ADOPTED_STACK: Final = "prod"
"""The name of the stack of a cluster that runs: gates of production are the safe assumption."""
_RULES: Final = (
    "    rules: # those that the cluster breaks today, so that the gates hold for every change; take them out one by one\n"
)
_NO_RULES: Final = "    rules: {}\n"


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The files of a project by path, relative to its folder, and the names of its stacks."""

    texts: Mapping[str, str]
    stacks: tuple[str, ...]


def stack_path(stack: str) -> str:
    """Return the path of a stack's file in a new project."""
    return f"{FOLDER}/Pulumi.{stack}.yaml"


def new_project(choices: StarterChoices, release: str) -> ProjectFiles:
    """Return a project with a stack for each environment. `release` is the version of Cutlist that its program uses."""
    texts = _common(choices, release)
    for environment in ENVIRONMENTS:
        folder = f"{FOLDER}/{environment.name}"
        texts[stack_path(environment.name)] = stack_file(choices, environment)
        texts[f"{folder}/node-pools.yaml"] = node_pools(choices, environment)
        texts[f"{folder}/workloads.yaml"] = workloads(environment)
    return ProjectFiles(texts, tuple(environment.name for environment in ENVIRONMENTS))


def adopting_project(choices: StarterChoices, adopted: Adopted, release: str) -> ProjectFiles:
    """Return a project with one stack, which has what a cluster runs and creates no cluster."""
    folder = f"{FOLDER}/{ADOPTED_STACK}"
    texts = {
        **_common(choices, release),
        stack_path(ADOPTED_STACK): _adopting_stack(choices, adopted),
        f"{folder}/node-pools.yaml": adopted.node_pools,
        f"{folder}/workloads.yaml": adopted.workloads,
    }
    return ProjectFiles(texts, (ADOPTED_STACK,))


def with_advisory_rules(text: str, rules: Sequence[str]) -> str:
    """Return a stack's file in which rules advise, each with the reason."""
    lines = "".join(f'      {rule}: {{level: advisory, reason: "as the cluster was adopted"}}\n' for rule in rules)
    return text.replace(_NO_RULES, f"{_RULES}{lines}")


def _common(choices: StarterChoices, release: str) -> dict[str, str]:
    return {
        "Pulumi.yaml": project_file(choices.name),
        "__main__.py": program(),
        "requirements.txt": requirements(release, is_on_azure=choices.is_on_azure),
        ".gitignore": ignored(),
    }


def _adopting_stack(choices: StarterChoices, adopted: Adopted) -> str:
    folder, key = f"{FOLDER}/{ADOPTED_STACK}", f"  {choices.name}"
    built_in = f"{key}:builtInPools: [{', '.join(adopted.built_in)}]\n" if adopted.built_in else ""
    karpenter = f"{key}:karpenterVersion: {adopted.karpenter}\n" if adopted.karpenter else ""
    if not karpenter and not choices.is_on_azure and not choices.is_auto_mode:
        karpenter = f"{key}:karpenterVersion: {NEWEST} {TO_CHECK}the version that runs; the snapshot does not say it\n"
    there = adopted.zones if all(zone.startswith(choices.region) for zone in adopted.zones) else ()
    zones = f"{key}:zones: [{', '.join(there)}]\n" if there else ""
    provider = "" if choices.is_on_azure else f"  aws:region: {choices.region}\n"
    return f"""\
# A cluster that runs. This stack has its NodePools and node classes and creates no cluster: they are for the kubeconfig's.
# The first update takes over the objects that exist: PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true pulumi up
config:
{key}:region: {choices.region}
{zones}\
{key}:nodePools: [{folder}/node-pools.yaml]
{key}:workloads: [{folder}/workloads.yaml]
{built_in}{karpenter}\
{key}:gates:
    environment: production
{_NO_RULES}{provider}"""
