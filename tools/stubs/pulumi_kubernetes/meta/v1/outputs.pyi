# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class ManagedFieldsEntry:
    api_version: Optional[str]
    fields_type: Optional[str]
    fields_v1: Optional[Any]
    manager: Optional[str]
    operation: Optional[str]
    subresource: Optional[str]
    time: Optional[str]

class ManagedFieldsEntryPatch:
    api_version: Optional[str]
    fields_type: Optional[str]
    fields_v1: Optional[Any]
    manager: Optional[str]
    operation: Optional[str]
    subresource: Optional[str]
    time: Optional[str]

class ObjectMeta:
    annotations: Optional[Mapping[str, str]]
    cluster_name: Optional[str]
    creation_timestamp: Optional[str]
    deletion_grace_period_seconds: Optional[int]
    deletion_timestamp: Optional[str]
    finalizers: Optional[Sequence[str]]
    generate_name: Optional[str]
    generation: Optional[int]
    labels: Optional[Mapping[str, str]]
    managed_fields: Optional[Sequence[ManagedFieldsEntry]]
    name: Optional[str]
    namespace: Optional[str]
    owner_references: Optional[Sequence[OwnerReference]]
    resource_version: Optional[str]
    self_link: Optional[str]
    uid: Optional[str]

class ObjectMetaPatch:
    annotations: Optional[Mapping[str, str]]
    cluster_name: Optional[str]
    creation_timestamp: Optional[str]
    deletion_grace_period_seconds: Optional[int]
    deletion_timestamp: Optional[str]
    finalizers: Optional[Sequence[str]]
    generate_name: Optional[str]
    generation: Optional[int]
    labels: Optional[Mapping[str, str]]
    managed_fields: Optional[Sequence[ManagedFieldsEntryPatch]]
    name: Optional[str]
    namespace: Optional[str]
    owner_references: Optional[Sequence[OwnerReferencePatch]]
    resource_version: Optional[str]
    self_link: Optional[str]
    uid: Optional[str]

class OwnerReference:
    api_version: str
    kind: str
    name: str
    uid: str
    block_owner_deletion: Optional[bool]
    controller: Optional[bool]

class OwnerReferencePatch:
    api_version: Optional[str]
    block_owner_deletion: Optional[bool]
    controller: Optional[bool]
    kind: Optional[str]
    name: Optional[str]
    uid: Optional[str]
