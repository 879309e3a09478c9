"""The AKSNodeClass: how Karpenter creates machines on Azure (spec: azure 2)."""

from __future__ import annotations

from typing import ClassVar

from cutlist.api.aksnodeclass_fields import API_VERSION, KIND, AKSNodeClassSpec, AKSNodeClassStatus
from cutlist.api.aksnodeclass_rules import AKS_NODE_CLASS
from cutlist.api.fields import Field
from cutlist.api.model import Model
from cutlist.api.objects import NodeClassObject
from cutlist.api.validation import ObjectKind


class AKSNodeClass(NodeClassObject, AKSNodeClassSpec):
    """How machines are created: image, disk, network, kubelet, operating system. What is absent has the API server's default.

    `os_disk_size_gb` is in decimal gigabytes. A class may be read as `v1alpha2` or `v1beta1`, which have the same fields. Two
    classes are equal when their fields are, however they were written.

    Building one raises InputError with everything that the API server would refuse.

    - `image_family`: Ubuntu (the default), Ubuntu2204, Ubuntu2404 or AzureLinux.
    - `os_disk_size_gb`: 30 to 2048, 128 by default. `max_pods`: 10 to 250; by default as the network has it.
    - `linux_os_config` with a swap file needs `kubelet=AksKubelet(fail_swap_on=False)`.
    """

    API_VERSION: ClassVar[str] = API_VERSION
    KIND: ClassVar[str] = KIND
    _VALIDATED_AS: ClassVar[ObjectKind] = AKS_NODE_CLASS
    _SPEC: ClassVar[type[Model]] = AKSNodeClassSpec
    _FIRST: ClassVar[tuple[str, ...]] = ("image_family",)

    status: AKSNodeClassStatus = Field(default_factory=AKSNodeClassStatus, init=False)
