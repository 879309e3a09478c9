"""The files of a new project's stacks, and of the project itself."""

from __future__ import annotations

from typing import Final

from cutlist.settings.stack import STACK
from pulumi_cutlist.starter.choices import StarterChoices
from pulumi_cutlist.starter.node_pools import Environment, cluster_name

KUBERNETES: Final = "1.35"
"""The version of Kubernetes of new clusters: in standard support of EKS and AKS, and known to the tables of add-ons and
images."""
FOLDER: Final = "stacks"
TO_CHECK: Final = "# check: "
"""What comments begin with in lines that only the team can know."""
_REACHED: Final = "updates run in the VPC; for the first one, which makes it, write two-steps, or give publicAccessCidrs"


def project_file(name: str) -> str:
    """Return Pulumi.yaml."""
    return f"""\
name: {name}
description: Kubernetes whose nodes Karpenter provisions, one stack for each environment
runtime:
  name: python
  options:
    toolchain: pip
    virtualenv: .venv
stackConfigDir: {FOLDER}
"""


def program() -> str:
    """Return the program of every stack."""
    return '''\
"""The program of every stack: its cluster, its NodePools, the plan of their nodes, and what all of it costs."""

import pulumi
from pulumi_cutlist.engine_bill import log_bill
from pulumi_cutlist.environment import build_environment

log_bill()
try:
    environment = build_environment()
except ValueError as error:  # every mistake in the stack's files, each with its place
    raise pulumi.RunError(str(error)) from error
for name, value in environment.outputs.items():
    pulumi.export(name, value)
'''


def requirements(version: str, *, is_on_azure: bool) -> str:
    """Return what Pulumi installs for the program."""
    return f"cutlist[{'azure' if is_on_azure else 'aws'}]=={version}\n"


def ignored() -> str:
    """Return what git leaves out."""
    return ".venv/\n__pycache__/\n"


def stack_file(choices: StarterChoices, environment: Environment) -> str:
    """Return the file of an environment's stack: its cluster, what runs there, and its gates."""
    of_cluster = _aks if choices.is_on_azure else _auto_mode if choices.is_auto_mode else _karpenter
    parts = (_places(choices, environment), of_cluster(choices, environment), _gates(choices, environment))
    return "".join((_head(environment), *parts, _provider(choices)))


def _head(environment: Environment) -> str:
    what = (
        "Production: protected from deletion."
        if environment.is_production
        else "Development: small, and on spot where it is cheaper."
    )
    return f"# {what} `cutlist preview {STACK.flag} {environment.name}` shows its nodes and its bill.\n"


def _places(choices: StarterChoices, environment: Environment) -> str:
    folder = f"{FOLDER}/{environment.name}"
    return f"""\
config:
  {choices.name}:region: {choices.region}
  {choices.name}:nodePools: [{folder}/node-pools.yaml]
  {choices.name}:workloads: [{folder}/workloads.yaml]
"""


def _karpenter(choices: StarterChoices, environment: Environment) -> str:
    return f"""\
  {choices.name}:karpenterCluster:
    clusterName: {cluster_name(choices, environment)}
{_of_eks(choices, environment)}"""


def _auto_mode(choices: StarterChoices, environment: Environment) -> str:
    return f"""\
  {choices.name}:builtInPools: [system]
  {choices.name}:autoModeCluster:
    clusterName: {cluster_name(choices, environment)}
{_of_eks(choices, environment)}"""


def _of_eks(choices: StarterChoices, environment: Environment) -> str:
    nat = "per-zone" if environment.is_production else "single"
    protected = "    production: true # set it to false before you destroy the stack\n" if environment.is_production else ""
    logs = "    controlPlane: {encryptSecrets: true, logRetentionDays: 365}\n" if environment.is_production else ""
    return f"""\
    accountId: "{choices.account}"
    kubernetesVersion: "{KUBERNETES}"
{protected}\
    admins:
      deployer: arn:aws:iam::{choices.account}:role/Deployer {TO_CHECK}who runs Pulumi
    reachableFrom: inside {TO_CHECK}{_REACHED}
    network:
      own: {{cidr: {environment.cidr}, nat: {nat}}}
{logs}\
    tags: {{environment: {environment.name}, project: {choices.name}}}
"""


def _aks(choices: StarterChoices, environment: Environment) -> str:
    cluster = cluster_name(choices, environment)
    protected = "      production: true # set it to false before you destroy the stack\n" if environment.is_production else ""
    tier = "      tier: Standard\n" if environment.is_production else "      tier: Free\n"
    return f"""\
  {choices.name}:aksCluster:
    cluster:
      name: {cluster}
      resourceGroup: rg-{cluster}
      subscription: {choices.account}
    network:
      own: {{cidr: {environment.cidr}, subnets: {{nodes: {environment.cidr.replace("/16", "/20")}}}}}
    settings:
      kubernetesVersion: "{KUBERNETES}"
{tier}{protected}\
      private: {{}} {TO_CHECK}updates run in the network; or give authorizedIpRanges with those of your office
    tags: {{environment: {environment.name}, project: {choices.name}}}
"""


def _gates(choices: StarterChoices, environment: Environment) -> str:
    money = f"{{perMonth: {environment.per_month}}} # USD that all NodePools may cost at their limits"
    if choices.is_auto_mode:
        money = (
            f'{{perMonth: {environment.per_month}, level: advisory, reason: "EKS\'s own NodePool system can have no limits"}}'
        )
    profile = "    profile: recommended\n" if environment.is_production else ""
    return f"""\
  {choices.name}:gates:
    environment: {"production" if environment.is_production else "development"}
{profile}\
    rules:
      PL-01: {{perHour: {environment.per_hour}}} # USD that the plan may cost
      NP-02: {money}
"""


def _provider(choices: StarterChoices) -> str:
    if choices.is_on_azure:
        return ""
    return f"  aws:region: {choices.region} # the provider starts with it; every resource names the region of the stack\n"
