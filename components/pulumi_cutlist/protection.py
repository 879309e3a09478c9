"""What a destroy meets first, so that a protected component loses nothing (spec: aws-infrastructure 0.5)."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from collections.abc import Sequence
from typing import Final

import pulumi

HOW_TO_LIFT: Final = " (production: false lifts it)"
"""Behind the name of a protection: an engine that refuses a destroy shows its user no more than that name."""


class Protection(pulumi.ComponentResource):
    """Nothing by itself. While it is protected, an engine ends a destroy here, before anything is removed.

    An engine deletes in the order of dependence and finds out that something is protected when its turn comes. With nothing but
    the cluster protected, all that is in it or made after it is removed by then: nodes, add-ons and access on EKS, NodePools
    and their classes on AKS. This depends on all that its component makes, so its turn comes first; what does not belong to the
    component is not kept by it.
    """

    def __init__(self, name: str, *, protect: bool, last: Sequence[pulumi.Resource], parent: pulumi.Resource) -> None:
        # Always there, protected or not: a protected resource could not leave the program in the update that lifts it.
        options = pulumi.ResourceOptions(
            parent=parent, protect=protect or None, depends_on=list(last), aliases=[pulumi.Alias(name=name)]
        )
        super().__init__("cutlist:index:Protection", f"{name}{HOW_TO_LIFT}", {}, options)
        self.register_outputs({})
