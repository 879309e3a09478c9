"""Edits in words: `deployment/api: replicas 6 to 12`, `NodePool gpu: limits.nvidia.com/gpu 2 to 4`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.wording import counted
from cutlist.planning.model.changes import Change
from cutlist.verbs.diff.objects import ChangedField, ObjectChange, field_value
from cutlist.verbs.diff.setting_edits import CATALOGUE, SETTING
from cutlist.verbs.diff.words import cut
from cutlist.workloads.controllers import KINDS as CONTROLLERS
from cutlist.workloads.groups import workload_name

_PODS: Final = frozenset({"Pod", *CONTROLLERS})
_AROUND: Final = re.compile(r"^spec\.(?:jobTemplate\.spec\.)?(?:template\.(?:spec\.)?)?")
_QUOTED: Final = re.compile(r"\['([^']*)'\]")
_REQUIREMENT: Final = re.compile(r"^requirements\[([^\]]*)\](?:\.(\w+))?$")
_VALUE: Final = 80  # characters of a value
_FIELDS: Final = 4  # fields of one edit that are listed


def edit_name(edit: ObjectChange) -> str:
    """Return the name of what is edited: a workload as plans name it, any other object by kind and name."""
    if edit.kind == SETTING:
        return edit.name
    if edit.kind in _PODS:
        return workload_name(edit.kind, edit.namespace or "default", edit.name)
    return f"{edit.kind} {edit.namespace}/{edit.name}" if edit.namespace else f"{edit.kind} {edit.name}"


def edit_sentence(edit: ObjectChange) -> str:
    """Return what is edited, with the values before and after."""
    name = edit_name(edit)
    if edit.change is not Change.CHANGED:
        return f"{name} {edit.change}"
    fields = [text for text in map(_field, edit.fields[:_FIELDS]) if text]
    more = edit.fields[_FIELDS:]
    listed = ", ".join(fields) + (f" and {counted(len(more), 'more field')}" if more else "")
    if edit.kind == SETTING and len(edit.fields) == 1 and not edit.fields[0].path:
        return f"{name}{' with prices' if edit.name == CATALOGUE else ''} {listed}"
    return f"{name}: {listed}"


def _field(field: ChangedField) -> str:
    """Return a field with its values."""
    label = _QUOTED.sub(r".\1", _AROUND.sub("", field.path)) or field.path
    requirement = _REQUIREMENT.match(label)
    if requirement is not None:
        member = "" if requirement[2] in (None, "values") else f" {requirement[2]}"
        label = f"requirement {requirement[1]}{member}"
    before, after = _value(field.before), _value(field.after)
    if field.before is None:
        return f"{label} {after} added".lstrip()
    if field.after is None:
        return f"{label} {before} removed".lstrip()
    return f"{label} {before} to {after}".lstrip()


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)) and value and not any(isinstance(item, (list, tuple, Mapping)) for item in value):
        text = ", ".join(map(field_value, value))
    elif isinstance(value, Mapping) and "operator" in value:
        values = value.get("values")
        text = f"{value['operator']} {_value(values)}" if values else str(value["operator"])
    else:
        text = field_value(value)
    return cut(text, _VALUE)
