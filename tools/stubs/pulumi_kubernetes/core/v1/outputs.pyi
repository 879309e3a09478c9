# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class NamespaceCondition:
    status: str
    type: str
    last_transition_time: Optional[str]
    message: Optional[str]
    reason: Optional[str]

class NamespaceSpec:
    finalizers: Optional[Sequence[str]]

class NamespaceStatus:
    conditions: Optional[Sequence[NamespaceCondition]]
    phase: Optional[str]

class TopologySelectorLabelRequirement:
    key: str
    values: Sequence[str]

class TopologySelectorTerm:
    match_label_expressions: Optional[Sequence[TopologySelectorLabelRequirement]]
