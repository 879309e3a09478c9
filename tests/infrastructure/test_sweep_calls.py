"""The sweep's calls, against clients that answer as AWS does where servers that stand for it differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import ANY, Stubber

from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind
from cutlist.infrastructure.teardown.report import Result
from cutlist_live.errors import AccountError, FailedCallError
from cutlist_live.sweep.calls import Calls
from cutlist_live.sweep.inventory import Inventory
from cutlist_live.sweep.removal import Rehearsal, Removal
from tests.infrastructure.sweep_account import REGION, Time, facts, node_tags, tag_list


@dataclass
class Stubbed:
    """One client for every service, whose answers are given beforehand."""

    service: str
    made: Any = field(init=False)
    stub: Stubber = field(init=False)

    def __post_init__(self) -> None:
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
        self.made = boto3.client(self.service, region_name=REGION, **keys)
        self.stub = Stubber(self.made)
        self.stub.activate()

    def client(self, *_: str) -> Any:
        return self.made


@dataclass
class Scripted:
    """A client whose operations answer in turn: an error code, or what they return. `asked` has what they were asked."""

    answers: dict[str, list[Any]]
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def client(self, *_: str) -> Any:
        return self

    def can_paginate(self, _: str) -> bool:
        return False

    def __getattr__(self, operation: str) -> Any:
        def call(**arguments: Any) -> Any:
            self.asked.append((operation, arguments))
            answers = self.answers.get(operation, [{}])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if isinstance(answer, str):
                code, _, said = answer.partition(": ")
                raise ClientError({"Error": {"Code": code, "Message": said}}, operation)
            return answer

        return call


def calls(clients: Any, time: Time | None = None) -> Calls:
    return Calls(clients, REGION, (time or Time()).clock)


def instance(id_: str) -> Leftover:
    return Leftover(LeftoverKind.INSTANCE, id_)


def results(findings: list[Any]) -> dict[str, str]:
    return {finding.leftover.id: finding.result.value for finding in findings}


def test_450_templates_come_in_three_pages_and_all_go():  # I-66
    ids = [f"lt-{n:017x}" for n in range(450)]
    templates = [
        {"LaunchTemplateId": id_, "LaunchTemplateName": f"karpenter.k8s.aws/{id_}", "Tags": tag_list(node_tags("shop"))}
        for id_ in ids
    ]
    aws = Stubbed("ec2")
    for page in range(3):
        more = {"NextToken": f"page-{page + 1}"} if page < 2 else {}
        asked = {"Filters": ANY, "MaxResults": 200, **({"NextToken": f"page-{page}"} if page else {})}
        answer = {"LaunchTemplates": templates[page * 200 : (page + 1) * 200], **more}
        aws.stub.add_response("describe_launch_templates", answer, asked)
    for _ in range(2):  # by the tags of old versions there are none
        aws.stub.add_response("describe_launch_templates", {"LaunchTemplates": []}, {"Filters": ANY, "MaxResults": 200})
    for id_ in ids:
        aws.stub.add_response("delete_launch_template", {}, {"LaunchTemplateId": id_})
    found = Inventory(facts("shop"), calls(aws), None, {}).templates()
    assert results(Removal(calls(aws))(found)) == dict.fromkeys(ids, "removed")
    aws.stub.assert_no_pending_responses()


def test_filters_are_whole_tags():  # I-59
    """What EC2 is asked for is the cluster's name in whole, and keys that only Karpenter writes."""
    aws = Scripted({"describe_instances": [{"Reservations": []}]})
    Inventory(facts("shop"), calls(aws), None, {}).instances()
    assert aws.asked[0][1]["Filters"] == [
        {"Name": "tag:eks:eks-cluster-name", "Values": ["shop"]},
        {"Name": "tag-key", "Values": ["karpenter.sh/nodepool"]},
        {"Name": "tag-key", "Values": ["karpenter.k8s.aws/ec2nodeclass"]},
    ]


def test_a_server_that_does_not_filter_changes_nothing():  # I-60
    """What comes back is looked at again, tag by tag."""
    records = [
        {"InstanceId": f"i-{n}", "InstanceType": "m5.large", "State": {"Name": "running"}, "Tags": tag_list(node_tags(cluster))}
        for n, cluster in enumerate(["shop", "shop-2", "SHOP", "sho"])
    ]
    aws = Scripted({"describe_instances": [{"Reservations": [{"Instances": records}]}]})
    assert [one.id for one in Inventory(facts("shop"), calls(aws), None, {}).instances().leftovers] == ["i-0"]


def test_templates_are_known_by_their_tags_and_shown_by_their_names():
    """Those of every cluster in the account have the prefix karpenter.k8s.aws/, so a name proves nothing."""
    records = [
        {"LaunchTemplateId": f"lt-{n}", "LaunchTemplateName": f"karpenter.k8s.aws/{n}", "Tags": tag_list(tags)}
        for n, tags in enumerate([node_tags("shop"), node_tags("bank"), {}])
    ]
    aws = Scripted({"describe_launch_templates": [{"LaunchTemplates": records}]})
    templates = Inventory(facts("shop"), calls(aws), None, {}).templates()
    assert [(template.id, template.name) for template in templates] == [("lt-0", "karpenter.k8s.aws/0")]


def test_an_operators_instance_says_whose_it_is():
    operator = {"Managed": True, "Principal": "eks.amazonaws.com"}
    record = {"InstanceId": "i-1", "InstanceType": "m5.large", "State": {"Name": "running"}, "Operator": operator}
    record["Tags"] = tag_list(node_tags("shop"))
    aws = Scripted({"describe_instances": [{"Reservations": [{"Instances": [record]}]}]})
    [found] = Inventory(facts("shop"), calls(aws), None, {"m5.large": 0.096}).instances().leftovers
    assert (found.managed_by, found.usd_per_hour) == ("eks.amazonaws.com", 0.096)


DELETES = [
    (Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1"), "delete_launch_template", "InvalidLaunchTemplateId.NotFound"),
    (Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1"), "delete_launch_template", "InvalidLaunchTemplateName.NotFoundException"),
    (Leftover(LeftoverKind.INTERFACE, "eni-1"), "delete_network_interface", "InvalidNetworkInterfaceID.NotFound"),
    (Leftover(LeftoverKind.INSTANCE_PROFILE, "p"), "delete_instance_profile", "NoSuchEntity"),
    (Leftover(LeftoverKind.INSTANCE_PROFILE, "p", attached=("r",)), "remove_role_from_instance_profile", "NoSuchEntity"),
]


@pytest.mark.parametrize(("leftover", "operation", "code"), DELETES)
def test_what_is_gone_already_counts_as_removed(leftover, operation, code):  # I-64
    aws = Scripted({operation: [f"{code}: it is not there"]})
    assert results(Removal(calls(aws))([leftover])) == {leftover.id: "removed"}


@pytest.mark.parametrize(
    ("leftover", "operation", "code"),
    [
        (Leftover(LeftoverKind.INTERFACE, "eni-1"), "delete_network_interface", "InvalidNetworkInterface.InUse"),
        (Leftover(LeftoverKind.INTERFACE, "eni-1"), "delete_network_interface", "InvalidParameterValue"),
        (Leftover(LeftoverKind.INSTANCE_PROFILE, "p"), "delete_instance_profile", "DeleteConflict"),
        (Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1"), "delete_launch_template", "RequestLimitExceeded"),
    ],
)
def test_what_is_busy_is_waited_for_and_then_fails(leftover, operation, code):  # I-64
    """Pauses grow, and end after five minutes for all calls of a kind together."""
    time = Time()
    patient = Scripted({operation: [f"{code}: busy", f"{code}: busy", {}]})
    assert results(Removal(calls(patient, time))([leftover])) == {leftover.id: "removed"}
    assert time.paused == [1.0, 2.0]
    stubborn, time = Scripted({operation: [f"{code}: busy"]}), Time()
    [failed, again] = Removal(calls(stubborn, time))([leftover, leftover])
    assert (failed.result, again.result) == (Result.FAILED, Result.FAILED)
    assert code in failed.reason
    assert 240 < sum(time.paused) <= steps.RETRY_SECONDS


@pytest.mark.parametrize(
    ("leftover", "operation"),
    [
        (Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1"), "delete_launch_template"),
        (Leftover(LeftoverKind.INSTANCE_PROFILE, "p"), "delete_instance_profile"),
        (Leftover(LeftoverKind.INSTANCE, "i-1"), "terminate_instances"),
    ],
)
def test_what_is_not_permitted_is_said_and_the_rest_goes_on(leftover, operation):  # I-64
    code = "AccessDenied" if leftover.kind is LeftoverKind.INSTANCE_PROFILE else "UnauthorizedOperation"
    [found] = Removal(calls(Scripted({operation: [f"{code}: no"]})))([leftover])
    assert found.result is Result.DENIED


def test_vanished_ids_are_dropped_from_a_batch_and_the_rest_is_asked_for_again():  # I-64
    aws = Scripted(
        {
            "terminate_instances": ["InvalidInstanceID.NotFound: The instance IDs 'i-2, i-4' do not exist", {}],
            "describe_instances": [{"Reservations": []}],
        }
    )
    found = Removal(calls(aws))([instance(f"i-{n}") for n in range(1, 6)])
    assert results(found) == dict.fromkeys(("i-1", "i-2", "i-3", "i-4", "i-5"), "removed")
    asked = [arguments["InstanceIds"] for operation, arguments in aws.asked if operation == "terminate_instances"]
    assert asked == [["i-1", "i-2", "i-3", "i-4", "i-5"], ["i-1", "i-3", "i-5"]]


def test_a_vanished_id_that_is_not_named_does_not_lose_the_batch_either():  # I-64
    code = "InvalidInstanceID.NotFound: some do not exist"
    aws = Scripted({"terminate_instances": [code, {}, code, {}], "describe_instances": [{"Reservations": []}]})
    assert results(Removal(calls(aws))([instance(f"i-{n}") for n in range(3)])) == dict.fromkeys(
        ("i-0", "i-1", "i-2"), "removed"
    )


def test_instances_go_in_batches_of_fifty():
    aws = Scripted({"describe_instances": [{"Reservations": []}]})
    Removal(calls(aws))([instance(f"i-{n:03x}") for n in range(120)])
    sizes = [len(arguments["InstanceIds"]) for operation, arguments in aws.asked if operation == "terminate_instances"]
    assert sizes == [50, 50, 20]


def test_instances_are_waited_for_a_quarter_of_an_hour():
    slow = {"Instances": [{"InstanceId": "i-1", "State": {"Name": "shutting-down"}}]}
    time = Time()
    started = time.now
    [found] = Removal(calls(Scripted({"describe_instances": [{"Reservations": [slow]}]}), time))([instance("i-1")])
    assert (found.result, found.reason) == (Result.FAILED, "still shutting-down after 15 minutes")
    assert timedelta(minutes=14) < time.now - started <= timedelta(minutes=15)


def test_a_rehearsal_tells_what_is_permitted():  # I-65
    permitted, denied = "DryRunOperation: would have succeeded", "UnauthorizedOperation: no"
    aws = Scripted({"terminate_instances": [permitted], "delete_launch_template": [denied]})
    rehearse = Rehearsal(calls(aws))
    assert results(rehearse([instance("i-1")])) == {"i-1": "to be removed"}
    assert results(rehearse([Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1")])) == {"lt-1": "not permitted"}
    assert all(arguments["DryRun"] for _, arguments in aws.asked)


def test_expired_credentials_end_everything():
    aws = Scripted({"delete_launch_template": ["ExpiredToken: sign in"]})
    with pytest.raises(AccountError, match="expired"):
        Removal(calls(aws))([Leftover(LeftoverKind.LAUNCH_TEMPLATE, "lt-1")])


def test_a_profile_that_vanishes_while_it_is_looked_at_is_no_leftover():  # I-64
    profile = {"InstanceProfileName": "p", "Path": f"/karpenter/{REGION}/shop/u/"}
    aws = Scripted(
        {"list_instance_profiles": [{"InstanceProfiles": [profile]}], "get_instance_profile": ["NoSuchEntity: gone"]}
    )
    assert Inventory(facts("shop"), calls(aws), None, {}).profiles() == ()


def test_a_list_that_is_not_permitted_names_the_action():
    aws = Scripted({"describe_instances": ["UnauthorizedOperation: no"]})
    with pytest.raises(FailedCallError, match="ec2:DescribeInstances") as refused:
        Inventory(facts("shop"), calls(aws), None, {}).instances()
    assert refused.value.is_denied
