# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class ReleaseStatus:
    status: str
    app_version: Optional[str]
    chart: Optional[str]
    name: Optional[str]
    namespace: Optional[str]
    revision: Optional[int]
    version: Optional[str]

class RepositoryOpts:
    ca_file: Optional[str]
    cert_file: Optional[str]
    key_file: Optional[str]
    password: Optional[str]
    repo: Optional[str]
    username: Optional[str]
