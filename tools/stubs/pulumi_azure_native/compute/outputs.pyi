# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class ApiErrorBaseResponse:
    code: Optional[str]
    message: Optional[str]
    target: Optional[str]

class ApiErrorResponse:
    code: Optional[str]
    details: Optional[Sequence[ApiErrorBaseResponse]]
    innererror: Optional[InnerErrorResponse]
    message: Optional[str]
    target: Optional[str]

class EncryptionSetIdentityResponse:
    principal_id: str
    tenant_id: str
    type: Optional[str]
    user_assigned_identities: Optional[Mapping[str, UserAssignedIdentitiesValueResponse]]

class InnerErrorResponse:
    errordetail: Optional[str]
    exceptiontype: Optional[str]

class KeyForDiskEncryptionSetResponse:
    key_url: str
    source_vault: Optional[SourceVaultResponse]

class SourceVaultResponse:
    id: Optional[str]

class SystemDataResponse:
    created_at: Optional[str]
    created_by: Optional[str]
    created_by_type: Optional[str]
    last_modified_at: Optional[str]
    last_modified_by: Optional[str]
    last_modified_by_type: Optional[str]

class UserAssignedIdentitiesValueResponse:
    client_id: str
    principal_id: str
