"""Functions of the provider for AWS that have an answer without an account (spec: pulumi 4.5.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from cutlist.api.ami_alias import LATEST
from cutlist.catalog import embedded
from cutlist.catalog.images import image_releases
from cutlist.infrastructure.eks_support import CALENDAR, supported_versions
from cutlist.infrastructure.names import domain_of, partition_of
from pulumi_cutlist.errors import LookupRefusedError
from pulumi_cutlist.lookups.context import Context, Known
from pulumi_cutlist.lookups.part import Part
from pulumi_cutlist.lookups.policy_document import policy_document
from pulumi_cutlist.lookups.question import Question

Function = Callable[[Question, Context], Part | None]

_SPECIAL_PRINCIPALS: Final = {
    "aws-cn": ("codedeploy", "elasticmapreduce", "logs"),
    "aws-iso": ("cloudhsm", "config", "logs", "workspaces"),
    "aws-iso-b": ("dms", "logs"),
}
"""Services whose principal has the domain of its partition."""
_ARN: Final = re.compile(r"arn:([^:]*):([^:]*):([^:]*):([^:]*):(.*)", re.DOTALL)
_COMPUTED: Final = "the arguments"
_CATALOGUE: Final = "the catalogue"
_IMAGE_PARAMETERS: Final = {
    re.compile(r"/aws/service/eks/optimized-ami/([0-9.]+)/amazon-linux-2023/"): "al2023",
    re.compile(r"/aws/service/eks/optimized-ami/([0-9.]+)/amazon-linux-2(?:-gpu|-arm64)?/"): "al2",
    re.compile(r"/aws/service/bottlerocket/aws-k8s-([0-9.]+)(?:-nvidia|-fips)*/"): "bottlerocket",
}
"""The names of parameters with the images of EKS: the version of Kubernetes in them, and the family."""
_ZONES_ALWAYS: Final = {"opt-in-status": "opt-in-not-required", "state": "available", "zone-type": "availability-zone"}
"""Filters of zones that are the same for each that the catalogue has."""


def _caller(question: Question, context: Context) -> Part | None:
    account = context.account(question)
    return (
        None if account is None else Part({"accountId": account.value, "id": account.value}, account.source, ("arn", "userId"))
    )


def _region(question: Question, context: Context) -> Part | None:
    region = context.region(question)
    named = question.arguments.get("name") or question.arguments.get("id")
    if isinstance(named, str) and named:
        region = Known(named, _COMPUTED)
    if region is None:
        return None
    code = region.value
    known = {"id": code, "name": code, "region": code, "endpoint": f"ec2.{code}.{_suffix(code)}"}
    description = _descriptions().get(code)
    if description is None:
        return Part(known, region.source, ("description",))
    return Part({**known, "description": description}, region.source)


def _partition(question: Question, context: Context) -> Part | None:
    region = context.region(question)
    if region is None:
        return None
    partition, suffix = partition_of(region.value), _suffix(region.value)
    reverse = ".".join(reversed(suffix.split(".")))
    known = {"id": partition, "partition": partition, "dnsSuffix": suffix, "reverseDnsPrefix": reverse}
    return Part(known, region.source)


def _service_principal(question: Question, context: Context) -> Part | None:
    region, service = context.region(question), str(question.arguments.get("serviceName") or "")
    if region is None:
        return None
    special = service in _SPECIAL_PRINCIPALS.get(partition_of(region.value), ())
    suffix = _suffix(region.value) if special else "amazonaws.com"
    known = {
        "id": f"{service}.{region.value}.{suffix}",
        "name": f"{service}.{suffix}",
        "suffix": suffix,
        "region": region.value,
        "serviceName": service,
    }
    return Part(known, region.source)


def _arn(question: Question, _: Context) -> Part | None:
    arn = str(question.arguments.get("arn") or "")
    parts = _ARN.fullmatch(arn)
    if parts is None:
        raise LookupRefusedError(f"{arn!r} is not an ARN")
    names = ("partition", "service", "region", "account", "resource")
    return Part({"arn": arn, "id": arn, **dict(zip(names, parts.groups(), strict=True))}, _COMPUTED)


def _default_tags(question: Question, context: Context) -> Part | None:
    written = context.setting(question, "aws", "defaultTags")
    try:
        tags = {} if written is None else json.loads(written.value).get("tags", {})
    except (json.JSONDecodeError, RecursionError, AttributeError):
        return None
    return Part({"tags": tags, "id": "aws"}, "no default tags" if written is None else written.source)


def _document(question: Question, _: Context) -> Part | None:
    return Part(policy_document(question.arguments), _COMPUTED)


def _zones(question: Question, context: Context) -> Part | None:
    """Return the zones of the region, without local ones, which are listed only where an account has opted in."""
    region = context.region(question)
    zones = sorted(context.zones(region.value)) if region is not None else []
    if region is None or not zones or question.arguments.get("allAvailabilityZones"):
        return None
    for wanted in question.arguments.get("filters") or ():
        chosen = _filtered(zones, str(wanted.get("name")), wanted.get("values") or (), region.value)
        if chosen is None:
            return None
        zones = chosen
    if question.arguments.get("state", "available") != "available":
        zones = []
    excluded = {*(question.arguments.get("excludeNames") or ()), *(question.arguments.get("excludeZoneIds") or ())}
    kept = [(name, id_) for name, id_ in zones if excluded.isdisjoint((name, id_))]
    known = {
        "id": region.value,
        "names": [name for name, _ in kept],
        "zoneIds": [id_ for _, id_ in kept],
        "groupNames": [_zone_group(region.value)] if kept else [],
        "region": region.value,
    }
    return Part(known, f"{_CATALOGUE}, of {region.value} by {region.source}")


def _zone(question: Question, context: Context) -> Part | None:
    region = context.region(question)
    zones = context.zones(region.value) if region is not None else []
    asked = (question.arguments.get("name"), question.arguments.get("zoneId"))
    found = next(((name, id_) for name, id_ in zones if asked in ((name, None), (None, id_), (name, id_))), None)
    if region is None or found is None or question.arguments.get("filters"):
        return None
    name, id_ = found
    known = {
        "id": name,
        "name": name,
        "zoneId": id_,
        "nameSuffix": name.removeprefix(region.value),
        "region": region.value,
        "groupName": _zone_group(region.value),
        "networkBorderGroup": region.value,
        "optInStatus": _ZONES_ALWAYS["opt-in-status"],
        "state": _ZONES_ALWAYS["state"],
        "zoneType": _ZONES_ALWAYS["zone-type"],
        "parentZoneId": "",
        "parentZoneName": "",
    }
    return Part(known, f"{_CATALOGUE}, of {region.value} by {region.source}")


def _zone_group(region: str) -> str:
    return f"{region}-zg-1"


def _filtered(zones: list[tuple[str, str]], name: str, values: Iterable[Any], region: str) -> list[tuple[str, str]] | None:
    """Return the zones that a filter of EC2 lets through; None for a filter that is not known here."""
    wanted = {*map(str, values)}
    if name in _ZONES_ALWAYS:
        return zones if _ZONES_ALWAYS[name] in wanted else []
    if name == "region-name":
        return zones if region in wanted else []
    if name in ("zone-name", "zone-id"):
        return [zone for zone in zones if zone[name == "zone-id"] in wanted]
    return None


def _instance_type(question: Question, _: Context) -> Part | None:
    machine = embedded.all_machines().get(str(question.arguments.get("instanceType") or ""))
    if machine is None:
        return None
    known = {
        "id": machine.name,
        "instanceType": machine.name,
        "defaultVcpus": machine.vcpus,
        "memorySize": machine.memory_mib,
        "supportedArchitectures": list(machine.architectures),
        "supportedUsagesClasses": list(machine.usage),
        "burstablePerformanceSupported": machine.burstable,
        "hypervisor": machine.hypervisor,
    }
    return Part(known, _CATALOGUE, None)


def _parameter(question: Question, _: Context) -> Part | None:
    """Return nothing, since a region has its own images. Raises LookupRefusedError for the parameter of an image that there is
    not: of a family without images for the version of Kubernetes."""
    name = str(question.arguments.get("name") or "")
    for form, family in _IMAGE_PARAMETERS.items():
        named = form.match(name)
        missing = image_releases().missing(f"{family}@{LATEST}", named[1]) if named is not None else None
        if missing is not None:
            raise LookupRefusedError(f"no parameter {name}: {missing.message}")
    return None


def _cluster_versions(question: Question, context: Context) -> Part | None:
    """Return the versions of Kubernetes that EKS offers on the day, the newest first; which is its default is not known."""
    if question.arguments.get("defaultOnly"):
        return None
    wanted = question.arguments.get("clusterVersionsOnlies") or ()
    status = question.arguments.get("versionStatus")
    versions = [
        {
            "clusterType": "eks",
            "clusterVersion": offered.version,
            "endOfStandardSupportDate": f"{offered.standard}T00:00:00Z",
            "endOfExtendedSupportDate": f"{offered.extended}T00:00:00Z",
            "versionStatus": offered.status,
        }
        for offered in supported_versions(context.day)
        if (not wanted or offered.version in wanted) and status in (None, offered.status)
    ]
    return Part({"clusterVersions": versions}, f"the release calendar of {CALENDAR}", ("clusterVersions",))


FUNCTIONS: Final[Mapping[str, Function]] = {
    "aws:index/getCallerIdentity:getCallerIdentity": _caller,
    "aws:index/getRegion:getRegion": _region,
    "aws:index/getPartition:getPartition": _partition,
    "aws:index/getServicePrincipal:getServicePrincipal": _service_principal,
    "aws:index/getArn:getArn": _arn,
    "aws:index/getDefaultTags:getDefaultTags": _default_tags,
    "aws:index/getAvailabilityZones:getAvailabilityZones": _zones,
    "aws:index/getAvailabilityZone:getAvailabilityZone": _zone,
    "aws:iam/getPolicyDocument:getPolicyDocument": _document,
    "aws:ec2/getInstanceType:getInstanceType": _instance_type,
    "aws:ssm/getParameter:getParameter": _parameter,
    "aws:eks/getClusterVersions:getClusterVersions": _cluster_versions,
}
"""What answers, by token: the question and what the program runs with in, what is known of the result out; None if nothing.

Each raises LookupRefusedError for arguments that the provider refuses."""


def _suffix(region: str) -> str:
    return domain_of(partition_of(region))


@lru_cache(maxsize=1)
def _descriptions() -> Mapping[str, str]:
    """Return the names of regions, such as `Europe (Ireland)`, as the SDK of AWS has them; none without it."""
    if find_spec("botocore") is None:
        return {}
    data = json.loads(files("botocore").joinpath("data", "endpoints.json").read_bytes())
    return {code: of["description"] for partition in data["partitions"] for code, of in partition["regions"].items()}
