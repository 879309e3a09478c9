# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import apiextensions as apiextensions
from . import core as core
from . import flowcontrol as flowcontrol
from . import helm as helm
from . import meta as meta
from . import storage as storage

class HelmReleaseSettingsArgsDict(TypedDict):
    driver: NotRequired[pulumi.Input[Optional[str]]]
    plugins_path: NotRequired[pulumi.Input[Optional[str]]]
    registry_config_path: NotRequired[pulumi.Input[Optional[str]]]
    repository_cache: NotRequired[pulumi.Input[Optional[str]]]
    repository_config_path: NotRequired[pulumi.Input[Optional[str]]]

class KubeClientSettingsArgsDict(TypedDict):
    burst: NotRequired[pulumi.Input[Optional[int]]]
    qps: NotRequired[pulumi.Input[Optional[float]]]
    timeout: NotRequired[pulumi.Input[Optional[int]]]

class Provider(pulumi.ProviderResource):
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        always_render: pulumi.Input[Optional[bool]] = ...,
        cluster: pulumi.Input[Optional[str]] = ...,
        cluster_identifier: pulumi.Input[Optional[str]] = ...,
        context: pulumi.Input[Optional[str]] = ...,
        delete_unreachable: pulumi.Input[Optional[bool]] = ...,
        enable_config_map_mutable: pulumi.Input[Optional[bool]] = ...,
        enable_patch_force: pulumi.Input[Optional[bool]] = ...,
        enable_secret_mutable: pulumi.Input[Optional[bool]] = ...,
        enable_server_side_apply: pulumi.Input[Optional[bool]] = ...,
        helm_release_settings: pulumi.Input[Optional[HelmReleaseSettingsArgsDict]] = ...,
        kube_client_settings: pulumi.Input[Optional[KubeClientSettingsArgsDict]] = ...,
        kubeconfig: pulumi.Input[Optional[str]] = ...,
        namespace: pulumi.Input[Optional[str]] = ...,
        render_yaml_to_directory: pulumi.Input[Optional[str]] = ...,
        skip_update_unreachable: pulumi.Input[Optional[bool]] = ...,
        suppress_deprecation_warnings: pulumi.Input[Optional[bool]] = ...,
        suppress_helm_hook_warnings: pulumi.Input[Optional[bool]] = ...,
        upsert_existing_objects: pulumi.Input[Optional[bool]] = ...) -> None: ...
