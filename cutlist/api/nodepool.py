"""The NodePool: which nodes Karpenter may launch, and when it may remove them again (spec: api-objects 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.arguments import check_limits, check_requirements, check_taints, checked_arguments, object_place
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.durations import NEVER
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.label_domains import registry_of
from cutlist.api.model import Condition, as_manifest, present
from cutlist.api.nodepool_fields import (
    API_VERSION,
    DEFAULT_CONSOLIDATE_AFTER,
    KIND,
    ConsolidationPolicy,
    Disruption,
    NodeClassRef,
    NodePoolFields,
)
from cutlist.api.nodepool_rules import NODE_POOL
from cutlist.api.objects import ApiObject, Source
from cutlist.api.operators import RequirementsInput, expression, expressions, taint, written_taints
from cutlist.core.errors import Problems
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import AWS_GROUP, LabelRegistry
from cutlist.core.quantity import Quantity
from cutlist.core.requirement import Expression
from cutlist.core.shapes import kind_of
from cutlist.core.taints import Taint


@dataclass(frozen=True, slots=True, init=False)
class NodePool(ApiObject):
    """A pool of nodes that Karpenter launches and removes; absent fields have the API server's defaults.

    `labels` and `annotations` go to the nodes, `pool_labels` and `pool_annotations` belong to the pool itself. `weight` is 0
    and `limits` is empty if absent; `expire_after` is text such as `720h` or `Never` (see `cutlist.api.durations`). Two pools
    are equal when these values are, however they were written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _VALIDATED_AS: ClassVar = NODE_POOL

    name: str
    node_class_ref: NodeClassRef
    requirements: tuple[Expression, ...]
    labels: dict[str, str]
    annotations: dict[str, str]
    taints: tuple[Taint, ...]
    startup_taints: tuple[Taint, ...]
    limits: dict[str, Quantity]
    weight: int
    replicas: int | None
    expire_after: str
    termination_grace_period: str | None
    disruption: Disruption
    pool_labels: dict[str, str]
    pool_annotations: dict[str, str]
    deleting: bool
    conditions: tuple[Condition, ...]
    node_class: EC2NodeClass | AutoNodeClass | AKSNodeClass | None = field(compare=False, repr=False)
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)
    _karpenter: Baseline = field(compare=False, repr=False)

    @checked_arguments
    def __init__(
        self,
        *,
        name: str,
        node_class: EC2NodeClass | AutoNodeClass | AKSNodeClass | NodeClassRef | str,
        requirements: RequirementsInput = (),
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        taints: Sequence[Taint] | None = None,
        startup_taints: Sequence[Taint] | None = None,
        limits: Mapping[str, Quantity | str | int] | None = None,
        weight: int | None = None,
        replicas: int | None = None,
        expire_after: str | None = None,
        termination_grace_period: str | None = None,
        disruption: Disruption | None = None,
        pool_labels: Mapping[str, str] | None = None,
        pool_annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a pool. Raises InputError with every reason for which the API server or Karpenter would refuse it.

        - `node_class`: the EC2NodeClass, AutoNodeClass or AKSNodeClass, a reference to a node class, or an EC2NodeClass's name.
        - `requirements`: by label key: a value, a list of values, or an operator, as in
          `{"karpenter.k8s.aws/instance-category": ["c", "m"], "karpenter.k8s.aws/instance-generation": Gt(4)}`.
        - `limits`: the most of a resource that all nodes may have together, as in
          `{"cpu": 1000, "memory": "1000Gi", "nodes": 20}`.
        - `weight`: 1 to 100; pools with a higher weight are tried first. `replicas` makes the pool static.
        - `expire_after`: the longest life of a node, such as `720h` (the default) or `Never`.
        """
        place, problems = object_place(KIND, name), Problems()
        if not isinstance(node_class, NodeClassRef | EC2NodeClass | AutoNodeClass | AKSNodeClass | str):
            allowed = "an EC2NodeClass, AutoNodeClass or AKSNodeClass, a NodeClassRef, or the name of an EC2NodeClass"
            problems.add(place.at("node_class"), f"found {kind_of(node_class)}", allowed)
        check_requirements(requirements, place.at("requirements"), problems)
        check_taints(taints, place.at("taints"), problems)
        check_taints(startup_taints, place.at("startup_taints"), problems)
        check_limits(limits, place.at("limits"), problems)
        problems.raise_if_any()
        reference = _reference(node_class)
        template_metadata = present(labels=labels, annotations=annotations)
        template_spec = {
            "nodeClassRef": reference.manifest(),
            "requirements": [e.manifest() for e in expressions(requirements)],
            **present(
                taints=written_taints(taints),
                startup_taints=written_taints(startup_taints),
                expire_after=expire_after,
                termination_grace_period=termination_grace_period,
            ),
        }
        spec = {
            "template": {**({"metadata": template_metadata} if template_metadata else {}), "spec": template_spec},
            **present(disruption=_disruption(disruption), limits=limits, weight=weight, replicas=replicas),
        }
        self._build(name, pool_labels, pool_annotations, spec)
        if not isinstance(node_class, NodeClassRef | str):
            self._set({"node_class": node_class})

    @property
    def registry(self) -> LabelRegistry:
        """Return the label keys of the provider of this pool's node class."""
        return registry_of(self.node_class_ref.group)

    @property
    def is_static(self) -> bool:
        """Tell whether the pool keeps a fixed number of nodes and never launches one for pending pods."""
        return self.replicas is not None

    @property
    def consolidates_pods(self) -> bool:
        """Tell whether Karpenter may consolidate nodes of the pool that have pods, and not just empty ones."""
        policy, after = self.disruption.consolidation_policy, self.disruption.consolidate_after
        return not (self.is_static or after == NEVER or policy == "WhenEmpty")

    def with_policy(self, policy: ConsolidationPolicy) -> NodePool:
        """Return the pool as stored by an API server with this default consolidation policy, which a written one overrides."""
        spec = self._written["spec"]
        written = spec.get("disruption") or {}
        if written.get("consolidationPolicy") is not None:
            return self
        disruption = {"consolidateAfter": self.disruption.consolidate_after, **written, "consolidationPolicy": policy}
        pool = self._of(
            {**self._written, "spec": {**spec, "disruption": disruption}}, self._source, self._karpenter, frozenset()
        )
        pool._set({"node_class": self.node_class})
        return pool

    def _attributes(self, fields: NodePoolFields) -> dict[str, Any]:
        metadata, spec, template = fields.metadata, fields.spec, fields.spec.template
        return {
            "name": metadata.name,
            "node_class_ref": template.spec.node_class_ref,
            "requirements": tuple(map(expression, template.spec.requirements)),
            "labels": template.metadata.labels,
            "annotations": template.metadata.annotations,
            "taints": tuple(map(taint, template.spec.taints)),
            "startup_taints": tuple(map(taint, template.spec.startup_taints)),
            "limits": spec.limits,
            "weight": spec.weight or 0,
            "replicas": spec.replicas,
            "expire_after": template.spec.expire_after,
            "termination_grace_period": template.spec.termination_grace_period,
            "disruption": spec.disruption,
            "pool_labels": metadata.labels,
            "pool_annotations": metadata.annotations,
            "deleting": metadata.deletion_timestamp is not None,
            "conditions": fields.status.conditions,
            "node_class": None,
        }


def _disruption(disruption: Disruption | None) -> dict[str, Any] | None:
    # Releases differ in whether consolidateAfter may be left out, so it is always written here (V-4).
    if disruption is None:
        return None
    return {"consolidateAfter": DEFAULT_CONSOLIDATE_AFTER, **as_manifest(disruption)}


def _reference(node_class: EC2NodeClass | AutoNodeClass | AKSNodeClass | NodeClassRef | str) -> NodeClassRef:
    if isinstance(node_class, NodeClassRef):
        return node_class
    if not isinstance(node_class, str):
        return NodeClassRef(group=node_class.API_VERSION.partition("/")[0], kind=node_class.KIND, name=node_class.name)
    return NodeClassRef(group=AWS_GROUP, kind=EC2NodeClass.KIND, name=node_class)
