"""The settings of a plan: everything that it depends on besides the objects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypedDict, cast

from cutlist.core.karpenter import feature_gates
from cutlist.core.karpenter.baselines import DEFAULT, SUPPORTED
from cutlist.core.services import AKS, rules_of
from cutlist.core.setting import Edge, Kind, Setting

_AWS_GATES: Final = tuple(gate.name for gate in feature_gates.FEATURE_GATES if gate.is_of_aws)
_ONE_CALL: Final = "whether an answer about nothing is meant is known only for a single call"
_STARTS_PROGRAMS: Final = "calls of assistants start no programs"
_CHARTS: Final = {Edge.ASSISTANT: _STARTS_PROGRAMS}
_BY_FETCHER: Final = "who fetches is an argument of its own, with a cache and a lock"
_NOT_FETCHED: Final = {
    Edge.PYTHON: _BY_FETCHER,
    Edge.FLEET_FILE: "the command fetches for all clusters of a fleet, or for none",
    Edge.STACK: "a preview does not depend on servers that the program does not name",
    Edge.COMPONENT: "a preview does not depend on servers that the program does not name",
    Edge.ASSISTANT: _STARTS_PROGRAMS,
}

FILES: Final = Setting(
    "files",
    "File or folder with manifests",
    Kind.STREAM,
    several=True,
    aside=", - for standard input.",
    metavar="PATH",
    option="file",
    short="-f",
    shown="-f",
)
RECURSIVE: Final = Setting(
    "recursive",
    "Also read subfolders, as `kubectl -R` does.",
    Kind.FLAG,
    short="-R",
    shown="--recursive (-R)",
)
KUSTOMIZE: Final = Setting(
    "kustomize",
    "Render kustomizations with the installed kustomize or kubectl. Plain ones need neither.",
    Kind.FLAG,
    unset={Edge.ASSISTANT: _STARTS_PROGRAMS},
)
KUSTOMIZE_REMOTE: Final = Setting(
    "kustomize_remote",
    ("Like ", KUSTOMIZE, ", and fetch what kustomizations name elsewhere."),
    Kind.FLAG,
    unset={
        Edge.PROJECT_FILE: "a file must not make every command that is run beside it fetch from the network",
        Edge.ASSISTANT: _STARTS_PROGRAMS,
    },
)
HELM: Final = Setting(
    "helm",
    "Render charts, and those of Argo CD and Flux in this checkout, with the installed helm. Fetches nothing.",
    Kind.FLAG,
    unset=_CHARTS,
)
FETCH: Final = Setting(
    "fetch",
    (
        "With ",
        HELM,
        ", ",
        KUSTOMIZE,
        " and the like: fetch charts, repositories and bases that are elsewhere, by the installed helm and git.",
    ),
    Kind.FLAG,
    unset=_NOT_FETCHED,
)
OFFLINE: Final = Setting(
    "offline",
    ("Like ", FETCH, ", but take them from the cache only."),
    Kind.FLAG,
    unset=_NOT_FETCHED,
)
HELM_VALUES: Final = Setting(
    "helm_values",
    ("Like ", HELM, ", with these values for charts given as folders."),
    Kind.PATH,
    several=True,
    metavar="FILE",
    unset=_CHARTS,
)
HELM_KUBE_VERSION: Final = Setting(
    "helm_kube_version",
    ("Like ", HELM, ", for a version of Kubernetes such as 1.34."),
    metavar="VERSION",
    unset=_CHARTS,
)
HELM_API_VERSIONS: Final = Setting(
    "helm_api_versions",
    ("Like ", HELM, ", with an API that charts look for, such as monitoring.coreos.com/v1."),
    several=True,
    metavar="NAME",
    option="helm-api-version",
    unset=_CHARTS,
)
HELMFILE: Final = Setting(
    "helmfile",
    "Render helmfiles with the installed helmfile, without their hooks and programs. Fetches nothing.",
    Kind.FLAG,
    unset=_CHARTS,
)
HELMFILE_ENVIRONMENT: Final = Setting(
    "helmfile_environment",
    ("Like ", HELMFILE, ", for an environment of theirs such as prod."),
    metavar="NAME",
    unset=_CHARTS,
)
ALLOW_EMPTY: Final = Setting(
    "allow_empty",
    "Accept input with nothing to judge, such as an empty file",
    Kind.FLAG,
    aside="; otherwise the exit code is 2.",
    unset={
        Edge.PROJECT_FILE: _ONE_CALL,
        Edge.STACK: "an empty list of workloads says that none are meant",
    },
)
REGION: Final = Setting(
    "region",
    "Region of AWS or location of Azure to plan for.",
    metavar="REGION",
    variables=("AWS_REGION", "AWS_DEFAULT_REGION"),
)


def region_for(purpose: str, otherwise: str = "") -> Setting:
    """Return the region as a verb takes it that needs it for something else than a plan; `otherwise` says what counts without
    one."""
    return replace(REGION, help=purpose, otherwise=otherwise)


ZONES: Final = Setting(
    "zones",
    "Zone with a subnet.",
    several=True,
    otherwise="all zones of the region",
    metavar="ZONE",
    option="zone",
)
CATALOG: Final = Setting(
    "catalog",
    "Catalogue that `cutlist catalog update` wrote.",
    Kind.PATH,
    otherwise="the embedded one",
    metavar="DIR",
    variables=("CUTLIST_CATALOG",),
)
PAID: Final = Setting(
    "paid",
    "Prices that the account paid, as `cutlist catalog from-bill` wrote them: what nodes cost. Karpenter ranks by list prices.",
    Kind.PATH,
    otherwise="list prices",
    metavar="FILE",
)
PAID_AS: Final = Setting(
    "paid_as",
    ("What an on-demand node costs with ", PAID, ": without commitments, under one, or on average of both."),
    choices=("contracted", "committed", "average"),
    default="average",
    otherwise="average",
)
BUILT_IN_POOLS: Final = Setting(
    "built_in_pools",
    "Built-in NodePool to plan with: for EKS Auto Mode general-purpose or system, for AKS default or system-surge.",
    several=True,
    metavar="NAME",
    option="built-in-pool",
)
OVERHEAD_PROFILE: Final = Setting(
    "overhead_profile",
    "Estimate of what nodes of EKS Auto Mode reserve.",
    default="2024-estimate",
    otherwise="2024-estimate",
    metavar="NAME",
)
EXTERNAL_CLASSES: Final = Setting(
    "external_classes",
    "Node class defined elsewhere, such as in Terraform: its name, and what of it differs from the defaults, as in "
    "default:Bottlerocket,disk=200Gi,maxPods=40,kubeReserved.cpu=200m. Families are AL2, AL2023, Bottlerocket, windows, and "
    "for AKS Ubuntu or AzureLinux.",
    several=True,
    metavar="NAME[:WORDS]",
    option="external-class",
    unset={Edge.STACK: "a stack makes the node classes that its NodePools refer to"},
)
REPLICAS: Final = Setting(
    "replicas",
    "Number of pods of a workload to plan with, in place of the written one: WORKLOAD=N, WORKLOAD=max for the maximum of its "
    "autoscaler, or max for that of all.",
    several=True,
    metavar="WORKLOAD=N",
)
KARPENTER: Final = Setting(
    "karpenter",
    f"Version of Karpenter to follow: {' or '.join(map(str, SUPPORTED))}, or a release.",
    otherwise=f"{rules_of(AKS).minor} on AKS, which runs that, elsewhere {DEFAULT.minor}",
    metavar="VERSION",
    input="karpenter_version",
)
SCHEDULER_CONFIG: Final = Setting(
    "scheduler_config",
    f"File with the value of Karpenter's {feature_gates.SCHEDULER_CONFIG.name}: default spread constraints. "
    "Since Karpenter 1.15.",
    Kind.PATH,
    metavar="FILE",
)
FEATURE_GATES: Final = Setting(
    "feature_gates",
    f"Feature gate of the AWS provider to turn on: {', '.join(_AWS_GATES)}.",
    several=True,
    metavar="NAME",
    choices=_AWS_GATES,
    option="feature-gate",
    input="aws_feature_gates",
)

DRA: Final = Setting(
    "dra",
    "Plan pods with ResourceClaims, as Karpenter does with --ignore-dra-requests=false.  [1.15]",
    Kind.FLAG,
)

READING: Final = (
    *(RECURSIVE, KUSTOMIZE, KUSTOMIZE_REMOTE, HELM, HELM_VALUES, HELM_KUBE_VERSION, HELM_API_VERSIONS),
    *(HELMFILE, HELMFILE_ENVIRONMENT),
)
"""How folders, kustomizations and charts are read."""
FETCHING: Final = (FETCH, OFFLINE)
"""Whether what is elsewhere is fetched. Who runs a command says so, or the project's file, unless a change to it is judged."""
PLAN: Final = (
    *READING,
    *(ALLOW_EMPTY, REGION, ZONES, CATALOG, PAID, PAID_AS, BUILT_IN_POOLS, OVERHEAD_PROFILE, EXTERNAL_CLASSES, REPLICAS),
    *(KARPENTER, SCHEDULER_CONFIG, FEATURE_GATES, DRA),
)
"""All settings of a plan, in the order in which help lists them."""

Path = str | os.PathLike[str]


class FurtherSettings(TypedDict, total=False):
    """The settings of a plan that its cluster does not decide, in the form that functions and components share."""

    recursive: bool
    kustomize: bool
    kustomize_remote: bool
    helm: bool
    helm_values: Sequence[Path]
    helm_kube_version: str
    helm_api_versions: Sequence[str]
    helmfile: bool
    helmfile_environment: str
    allow_empty: bool
    catalog: Path | None
    paid: Path | None
    paid_as: str
    overhead_profile: str
    external_classes: Sequence[str]
    replicas: Sequence[str]
    scheduler_config: Path | None
    dra: bool


class SharedSettings(FurtherSettings, total=False):
    """The settings of a plan that functions and NodePlan take in the same form."""

    zones: Sequence[str]
    built_in_pools: Sequence[str]


class PlanSettings(SharedSettings, total=False):
    """The settings of a plan, as functions take them; those that are left out or None have their defaults. Without a region
    there is no plan."""

    region: str | None
    karpenter: str | None
    feature_gates: Sequence[str]


def with_defaults(settings: PlanSettings) -> PlanSettings:
    """Return the settings with the defaults of those that are not set."""
    given = {name: value for name, value in settings.items() if value is not None}
    return cast("PlanSettings", {**_DEFAULTS, **given})


def _default(setting: Setting) -> Any:
    """Return what counts where nobody sets it."""
    return () if setting.several else False if setting.kind is Kind.FLAG else setting.default


_DEFAULTS: Final = {setting.name: _default(setting) for setting in PLAN}
