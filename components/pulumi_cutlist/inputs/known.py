"""Values that a preview knows and that still wait for a resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, cast

import pulumi

from cutlist.core.errors import Place

T = TypeVar("T")


def after(value: T, *resources: pulumi.Resource) -> pulumi.Output[T]:
    """Return a plain value for something that has to wait for resources, and is deleted before them. It depends on their URNs,
    which even a preview knows, so the value never becomes unknown but carries the dependency.
    """
    return pulumi.Output.all(*(resource.urn for resource in resources)).apply(lambda _: value)


def known(value: str | None, otherwise: pulumi.Output[str], resource: pulumi.Resource) -> pulumi.Output[str]:
    """Return a value that a resource will have, which a preview shows, and which carries the dependency; None for one not known
    yet.

    `otherwise` is the resource's own output.
    """
    return otherwise if value is None else after(value, resource)


def count_of(values: Any) -> int | None:
    """Return how many values a list has; None while that is not known."""
    return len(values) if isinstance(values, list | tuple) else None


def texts_of(values: Any, at: Place) -> Iterator[tuple[str, str]]:
    """Yield the texts of a list that are known now, each with the path of where it is."""
    for index, value in enumerate(values if isinstance(values, list | tuple) else ()):
        if isinstance(value, str):
            yield at.item(index).path, value


def as_inputs(values: pulumi.Output[list[str]]) -> pulumi.Output[list[pulumi.Input[str]]]:
    """Return a list that one component has as an output, as another takes it: their types do not match by themselves."""
    return cast("pulumi.Output[list[pulumi.Input[str]]]", values)
