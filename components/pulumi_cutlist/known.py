"""Values that a preview knows and that still wait for a resource."""

from __future__ import annotations

import pulumi


def known(value: str | None, otherwise: pulumi.Output[str], resource: pulumi.Resource) -> pulumi.Output[str]:
    """A value that a resource will have, which a preview shows, and which carries the dependency; None for one not known yet.

    By way of the URN, which even a preview knows. `otherwise` is the resource's own output.
    """
    if value is None:
        return otherwise
    told = value
    return resource.urn.apply(lambda _: told)
