# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class SystemDataResponse:
    created_at: Optional[str]
    created_by: Optional[str]
    created_by_type: Optional[str]
    last_modified_at: Optional[str]
    last_modified_by: Optional[str]
    last_modified_by_type: Optional[str]
