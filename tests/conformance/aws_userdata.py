"""User data, and what else the files of `vectors/aws-userdata` ask: NodeClass hash, drift and tags."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cutlist.core.errors import ClusterNotReadyError, UserDataError
from cutlist.core.labels import NODEPOOL
from cutlist.providers.aws import instance_types
from cutlist.providers.aws.launch.claim import Refusal
from cutlist.providers.aws.launch.request import launch_tags, refused_tags
from cutlist.providers.aws.node_class_hash import stored_hash
from cutlist.providers.aws.userdata import user_data
from tests.conformance import aws_launch
from tests.conformance.api_hash import gates_of, karpenter_of
from tests.conformance.aws_drift import ClaimState, DriftUnknownError, Instance, drift
from tests.conformance.aws_launch import LaunchScenario
from tests.conformance.aws_types import catalog, ec2, observed, settings
from tests.conformance.stored import stored_node_class

Case = Mapping[str, Any]
Answer = dict[str, Any]


def answer(path: Path) -> dict[str, Answer]:
    """Return the answer to each case of a file, by name."""
    document = json.loads(path.read_text())
    ask = QUESTIONS[document["kind"]]
    records = ec2(path, document["catalogue"]) if document.get("catalogue") else {}
    asked = {"karpenter": document.get("karpenter", "1.14.1")}
    return {case["name"]: ask({**case["input"], **asked}, records) for case in document["cases"]}


def launched(case: Case, records: Mapping[str, Any]) -> Answer:
    """Return the fleet request, and its templates with their user data."""
    scenario = LaunchScenario.of(case, records)
    found = scenario.launch({})
    if isinstance(found, Refusal):
        return {"error": aws_launch.error(found)}
    templates = []
    for template in found.templates:
        facts = aws_launch.node_facts(case["nodeClaim"], template, found.capacity_type)
        try:
            text = user_data(scenario.node_class, facts, aws_launch.cluster(case))
        except ClusterNotReadyError as error:
            return {"error": {"kind": "NodeClassNotReady", "message": str(error)}}
        except UserDataError as error:
            return {"error": {"kind": "Create", "reason": "LaunchFailed", "message": str(error)}}
        templates.append({**aws_launch.template(template, found, scenario), "userData": text})
    return {"fleet": {**found.to_dict(), "launchTemplateConfigs": len(templates)}, "templates": templates}


def hashes(case: Case, _: Mapping[str, Any]) -> Answer:
    """Return the hashes of stored NodeClasses."""
    karpenter = karpenter_of(case)
    found = [stored_hash(manifest["spec"], case.get("caBundle") or "", karpenter) for manifest in case["nodeClasses"]]
    return {"hashes": found, "version": karpenter.ec2_node_class_hash}


def tags(case: Case, _: Mapping[str, Any]) -> Answer:
    """Return the tags of everything that a launch makes, or which of the NodeClass' own are refused."""
    node_class = stored_node_class(case["nodeClass"])
    refused = refused_tags(node_class.tags)
    if refused:
        return {"refused": ", ".join(refused)}
    return {"tags": launch_tags(node_class, case["nodeClaim"]["metadata"]["labels"][NODEPOOL], case["clusterName"])}


def drifted(case: Case, records: Mapping[str, Any]) -> Answer:
    """Return the reason for drift. A claim whose NodePool does not exist is not looked at."""
    claim, given = case["nodeClaim"], case["instance"]
    if claim["metadata"]["labels"].get(NODEPOOL) != case["nodePool"]["metadata"]["name"]:
        return {"drift": ""}
    node_class, options = stored_node_class(case["nodeClass"], karpenter_of(case), gates_of(case)), settings(case)
    state = observed(case, node_class)
    region = catalog(case, records)
    types = instance_types(node_class, region, options, observed=state) if node_class.subnets else ()
    try:
        reason = drift(
            node_class,
            ClaimState(claim["metadata"]["labels"], claim["metadata"].get("annotations") or {}, claim["status"]["imageID"]),
            Instance(
                given["subnet"],
                frozenset(given["securityGroups"]),
                given.get("reservation", "") if options.reserved_capacity else "",
            ),
            types,
            state.placement_groups,
        )
    except DriftUnknownError as error:
        return {"drift": "", "error": str(error)}
    return {"drift": str(reason or "")}


QUESTIONS = {"launch": launched, "hash": hashes, "tags": tags, "drift": drifted}
