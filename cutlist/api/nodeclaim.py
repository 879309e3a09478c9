"""The NodeClaim: a node that Karpenter has launched or will launch (spec: api-objects 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api.model import present
from cutlist.api.nodeclaim_fields import API_VERSION, KIND, NodeClaimStatus
from cutlist.api.nodeclaim_rules import NODE_CLAIM
from cutlist.api.nodepool_fields import NodeClassRef
from cutlist.api.objects import Source, SpecObject
from cutlist.api.operators import RequirementsInput, expression, expressions, taint, written_taints
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.quantity import Quantity
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint


@dataclass(frozen=True, slots=True, init=False)
class NodeClaim(SpecObject):
    """The requirements on one node, and in `status` what happened to it. Karpenter creates claims; users rarely write one.

    `requests` are the amounts that the node must have room for; `expire_after` is text such as `720h` or `Never`. None of these
    can be changed later. Two claims are equal when these values are, however they were written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _VALIDATED_AS: ClassVar = NODE_CLAIM

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    node_class_ref: NodeClassRef
    requirements: tuple[Expression, ...]
    requests: dict[str, Quantity]
    taints: tuple[Taint, ...]
    startup_taints: tuple[Taint, ...]
    expire_after: str
    termination_grace_period: str | None
    deleting: bool
    status: NodeClaimStatus
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)
    _karpenter: Baseline = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        node_class_ref: NodeClassRef,
        requirements: RequirementsInput = (),
        requests: Mapping[str, Quantity | str | int] | None = None,
        taints: Sequence[Taint] | None = None,
        startup_taints: Sequence[Taint] | None = None,
        expire_after: str | None = None,
        termination_grace_period: str | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a claim. Raises InputError with every reason for which the API server would refuse it.

        - `requirements`: by label key, as in a NodePool.
        - `requests`: the sum of the requests of the node's pods, as in `{"cpu": "1500m", "memory": "2Gi", "pods": 3}`.
        - `expire_after`: the longest life of the node, such as `720h` (the default) or `Never`.
        """
        spec = {
            "nodeClassRef": node_class_ref.manifest(),
            "requirements": [e.manifest() for e in expressions(requirements)],
            **present(
                resources=None if requests is None else {"requests": requests},
                taints=written_taints(taints),
                startup_taints=written_taints(startup_taints),
                expire_after=expire_after,
                termination_grace_period=termination_grace_period,
            ),
        }
        self._build(name, labels, annotations, spec)

    def _attributes(self, fields: Any) -> dict[str, Any]:
        attributes = SpecObject._attributes(self, fields)
        return {
            **{name: value for name, value in attributes.items() if name != "resources"},
            "requirements": tuple(map(expression, fields.spec.requirements)),
            "requests": fields.spec.resources.requests,
            "taints": tuple(map(taint, fields.spec.taints)),
            "startup_taints": tuple(map(taint, fields.spec.startup_taints)),
        }
