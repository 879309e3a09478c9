"""Pods and pod templates, part by part (W-50 to W-57)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.core.shapes import shown
from cutlist.workloads.pods import DEFAULT_GRACE, DELETION_COST
from cutlist.workloads.validation import formats, security
from cutlist.workloads.validation.containers import (
    PodContext,
    check_containers,
    check_ephemeral_containers,
    check_init_containers,
)
from cutlist.workloads.validation.metadata import check_annotations
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.resources import check_pod_resources, check_resources
from cutlist.workloads.validation.selectors import check_affinity, check_spread, check_tolerations
from cutlist.workloads.validation.volumes import check_volumes

Manifest = Mapping[str, Any]

RESTART_POLICIES: Final = ("Always", "OnFailure", "Never")
PREEMPTION: Final = ("PreemptLowerPriority", "Never")
_DNS: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_MOST_SERVERS: Final = 3
_MOST_SEARCHES: Final = 32
_LONGEST_SEARCHES: Final = 2048
_LONGEST_HOSTNAME: Final = 64
_POD_RESOURCES: Final = 34  # the first minor version that uses pod-level resources by default


def check_template(template: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with a pod template. The API server leaves `metadata` out of the paths of its labels."""
    metadata = template.get("metadata") or {}
    formats.labels(metadata.get("labels"), f"{path}.labels", refusals, f"{path}.metadata.labels")
    check_pod_annotations(metadata.get("annotations"), f"{path}.annotations", refusals, f"{path}.metadata.annotations")
    spec = template.get("spec") or {}
    check_pod_spec(spec, f"{path}.spec", refusals)
    if spec.get("ephemeralContainers"):
        refusals.add(f"{path}.spec.ephemeralContainers", "are not allowed in a pod template")


def check_pod_annotations(annotations: Manifest | None, path: str, refusals: Refusals, written: str = "") -> None:
    """Add what is wrong with the annotations of a pod, some of which have a meaning."""
    check_annotations(annotations, path, refusals, written)
    cost = (annotations or {}).get(DELETION_COST)
    if cost and not (_INTEGER.fullmatch(cost) and -(2**31) <= int(cost) < 2**31):
        refusals.add_at(
            f"{written or path}.{DELETION_COST}", f"{path}[{DELETION_COST}]", f"{shown(cost)} must be a 32-bit integer"
        )


def check_pod(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a pod that is created."""
    metadata, spec = manifest.get("metadata") or {}, manifest.get("spec") or {}
    check_pod_annotations(metadata.get("annotations"), "metadata.annotations", refusals)
    check_pod_spec(spec, "spec", refusals, metadata.get("name") or "", is_pod=True)
    if spec.get("ephemeralContainers") and refusals.is_whole:
        refusals.add("spec.ephemeralContainers", "cannot be set when a pod is created")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        refusals.add("spec.nodeName", "cannot be set while there are schedulingGates")


def check_pod_spec(spec: Manifest, path: str, refusals: Refusals, pod_name: str = "", *, is_pod: bool = False) -> None:
    """Add what is wrong with the spec of a pod or of a template."""
    volumes = check_volumes(spec.get("volumes") or (), f"{path}.volumes", pod_name, refusals)
    _check_claims(spec.get("resourceClaims") or (), f"{path}.resourceClaims", refusals)
    grace = spec.get("terminationGracePeriodSeconds")
    context = PodContext(
        volumes,
        [claim["name"] for claim in spec.get("resourceClaims") or () if claim.get("name")],
        DEFAULT_GRACE if grace is None else grace,
        (spec.get("os") or {}).get("name") or "",
        spec.get("restartPolicy") or RESTART_POLICIES[0],
        spec.get("hostUsers") is not False,
        is_pod,
        is_pod and bool(spec.get("hostNetwork")),
    )
    _check_all_containers(spec, path, context, refusals)
    if refusals.minor >= _POD_RESOURCES:
        check_pod_resources(spec, path, context.claims, refusals, is_pod=is_pod)
    _check_host_ports(spec, path, refusals)
    one_of(spec.get("restartPolicy") or None, f"{path}.restartPolicy", RESTART_POLICIES, refusals)
    formats.labels(spec.get("nodeSelector"), f"{path}.nodeSelector", refusals)
    check_affinity(spec.get("affinity"), f"{path}.affinity", refusals)
    check_tolerations(spec.get("tolerations"), f"{path}.tolerations", refusals)
    check_spread(spec.get("topologySpreadConstraints"), f"{path}.topologySpreadConstraints", refusals)
    _check_gates(spec, path, refusals)
    security.check_pod_security(spec, path, refusals)
    security.check_host_processes(spec, path, refusals)
    security.check_host_users(spec, path, refusals)
    security.check_operating_system(spec, path, refusals)
    _check_names(spec, path, refusals)
    _check_dns(spec, path, refusals)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= 2**31 - 1:
        refusals.invalid(f"{path}.activeDeadlineSeconds", deadline, f"must be between 1 and {2**31 - 1}, inclusive")
    one_of(spec.get("preemptionPolicy"), f"{path}.preemptionPolicy", PREEMPTION, refusals)
    check_resources({"limits": spec.get("overhead")}, f"{path}.overhead", (), refusals)


def _check_all_containers(spec: Manifest, path: str, context: PodContext, refusals: Refusals) -> None:
    containers, before, later = (spec.get(name) or () for name in ("containers", "initContainers", "ephemeralContainers"))
    check_containers(containers, f"{path}.containers", context, refusals)
    check_init_containers(before, f"{path}.initContainers", containers, context, refusals)
    check_ephemeral_containers(later, f"{path}.ephemeralContainers", (*containers, *before), context, refusals)
    _check_file_keys(spec, path, refusals)


def _check_file_keys(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add variables from files whose volume is not an emptyDir of the pod."""
    volumes = {volume.get("name"): volume for volume in spec.get("volumes") or ()}
    for part in ("containers", "initContainers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(part) or ()):
            for position, variable in enumerate(container.get("env") or ()):
                reference = (variable.get("valueFrom") or {}).get("fileKeyRef")
                name = (reference or {}).get("volumeName")
                here = f"{path}.{part}[{index}].env[{position}].valueFrom.fileKeyRef.volumeName"
                if name and name not in volumes:
                    refusals.not_found(here, name, "volume", filter(None, volumes))
                elif name and volumes[name].get("emptyDir") is None:
                    refusals.invalid(here, name, "must be an emptyDir volume")


def _check_claims(claims: Sequence[Manifest], path: str, refusals: Refusals) -> None:
    names: set[str] = set()
    for index, claim in enumerate(claims):
        here, name = f"{path}[{index}]", claim.get("name") or ""
        if not name:
            refusals.required(f"{here}.name")
        elif name in names:
            refusals.duplicate(f"{here}.name", name)
        else:
            formats.dns_label(name, f"{here}.name", refusals)
        names.add(name)
        source = claim.get("source") or claim
        chosen = [k for k in ("resourceClaimName", "resourceClaimTemplateName") if source.get(k) is not None]
        if not chosen:
            refusals.required(here, "resourceClaimName or resourceClaimTemplateName is needed")
        elif len(chosen) > 1:
            refusals.add(here, "must not have both resourceClaimName and resourceClaimTemplateName")
        for key in chosen:
            formats.subdomain(source[key], f"{here}.{key}", refusals)


def _check_host_ports(spec: Manifest, path: str, refusals: Refusals) -> None:
    """Add ports that differ from the container's although the pod uses the network of the host."""
    if not spec.get("hostNetwork"):
        return
    for index, container in enumerate(spec.get("containers") or ()):
        for position, port in enumerate(container.get("ports") or ()):
            of_host, of_container = port.get("hostPort") or 0, port.get("containerPort") or 0
            if of_host and of_host != of_container:
                here = f"{path}.containers[{index}].ports[{position}].hostPort"
                refusals.invalid(here, of_host, f"must match containerPort {of_container} when hostNetwork is true")


def _check_gates(spec: Manifest, path: str, refusals: Refusals) -> None:
    for index, gate in enumerate(spec.get("readinessGates") or ()):
        formats.qualified_name(gate.get("conditionType") or "", f"{path}.readinessGates[{index}].conditionType", refusals)
    gates = [gate.get("name") or "" for gate in spec.get("schedulingGates") or ()]
    for index, name in enumerate(gates):
        formats.qualified_name(name, f"{path}.schedulingGates[{index}]", refusals)
    for index in formats.first_repeated(gates):
        refusals.duplicate(f"{path}.schedulingGates[{index}]", gates[index])


def _check_names(spec: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("serviceAccountName", "nodeName", "priorityClassName"):
        if spec.get(name):
            formats.subdomain(spec[name], f"{path}.{name}", refusals)
    if spec.get("runtimeClassName") is not None:
        formats.object_name(spec["runtimeClassName"], f"{path}.runtimeClassName", refusals)
    for name in ("hostname", "subdomain"):
        if spec.get(name):
            formats.dns_label(spec[name], f"{path}.{name}", refusals)
    override, here = spec.get("hostnameOverride"), f"{path}.hostnameOverride"
    if override is None:
        return
    for name in ("setHostnameAsFQDN", "hostNetwork"):
        if spec.get(name):
            refusals.add(here, f"may not be set when {name} is true")
    if len(override) > _LONGEST_HOSTNAME:
        refusals.add(here, f"has {len(override)} characters", f"at most {_LONGEST_HOSTNAME}")
    formats.object_name(override, here, refusals)


def _check_dns(spec: Manifest, path: str, refusals: Refusals) -> None:
    policy, config, here = spec.get("dnsPolicy"), spec.get("dnsConfig"), f"{path}.dnsConfig"
    one_of(policy or None, f"{path}.dnsPolicy", _DNS, refusals)
    if policy == "None" and config is None:
        refusals.required(here, "dnsPolicy is None")
    servers, searches = (config or {}).get("nameservers") or (), (config or {}).get("searches") or ()
    if policy == "None" and config is not None and not servers:
        refusals.required(f"{here}.nameservers", "dnsPolicy is None")
    for names, most, part in ((servers, _MOST_SERVERS, "nameservers"), (searches, _MOST_SEARCHES, "searches")):
        if len(names) > most:
            refusals.add(f"{here}.{part}", f"has {len(names)} entries", f"at most {most}")
    for index, server in enumerate(servers):
        formats.ip(server or "", f"{here}.nameservers[{index}]", refusals)
    if (length := len(" ".join(search or "" for search in searches))) > _LONGEST_SEARCHES:
        refusals.add(f"{here}.searches", f"has {length} characters with spaces between", f"at most {_LONGEST_SEARCHES}")
    for index, search in enumerate(searches):
        formats.search_domain(search or "", f"{here}.searches[{index}]", refusals)
    for index, option in enumerate((config or {}).get("options") or ()):
        if not option.get("name"):
            refusals.required(f"{here}.options[{index}]", "an option needs a name")
    for index, alias in enumerate(spec.get("hostAliases") or ()):
        formats.ip(alias.get("ip") or "", f"{path}.hostAliases[{index}].ip", refusals)
        for position, hostname in enumerate(alias.get("hostnames") or ()):
            formats.object_name(hostname, f"{path}.hostAliases[{index}].hostnames[{position}]", refusals)
