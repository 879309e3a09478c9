"""Launches that failed and reboots of nodes, read out of Karpenter's log and its events."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from cutlist.logs import EndedNode, FailedLaunch, Step, failed_launches, read_records, stories_of
from cutlist_cli import main
from tests.unit.logs.test_history import line

AT = 1767614400.0  # 2026-01-05T12:00:00Z
NO_CAPACITY = "InsufficientCapacityError"


def event(reason: str, message: str, kind: str, name: str, at: str = "2026-01-05T12:00:00Z") -> str:
    about = {"kind": kind, "name": name}
    return json.dumps({"kind": "Event", "lastTimestamp": at, "reason": reason, "message": message, "involvedObject": about})


def failed(*lines: str) -> tuple[FailedLaunch, ...]:
    return failed_launches(read_records("\n".join(lines)).records)


def nominated(pod: str, message: str, claim: str = "general-x") -> str:
    return event(NO_CAPACITY, f"NodeClaim {claim} nominated for this pod failed to launch: {message}", "Pod", pod)


def test_a_launch_that_found_no_capacity_is_one_with_the_pods_that_waited_for_it():
    """The log, the event of the claim and those of its pods report the same launch."""
    # V15-71
    error = "insufficient capacity, all requested instance types were unavailable during launch"
    launches = failed(
        line("failed launching nodeclaim", NodeClaim={"name": "general-x"}, error=error),
        event(NO_CAPACITY, f"NodeClaim general-x event: {error}", "NodeClaim", "general-x"),
        nominated("web-0", error),
        nominated("web-1", error),
        nominated("web-0", error),
    )
    assert launches == (FailedLaunch(AT, "general-x", error, ("web-0", "web-1")),)


def test_before_1_15_no_pod_is_named():
    # V15-71
    (launch,) = failed(event(NO_CAPACITY, "NodeClaim general-x event: no capacity", "NodeClaim", "general-x"))
    assert (launch.message, launch.pods, launch.is_cut) == ("no capacity", (), False)


def test_a_message_that_was_cut_is_completed_by_a_longer_one():
    """An event holds 1,024 characters in all since 1.15, before that 300 of the provider's; the log holds everything."""
    # V15-72
    whole = "insufficient capacity, " + "m5.large " * 200
    of_pod = "NodeClaim general-x nominated for this pod failed to launch: "
    cut = (of_pod + whole)[: 1024 - 3] + "..."
    (launch,) = failed(event(NO_CAPACITY, cut, "Pod", "web-0"))
    assert launch.is_cut
    assert launch.message == cut.removeprefix(of_pod)
    shorter = f"NodeClaim general-x event: {whole[:300]}..."
    both = failed(event(NO_CAPACITY, shorter, "NodeClaim", "general-x"), event(NO_CAPACITY, cut, "Pod", "web-0"))
    assert both == (launch,)
    logged = line("failed launching nodeclaim", NodeClaim={"name": "general-x"}, error=whole)
    (completed,) = failed(event(NO_CAPACITY, cut, "Pod", "web-0"), logged)
    assert (completed.message, completed.is_cut, completed.pods) == (whole, False, ("web-0",))


def test_a_class_that_is_not_ready_fails_its_launches_too():
    # V15-72
    (launch,) = failed(event("NodeClassNotReady", "NodeClaim general-x event: class is not ready", "NodeClaim", "general-x"))
    assert launch.message == "class is not ready"


def test_other_records_are_no_failed_launches():
    """A text of that form with another reason, and a failure that names no claim."""
    other = event("Nominated", "NodeClaim general-x event: fine", "NodeClaim", "general-x")
    strange = event(NO_CAPACITY, "capacity is short", "Pod", "web-0")
    assert failed(other, strange, line("failed launching nodeclaim", error="x")) == ()


def test_a_reboot_is_a_command_with_its_steps():
    """Repair requests it; the events of the claim and the log report its end."""
    # V15-55 V15-73
    claim: dict[str, Any] = {"NodeClaim": {"name": "general-x"}}
    observed = "New boot observed (bootID changed); awaiting node readiness"
    late = "2026-01-05T12:01:00Z"
    (story,) = stories_of(
        read_records(
            "\n".join(
                [
                    line("committed node reboot", **claim),
                    event("RebootObserved", observed, "NodeClaim", "general-x", late),
                    line("reboot reached terminal outcome", late, reason="RebootSucceeded", **claim),
                ]
            )
        ).records
    )
    (ending,) = story.endings
    assert (story.decision.reason, story.decision.decision, ending.node) == ("unhealthy", "reboot", EndedNode("", "general-x"))
    assert ending.steps == (Step(60.0, observed), Step(60.0, "reboot ended: RebootSucceeded"))


def test_a_reboot_that_failed_says_why():
    # V15-73
    why = "Node did not become ready after reboot"
    log = "\n".join(
        [
            line("committed node reboot", NodeClaim={"name": "general-x"}),
            event("RebootFailed", why, "NodeClaim", "general-x", "2026-01-05T12:20:00Z"),
        ]
    )
    assert stories_of(read_records(log).records)[0].endings[0].steps == (Step(1200.0, why),)


def test_the_command_shows_the_launches_that_failed(tmp_path):
    # V15-71 V15-72
    log = tmp_path / "events.json"
    log.write_text(nominated("web-0", "no capacity") + "\n" + nominated("web-1", "no capacity"))
    shown = CliRunner().invoke(main, ["history", "-f", str(log), "--width", "80"])
    assert shown.exit_code == 0
    assert shown.output.splitlines()[-3:] == [
        "1 launch failed",
        "2026-01-05 12:00:00Z  general-x: no capacity",
        "    2 pods waited: web-0, web-1",
    ]
    (launch,) = json.loads(CliRunner().invoke(main, ["history", "-f", str(log), "-o", "json"]).stdout)["failedLaunches"]
    assert launch == {
        "at": "2026-01-05T12:00:00.000Z",
        "nodeClaim": "general-x",
        "message": "no capacity",
        "isCut": False,
        "pods": ["web-0", "web-1"],
    }
