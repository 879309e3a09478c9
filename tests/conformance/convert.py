"""Conversions between v1beta1 and v1: cases of kind `convert`, answered as API server and webhook of Karpenter 1.0 did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cutlist.api import v1beta1
from cutlist.api.kinds import kind_of_manifest
from cutlist.api.validation import ObjectKind, validate
from tests.conformance import v1beta1 as v1beta1_server
from tests.conformance.verdict import verdict
from tests.conformance.way_back import to_v1beta1
from tests.conformance.webhook import to_v1


def answer(path: Path) -> dict[str, Any]:
    """Of each case whether the object is accepted, whether its conversion is, and the conversion with its defaults."""
    return {case["name"]: converted(case["from"], case.get("nodePool")) for case in json.loads(path.read_text())}


def converted(manifest: Mapping[str, Any], pool: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the answer to one case; `pool` is the v1 NodePool that the cluster has."""
    kept = v1beta1_server.known(manifest) if is_old(manifest) else manifest
    if not is_accepted(kept):
        return {"fromAccepted": False}
    if not is_old(manifest):
        return verdicts(True, to_v1beta1(stored(manifest)))
    expiries = {} if pool is None else {pool["metadata"]["name"]: stored(pool)["spec"]["template"]["spec"]["expireAfter"]}
    return verdicts(is_accepted(manifest), to_v1(v1beta1_server.stored(kept), expiries))


def verdicts(accepted: bool, made: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of a conversion."""
    if not is_accepted(made):
        return {"fromAccepted": accepted, "accepted": False}
    return {"fromAccepted": accepted, "accepted": True, "result": json.loads(json.dumps(stored(made)))}


def is_old(manifest: Mapping[str, Any]) -> bool:
    """Tell whether an object is v1beta1."""
    return v1beta1.is_old(manifest["apiVersion"], manifest["kind"])


def kind_of(manifest: Mapping[str, Any]) -> ObjectKind:
    """Return the kind that an object is compared with."""
    found = v1beta1.KINDS[manifest["kind"]] if is_old(manifest) else kind_of_manifest(manifest)
    assert found is not None
    return found


def is_accepted(manifest: Mapping[str, Any]) -> bool:
    """Return the API server's verdict."""
    return verdict(validate(kind_of(manifest), manifest).findings).accepted


def stored(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with the defaults of its API server."""
    return v1beta1_server.stored(manifest) if is_old(manifest) else kind_of(manifest).stored(manifest)
