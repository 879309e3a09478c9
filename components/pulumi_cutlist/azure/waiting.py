"""Values that wait for more than the resource that they are of."""

from __future__ import annotations

from collections.abc import Iterable

import pulumi


def after(value: pulumi.Input[str], resources: Iterable[pulumi.Resource]) -> pulumi.Output[str]:
    """A value for what must also wait for some resources, and is deleted before them.

    Of those the URN is enough, which even a preview knows: they do not make the value unknown.
    """
    everything = pulumi.Output.all(value, *(resource.urn for resource in resources))
    told: pulumi.Output[str] = everything.apply(lambda known: str(known[0]))
    return told
