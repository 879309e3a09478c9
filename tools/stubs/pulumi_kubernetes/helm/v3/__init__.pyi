# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class Release(pulumi.CustomResource):
    allow_null_values: pulumi.Output[Optional[bool]]
    atomic: pulumi.Output[Optional[bool]]
    chart: pulumi.Output[str]
    cleanup_on_fail: pulumi.Output[Optional[bool]]
    create_namespace: pulumi.Output[Optional[bool]]
    dependency_update: pulumi.Output[Optional[bool]]
    description: pulumi.Output[Optional[str]]
    devel: pulumi.Output[Optional[bool]]
    disable_crd_hooks: pulumi.Output[Optional[bool]]
    disable_openapi_validation: pulumi.Output[Optional[bool]]
    disable_webhooks: pulumi.Output[Optional[bool]]
    force_update: pulumi.Output[Optional[bool]]
    keyring: pulumi.Output[Optional[str]]
    lint: pulumi.Output[Optional[bool]]
    manifest: pulumi.Output[Optional[Mapping[str, Any]]]
    max_history: pulumi.Output[Optional[int]]
    name: pulumi.Output[Optional[str]]
    namespace: pulumi.Output[Optional[str]]
    postrender: pulumi.Output[Optional[str]]
    recreate_pods: pulumi.Output[Optional[bool]]
    render_subchart_notes: pulumi.Output[Optional[bool]]
    replace: pulumi.Output[Optional[bool]]
    repository_opts: pulumi.Output[Optional[outputs.RepositoryOpts]]
    reset_values: pulumi.Output[Optional[bool]]
    resource_names: pulumi.Output[Optional[Mapping[str, Sequence[str]]]]
    reuse_values: pulumi.Output[Optional[bool]]
    skip_await: pulumi.Output[Optional[bool]]
    skip_crds: pulumi.Output[Optional[bool]]
    status: pulumi.Output[outputs.ReleaseStatus]
    take_ownership: pulumi.Output[Optional[bool]]
    timeout: pulumi.Output[Optional[int]]
    value_yaml_files: pulumi.Output[Optional[Sequence[Union[pulumi.Asset, pulumi.Archive]]]]
    values: pulumi.Output[Optional[Mapping[str, Any]]]
    verify: pulumi.Output[Optional[bool]]
    version: pulumi.Output[Optional[str]]
    wait_for_jobs: pulumi.Output[Optional[bool]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        chart: pulumi.Input[str],
        allow_null_values: pulumi.Input[Optional[bool]] = ...,
        atomic: pulumi.Input[Optional[bool]] = ...,
        cleanup_on_fail: pulumi.Input[Optional[bool]] = ...,
        compat: pulumi.Input[Optional[Literal['true']]] = ...,
        create_namespace: pulumi.Input[Optional[bool]] = ...,
        dependency_update: pulumi.Input[Optional[bool]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        devel: pulumi.Input[Optional[bool]] = ...,
        disable_crd_hooks: pulumi.Input[Optional[bool]] = ...,
        disable_openapi_validation: pulumi.Input[Optional[bool]] = ...,
        disable_webhooks: pulumi.Input[Optional[bool]] = ...,
        force_update: pulumi.Input[Optional[bool]] = ...,
        keyring: pulumi.Input[Optional[str]] = ...,
        lint: pulumi.Input[Optional[bool]] = ...,
        manifest: pulumi.Input[Optional[Mapping[str, Any]]] = ...,
        max_history: pulumi.Input[Optional[int]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        namespace: pulumi.Input[Optional[str]] = ...,
        postrender: pulumi.Input[Optional[str]] = ...,
        recreate_pods: pulumi.Input[Optional[bool]] = ...,
        render_subchart_notes: pulumi.Input[Optional[bool]] = ...,
        replace: pulumi.Input[Optional[bool]] = ...,
        repository_opts: pulumi.Input[Optional[RepositoryOptsArgsDict]] = ...,
        reset_values: pulumi.Input[Optional[bool]] = ...,
        resource_names: pulumi.Input[Optional[Mapping[str, pulumi.Input[Sequence[pulumi.Input[str]]]]]] = ...,
        reuse_values: pulumi.Input[Optional[bool]] = ...,
        skip_await: pulumi.Input[Optional[bool]] = ...,
        skip_crds: pulumi.Input[Optional[bool]] = ...,
        take_ownership: pulumi.Input[Optional[bool]] = ...,
        timeout: pulumi.Input[Optional[int]] = ...,
        value_yaml_files: pulumi.Input[Optional[Sequence[pulumi.Input[Union[pulumi.Asset, pulumi.Archive]]]]] = ...,
        values: pulumi.Input[Optional[Mapping[str, Any]]] = ...,
        verify: pulumi.Input[Optional[bool]] = ...,
        version: pulumi.Input[Optional[str]] = ...,
        wait_for_jobs: pulumi.Input[Optional[bool]] = ...) -> None: ...

class RepositoryOptsArgsDict(TypedDict):
    ca_file: NotRequired[pulumi.Input[Optional[str]]]
    cert_file: NotRequired[pulumi.Input[Optional[str]]]
    key_file: NotRequired[pulumi.Input[Optional[str]]]
    password: NotRequired[pulumi.Input[Optional[str]]]
    repo: NotRequired[pulumi.Input[Optional[str]]]
    username: NotRequired[pulumi.Input[Optional[str]]]
