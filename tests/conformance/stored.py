"""NodeClasses as the vectors have them: stored objects, some of which an API server would have refused.

The provider was asked directly, past the rules of the CRD, and its answer to such an object is a fact anyway.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from cutlist import EC2NodeClass
from cutlist.api.ec2nodeclass_fields import EC2NodeClassFields, OpenEC2NodeClassFields
from cutlist.api.kubelet_rules import static_kubelet
from cutlist.api.model import FieldsError
from cutlist.api.objects import BuiltInPython
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour

RECORDED = BASELINES[0]  # the first whose answers were recorded


def stored_node_class(
    manifest: Mapping[str, Any], karpenter: Baseline = RECORDED, gates: frozenset[str] = frozenset()
) -> EC2NodeClass:
    """Return the NodeClass; where rules refuse it, the same object without them."""
    try:
        return EC2NodeClass.from_manifest(manifest, karpenter, gates)
    except InputError:
        return _past_the_rules(manifest, karpenter)


def _past_the_rules(manifest: Mapping[str, Any], karpenter: Baseline) -> EC2NodeClass:
    is_open = karpenter.does(Behaviour.KUBELET_IS_OPEN)
    fields = OpenEC2NodeClassFields.of(manifest) if is_open else _fields(manifest)
    values = {name: getattr(fields.spec, name) for name in type(fields.spec).model_fields}
    values |= {name: getattr(fields.metadata, name) for name in ("name", "labels", "annotations")}
    node_class = EC2NodeClass.model_construct(**values, deleting=False, status=fields.status)
    if is_open and values["kubelet"]:
        object.__setattr__(node_class, "kubelet", static_kubelet(values["kubelet"]))
    object.__setattr__(node_class, "_written", dict(manifest))
    object.__setattr__(node_class, "_karpenter", karpenter)
    object.__setattr__(node_class, "_source", BuiltInPython("EC2NodeClass", node_class.name))
    return node_class


def _fields(manifest: Mapping[str, Any]) -> EC2NodeClassFields:
    """Return the fields, with entries of maps that fail their pattern (an eviction threshold such as 33.333%) put in as they
    are."""
    try:
        return EC2NodeClassFields.of(manifest)
    except FieldsError as error:
        refused = [violation.loc for violation in error.violations]
    allowed = copy.deepcopy(dict(manifest))
    raw = [(path, _parent(allowed, path).pop(path[-1])) for path in refused]
    fields = EC2NodeClassFields.of(allowed)
    for path, value in raw:
        _entries(fields, path)[str(path[-1])] = value
    return fields


def _parent(of: Any, path: tuple[Any, ...]) -> Any:
    for part in path[:-1]:
        of = of[part]
    return of


def _entries(of: Any, path: tuple[Any, ...]) -> dict[str, Any]:
    """Return the map that holds the entry at a path of a manifest."""
    for part in path[:-1]:
        of = getattr(of, next(name for name, field in type(of).model_fields.items() if field.alias == part))
    assert isinstance(of, dict)
    return of
