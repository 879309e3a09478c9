"""What the rules know of providers that are no cloud's: charts, what fetches manifests, and commands."""

from __future__ import annotations

from typing import Final

from cutlist.policy.rules.types.kinds import Fact, Kind, other

COMMAND: Final = "command:local:Command"
ON_A_MACHINE: Final = "command:remote:Command"
_COMMANDS: Final = (
    other(Fact.COMMAND, COMMAND, "shell_script shell_sensitive_script ansible_playbook local_exec external"),
    other(Fact.COMMAND, ON_A_MACHINE, "ssh_resource ssh_sensitive_resource remote_exec"),
    other(Fact.COMMAND, "restapi:index/object:Object", "restapi_object"),
    other(Fact.COMMAND, "opentofu:index:Action", "action"),
    Kind(Fact.COMMAND, "pulumi-python:dynamic:Resource"),
    Kind(Fact.COMMAND, "pulumi-nodejs:dynamic:Resource"),
    other(Fact.COMMAND, "azapi:index:ResourceAction", "azapi_resource_action"),
)
_CHARTS: Final = (
    other(Fact.CHART, "kubernetes:helm.sh/v3:Release", "helm_release"),
    Kind(Fact.CHART, "kubernetes:helm.sh/v3:Chart"),
    Kind(Fact.CHART, "kubernetes:helm.sh/v4:Chart"),
    Kind(Fact.CHART, "kubernetes:helm.sh/v2:Chart"),
    other(Fact.CHART, "helmfile:index:ReleaseSet", "helmfile_release_set helmfile_release"),
    other(Fact.CHART, "argocd:index/application:Application", "argocd_application"),
    other(Fact.CHART, "argocd:index/applicationSet:ApplicationSet", "argocd_application_set"),
    other(Fact.CHART, "flux:index/fluxBootstrapGit:FluxBootstrapGit", "flux_bootstrap_git"),
    other(Fact.CHART, "rancher2:index/appV2:AppV2", "rancher2_app_v2 rancher2_app"),
)
_OBJECTS: Final = "kubernetes_manifest kubectl_manifest k8s_manifest kustomization_resource"
_MANIFESTS: Final = (
    other(
        Fact.MANIFEST,
        "kubernetes:yaml/v2:ConfigGroup",
        _OBJECTS,
    ),
    Kind(Fact.MANIFEST, "kubernetes:yaml:ConfigGroup"),
    Kind(Fact.MANIFEST, "kubernetes:yaml:ConfigFile"),
    Kind(Fact.MANIFEST, "kubernetes:yaml/v2:ConfigFile"),
    Kind(Fact.MANIFEST, "kubernetes:kustomize:Directory"),
    Kind(Fact.MANIFEST, "kubernetes:kustomize/v2:Directory"),
)
OTHERS: Final = (*_COMMANDS, *_CHARTS, *_MANIFESTS)
