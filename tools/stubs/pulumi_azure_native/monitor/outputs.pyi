# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class DiagnosticsLogSettingsResponse:
    enabled: bool
    category: Optional[str]
    category_group: Optional[str]
    retention_policy: Optional[RetentionPolicyResponse]

class DiagnosticsMetricSettingsResponse:
    enabled: bool
    category: Optional[str]
    retention_policy: Optional[RetentionPolicyResponse]
    time_grain: Optional[str]

class RetentionPolicyResponse:
    days: int
    enabled: bool

class SystemDataResponse:
    created_at: Optional[str]
    created_by: Optional[str]
    created_by_type: Optional[str]
    last_modified_at: Optional[str]
    last_modified_by: Optional[str]
    last_modified_by_type: Optional[str]
