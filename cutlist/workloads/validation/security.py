"""Security contexts of pods and containers, on Linux and on Windows (W-40 to W-44)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals, one_of

Manifest = Mapping[str, Any]

_IDS: Final = ("runAsUser", "runAsGroup", "fsGroup")
_HIGHEST_ID: Final = 2**31 - 1
_PROFILES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_SYSCTL: Final = re.compile(r"([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?", re.ASCII)
_LONGEST_SYSCTL: Final = 253
_OF_NETWORK: Final = ("net.",)
_OF_IPC: Final = ("kernel.shm", "kernel.msg", "kernel.sem", "fs.mqueue.")
_POD_MEMBERS_NOT_ON_WINDOWS: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls", "runAsUser"),
    *("runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"),
)
_CONTAINER_MEMBERS_NOT_ON_WINDOWS: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged"),
    *("allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"),
)
_NO_DEVICES: Final = 34  # the first minor version that refuses devices in pods with their own users
_MEMBER_OF_POD: Final = 37  # the first minor version that names shareProcessNamespace as the pod has it
_CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")


def check_container_security(context: Manifest | None, path: str, shares_users: bool, refusals: Refusals) -> None:
    """Add what is wrong with the security context of a container; `shares_users` says that it has the host's users."""
    if not context:
        return
    _check_ids(context, path, refusals)
    mount = context.get("procMount")
    one_of(mount, f"{path}.procMount", ("Default", "Unmasked"), refusals)
    if mount == "Unmasked" and shares_users:
        refusals.invalid(f"{path}.procMount", mount, "needs hostUsers: false")
    if context.get("allowPrivilegeEscalation") is False:
        if context.get("privileged") is True:
            refusals.add(path, "allowPrivilegeEscalation cannot be false with privileged: true")
        if "CAP_SYS_ADMIN" in ((context.get("capabilities") or {}).get("add") or ()):
            refusals.add(path, "allowPrivilegeEscalation cannot be false with the capability CAP_SYS_ADMIN")
    _check_profiles(context, path, refusals)
    _check_windows_options(context.get("windowsOptions"), f"{path}.windowsOptions", refusals)


def check_pod_security(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the security context of a pod."""
    context, here = spec.get("securityContext") or {}, f"{path}.securityContext"
    _check_ids(context, here, refusals)
    for index, group in enumerate(context.get("supplementalGroups") or ()):
        _check_id(group or 0, f"{here}.supplementalGroups[{index}]", refusals)
    if spec.get("shareProcessNamespace") is True and spec.get("hostPID") is True:
        shown_at = path if refusals.minor >= _MEMBER_OF_POD else here
        text = "cannot be true with hostPID: true"
        refusals.add_at(f"{path}.shareProcessNamespace", f"{shown_at}.shareProcessNamespace", text)
    _check_sysctls(spec, here, refusals)
    one_of(context.get("fsGroupChangePolicy"), f"{here}.fsGroupChangePolicy", ("Always", "OnRootMismatch"), refusals)
    one_of(context.get("supplementalGroupsPolicy"), f"{here}.supplementalGroupsPolicy", ("Merge", "Strict"), refusals)
    one_of(context.get("seLinuxChangePolicy"), f"{here}.seLinuxChangePolicy", ("MountOption", "Recursive"), refusals)
    _check_profiles(context, here, refusals)
    _check_windows_options(context.get("windowsOptions"), f"{here}.windowsOptions", refusals)


def check_operating_system(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add fields that do not exist on the operating system that a pod names."""
    if spec.get("os") is None:
        return
    name = spec["os"].get("name") or ""
    if not name:
        refusals.required(f"{path}.os.name")
    elif name == "linux":
        for here, context in _contexts(spec, path):
            if context.get("windowsOptions") is not None:
                refusals.add(f"{here}.windowsOptions", "cannot be set for a linux pod")
    elif name == "windows":
        _check_windows_pod(spec, path, refusals)
    else:
        one_of(name, f"{path}.os", ("linux", "windows"), refusals)


def _check_windows_pod(spec: Manifest, path: str, refusals: Refusals) -> None:
    for member in ("hostUsers", "shareProcessNamespace", "hostPID", "hostIPC"):
        if spec.get(member) is not None and (spec[member] or member in ("hostUsers", "shareProcessNamespace")):
            refusals.add(f"{path}.{member}", "cannot be set for a windows pod")
    for here, context in _contexts(spec, path):
        of_pod = here == f"{path}.securityContext"
        for member in _POD_MEMBERS_NOT_ON_WINDOWS if of_pod else _CONTAINER_MEMBERS_NOT_ON_WINDOWS:
            if context.get(member) is not None and (context[member] != [] or member != "sysctls"):
                refusals.add(f"{here}.{member}", "cannot be set for a windows pod")


def _contexts(spec: Manifest, path: str) -> Iterator[tuple[str, Manifest]]:
    """Yield the security contexts of a pod and of its containers, each with its path."""
    if spec.get("securityContext"):
        yield f"{path}.securityContext", spec["securityContext"]
    for part in _CONTAINERS:
        for index, container in enumerate(spec.get(part) or ()):
            if container and container.get("securityContext"):
                yield f"{path}.{part}[{index}].securityContext", container["securityContext"]


def check_host_processes(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a Windows pod whose containers run as host processes."""
    of_pod = ((spec.get("securityContext") or {}).get("windowsOptions") or {}).get("hostProcess")
    running: list[bool] = []
    for part in _CONTAINERS:
        for index, container in enumerate(spec.get(part) or ()):
            own = ((container.get("securityContext") or {}).get("windowsOptions") or {}).get("hostProcess")
            if None not in (of_pod, own) and of_pod != own:
                here = f"{path}.{part}[{index}].securityContext.windowsOptions.hostProcess"
                refusals.invalid(here, own, "must be the same as hostProcess of the pod")
            running.append(bool(of_pod if own is None else own))
    if any(running):
        if not all(running):
            refusals.add(path, "all containers must be HostProcess containers if any is")
        if not spec.get("hostNetwork"):
            refusals.add(f"{path}.hostNetwork", "must be true for HostProcess containers")


def check_host_users(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add what a pod with its own user namespace cannot share with the host."""
    if spec.get("hostUsers") is not False:
        return
    for member, named in (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if spec.get(member):
            refusals.add_at(f"{path}.{member}", f"{path}.{named}", "cannot be true with hostUsers: false")
    for part in _CONTAINERS:
        for index, container in enumerate(spec.get(part) or ()):
            if container.get("volumeDevices") and refusals.minor >= _NO_DEVICES:
                refusals.add(f"{path}.{part}[{index}].volumeDevices", "cannot be used with hostUsers: false")


def _check_ids(context: Manifest, path: str, refusals: Refusals) -> None:
    for name in _IDS:
        if context.get(name) is not None:
            _check_id(context[name], f"{path}.{name}", refusals)


def _check_id(value: int, path: str, refusals: Refusals) -> None:
    if not 0 <= value <= _HIGHEST_ID:
        refusals.invalid(path, value, f"must be between 0 and {_HIGHEST_ID}, inclusive")


def _check_profiles(context: Manifest, path: str, refusals: Refusals) -> None:
    for member in ("seccompProfile", "appArmorProfile"):
        profile, here = context.get(member), f"{path}.{member}"
        if profile is None:
            continue
        kind, local = profile.get("type") or "", profile.get("localhostProfile")
        if not kind:
            refusals.required(f"{here}.type")
        else:
            one_of(kind, f"{here}.type", _PROFILES, refusals)
        if kind == "Localhost":
            if local is None or (member == "appArmorProfile" and not local.strip()):
                refusals.required(f"{here}.localhostProfile", "type is Localhost")
            elif member == "seccompProfile":
                formats.relative_path(local, f"{here}.localhostProfile", refusals)
            elif local.strip() != local:
                refusals.invalid(f"{here}.localhostProfile", local, "must not be padded with whitespace")
        elif local is not None and (member == "seccompProfile" or kind in _PROFILES):
            refusals.add(f"{here}.localhostProfile", "can only be set when type is Localhost")


def _check_sysctls(spec: Manifest, path: str, refusals: Refusals) -> None:
    names: set[str] = set()
    for index, sysctl in enumerate((spec.get("securityContext") or {}).get("sysctls") or ()):
        name, here = sysctl.get("name") or "", f"{path}.sysctls[{index}].name"
        if not name:
            refusals.required(here)
        elif len(name) > _LONGEST_SYSCTL or not _SYSCTL.fullmatch(name):
            refusals.invalid(here, name, "is not the name of a sysctl", "such as net.core.somaxconn")
        elif name in names:
            refusals.duplicate(here, name)
        names.add(name)
        dotted = name.replace("/", ".")
        if spec.get("hostNetwork") and dotted.startswith(_OF_NETWORK):
            refusals.invalid(here, name, "may not be set when hostNetwork is true")
        if spec.get("hostIPC") and dotted.startswith(_OF_IPC):
            refusals.invalid(here, name, "may not be set when hostIPC is true")


def _check_windows_options(options: Manifest | None, path: str, refusals: Refusals) -> None:
    if not options:
        return
    if options.get("gmsaCredentialSpecName") is not None:
        formats.object_name(options["gmsaCredentialSpecName"], f"{path}.gmsaCredentialSpecName", refusals)
    for name in ("gmsaCredentialSpec", "runAsUserName"):
        if options.get(name) == "":
            refusals.add(f"{path}.{name}", "cannot be empty")
