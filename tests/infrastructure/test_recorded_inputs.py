"""Every input that a stack of the project registers is one that its SDK knows, of the type that the SDK has."""

from __future__ import annotations

import pulumi_aws.cloudwatch
import pytest
from pulumi.output import Unknown
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording, Registration
from pulumi_cutlist.wire import struct_of

from cutlist.policy.rules import UNKNOWN
from tests.account.recordings import refused
from tests.infrastructure.aws_stand_in import elsewhere
from tests.infrastructure.projects import STACKS, recorded
from tests.infrastructure.sdk_inputs import argument_class, mistakes, mistakes_of

pytestmark = pytest.mark.xdist_group("stacks")  # one worker records them and imports the SDKs

ROLE_URN = "urn:pulumi:dev::shop::aws:iam/role:Role::r"
TARGET = {"arn": "arn", "rule": "rule"}
NO_SDK = ("cutlist:", "pulumi:pulumi:", "pulumi-python:dynamic")
MISTAKES = {
    "nothing": (TARGET, []),
    "unknown name": ({**TARGET, "retries": 3}, [".retries: unknown"]),
    "missing": ({"arn": "arn"}, [".rule: missing"]),
    "another type": ({**TARGET, "roleArn": 3}, [".roleArn: 3 is not a str"]),
    "a text for a switch": ({**TARGET, "forceDestroy": "true"}, [".forceDestroy: 'true' is not a bool"]),
    "a switch for a number": ({**TARGET, "retryPolicy": {"maximumRetryAttempts": True}}, ["True is not a int"]),
    "nested and unknown": ({**TARGET, "retryPolicy": {"attempts": 3}}, [".retryPolicy.attempts: unknown"]),
    "nested and missing": ({**TARGET, "runCommandTargets": [{"key": "a"}]}, [".runCommandTargets[0].values: missing"]),
    "no list": ({**TARGET, "runCommandTargets": {}}, [".runCommandTargets: {} is not a list"]),
    "unknown before an update": ({"arn": UNKNOWN, "rule": UNKNOWN}, []),
}


@pytest.mark.parametrize(("inputs", "expected"), MISTAKES.values(), ids=list(MISTAKES))
def test_a_mistake_in_inputs_is_found(inputs, expected):
    answers = list(mistakes(inputs, pulumi_aws.cloudwatch.EventTargetArgs))
    assert len(answers) == len(expected)
    assert all(answer.endswith(text) for answer, text in zip(answers, expected, strict=True)), answers


def test_a_resource_among_inputs_is_its_id():
    """Also where its package is imported, as here, and no program runs, in whose loop the SDK would make an object of it."""
    reference = {"4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", "urn": ROLE_URN}
    given = {"roles": [{**reference, "id": "r"}, {**reference, "id": ""}, reference], "kept": {"n": 4}}
    inputs = Registration("urn", RegisterResourceRequest(object=struct_of(given))).inputs
    assert inputs["roles"][0] == "r"
    assert isinstance(inputs["roles"][1], Unknown)
    assert inputs["roles"][2] == ROLE_URN
    assert inputs["kept"] == {"n": 4}


def of_sdks(recording: Recording) -> list[Registration]:
    return [one for one in recording.resources.values() if not one.type.startswith(NO_SDK)]


@pytest.mark.parametrize("mode", Mode, ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("stack", STACKS)
def test_every_recorded_input_is_as_its_sdk_has_it(stack, mode):
    registrations = of_sdks(recorded(stack, mode))
    assert len(registrations) > 5
    assert [mistake for one in registrations for mistake in mistakes_of(one)] == []


@pytest.mark.parametrize("mode", Mode, ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("stack", STACKS)
def test_an_account_would_refuse_nothing_of_a_stack(stack, mode):
    """By the table of tests/account, each resource alone and all together."""
    assert refused(recorded(stack, mode)) == []


@pytest.mark.parametrize("stack", STACKS)
def test_another_ambient_region_changes_nothing(stack):
    """Every resource of a region names that of the stack."""
    assert elsewhere(recorded(stack, Mode.PREVIEW)) == []


def test_types_that_no_component_makes_are_no_types_of_sdks():
    with pytest.raises(LookupError):
        argument_class("aws:s3/bucket:Bucket")
