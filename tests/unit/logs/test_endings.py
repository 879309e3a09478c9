"""Nodes that were ended, offerings without capacity and the version that runs, read out of Karpenter's log and its events."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.logs import EndedClaim, ended_claims, read_records, running_version, unavailable_offerings
from tests.unit.logs.test_history import REPLACE, line
from tests.unit.logs.test_launches import AT, event

CLAIM: dict[str, Any] = {"NodeClaim": {"name": "general-x"}, "Node": {"name": "ip-10-0-1-1"}}


def ended(*lines: str) -> tuple[EndedClaim, ...]:
    return ended_claims(read_records("\n".join(lines)).records)


@pytest.mark.parametrize(
    ("message", "fields", "reason"),
    [
        ("deleting expired nodeclaim", {}, "expired"),
        ("deleting unhealthy node", {}, "unhealthy"),
        ("initiating delete from interruption message", {"messageKind": "spot_interrupted"}, "interrupted"),
        ("terminating due to timeout", {"reason": "registration_timeout"}, "registration_timeout"),
    ],
)
def test_a_line_says_what_ended_a_node(message, fields, reason):
    """Forceful ends are not commands: each has a line of its own, about the claim and its node."""
    assert ended(line(message, **CLAIM, **fields)) == (EndedClaim(AT, reason, "general-x", "ip-10-0-1-1"),)


def test_older_releases_spell_the_fields_otherwise():
    (claim,) = ended(line("initiating delete from interruption message", nodeclaim="default-4w54b", node="ip-10-0-36-60"))
    assert (claim.claim, claim.node, claim.node_pool) == ("default-4w54b", "ip-10-0-36-60", "default")


def test_an_event_of_an_interruption_repeats_the_line_and_counts_once():
    repeated = event("TerminatingOnInterruption", "Interruption triggered termination", "NodeClaim", "general-x")
    logged = line("initiating delete from interruption message", **CLAIM)
    assert [claim.claim for claim in ended(logged, repeated)] == ["general-x"]


def test_a_command_ends_its_nodes_and_names_their_replacements():
    claims = ended(line(REPLACE, reason="underutilized"))
    assert claims
    assert all(claim.is_replaced and claim.instance_type and claim.reason == "underutilized" for claim in claims)


def test_a_reboot_and_other_lines_end_nothing():
    assert ended(line("committed node reboot", **CLAIM), line("created nodeclaim", **CLAIM)) == ()


def test_offerings_without_capacity_are_read():
    fields = {
        "reason": "InsufficientInstanceCapacity",
        "instance-type": "m5.large",
        "zone": "us-west-2a",
        "capacity-type": "spot",
    }
    (offering,) = unavailable_offerings(read_records(line("removing offering from offerings", **fields)).records)
    assert (offering.instance_type, offering.zone, offering.capacity_type) == ("m5.large", "us-west-2a", "spot")
    assert (offering.at, offering.reason) == (AT, "InsufficientInstanceCapacity")


def test_the_last_version_that_the_log_names_runs():
    """A controller that was upgraded says so when it starts."""
    later = line("discovered karpenter version", "2026-01-05T13:00:00Z", version="1.15.1")
    log = "\n".join([later, line("discovered karpenter version", version="v1.14.2")])
    assert running_version(read_records(log).records) == "1.15.1"
    assert running_version(read_records(line("created nodeclaim")).records) == ""
