"""What stands in for drivers of devices: a node gets the ResourceSlices that its instance type has templates of.

    python -m tests.live.driver SERVER AUTHORITY TOKEN TYPES

TYPES is the file of instance types that Karpenter reads. A driver's pool has the name of its node.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.live.api import CONFLICT, NOT_FOUND, Api, ApiError
from tests.live.kubelet import tend
from tests.live.scenario import Object
from tests.live.scenarios.builders import INSTANCE_TYPE

_READY: Final = "Ready"


def templates(instance_types: Sequence[Object]) -> dict[str, Sequence[Object]]:
    """Return the templates of ResourceSlices by instance type, without those of drivers that never come up."""
    found = {each["name"]: each.get("dynamicResources", {}).get("resourceSliceTemplates", ()) for each in instance_types}
    return {name: [each for each in slices if each.get("isPublished", True)] for name, slices in found.items()}


def slices_of(node: Object, published: Sequence[Object]) -> Iterator[dict[str, Any]]:
    """Yield the ResourceSlices of a node: each belongs to it, and those of one driver are a pool."""
    name, uid = node["metadata"]["name"], node["metadata"]["uid"]
    counts = Counter(template["driver"] for template in published)
    for number, template in enumerate(published):
        driver = template["driver"]
        yield {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {
                "name": f"{name}-{driver}-{number}",
                "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": name, "uid": uid}],
            },
            "spec": {
                "driver": driver,
                "nodeName": name,
                "pool": {"name": name, "generation": 1, "resourceSliceCount": counts[driver]},
                **{member: template[member] for member in ("sharedCounters",) if member in template},
                **({"devices": list(devices_of(template["devices"]))} if "devices" in template else {}),
            },
        }


def devices_of(devices: Sequence[Object]) -> Iterator[dict[str, Any]]:
    """Yield the devices of a template, one by one where it counts them."""
    for device in devices:
        own = {member: value for member, value in device.items() if member != "count"}
        count = device.get("count")
        names = [own["name"]] if count is None else [f"{own['name']}-{number}" for number in range(count)]
        yield from ({**own, "name": name} for name in names)


def publish(api: Api, node: Mapping[str, Any], by_type: Mapping[str, Sequence[Object]]) -> None:
    """Publish the devices of a node that is Ready and stays, unless they are."""
    is_ready = any(each["type"] == _READY and each["status"] == "True" for each in node["status"].get("conditions") or ())
    if node["metadata"].get("deletionTimestamp") or not is_ready:
        return
    published = by_type.get((node["metadata"].get("labels") or {}).get(INSTANCE_TYPE, ""), ())
    for slice_ in slices_of(node, published):
        try:
            api.create(slice_)
        except ApiError as error:
            if error.code not in (CONFLICT, NOT_FOUND):
                raise


def main(server: str, authority: str, token: str, types: str) -> None:
    """Stand in for the drivers of a cluster until the process ends."""
    by_type = templates(json.loads(Path(types).read_text()))
    tend(Api(server, Path(authority), token), "Node", lambda api, node: publish(api, node, by_type))


if __name__ == "__main__":
    main(*sys.argv[1:])
