"""Objects as Karpenter's controllers write them: what is empty left out, durations and quantities in one spelling.

They read an object into Go's structs and write those back, so that two objects that mean the same come out the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from cutlist.api.durations import in_go
from cutlist.api.ec2nodeclass_fields import Kubelet
from cutlist.core.quantity import Quantity

_ESCAPED: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_TERM_LISTS: Final = ("amiSelectorTerms", "subnetSelectorTerms", "securityGroupSelectorTerms")


def pool_form(pool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a NodePool of either version."""
    template = pool["spec"]["template"]
    spec = {
        **pool["spec"],
        "template": {"metadata": _filled(template.get("metadata") or {}), "spec": _node_form(template["spec"])},
        "limits": _quantities(pool["spec"].get("limits")),
        "disruption": _disruption(pool["spec"].get("disruption") or {}),
    }
    return _whole(pool, _filled(spec, "limits"))


def claim_form(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return a NodeClaim of either version."""
    resources = {"requests": _quantities((claim["spec"].get("resources") or {}).get("requests"))}
    return _whole(claim, {**_node_form(claim["spec"]), "resources": _filled(resources)})


def class_form(node_class: Mapping[str, Any]) -> dict[str, Any]:
    """Return an EC2NodeClass of either version."""
    spec = dict(node_class["spec"])
    for field in _TERM_LISTS:
        if field in spec:
            spec[field] = [_filled(term) for term in spec[field]]
    if "blockDeviceMappings" in spec:
        spec["blockDeviceMappings"] = [_mapping(m) for m in spec["blockDeviceMappings"]]
    return _whole(node_class, _filled(spec, "amiSelectorTerms", "blockDeviceMappings", "tags", "role"))


def kubelet_form(kubelet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a kubelet block, its members in the order of the struct."""
    fields = [str(field.alias) for field in Kubelet.model_fields.values()]
    written = _filled({field: kubelet[field] for field in fields if field in kubelet}, keep=("cpuCFSQuota",))
    for field, value in written.items():
        if isinstance(value, dict):
            written[field] = {key: value[key] for key in sorted(value)}
    if "evictionSoftGracePeriod" in written:
        written["evictionSoftGracePeriod"] = {k: in_go(v) for k, v in written["evictionSoftGracePeriod"].items()}
    return written


def go_json(value: Any) -> str:
    """JSON as Go writes it: without spaces, and with the characters escaped that mean something in HTML."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return re.sub("[<>&\u2028\u2029]", lambda found: _ESCAPED[found[0]], text)


def _whole(manifest: Mapping[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "metadata": _filled(manifest["metadata"]), "spec": spec}


def _node_form(spec: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(spec)
    made["requirements"] = [_filled(r, "values") for r in spec["requirements"]]
    made["nodeClassRef"] = _filled(spec["nodeClassRef"], "apiVersion", "kind")
    for field in ("taints", "startupTaints"):
        if field in spec:
            made[field] = [_taint(t) for t in spec[field]]
    if "kubelet" in spec:
        made["kubelet"] = kubelet_form(spec["kubelet"])
    return _filled(made, "taints", "startupTaints")


def _disruption(written: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(written)
    if "budgets" in written:
        made["budgets"] = [{**b, "duration": in_go(b["duration"])} if "duration" in b else b for b in written["budgets"]]
    return _filled(made, "budgets")


def _taint(taint: Mapping[str, Any]) -> dict[str, Any]:
    made = _filled(taint, "value")
    if "timeAdded" in made:
        added = datetime.fromisoformat(made["timeAdded"].upper()).astimezone(UTC)
        made["timeAdded"] = added.strftime("%Y-%m-%dT%H:%M:%SZ")
    return made


def _mapping(mapping: Mapping[str, Any]) -> dict[str, Any]:
    made = _filled(mapping, "rootVolume")
    if "volumeSize" in (made.get("ebs") or {}):
        made["ebs"] = {**made["ebs"], "volumeSize": str(Quantity.parse(made["ebs"]["volumeSize"]))}
    return made


def _quantities(amounts: Mapping[str, Any] | None) -> dict[str, str]:
    return {resource: str(Quantity.parse(amount)) for resource, amount in (amounts or {}).items()}


def _filled(mapping: Mapping[str, Any], *fields: str, keep: Iterable[str] = ()) -> dict[str, Any]:
    """Return the members that are not empty; of the fields named, or of all where none is."""
    looked_at = set(fields or mapping) - set(keep)
    return {key: value for key, value in mapping.items() if key not in looked_at or not _is_empty(value)}


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, str | dict | list) and not value)
