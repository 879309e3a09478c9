"""The way back from v1 to v1beta1, as the webhook of Karpenter 1.0 went it, and what is lost on it (spec: api-objects 7.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cutlist.api import v1beta1
from cutlist.api.ami_alias import LATEST, AmiAlias
from cutlist.api.convert import notes
from cutlist.api.convert.changes import ConversionChange
from cutlist.api.convert.ec2nodeclass import UBUNTU
from cutlist.api.findings import path_of
from cutlist.api.structure import violations
from cutlist.core.labels import AWS_GROUP
from tests.conformance import v1beta1 as v1beta1_server
from tests.conformance.go_form import claim_form, class_form, pool_form

_POLICIES: Final = {"WhenEmptyOrUnderutilized": "WhenUnderutilized"}
_UNKNOWN: Final = "extra_forbidden"


def to_v1beta1(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored v1 object in v1beta1; what that version does not have is lost."""
    made = v1beta1_server.known(_in_old_words(stored))
    match stored["kind"]:
        case "NodePool":
            return pool_form(made)
        case "NodeClaim":
            return claim_form(made)
    return class_form(made)


def losses(stored: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield what of a stored v1 object does not come back when it is converted to v1beta1 and to v1 again, or is refused
    there."""
    for breach in violations(v1beta1.KINDS[stored["kind"]].schema, _in_old_words(stored)):
        path = path_of(breach.loc)
        if breach.kind == _UNKNOWN:
            yield ConversionChange("lost", f"{path} came with v1", path)
    for finding in v1beta1.findings(to_v1beta1(stored)):
        yield ConversionChange("lost", f"v1beta1 refuses what happens to it: {finding.message}", finding.path)
    if stored["kind"] == "NodePool":
        yield from _lost_of_disruption(stored["spec"]["disruption"])
    if stored["kind"] != "EC2NodeClass" and notes.NODE_CLASS_REF not in notes.annotations_of(stored):
        yield from _lost_of_reference(stored)


def _lost_of_disruption(disruption: Mapping[str, Any]) -> Iterator[ConversionChange]:
    after = disruption["consolidateAfter"]
    if disruption["consolidationPolicy"] in _POLICIES and after != "0s":
        text = f"consolidateAfter {after} has no place beside WhenUnderutilized, and comes back as 0s"
        yield ConversionChange("lost", text, "spec.disruption.consolidateAfter")
    if not disruption["budgets"]:
        yield ConversionChange("lost", "an empty list of budgets comes back as the default of 10%", "spec.disruption.budgets")


def _lost_of_reference(stored: Mapping[str, Any]) -> Iterator[ConversionChange]:
    of_pool = stored["kind"] == "NodePool"
    reference = (stored["spec"]["template"]["spec"] if of_pool else stored["spec"])["nodeClassRef"]
    if reference["group"] != AWS_GROUP:
        path = f"spec.{'template.spec.' if of_pool else ''}nodeClassRef.group"
        yield ConversionChange("lost", f"the group {reference['group']} comes back as {AWS_GROUP}", path)


def _in_old_words(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a v1 object in the words of v1beta1, with what that version does not have still in it."""
    written = notes.annotations_of(stored)
    gone = (notes.UBUNTU,) if stored["kind"] == "EC2NodeClass" else (notes.KUBELET, notes.NODE_CLASS_REF)
    kept = {k: v for k, v in written.items() if k not in (*gone, notes.STORED_VERSION)}
    made = {
        **stored,
        "apiVersion": v1beta1.API_VERSIONS[stored["kind"]],
        "metadata": {**stored["metadata"], "annotations": kept},
    }
    match stored["kind"]:
        case "NodePool":
            return {**made, "spec": _pool_spec(stored["spec"], written)}
        case "NodeClaim":
            return {**made, "spec": _node_spec(stored["spec"], written)}
    return _class(made, written)


def _pool_spec(spec: Mapping[str, Any], written: Mapping[str, str]) -> dict[str, Any]:
    template, disruption = spec["template"], dict(spec["disruption"])
    policy = disruption["consolidationPolicy"]
    disruption |= {"consolidationPolicy": _POLICIES.get(policy, policy), "expireAfter": template["spec"]["expireAfter"]}
    if policy in _POLICIES:
        del disruption["consolidateAfter"]
    node = {**_node_spec(template["spec"], written), "resources": {}}
    del node["expireAfter"]
    return {**spec, "disruption": disruption, "template": {**template, "spec": node}}


def _node_spec(spec: Mapping[str, Any], written: Mapping[str, str]) -> dict[str, Any]:
    made = dict(spec)
    named = {"kind": spec["nodeClassRef"]["kind"], "name": spec["nodeClassRef"]["name"]}
    made["nodeClassRef"] = _kept_json(written, notes.NODE_CLASS_REF) or named
    kubelet = _kept_json(written, notes.KUBELET)
    return made if kubelet is None else {**made, "kubelet": kubelet}


def _kept_json(written: Mapping[str, str], key: str) -> dict[str, Any] | None:
    found = json.loads(written[key]) if written.get(key) else None
    return found if isinstance(found, dict) else None


def _class(made: dict[str, Any], written: Mapping[str, str]) -> dict[str, Any]:
    spec = dict(made["spec"])
    terms: Iterable[Mapping[str, Any]] = spec.pop("amiSelectorTerms")
    alias = AmiAlias.read(next((term["alias"] for term in terms if term.get("alias")), ""))
    spec.setdefault("amiFamily", alias.ami_family)
    spec["amiSelectorTerms"] = [term for term in terms if not term.get("alias")]
    if notes.UBUNTU in written:
        specifiers = written[notes.UBUNTU].split(",")
        spec["amiFamily"] = UBUNTU
        for specifier, field in (("incompatible", "amiSelectorTerms"), ("blockDeviceMappings", "blockDeviceMappings")):
            if specifier in specifiers:
                spec.pop(field, None)
    if alias.version not in ("", LATEST):
        made["metadata"]["annotations"][notes.ALIAS_VERSION] = alias.version
    return {**made, "spec": spec}
