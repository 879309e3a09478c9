"""Small objects of `resource.k8s.io` and `scheduling.k8s.io` that an API server takes, and how cases change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SELECTOR: Final = {"cel": {"expression": 'device.driver == "gpu.example.com"'}}
REQUEST: Final = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}
CLAIM: Final = {"devices": {"requests": [REQUEST]}}
DEVICE: Final = {"name": "gpu-0"}
POOL: Final = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}

DEVICE_SPECS: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("resource.k8s.io/v1", "DeviceClass"): {"spec": {"selectors": [SELECTOR]}},
    ("resource.k8s.io/v1", "ResourceClaim"): {"spec": CLAIM},
    ("resource.k8s.io/v1", "ResourceClaimTemplate"): {"spec": {"spec": CLAIM}},
    ("resource.k8s.io/v1", "ResourceSlice"): {
        "spec": {"driver": "gpu.example.com", "nodeName": "node-a", "pool": POOL, "devices": [DEVICE]}
    },
    ("scheduling.k8s.io/v1beta1", "PodGroup"): {"spec": {"schedulingPolicy": {"gang": {"minCount": 2}}}},
    ("scheduling.k8s.io/v1beta1", "Workload"): {
        "spec": {"podGroupTemplates": [{"name": "workers", "schedulingPolicy": {"basic": {}}}]}
    },
}
