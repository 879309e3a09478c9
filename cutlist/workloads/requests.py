"""The requests of pods, all containers together (spec: scheduling 1.5 and 1.6, S-7 to S-12).

The manifest is expected as the API server stores it, with missing requests already filled in from limits (spec 1.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.quantity import NANO, Format, Quantity, maximum, merge

Manifest = Mapping[str, Any]
Amounts = dict[str, Quantity]

_ONE_POD: Final = Quantity(NANO, Format.DECIMAL_EXPONENT)


def pod_requests(manifest: Manifest) -> Amounts:
    """Return the requests of a pod, or of a pod template: `metadata` may be missing, `spec` holds containers and overhead.

    Raises QuantityError for a text that is not an amount.
    """
    spec = manifest.get("spec") or {}
    total = maximum(*_uses(spec, _Status(manifest.get("status") or {})))
    at_pod_level = read_amounts((spec.get("resources") or {}).get("requests"))
    total |= {name: amount for name, amount in at_pod_level.items() if is_pod_level(name)}
    total = merge(total, read_amounts(spec.get("overhead")))
    return {**total, "pods": _ONE_POD}


def is_pod_level(resource: str) -> bool:
    """Tell whether `spec.resources` of a pod may set this resource; others are ignored there."""
    return resource in ("cpu", "memory") or is_huge_pages(resource)


def is_huge_pages(resource: str) -> bool:
    """Tell whether a resource is memory in pages of a size of its own."""
    return resource.startswith("hugepages-")


def is_sidecar(init_container: Manifest) -> bool:
    """Tell whether an init container keeps running next to the ordinary ones."""
    return init_container.get("restartPolicy") == "Always"


def read_amounts(texts: Mapping[str, Any] | None) -> Amounts:
    """Return a resource list of a manifest."""
    return {name: Quantity.parse(0 if text is None else text) for name, text in (texts or {}).items()}


def _uses(spec: Manifest, status: _Status) -> Iterable[Amounts]:
    """Yield the pod's requests in each phase of its life: while all containers run, and while each init container runs."""
    init_containers = spec.get("initContainers") or ()
    running = [status.requests(c) for c in spec.get("containers") or ()]
    running += [status.requests(c) for c in init_containers if is_sidecar(c)]
    yield merge(*running)
    beside: Amounts = {}
    for container in init_containers:
        if is_sidecar(container):
            beside = merge(beside, status.requests(container))
            yield beside
        else:
            yield merge(_spec_requests(container), beside)


def _spec_requests(container: Manifest) -> Amounts:
    return read_amounts((container.get("resources") or {}).get("requests"))


class _Status:
    """The containers in a running pod's status: a resize in place may not have reached them yet (spec 1.6)."""

    def __init__(self, status: Manifest) -> None:
        kinds = ("containerStatuses", "initContainerStatuses")
        self._containers = {c.get("name"): c for kind in kinds for c in status.get(kind) or ()}
        resizes = (c for c in status.get("conditions") or () if c.get("type") == "PodResizePending")
        first: Manifest = next(resizes, {})
        self._infeasible = first.get("reason") == "Infeasible"

    def requests(self, container: Manifest) -> Amounts:
        """Return the effective requests of an ordinary or a restartable container (S-10)."""
        wanted = _spec_requests(container)
        status = self._containers.get(container.get("name"), {})
        resources = status.get("resources")
        if resources is None:
            return wanted
        held = read_amounts(resources.get("requests")), read_amounts(status.get("allocatedResources"))
        return maximum(*held) if self._infeasible else maximum(wanted, *held)
