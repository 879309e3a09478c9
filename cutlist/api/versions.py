"""Objects of former versions: recognised, named, and referred to their successors (spec: api-objects 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.findings import Finding, Reported, Stage, described
from cutlist.core.errors import Layer, nearest
from cutlist.core.labels import AUTO_GROUP

SERVED: Final = {
    "NodePool": "karpenter.sh/v1",
    "NodeClaim": "karpenter.sh/v1",
    "NodeOverlay": "karpenter.sh/v1alpha1",
    "EC2NodeClass": "karpenter.k8s.aws/v1",
    "NodeClass": "eks.amazonaws.com/v1",
    "AKSNodeClass": "karpenter.azure.com/v1beta1",
    "CapacityBuffer": "autoscaling.x-k8s.io/v1beta1",
}
"""The kinds of Karpenter, of its providers and of EKS Auto Mode, each with the version that is served today."""

ALSO_SERVED: Final = frozenset({("AKSNodeClass", "karpenter.azure.com/v1alpha2")})

_V1BETA1: Final = frozenset(
    {("NodePool", "karpenter.sh/v1beta1"), ("NodeClaim", "karpenter.sh/v1beta1"), ("EC2NodeClass", "karpenter.k8s.aws/v1beta1")}
)
SUCCESSORS: Final = {"Provisioner": "NodePool", "Machine": "NodeClaim", "AWSNodeTemplate": "EC2NodeClass"}
"""The kinds that were removed in 0.33, and their successors."""

_VOWELS: Final = "AEIOU"
_LAST: Final = {
    "Provisioner": "karpenter.sh/v1alpha5",
    "Machine": "karpenter.sh/v1alpha5",
    "AWSNodeTemplate": "karpenter.k8s.aws/v1alpha1",
}
"""The last version of each removed kind, which can be converted."""

GROUPS: Final = ("karpenter.sh", "karpenter.k8s.aws", "karpenter.azure.com")
_KINDS_OF_SHARED_GROUPS: Final = {(AUTO_GROUP, "NodeClass"), ("autoscaling.x-k8s.io", "CapacityBuffer")}

_CONVERT: Final = "`cutlist convert`"
_FIELDS_OF_OLD: Final = {
    "Provisioner": (
        "ttlSecondsAfterEmpty is consolidationPolicy: WhenEmpty with consolidateAfter, ttlSecondsUntilExpired is expireAfter, "
        "consolidation.enabled is consolidationPolicy, providerRef is nodeClassRef, "
        "and the label karpenter.sh/provisioner-name is karpenter.sh/nodepool"
    ),
    "AWSNodeTemplate": "subnetSelector, securityGroupSelector and amiSelector are lists now: subnetSelectorTerms and so on",
    "Machine": "NodeClaims are made by Karpenter; leave them out of your manifests",
}


def is_karpenters(api_version: str, kind: str = "") -> bool:
    """Tell whether an object belongs to Karpenter or its providers, or is a NodeClass of Auto Mode or a CapacityBuffer, in any
    version."""
    group = api_version.partition("/")[0]
    return group in GROUPS or (group, kind) in _KINDS_OF_SHARED_GROUPS


def can_be_converted(api_version: str, kind: str) -> bool:
    """Tell whether an object is of a former version that `cutlist convert` rewrites."""
    return (kind, api_version) in _V1BETA1 or _LAST.get(kind) == api_version


def version_findings(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return why an object of Karpenter's groups is not served today, and what to do, or an empty list if it is."""
    version, kind = str(manifest.get("apiVersion", "")), str(manifest.get("kind", ""))
    if SERVED.get(kind) == version or (kind, version) in ALSO_SERVED:
        return []
    if kind in SUCCESSORS:
        findings = [_removed(kind, version)]
    elif kind not in SERVED:
        findings = [Finding("kind", f"{kind!r} is not a kind of Karpenter", ", ".join(SERVED), nearest(kind, SERVED))]
    elif (kind, version) in _V1BETA1:
        findings = [*_old(kind, version, manifest.get("spec")), *_bare_numbers(manifest)]
    else:
        findings = [Finding("apiVersion", f"{kind} is not served as {version!r}", SERVED[kind], SERVED[kind])]
    lines = (Reported("", f'no matches for kind "{kind}" in version "{version}"', Stage.DECODE),)
    return [finding._replace(layer=Layer.SCHEMA, reported=lines) for finding in findings]


def _removed(kind: str, version: str) -> Finding:
    new = SUCCESSORS[kind]
    write = f"write {'an' if new[0] in _VOWELS else 'a'} {new} {SERVED[new]} instead"
    text = f"{kind} {version} was removed in Karpenter 0.33; {write}: {_FIELDS_OF_OLD[kind]}"
    if kind == "Machine":
        return Finding("kind", text, nearest=new)
    if version != _LAST[kind]:
        return Finding("kind", f"{text}; {_CONVERT} reads {_LAST[kind]}", nearest=new)
    return Finding("kind", f"{text}; {_CONVERT} rewrites it", nearest=new)


def _old(kind: str, version: str, spec: Any) -> list[Finding]:
    changes = list(_changes(spec)) if isinstance(spec, dict) else []
    todo = f": {'; '.join(changes)}" if changes else ""
    text = f"{kind} {version} is not served since Karpenter 1.1; {_CONVERT} rewrites it as {SERVED[kind]}{todo}"
    return [Finding("apiVersion", text, SERVED[kind])]


def _changes(spec: Mapping[str, Any]) -> Iterator[str]:
    """Yield the changes that this object needs, in the order of spec 7.1 and 7.3."""
    disruption, template = _mapping(spec.get("disruption")), _mapping(_mapping(spec.get("template")).get("spec"))
    reference = template.get("nodeClassRef")
    if "expireAfter" in disruption:
        yield "move disruption.expireAfter to template.spec.expireAfter"
    if disruption.get("consolidationPolicy") == "WhenUnderutilized":
        yield "consolidationPolicy WhenUnderutilized is WhenEmptyOrUnderutilized"
    if disruption and "consolidateAfter" not in disruption:
        yield "add disruption.consolidateAfter, such as 0s"
    if "kubelet" in template:
        yield "move template.spec.kubelet to spec.kubelet of the EC2NodeClass"
    if isinstance(reference, dict) and ("apiVersion" in reference or not {"group", "kind"} <= set(reference)):
        yield "write nodeClassRef with group, kind and name, without apiVersion"
    if "amiFamily" in spec and "amiSelectorTerms" not in spec:
        yield f"add amiSelectorTerms with alias: {str(spec['amiFamily']).lower()}@latest, or a pinned version"


def _bare_numbers(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    # The mistake is the same in every version, so it is reported now, not only after the rewrite.
    path = "spec.template.spec.requirements"
    requirements: Any = manifest
    for member in path.split("."):
        requirements = _mapping(requirements).get(member)
    for index, requirement in enumerate(requirements if isinstance(requirements, list) else ()):
        values = _mapping(requirement).get("values")
        for at, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, int | float):
                quoted = "true" if value is True else "false" if value is False else value
                text = f"found {described(value)} where text is needed"
                yield Finding(f"{path}[{index}].values[{at}]", text, nearest=f'"{quoted}"')


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
