"""Objects of `resource.k8s.io` and pods in which one member is another than it was; what an API server says is recorded.

    python -m tests.unit.workloads.validation.mutations questions | .oracle/kubernetes > answers.jsonl
    python -m tests.unit.workloads.validation.mutations write 1.35 FOLDER < answers.jsonl

The folder is packed by `python -m tests.recorded pack FOLDER tests/conformance/answers/kubernetes.tar.xz`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.recorded import VECTORS
from tests.unit.workloads.validation.record import paths_of_answer

GONE: Final = object()
_GPU: Final = "gpu.example.com"
_META: Final = {"name": "web", "labels": {"team": "ml"}}
_EXPRESSION: Final = f"device.attributes['{_GPU}'].model == 'a100'"
_ASKED: Final = {
    "deviceClassName": _GPU,
    "selectors": [{"cel": {"expression": _EXPRESSION}}],
    "allocationMode": "ExactCount",
    "count": 2,
    "tolerations": [{"key": "example.com/broken", "operator": "Equal", "value": "yes", "effect": "NoExecute"}],
    "capacity": {"requests": {"memory": "10Gi"}},
}
_OPAQUE: Final = {"driver": _GPU, "parameters": {"apiVersion": "gpu.example.com/v1", "kind": "Config", "sharing": {"n": 2}}}
_CLAIM: Final = {
    "devices": {
        "requests": [
            {"name": "gpu", "exactly": {**_ASKED, "adminAccess": False}},
            {"name": "nic", "firstAvailable": [{"name": "fast", **_ASKED}, {"name": "slow", "deviceClassName": "nic"}]},
        ],
        "constraints": [
            {"requests": ["gpu", "nic/fast"], "matchAttribute": "resource.kubernetes.io/pcieRoot"},
            {"distinctAttribute": f"{_GPU}/index"},
        ],
        "config": [{"requests": ["gpu"], "opaque": _OPAQUE}],
    }
}
_SELECTOR: Final = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}]}
_POOL: Final = {"name": "node-a", "generation": 3, "resourceSliceCount": 2}
_WHOLE: Final = {
    "name": "gpu-0",
    "attributes": {
        "model": {"string": "a100"},
        f"{_GPU}/index": {"int": 0},
        "healthy": {"bool": True},
        "driverVersion": {"version": "1.2.3"},
    },
    "capacity": {"memory": {"value": "40Gi"}},
    "taints": [{"key": "example.com/broken", "value": "yes", "effect": "NoSchedule"}],
    "consumesCounters": [{"counterSet": "all", "counters": {"memory": {"value": "40Gi"}, "slices": {"value": "7"}}}],
    "bindsToNode": True,
    "bindingConditions": ["example.com/attached"],
    "bindingFailureConditions": ["example.com/failed"],
}
_SHARED: Final = {
    "name": "gpu-1",
    "allowMultipleAllocations": True,
    "capacity": {
        "memory": {
            "value": "16Gi",
            "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "16Gi", "step": "1Gi"}},
        },
        "shares": {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2", "4"]}},
    },
}
_POD: Final = {
    "resourceClaims": [
        {"name": "gpu", "resourceClaimTemplateName": "one-gpu"},
        {"name": "nic", "resourceClaimName": "shared-nic"},
    ],
    "resources": {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "4"}},
    "containers": [
        {
            "name": "main",
            "image": "registry.example.com/main:1",
            "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
            "resources": {
                "requests": {"cpu": "1"},
                "limits": {"cpu": "2"},
                "claims": [{"name": "gpu", "request": "gpu"}, {"name": "nic"}],
            },
        }
    ],
}
BASES: Final[Mapping[str, Mapping[str, Any]]] = {
    "claim": {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": _META, "spec": _CLAIM},
    "template": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": _META,
        "spec": {"metadata": {"labels": {"team": "ml"}, "annotations": {"a.b/c": "d"}}, "spec": {"devices": {}}},
    },
    "class": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": _META,
        "spec": {
            "selectors": [{"cel": {"expression": f"device.driver == '{_GPU}'"}}],
            "config": [{"opaque": _OPAQUE}],
            "extendedResourceName": "example.com/gpu",
        },
    },
    "slice": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {"driver": _GPU, "pool": _POOL, "nodeSelector": _SELECTOR, "devices": [_WHOLE, _SHARED]},
    },
    "slice-by-device": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "perDeviceNodeSelection": True,
            "devices": [
                {"name": "a", "nodeName": "node-a"},
                {"name": "b", "nodeSelector": _SELECTOR},
                {"name": "c", "allNodes": True},
            ],
        },
    },
    "slice-of-counters": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "nodeName": "node-a",
            "sharedCounters": [{"name": "all", "counters": {"memory": {"value": "80Gi"}, "slices": {"value": "7"}}}],
        },
    },
    "claim-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "metadata": _META,
        "spec": {
            "devices": {
                "requests": [
                    {"name": "gpu", **_ASKED, "adminAccess": False},
                    {"name": "nic", "firstAvailable": [{"name": "fast", **_ASKED}]},
                ],
                "constraints": [{"requests": ["gpu", "nic/fast"], "matchAttribute": f"{_GPU}/numa"}],
            }
        },
    },
    "template-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaimTemplate",
        "metadata": _META,
        "spec": {"spec": {"devices": {"requests": [{"name": "gpu", "deviceClassName": _GPU}]}}},
    },
    "slice-v1beta1": {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceSlice",
        "metadata": _META,
        "spec": {
            "driver": _GPU,
            "pool": _POOL,
            "nodeName": "node-a",
            "allNodes": False,
            "devices": [{"name": "gpu-0", "basic": {"attributes": {"model": {"string": "a100"}}, "allNodes": None}}],
        },
    },
    "claim-v1beta2": {"apiVersion": "resource.k8s.io/v1beta2", "kind": "ResourceClaim", "metadata": _META, "spec": {}},
    "pod": {"apiVersion": "v1", "kind": "Pod", "metadata": _META, "spec": _POD},
}
_TEXTS: Final = ("", "A b", "a_b", "x" * 70, "a.b/c", "a/b/c", "3", "-1", 5, None, {}, GONE)
_NUMBERS: Final = (-1, 0, 1, 33, 10**6, 2**40, 1.5, "2", None, GONE)
_TRUTHS: Final = (True, False, "true", None, GONE)
_MAPS: Final = ({}, None, [], "x", GONE, {"a b": {}}, {"a": "b"})


class Mutation(NamedTuple):
    """An object with one member changed, by the name under which its answer is recorded."""

    name: str
    manifest: dict[str, Any]


def mutations() -> Iterator[Mutation]:
    """All changed objects, and the unchanged ones."""
    for name, base in BASES.items():
        yield Mutation(name, dict(base))
        for path, value in _members(base["spec"], ("spec",)):
            for index, odd in enumerate(_odd(value)):
                yield Mutation(f"{name} {'/'.join(map(str, path))} #{index}", _with(base, path, odd))


def _members(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from _members(member, (*path, key))


def _odd(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return _TRUTHS
    if isinstance(value, int):
        return _NUMBERS
    if isinstance(value, str):
        return _TEXTS
    if isinstance(value, list):
        return ([], [None], None, "x", {}, GONE, value * 2, value * 40)
    return _MAPS


def _with(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """A copy in which the member at a path is an odd one, or missing."""
    first, *rest = path
    if isinstance(value, dict):
        changed = {key: _with(member, tuple(rest), odd) if key == first and rest else member for key, member in value.items()}
        if not rest:
            changed = {key: odd if key == first else member for key, member in value.items()}
        return {key: member for key, member in changed.items() if member is not GONE}
    items = [_with(item, tuple(rest), odd) if index == first and rest else item for index, item in enumerate(value)]
    if not rest:
        items[first] = odd
    return [item for item in items if item is not GONE]


def answers(version: str) -> Mapping[str, list[str] | None]:
    """The recorded paths of what is refused, by name; None for what cannot be decoded."""
    recorded: dict[str, list[str] | None] = json.loads((VECTORS / "kubernetes" / f"{version}.json").read_text("utf-8"))
    return recorded


def main(command: str, version: str = "", folder: str = "") -> None:
    """Write the questions, or the answers of standard input as a file of a folder."""
    if command == "questions":
        sys.stdout.writelines(json.dumps({"name": m.name, "object": m.manifest}) + "\n" for m in mutations())
        return
    found = {answer["name"]: paths_of_answer(answer) for answer in map(json.loads, sys.stdin)}
    path = Path(folder) / f"{version}.json"
    path.write_text(json.dumps({m.name: found[m.name] for m in mutations()}, indent=0) + "\n", "utf-8")
    sys.stdout.write(f"{len(found)} answers\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
