"""What messages of the interruption queue and the status of an instance say."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cutlist.disruption.interruption import Action
from tests.unit.providers.aws import queue_messages as aws

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def message(kind: str, source: str = "aws.ec2", version: str = "0", **detail: Any) -> dict[str, Any]:
    given = {key.replace("_", "-"): value for key, value in detail.items()} or {"instance-id": "i-1"}
    return {"version": version, "source": source, "detail-type": kind, "detail": given}


def state(name: str) -> dict[str, Any]:
    return message("EC2 Instance State-change Notification", instance_id="i-1", state=name)


def health(**detail: Any) -> dict[str, Any]:
    given = {"service": "EC2", "eventTypeCategory": "scheduledChange", "affectedEntities": [], **detail}
    return {"version": "0", "source": "aws.health", "detail-type": "AWS Health Event", "detail": given}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (message("EC2 Spot Instance Interruption Warning"), "spot_interrupted"),
        (message("EC2 Instance Rebalance Recommendation"), "rebalance_recommendation"),
        (message("EC2 Capacity Reservation Instance Interruption Warning"), "capacity_reservation_interrupted"),
        (state("stopping"), "instance_stopped"),
        (state("stopped"), "instance_stopped"),
        (state("shutting-down"), "instance_terminated"),
        (state("terminated"), "instance_terminated"),
    ],
)
def test_messages_about_one_instance(said: dict[str, Any], kind: str):
    """Source and detail-type tell what it is about, of a state change the state as well."""
    # D-78
    found = aws.read_message(said)
    assert (found.kind, found.instances) == (kind, ("i-1",))
    assert (found.action is Action.DRAIN) == (kind != "rebalance_recommendation")


def test_a_health_event_is_about_all_its_entities():
    """Only scheduled changes of EC2 count."""
    two = {"affectedEntities": [{"entityValue": "i-1"}, {"entityValue": "i-2"}]}
    assert aws.read_message(health(**two)).instances == ("i-1", "i-2")
    assert aws.read_message(health(**two, service="RDS")) == aws.NO_OP
    assert aws.read_message(health(**two, eventTypeCategory="issue")) == aws.NO_OP


@pytest.mark.parametrize(
    "said",
    [
        {},
        state("running"),
        state("pending"),
        message("EC2 Fleet Information"),
        message("EC2 Spot Instance Interruption Warning", source="aws.health"),
        message("EC2 Spot Instance Interruption Warning", version="1"),
        {"version": "0", "source": "aws.health", "detail-type": "AWS Health Event"},
    ],
)
def test_messages_without_interest(said: dict[str, Any]):
    """They are deleted, and nothing happens."""
    assert aws.read_message(said) == aws.NO_OP


def status(since: Any = None, failed: str = "failed", **more: Any) -> dict[str, Any]:
    detail = {"Name": "reachability", "Status": failed, **({"ImpairedSince": since} if since else {})}
    return {"InstanceId": "i-1", "SystemStatus": {"Status": "impaired", "Details": [detail]}, **more}


def read(said: dict[str, Any], now: datetime = NOON) -> list[tuple[str, Action]]:
    return [(i.kind, i.action) for i in aws.read_status(said, now.timestamp())]


def test_a_check_has_to_fail_for_two_minutes():
    """Then the node is ended at once; a check that passes, or is starting, does nothing."""
    # D-79
    assert read(status(datetime(2026, 1, 5, 11, 58, tzinfo=UTC))) == [("system_status", Action.END_NOW)]
    assert read(status("2026-01-05T11:58:01Z")) == []
    assert read(status("2026-01-05T11:00:00Z", failed="initializing")) == []


def test_a_scheduled_event_counts_at_once():
    """Of the codes that end or restart an instance; the node is drained as usual."""
    # D-79
    event = {"Code": "instance-retirement", "NotBefore": "2026-02-01T00:00:00Z"}
    assert read({"InstanceId": "i-1", "Events": [event]}) == [("event_status", Action.DRAIN)]
    assert read({"InstanceId": "i-1", "Events": [{"Code": "something-else"}]}) == []


def test_each_category_counts_for_itself():
    """Volumes do not count at all."""
    failed = {"Details": [{"Status": "failed", "ImpairedSince": "2026-01-05T11:00:00Z"}]}
    said = {"InstanceId": "i-1", "InstanceStatus": failed, "SystemStatus": failed, "AttachedEbsStatus": failed}
    assert [kind for kind, _ in read(said)] == ["instance_status", "system_status"]
