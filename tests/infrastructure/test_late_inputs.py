"""Inputs that other resources make: planned with stand-ins, checked once they are known, replaced wherever they are used."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pulumi.output import Unknown
from pulumi.provider.experimental.component import ComponentProvider
from pulumi_cutlist.aws import KarpenterCluster
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.joined_program import ADMINS, NEW, OBJECTS, SUBNETS
from tests.infrastructure.test_node_configuration import node_class

HEADER = """
import typing, pulumi
from pulumi_cutlist.aws import *
from pulumi_cutlist import kubernetes

class Thing(pulumi.CustomResource):
    value: pulumi.Output[typing.Any]
    def __init__(self, name, value):
        super().__init__("test:index:Thing", name, {"value": value})

def late(value):
    # of a resource: its outputs repeat its inputs, and a preview does not know its id
    thing = Thing(f"thing-{len(given.setdefault('things', []))}", value)
    given["things"].append(value)
    return pulumi.Output.all(thing.id, thing.value).apply(lambda both: both[1])

def known(value):
    return pulumi.Output.from_input(value)
"""


def program(folder: Path, body: str, mode: Mode = Mode.UPDATE, **given: Any) -> Recording:
    return run(folder, HEADER + body, mode, given=given)


def registered(recording: Recording) -> list[tuple[str, Any]]:
    """What everything but the things is registered with, and the outputs of components."""
    inputs = [(urn, one.inputs) for urn, one in recording.resources.items() if one.type != "test:index:Thing"]
    return sorted(
        [*inputs, *recording.outputs.items()], key=lambda pair: (pair[0], json.dumps(pair[1], sort_keys=True, default=str))
    )


CALL = {
    **NEW,
    **OBJECTS,
    "network": {"adopted": {"vpc_id": "vpc-01", "private_subnets": [{**one} for one in SUBNETS]}},
    "public_access_cidrs": ["203.0.113.7/32"],
    "permissions_boundary": f"arn:aws:iam::{ACCOUNT}:policy/Boundary",
    "tags": {"team": "shop"},
    "node_identity": {"extra_policy_arns": [f"arn:aws:iam::{ACCOUNT}:policy/Agent"]},
    "controller_identity": {"volume_key_arns": [f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/0"]},
    "discovery": {"more_groups": [{"id": "sg-7"}]},
    "control_plane": {"encrypt_secrets": True},
}
EVERY = """
call = given["call"]
call["account_id"] = {make}(call["account_id"])
call["admins"]["deployer"] = {make}(call["admins"]["deployer"])
call["permissions_boundary"] = {make}(call["permissions_boundary"])
call["tags"]["team"] = {make}(call["tags"]["team"])
call["public_access_cidrs"][0] = {make}(call["public_access_cidrs"][0])
adopted = call["network"]["adopted"]
adopted["vpc_id"] = {make}(adopted["vpc_id"])
for subnet in adopted["private_subnets"]:
    subnet["id"] = {make}(subnet["id"])
for section, key in (("node_identity", "extra_policy_arns"), ("controller_identity", "volume_key_arns")):
    call[section][key][0] = {make}(call[section][key][0])
call["discovery"]["more_groups"][0]["id"] = {make}("sg-7")
"""
MADE = (
    "cluster = KarpenterCluster('shop', call)\npulumi.export('vpc', cluster.vpc_id)\n"
    "pulumi.export('network', cluster.private_subnet_ids)\n"
)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return program(tmp_path_factory.mktemp("plain"), "call = given['call']\n" + MADE, call=CALL)


def test_outputs_make_the_same_stack_as_the_values_that_they_turn_out_to_have(plain: Recording, tmp_path: Path):
    late = program(tmp_path, EVERY.format(make="late") + MADE, call=CALL)
    values = sorted(json.dumps(inputs, sort_keys=True) for _, inputs in registered(late))
    assert values == sorted(json.dumps(inputs, sort_keys=True) for _, inputs in registered(plain))
    assert late.exports == plain.exports


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return program(tmp_path_factory.mktemp("preview"), EVERY.format(make="late") + MADE, Mode.PREVIEW, call=CALL)


def test_a_preview_shows_no_stand_in(preview: Recording):
    """What is not known yet is unknown, wherever it would be."""
    text = json.dumps([inputs for _, inputs in registered(preview)], default=str)
    assert "cutlist-late-" not in text
    assert not re.search(r"(?<![0-9])[0-9]{12}(?![0-9])", text)
    policy = next(one for one in preview.of_type("aws:iam/role:Role") if "controller-role" in one.name)
    assert isinstance(policy.inputs["permissionsBoundary"], Unknown)


def test_an_update_makes_the_resources_that_its_preview_showed(preview: Recording, tmp_path: Path):
    """Where resources are named by ids that are known late, both name them by the same stand-ins."""
    late = program(tmp_path, EVERY.format(make="late") + MADE, call=CALL)
    assert sorted(late.resources) == sorted(preview.resources)


def test_a_preview_shows_what_it_knows_beside_what_it_does_not(tmp_path: Path):
    body = """
    call = given["call"]
    call["account_id"], call["admins"] = known(call["account_id"]), {"deployer": late(call["admins"]["deployer"])}
    KarpenterCluster("shop", call)
    """
    recording = program(tmp_path, dedent(body), Mode.PREVIEW, call={**NEW, **OBJECTS})
    entry = next(one for one in recording.of_type("aws:eks/accessEntry:AccessEntry") if "admin" in one.name)
    assert isinstance(entry.inputs["principalArn"], Unknown)
    queue = recording.of_type("aws:sqs/queuePolicy:QueuePolicy")[0]
    assert ACCOUNT in queue.inputs["policy"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "call['admins'] = {'ci': late('arn:aws:sts::111122223333:assumed-role/Deployer/me')}",
            "admins.ci: .* session of a role",
        ),
        ("call['account_id'] = late('12')", "account_id: account '12'"),
        ("call['account_id'] = late(12)", 'account_id: 12 is not text; did you mean "12"'),
        ("call['public_access_cidrs'] = [late('0.0.0.0/33')]", r"public_access_cidrs\[0\]: .*0.0.0.0/33"),
        ("call['discovery'] = {'more_groups': [{'id': late('vpc-1')}]}", r"discovery.more_groups\[0\].id"),
    ],
)
def test_a_value_that_turns_out_wrong_ends_the_update_before_anything_uses_it(tmp_path: Path, body: str, message: str):
    body = f"call = given['call']\n{body}\nKarpenterCluster('shop', call)\n"
    with pytest.raises(InputError, match=message):
        program(tmp_path, body, call={**NEW, **OBJECTS})


def test_a_preview_refuses_what_it_knows_already(tmp_path: Path):
    with pytest.raises(InputError, match="account_id: account '12'"):
        program(tmp_path, "KarpenterCluster('shop', {**given['call'], 'account_id': known('12')})\n", Mode.PREVIEW, call=NEW)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("call['admins'] = late({'ci': 'x'})", "admins: known only during an update; allowed: a mapping, known before"),
        ("call['cluster_name'] = late('shop')", "cluster_name: known only during an update"),
        ("call['region'] = late('eu-west-1')", "region: known only during an update"),
        ("call['public_access_cidrs'] = late([])", "public_access_cidrs: known only during an update; allowed: a list"),
        ("call['kubernetes_version'] = late('1.34')", "kubernetes_version: known only during an update"),
    ],
)
def test_what_decides_names_and_counts_is_known_before(tmp_path: Path, body: str, message: str):
    with pytest.raises(InputError, match=message):
        program(tmp_path, f"call = given['call']\n{body}\nKarpenterCluster('shop', call)\n", Mode.PREVIEW, call=NEW)


@pytest.mark.parametrize("admin", ["Deployer", "Other"])
def test_the_caller_is_looked_for_among_admins_that_are_known_late(tmp_path: Path, admin: str):
    calls = {
        "aws:index/getCallerIdentity:getCallerIdentity": {
            "accountId": ACCOUNT,
            "arn": f"arn:aws:iam::{ACCOUNT}:role/Deployer",
            "id": ACCOUNT,
            "userId": "AIDA",
        }
    }
    arn = f"arn:aws:iam::{ACCOUNT}:role/{admin}"
    body = HEADER + "KarpenterCluster('shop', {**given['call'], 'admins': {'ci': late(given['arn'])}})\n"
    if admin == "Deployer":
        run(tmp_path, body, Mode.UPDATE, calls=calls, given={"call": NEW, "arn": arn})
    else:
        with pytest.raises(InputError, match=r"admins: .*role/Deployer runs the update and is not among them"):
            run(tmp_path, body, Mode.UPDATE, calls=calls, given={"call": NEW, "arn": arn})


def test_a_secret_makes_no_other_value_a_secret(tmp_path: Path):
    body = """
    call = {**given["call"], "admins": {"ci": pulumi.Output.secret(given["call"]["admins"]["deployer"])}}
    call["account_id"] = late(call["account_id"])
    pulumi.export("endpoint", KarpenterCluster("shop", call).cluster_name)
    """
    recording = program(tmp_path, dedent(body), call=NEW)
    role = next(one for one in recording.of_type("aws:sqs/queuePolicy:QueuePolicy"))
    assert isinstance(role.inputs["policy"], str)


def test_a_node_class_takes_what_others_make(tmp_path: Path):
    """The role of nodes, a key, subnets and user data, in a manifest that is checked as a whole."""
    key = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/7"
    body = """
    manifest = given["manifest"]
    spec = manifest["spec"]
    spec["role"], spec["userData"] = late(spec["role"]), late("#!/bin/sh\\ntrue\\n")
    spec["subnetSelectorTerms"] = [{"id": late("subnet-1")}, {"id": late("subnet-2")}]
    spec["blockDeviceMappings"] = [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "20Gi", "kmsKeyID": late(given["key"])}}]
    kubernetes.EC2NodeClass("default", {"manifest": manifest})
    """
    manifest = node_class()
    recording = program(tmp_path, dedent(body), manifest=manifest, key=key)
    spec = next(one for one in recording.resources.values() if one.type.endswith("v1:EC2NodeClass")).inputs["spec"]
    assert spec["role"] == manifest["spec"]["role"]
    assert spec["userData"] == "#!/bin/sh\ntrue\n"
    assert spec["subnetSelectorTerms"] == [{"id": "subnet-1"}, {"id": "subnet-2"}]
    assert spec["blockDeviceMappings"][0]["ebs"]["kmsKeyID"] == key


def test_discovery_by_late_ids_has_no_typed_terms(tmp_path: Path):
    """They would hold what stands for the ids."""
    body = """
    discovery = Discovery("shop", {"cluster_name": "shop", "cluster_security_group_id": "sg-1", "subnet_ids": ["subnet-1"],
        "adopted_subnet_ids": [late("subnet-1")], "more_groups": [{"id": late("sg-2")}], "style": "id"})
    pulumi.export("typed", discovery.group_terms is None)
    pulumi.export("terms", discovery.security_group_selector_terms)
    """
    recording = program(tmp_path, dedent(body))
    assert recording.exports == {"typed": True, "terms": [{"id": "sg-1"}, {"id": "sg-2"}]}


def test_other_languages_may_give_them_too():
    """In the schema of the package each of them is an input that need not be plain."""
    schema = json.loads(ComponentProvider([KarpenterCluster], "cutlist").schema)
    inputs = schema["resources"]["cutlist:index:KarpenterCluster"]["inputProperties"]
    assert "plain" not in inputs["accountId"]
    assert "plain" not in inputs["admins"]["additionalProperties"]
    assert "plain" not in inputs["publicAccessCidrs"]["items"]
    assert "plain" not in schema["types"]["cutlist:index:AdoptedSubnetArgs"]["properties"]["id"]
    assert inputs["clusterName"]["plain"] is True


CAMEL = "KarpenterCluster('shop', {**given['call'], 'accountId': late(given['id'])})"


def test_the_spelling_of_other_languages_is_read(tmp_path: Path):
    call = {"clusterName": "shop", "region": "eu-west-1", "kubernetesVersion": "1.34", "admins": ADMINS}
    recording = program(tmp_path, f"{CAMEL}\n", call=call, id=ACCOUNT)
    assert ACCOUNT in recording.of_type("aws:sqs/queuePolicy:QueuePolicy")[0].inputs["policy"]
