"""NodeClasses as the vectors have them: stored objects, some of which an API server would have refused.

The provider was asked directly, past the rules of the CRD, and its answer to such an object is a fact all the same.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from cutlist.api import EC2NodeClass
from cutlist.api.ec2nodeclass_fields import EC2NodeClassFields
from cutlist.core.errors import InputError


def stored_node_class(manifest: Mapping[str, Any]) -> EC2NodeClass:
    """Return the NodeClass; where rules refuse it, the same object without them."""
    try:
        return EC2NodeClass.from_manifest(manifest)
    except InputError:
        return _past_the_rules(manifest)


def _past_the_rules(manifest: Mapping[str, Any]) -> EC2NodeClass:
    fields = _fields(manifest)
    values = {name: getattr(fields.spec, name) for name in type(fields.spec).model_fields}
    values |= {name: getattr(fields.metadata, name) for name in ("name", "labels", "annotations")}
    node_class = EC2NodeClass.model_construct(**values, deleting=False, status=fields.status)
    object.__setattr__(node_class, "_written", dict(manifest))
    return node_class


def _fields(manifest: Mapping[str, Any]) -> EC2NodeClassFields:
    """Return the fields, with entries of maps that fail their pattern (an eviction threshold such as 33.333%) put in as they
    are."""
    try:
        return EC2NodeClassFields.of(manifest)
    except ValidationError as error:
        refused = [entry["loc"] for entry in error.errors()]
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
