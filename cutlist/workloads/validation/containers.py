"""Containers of a pod: names, images, ports, environment, mounts, restart policies (W-26 to W-39)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.shapes import shown
from cutlist.workloads.fields.notation import words_of
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.environment import check_environment
from cutlist.workloads.validation.handlers import check_lifecycle, check_probe
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.resources import check_resources
from cutlist.workloads.validation.security import check_container_security

Manifest = Mapping[str, Any]

PROTOCOLS: Final = tuple(sorted(words_of("ContainerPort", "protocol")))
PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")
PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_MESSAGES: Final = ("File", "FallbackToLogsOnError")
_RESTARTS: Final = ("Always", "Never", "OnFailure")
_RESTART_RULES: Final = 35  # the first minor version in which every container may have a restart policy
_RULES_OF_SIDECARS: Final = 37  # the first minor version in which ordinary containers may have restart rules
_RESTART_OF_ALL: Final = 36  # the first minor version in which a rule may restart all containers of the pod
_ACTIONS: Final = ("Restart", "RestartAllContainers")
_MOST_RULES: Final = 20
_MOST_CODES: Final = 255
_PROPAGATIONS: Final = ("Bidirectional", "HostToContainer", "None")
_OF_EPHEMERAL: Final = ("lifecycle", "ports", "resources", *PROBES, "resizePolicy", "restartPolicy", "restartPolicyRules")


@dataclass(frozen=True, slots=True)
class PodContext:
    """What containers refer to in their pod: volumes by name, names of resource claims, and some fields of its spec.

    A pod that is not a template `is_on_host` if it uses the host's network: each of its ports is then a host port.
    """

    volumes: Mapping[str, Manifest]
    claims: Collection[str]
    grace: int
    os: str
    restart_policy: str
    shares_users: bool
    is_pod: bool
    is_on_host: bool


def check_containers(containers: Sequence[Manifest], path: str, pod: PodContext, refusals: Refusals) -> None:
    """Add what is wrong with the ordinary containers, which run together."""
    if not containers:
        refusals.required(path, "at least one container is needed")
    names: set[str] = set()
    for index, container in enumerate(containers):
        here = f"{path}[{index}]"
        check_container(container, here, pod, refusals)
        name = container.get("name") or ""
        if name in names:
            refusals.duplicate(f"{here}.name", name)
        names.add(name)
        _check_running(container, here, pod, refusals)
        if refusals.minor >= _RESTART_RULES:
            _check_restart(container, here, refusals)
        elif container.get("restartPolicy") is not None:
            refusals.add(f"{here}.restartPolicy", "may only be set for init containers", "Kubernetes 1.35 and later")
    _check_host_ports(containers, path, pod.is_on_host, refusals)


def check_init_containers(
    containers: Sequence[Manifest], path: str, others: Sequence[Manifest], pod: PodContext, refusals: Refusals
) -> None:
    """Add what is wrong with init containers, which `others` follow. Those that always restart run beside the others."""
    names = {container.get("name") or "" for container in others}
    for index, container in enumerate(containers):
        here = f"{path}[{index}]"
        check_container(container, here, pod, refusals)
        _check_init_restart(container, here, refusals)
        name = container.get("name") or ""
        if name in names:
            refusals.duplicate(f"{here}.name", name)
        elif name:
            names.add(name)
        _check_host_ports([container], path, pod.is_on_host, refusals)
        if container.get("restartPolicy") == "Always":
            _check_running(container, here, pod, refusals)
            continue
        hooks = container.get("lifecycle") or {}
        has_hooks = any(hooks.get(name) is not None for name in ("postStart", "preStop"))
        for name in (*("lifecycle",) * has_hooks, *(probe for probe in PROBES if container.get(probe) is not None)):
            refusals.add(f"{here}.{name}", "may not be set for init containers without restartPolicy: Always")


def check_ephemeral_containers(
    containers: Sequence[Manifest], path: str, others: Sequence[Manifest], pod: PodContext, refusals: Refusals
) -> None:
    """Add what is wrong with ephemeral containers, which may only be added to a pod that runs."""
    targets = {container.get("name") or "" for container in others}
    names = set(targets)
    for index, container in enumerate(containers):
        here = f"{path}[{index}]"
        check_container(container, here, pod, refusals)
        name, target = container.get("name") or "", container.get("targetContainerName") or ""
        if name in names:
            refusals.duplicate(f"{here}.name", name)
        names.add(name)
        if target and target not in targets:
            refusals.not_found(f"{here}.targetContainerName", target, "container", targets)
        for member in _OF_EPHEMERAL:
            if container.get(member):
                refusals.add(f"{here}.{member}", "cannot be set for an ephemeral container")
        for position, mount in enumerate(container.get("volumeMounts") or ()):
            for member in ("subPath", "subPathExpr"):
                if mount.get(member):
                    refusals.add(f"{here}.volumeMounts[{position}].{member}", "cannot be set for an ephemeral container")


def check_container(container: Manifest, path: str, pod: PodContext, refusals: Refusals) -> None:
    """Add what is wrong with a container of any sort."""
    name, image = container.get("name") or "", container.get("image") or ""
    if not name:
        refusals.required(f"{path}.name")
    else:
        formats.dns_label(name, f"{path}.name", refusals)
    if not image:
        refusals.required(f"{path}.image")
    elif pod.is_pod and image.strip() != image:
        refusals.invalid(f"{path}.image", image, "must not have leading or trailing whitespace")
    one_of(container.get("terminationMessagePolicy") or None, f"{path}.terminationMessagePolicy", _MESSAGES, refusals)
    one_of(container.get("imagePullPolicy") or None, f"{path}.imagePullPolicy", PULL_POLICIES, refusals)
    _check_ports(container.get("ports") or (), f"{path}.ports", refusals)
    check_environment(container, path, refusals)
    _check_mounts(container, path, pod.volumes, refusals)
    _check_devices(container, path, pod.volumes, refusals)
    check_resources(container.get("resources"), f"{path}.resources", pod.claims, refusals)
    _check_resize(container.get("resizePolicy") or (), f"{path}.resizePolicy", pod.restart_policy, refusals)
    check_container_security(container.get("securityContext"), f"{path}.securityContext", pod.shares_users, refusals)


def _check_running(container: Manifest, path: str, pod: PodContext, refusals: Refusals) -> None:
    """Add what is wrong with fields that only long-running containers have."""
    check_lifecycle(container.get("lifecycle"), f"{path}.lifecycle", pod.grace, pod.os, refusals)
    for name in PROBES:
        check_probe(container.get(name), f"{path}.{name}", refusals, only_once=name != "readinessProbe")


def _check_restart(container: Manifest, path: str, refusals: Refusals) -> None:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or ()
    if policy is None and rules:
        refusals.required(f"{path}.restartPolicy", "restartPolicyRules need it")
    one_of(policy, f"{path}.restartPolicy", _RESTARTS, refusals)
    if len(rules) > _MOST_RULES:
        refusals.add(f"{path}.restartPolicyRules", f"has {len(rules)} rules", f"at most {_MOST_RULES}")
    for index, rule in enumerate(rules):
        here, codes = f"{path}.restartPolicyRules[{index}]", rule.get("exitCodes")
        actions = _ACTIONS if refusals.minor >= _RESTART_OF_ALL else _ACTIONS[:1]
        one_of(rule.get("action") or "", f"{here}.action", actions, refusals)
        if codes is None:
            refusals.required(f"{here}.exitCodes")
        else:
            one_of(codes.get("operator") or "", f"{here}.exitCodes.operator", ("In", "NotIn"), refusals)
            if len(codes.get("values") or ()) > _MOST_CODES:
                refusals.add(f"{here}.exitCodes.values", f"has {len(codes['values'])} values", f"at most {_MOST_CODES}")


def _check_init_restart(container: Manifest, path: str, refusals: Refusals) -> None:
    policy = container.get("restartPolicy")
    if refusals.minor < _RESTART_RULES:
        one_of(policy, f"{path}.restartPolicy", ("Always",), refusals)
    elif policy == "Always" and refusals.minor < _RULES_OF_SIDECARS:
        if container.get("restartPolicyRules"):
            refusals.add(f"{path}.restartPolicyRules", "may not be set for init containers with restartPolicy: Always")
    else:
        _check_restart(container, path, refusals)


def _check_ports(ports: Sequence[Manifest], path: str, refusals: Refusals) -> None:
    names: set[str] = set()
    for index, port in enumerate(ports):
        here, name = f"{path}[{index}]", port.get("name") or ""
        if name and formats.port_name(name, f"{here}.name", refusals):
            if name in names:
                refusals.duplicate(f"{here}.name", name)
            names.add(name)
        if not port.get("containerPort"):
            refusals.required(f"{here}.containerPort")
        else:
            formats.port_number(port["containerPort"], f"{here}.containerPort", refusals)
        if port.get("hostPort"):
            formats.port_number(port["hostPort"], f"{here}.hostPort", refusals)
        one_of(port.get("protocol") or None, f"{here}.protocol", PROTOCOLS, refusals)


def _check_host_ports(containers: Sequence[Manifest], path: str, is_on_host: bool, refusals: Refusals) -> None:
    """Add host ports that two containers that run together both claim."""
    claimed: set[tuple[str, str, int]] = set()
    for index, container in enumerate(containers):
        for position, port in enumerate(container.get("ports") or ()):
            number = port.get("hostPort") or (port.get("containerPort") if is_on_host else 0) or 0
            key = (port.get("protocol") or "TCP", port.get("hostIP") or "", number)
            if key[2] and key in claimed:
                refusals.duplicate(f"{path}[{index}].ports[{position}].hostPort", "/".join(map(str, key)))
            claimed.add(key)


def _check_mounts(container: Manifest, path: str, volumes: Mapping[str, Manifest], refusals: Refusals) -> None:
    mounts, devices = container.get("volumeMounts") or (), container.get("volumeDevices") or ()
    paths: set[str] = set()
    for index, mount in enumerate(mounts):
        here = f"{path}.volumeMounts[{index}]"
        name, where = mount.get("name") or "", mount.get("mountPath") or ""
        if not name:
            refusals.required(f"{here}.name")
        elif name not in volumes:
            refusals.not_found(f"{here}.name", name, "volume", volumes)
        if not where:
            refusals.required(f"{here}.mountPath")
        if where in paths:
            refusals.invalid(f"{here}.mountPath", where, "must be unique")
        paths.add(where)
        if any(name == device.get("name") for device in devices):
            refusals.invalid(f"{here}.name", name, "must not be in volumeDevices too")
        if any(where == device.get("devicePath") for device in devices):
            refusals.invalid(f"{here}.mountPath", where, "must not be a path in volumeDevices too")
        _check_mount_options(mount, here, f"{path}.volumeMounts", container, refusals)


def _check_mount_options(mount: Manifest, path: str, shortened: str, container: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with how a volume is mounted; the API server leaves the index out of these paths."""
    inside, expression = mount.get("subPath") or "", mount.get("subPathExpr") or ""
    if inside:
        formats.relative_path(inside, f"{shortened}.subPath", refusals)
    if expression:
        if inside:
            refusals.invalid(f"{path}.subPathExpr", expression, "and subPath exclude each other")
        formats.relative_path(expression, f"{shortened}.subPathExpr", refusals)
    propagation = mount.get("mountPropagation")
    one_of(propagation, f"{shortened}.mountPropagation", _PROPAGATIONS, refusals)
    if propagation == "Bidirectional" and (container.get("securityContext") or {}).get("privileged") is not True:
        refusals.add(f"{shortened}.mountPropagation", "Bidirectional needs a privileged container")
    recursive = mount.get("recursiveReadOnly")
    one_of(recursive, f"{shortened}.recursiveReadOnly", ("Disabled", "Enabled", "IfPossible"), refusals)
    if recursive in ("Enabled", "IfPossible"):
        if not mount.get("readOnly"):
            refusals.add(f"{shortened}.recursiveReadOnly", "needs readOnly: true")
        if propagation not in (None, "None"):
            refusals.add(f"{shortened}.recursiveReadOnly", "needs mountPropagation None")


def _check_devices(container: Manifest, path: str, volumes: Mapping[str, Manifest], refusals: Refusals) -> None:
    mounts = container.get("volumeMounts") or ()
    names: set[str] = set()
    paths: set[str] = set()
    for index, device in enumerate(container.get("volumeDevices") or ()):
        here = f"{path}.volumeDevices[{index}]"
        name, where = device.get("name") or "", device.get("devicePath") or ""
        if not name:
            refusals.required(f"{here}.name")
        elif name not in volumes:
            refusals.not_found(f"{here}.name", name, "volume", volumes)
        elif not {"persistentVolumeClaim", "ephemeral"} & {key for key, value in volumes[name].items() if value is not None}:
            refusals.invalid(f"{here}.name", name, "must be a persistentVolumeClaim or ephemeral volume")
        if name in names:
            refusals.invalid(f"{here}.name", name, "must be unique")
        if not where:
            refusals.required(f"{here}.devicePath")
        elif ".." in where.split("/"):
            refusals.invalid(f"{here}.devicePath", where, "must not contain '..'")
        if where in paths:
            refusals.invalid(f"{here}.devicePath", where, "must be unique")
        names.add(name)
        paths.add(where)
        if any(name == mount.get("name") for mount in mounts):
            refusals.invalid(f"{here}.name", name, "must not be in volumeMounts too")
        if any(where == mount.get("mountPath") for mount in mounts):
            refusals.invalid(f"{here}.devicePath", where, "must not be a path in volumeMounts too")


def _check_resize(policies: Sequence[Manifest], path: str, restart_policy: str, refusals: Refusals) -> None:
    resources: set[str] = set()
    for index, policy in enumerate(policies):
        resource, restart = policy.get("resourceName") or "", policy.get("restartPolicy") or ""
        if resource in resources:
            refusals.duplicate(f"{path}[{index}]", resource)
        resources.add(resource)
        one_of(resource, path, ("cpu", "memory"), refusals)
        one_of(restart, path, ("NotRequired", "RestartContainer"), refusals)
        if restart_policy == "Never" and restart != "NotRequired":
            refusals.add(path, f"{shown(restart)} must be 'NotRequired' when restartPolicy is 'Never'")
