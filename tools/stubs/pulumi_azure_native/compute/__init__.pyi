# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class DiskEncryptionSet(pulumi.CustomResource):
    active_key: pulumi.Output[Optional[outputs.KeyForDiskEncryptionSetResponse]]
    auto_key_rotation_error: pulumi.Output[outputs.ApiErrorResponse]
    azure_api_version: pulumi.Output[str]
    encryption_type: pulumi.Output[Optional[str]]
    federated_client_id: pulumi.Output[Optional[str]]
    identity: pulumi.Output[Optional[outputs.EncryptionSetIdentityResponse]]
    last_key_rotation_timestamp: pulumi.Output[str]
    location: pulumi.Output[str]
    name: pulumi.Output[str]
    previous_keys: pulumi.Output[Sequence[outputs.KeyForDiskEncryptionSetResponse]]
    provisioning_state: pulumi.Output[str]
    rotation_to_latest_key_version_enabled: pulumi.Output[Optional[bool]]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        active_key: pulumi.Input[Optional[KeyForDiskEncryptionSetArgsDict]] = ...,
        disk_encryption_set_name: pulumi.Input[Optional[str]] = ...,
        encryption_type: pulumi.Input[Optional[Union[str, DiskEncryptionSetType]]] = ...,
        federated_client_id: pulumi.Input[Optional[str]] = ...,
        identity: pulumi.Input[Optional[EncryptionSetIdentityArgsDict]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        rotation_to_latest_key_version_enabled: pulumi.Input[Optional[bool]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class DiskEncryptionSetIdentityType(str, Enum):
    SYSTEM_ASSIGNED = 'SystemAssigned'
    USER_ASSIGNED = 'UserAssigned'
    SYSTEM_ASSIGNED_USER_ASSIGNED = 'SystemAssigned, UserAssigned'
    NONE = 'None'

class DiskEncryptionSetType(str, Enum):
    ENCRYPTION_AT_REST_WITH_CUSTOMER_KEY = 'EncryptionAtRestWithCustomerKey'
    ENCRYPTION_AT_REST_WITH_PLATFORM_AND_CUSTOMER_KEYS = 'EncryptionAtRestWithPlatformAndCustomerKeys'
    CONFIDENTIAL_VM_ENCRYPTED_WITH_CUSTOMER_KEY = 'ConfidentialVmEncryptedWithCustomerKey'

class EncryptionSetIdentityArgsDict(TypedDict):
    type: NotRequired[pulumi.Input[Optional[Union[str, DiskEncryptionSetIdentityType]]]]
    user_assigned_identities: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class KeyForDiskEncryptionSetArgsDict(TypedDict):
    key_url: pulumi.Input[str]
    source_vault: NotRequired[pulumi.Input[Optional[SourceVaultArgsDict]]]

class SourceVaultArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
