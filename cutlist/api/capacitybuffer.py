"""The CapacityBuffer: capacity that is kept free for future pods (spec: api-objects 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutlist.api.capacitybuffer_fields import (
    ACTIVE_CAPACITY,
    API_VERSION,
    KIND,
    CapacityBufferStatus,
    PodTemplateRef,
    ScalableRef,
)
from cutlist.api.capacitybuffer_rules import CAPACITY_BUFFER
from cutlist.api.model import present
from cutlist.api.objects import Source, SpecObject
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.quantity import Quantity


@dataclass(frozen=True, slots=True, init=False)
class CapacityBuffer(SpecObject):
    """Capacity kept free for pods of a template or of a workload. Karpenter's gate CapacityBuffer has to be on. The larger of
    `replicas` and `percentage` (of the workload's replicas, rounded up) counts in Karpenter, although the CRD's text says the
    smaller; `limits` caps the sum of the pods' requests. Two buffers are equal when these values are, however they were
    written.
    """

    API_VERSION: ClassVar = API_VERSION
    KIND: ClassVar = KIND
    _VALIDATED_AS: ClassVar = CAPACITY_BUFFER

    name: str
    namespace: str
    labels: dict[str, str]
    annotations: dict[str, str]
    provisioning_strategy: str
    pod_template_ref: PodTemplateRef | None
    scalable_ref: ScalableRef | None
    replicas: int | None
    percentage: int | None
    limits: dict[str, Quantity] | None
    deleting: bool
    status: CapacityBufferStatus
    _source: Source = field(compare=False, repr=False)
    _written: dict[str, Any] = field(compare=False, repr=False)
    _karpenter: Baseline = field(compare=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        namespace: str | None = None,
        pod_template: str | None = None,
        scalable_ref: ScalableRef | None = None,
        replicas: int | None = None,
        percentage: int | None = None,
        limits: Mapping[str, Quantity | str | int] | None = None,
        provisioning_strategy: str | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> None:
        """Build a buffer. Raises InputError with every reason for which it would be refused.

        - `pod_template`: the name of a PodTemplate in `namespace`; then `replicas` or `limits` have to be given as well. -
        `scalable_ref`: a Deployment, StatefulSet or ReplicaSet there, in place of a template. - `percentage`: of that
        workload's replicas, rounded up and at least 1.
        """
        spec = present(
            provisioning_strategy=provisioning_strategy,
            pod_template_ref=None if pod_template is None else {"name": pod_template},
            scalable_ref=scalable_ref,
            replicas=replicas,
            percentage=percentage,
            limits=limits,
        )
        self._build(name, labels, annotations, spec, namespace)

    @property
    def keeps_room(self) -> bool:
        """Tell whether Karpenter acts on the buffer: one with another strategy is for other programs."""
        return self.provisioning_strategy == ACTIVE_CAPACITY

    def _attributes(self, fields: Any) -> dict[str, Any]:
        return {**SpecObject._attributes(self, fields), "namespace": fields.metadata.namespace or "default"}
