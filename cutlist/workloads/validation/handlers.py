"""Probes and lifecycle hooks of containers (W-35, W-36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals, not_negative, one_of

Manifest = Mapping[str, Any]

_OF_PROBES: Final = ("exec", "httpGet", "tcpSocket", "grpc")
_OF_HOOKS: Final = ("exec", "httpGet", "tcpSocket", "sleep")
_SECONDS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_SIGNALS_OF_WINDOWS: Final = ("SIGKILL", "SIGTERM")


def check_probe(probe: Manifest | None, path: str, refusals: Refusals, *, only_once: bool) -> None:
    """Add what is wrong with a probe; one success is enough for those that restart a container."""
    if probe is None:
        return
    _check_handler(probe, path, _OF_PROBES, 0, refusals)
    for name in _SECONDS:
        not_negative(probe.get(name), f"{path}.{name}", refusals)
    grace = probe.get("terminationGracePeriodSeconds")
    if only_once:
        if (probe.get("successThreshold") or 1) != 1:
            refusals.invalid(f"{path}.successThreshold", probe["successThreshold"], "must be 1")
        if grace is not None and grace <= 0:
            refusals.invalid(f"{path}.terminationGracePeriodSeconds", grace, "must be greater than 0")
    elif grace is not None:
        refusals.add(f"{path}.terminationGracePeriodSeconds", "must not be set for readinessProbes")


def check_lifecycle(lifecycle: Manifest | None, path: str, grace: int, os: str, refusals: Refusals) -> None:
    """Add what is wrong with hooks and with the signal that stops a container of a pod with this grace period."""
    if not lifecycle:
        return
    for name in ("postStart", "preStop"):
        if lifecycle.get(name) is not None:
            _check_handler(lifecycle[name], f"{path}.{name}", _OF_HOOKS, grace, refusals)
    signal = lifecycle.get("stopSignal")
    if signal is not None and os == "windows":
        one_of(signal, f"{path}.stopSignal", _SIGNALS_OF_WINDOWS, refusals)


def _check_handler(handler: Manifest, path: str, kinds: Sequence[str], grace: int, refusals: Refusals) -> None:
    chosen = [name for name in kinds if handler.get(name) is not None]
    if not chosen:
        refusals.required(path, f"one of {', '.join(kinds)} is needed")
    for name in chosen[1:]:
        refusals.add(f"{path}.{name}", f"may not be set beside {chosen[0]}")
    for name in chosen[:1]:
        here, action = f"{path}.{name}", handler[name]
        if name == "exec" and not action.get("command"):
            refusals.required(f"{here}.command")
        elif name == "httpGet":
            _check_request(action, here, refusals)
        elif name in ("tcpSocket", "grpc"):
            formats.port(action.get("port"), f"{here}.port", refusals)
        elif name == "sleep" and not 0 <= (action.get("seconds") or 0) <= grace:
            text = f"must be non-negative and at most terminationGracePeriodSeconds ({grace})"
            refusals.add_at(f"{here}.seconds", here, f"{action['seconds']} {text}")


def _check_request(request: Manifest, path: str, refusals: Refusals) -> None:
    formats.port(request.get("port"), f"{path}.port", refusals)
    one_of(request.get("scheme") or None, f"{path}.scheme", ("HTTP", "HTTPS"), refusals)
    for index, header in enumerate(request.get("httpHeaders") or ()):
        if not formats.is_header(header.get("name") or ""):
            written = f"{path}.httpHeaders[{index}].name"
            refusals.add_at(
                written, f"{path}.httpHeaders", f"{header.get('name')!r} cannot name an HTTP header", "letters, digits and -"
            )
