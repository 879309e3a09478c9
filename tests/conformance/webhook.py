"""What the conversion webhook of Karpenter 1.0 made of a v1beta1 object, to the letter (spec: api-objects 7).

It kept what had lost its place in annotations, for the way back (`way_back`), and stored an Ubuntu class without images as one
that launches nothing. What users get is in `cutlist.api.convert.objects`: the same changes, without these crutches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.api.convert import notes
from cutlist.api.convert.changes import edits_of
from cutlist.api.convert.clouds import EC2, MeantClass
from cutlist.api.convert.ec2nodeclass import UBUNTU, class_changes
from cutlist.api.convert.edits import Edit, Path, Remove, Set, applied
from cutlist.api.convert.nodepool import SPEC, claim_changes, pool_changes
from cutlist.api.versions import SERVED
from tests.conformance.go_form import claim_form, class_form, go_json, kubelet_form, pool_form


def to_v1(stored: Mapping[str, Any], expiries: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a stored v1beta1 object in v1; `expiries` has the expireAfter of the v1 NodePools that a NodeClaim may belong
    to."""
    match stored["kind"]:
        case "NodePool":
            template = stored["spec"]["template"]["spec"]
            made = applied(edits_of(pool_changes(stored, _reference(template))), stored)
            return pool_form(applied(_kept(template, SPEC, stored), made))
        case "NodeClaim":
            spec = stored["spec"]
            made = applied(edits_of(claim_changes(stored, _reference(spec), expiries or {})), stored)
            return claim_form(applied(_kept(spec, ("spec",), stored), made))
    return class_form(_class_to_v1(stored))


def _reference(spec: Mapping[str, Any]) -> MeantClass:
    """Return the class that a v1beta1 reference means, with the defaults of Karpenter for AWS, whose webhook answered."""
    written = spec.get("nodeClassRef") or {}
    group = str(written.get("apiVersion") or EC2[0]).partition("/")[0]
    return MeantClass(group, written.get("kind") or EC2[1], written.get("name", ""))


def _kept(old_spec: Mapping[str, Any], above: Path, stored: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the kubelet and the old reference, kept in annotations."""
    kubelet, written = old_spec.get("kubelet"), old_spec["nodeClassRef"]
    if kubelet is not None:
        yield Remove((*above, "kubelet"))
        yield Set(("metadata", "annotations", notes.KUBELET), go_json(kubelet_form(kubelet)))
    elif notes.KUBELET in notes.annotations_of(stored):
        yield Remove(("metadata", "annotations", notes.KUBELET))
    kept = {"kind": written.get("kind"), "name": written["name"], "apiVersion": written.get("apiVersion")}
    text = go_json({key: value for key, value in kept.items() if value or key == "name"})
    yield Set(("metadata", "annotations", notes.NODE_CLASS_REF), text)


def _class_to_v1(stored: Mapping[str, Any]) -> dict[str, Any]:
    if "spec" not in stored:
        return {**stored, "apiVersion": SERVED["EC2NodeClass"], "spec": {"amiFamily": "Custom"}}
    made = applied(edits_of(class_changes(stored)), stored)
    metadata, spec = made["metadata"], made["spec"]
    metadata["annotations"] = {k: v for k, v in notes.annotations_of(stored).items() if k != notes.ALIAS_VERSION}
    if stored["spec"]["amiFamily"] == UBUNTU:
        specifiers = ["amiFamily"]
        if "blockDeviceMappings" not in stored["spec"]:
            specifiers.append("blockDeviceMappings")
        if not spec.get("amiSelectorTerms"):
            specifiers.append("incompatible")
            spec["amiSelectorTerms"] = [{"id": notes.PLACEHOLDER}]
        metadata["annotations"][notes.UBUNTU] = ",".join(specifiers)
    return made
