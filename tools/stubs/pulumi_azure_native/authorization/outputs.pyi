# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class PermissionResponse:
    condition: str
    condition_version: str
    actions: Optional[Sequence[str]]
    data_actions: Optional[Sequence[str]]
    not_actions: Optional[Sequence[str]]
    not_data_actions: Optional[Sequence[str]]

class SystemDataResponse:
    created_at: Optional[str]
    created_by: Optional[str]
    created_by_type: Optional[str]
    last_modified_at: Optional[str]
    last_modified_by: Optional[str]
    last_modified_by_type: Optional[str]
