"""What Karpenter did, read out of its log and its events."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cutlist.logs import EndedNode, NewNodes, Records, Step, read_records, stories_of
from cutlist.verbs.history.answer import history
from cutlist_cli import main


def line(message: str, at: str = "2026-01-05T12:00:00.000Z", **fields: Any) -> str:
    return json.dumps({"level": "INFO", "time": at, "message": message, **fields})


def event(message: str, kind: str, name: str, reason: str = "DisruptionTerminating") -> dict[str, Any]:
    about, at = {"kind": kind, "name": name}, "2026-01-05T12:00:00Z"
    return {"kind": "Event", "lastTimestamp": at, "reason": reason, "message": message, "involvedObject": about}


def only(text: str):
    (story,) = stories_of(read_records(text).records)
    return story


REPLACE = (
    "disrupting nodeclaim(s) via replace, terminating 1 nodes (1 pods) node-a/c6g.2xlarge/on-demand and replacing with "
    "on-demand node from types c6g.large, c7g.large, c5a.large, c6gd.large, m6g.large and 55 other(s)"
)


def test_the_sentence_of_old_releases_is_read():
    """Decision, count of pods, node with type and capacity type, and the list of types with how many others."""
    # K-166 K-168
    reported = only(line(REPLACE, reason="underutilized")).decision
    assert (reported.decision, reported.reason, reported.pods) == ("replace", "underutilized", 1)
    assert reported.nodes == (EndedNode("node-a", "", "c6g.2xlarge", "on-demand"),)
    (new,) = reported.new
    assert (new.count, new.capacity_type, new.types[0], len(new.types), new.others) == (1, "on-demand", "c6g.large", 5, 55)
    assert new.text == "c6g.large, c7g.large, c5a.large, c6gd.large, m6g.large and 55 other(s)"


def test_several_nodes_are_reported_without_a_count_of_pods():
    """Old releases counted those of the last node alone."""
    message = (
        "disrupting nodeclaim(s) via delete, terminating 2 nodes (3 pods) node-a/m5.large/spot, node-b/m5.xlarge/on-demand"
    )
    reported = only(line(message)).decision
    assert ([n.name for n in reported.nodes], reported.pods, reported.new) == (["node-a", "node-b"], None, ())


def test_replacements_of_both_kinds_are_told_apart():
    message = (
        "disrupting nodeclaim(s) via replace, terminating 1 nodes (9 pods) node-a/m5.large/spot and replacing with "
        "2 spot and 1 on-demand, from types m5.large, c5.large"
    )
    types = ("m5.large", "c5.large")
    assert only(line(message)).decision.new == (NewNodes(2, "spot", types), NewNodes(1, "on-demand", types))


@pytest.mark.parametrize("via", ["disrupting via consolidation delete", "deprovisioning via consolidation delete"])
def test_still_older_sentences_are_read(via):
    reported = only(line(f"{via}, terminating 1 machines (2 pods) node-a/m5.large/spot")).decision
    assert (reported.decision, reported.pods, reported.nodes[0].name) == ("delete", 2, "node-a")


def test_the_fields_of_present_releases_are_read():
    """One record of v1.14: the text of the command holds the reason and what it saves."""
    fields = {
        "command": "Underutilized/0f5c: replace: nodepools=[general]: [node-a] -> [1 replacement] (savings: $0.12)",
        "decision": "replace",
        "pod-count": 4,
        "disrupted-nodes": [
            {
                "Node": {"name": "node-a"},
                "NodeClaim": {"name": "general-x"},
                "instance-type": "m5.xlarge",
                "capacity-type": "spot",
            }
        ],
        "replacement-nodes": [{"capacity-type": "on-demand", "instance-types": "m5.large, m6i.large"}],
    }
    reported = only(line("disrupting node(s)", **fields)).decision
    assert (reported.reason, reported.decision, reported.pods, reported.savings) == ("underutilized", "replace", 4, 0.12)
    assert reported.nodes == (EndedNode("node-a", "general-x", "m5.xlarge", "spot"),)
    assert reported.new == (NewNodes(1, "on-demand", ("m5.large", "m6i.large")),)


def test_the_steps_of_a_removal_follow_its_command():
    """Tainted, then the node is removed, then its claim; what is said of other nodes stays out."""
    # K-169 K-170
    taint = {"taint.Key": "karpenter.sh/disrupted", "taint.Value": "", "taint.Effect": "NoSchedule"}
    log = [
        line("deleted nodeclaim", "2026-01-05T12:00:35Z", NodeClaim={"name": "general-x"}, Node={"name": "node-a"}),
        line("tainted node", "2026-01-05T12:00:01Z", Node={"name": "node-a"}, **taint),
        line("deleted node", "2026-01-05T12:00:34.5Z", Node={"name": "node-a"}),
        line("deleted node", "2026-01-05T12:00:20Z", Node={"name": "node-z"}),
        line("disrupting nodeclaim(s) via delete, terminating 1 nodes (1 pods) node-a/m5.large/spot", reason="empty"),
    ]
    (ending,) = only("\n".join(log)).endings
    assert ending.steps == (
        Step(1.0, "tainted karpenter.sh/disrupted:NoSchedule"),
        Step(34.5, "node deleted"),
        Step(35.0, "claim general-x deleted"),
    )


def test_events_of_a_node_and_of_its_claim_are_one_command():
    """As AKS reported them in 2024: `Consolidation/Delete`, once for each object."""
    # K-167
    events = [
        event("Disrupting Node: Consolidation/Delete", "Node", "aks-default-65f84"),
        event("Disrupting NodeClaim: Consolidation/Delete", "NodeClaim", "default-65f84"),
        event("Waiting on deletion to continue disruption", "NodeClaim", "default-65f84", reason="DisruptionWaitingDeletion"),
        event("Can't replace with a cheaper node", "Node", "aks-other", reason="Unconsolidatable"),
    ]
    story = only(json.dumps({"kind": "List", "items": events}))
    assert (story.decision.reason, story.decision.decision) == ("consolidation", "delete")
    assert story.decision.nodes == (EndedNode("aks-default-65f84", "default-65f84"),)
    assert [s.what for s in story.endings[0].steps] == ["waits until it is deleted"]


EKS_NODE, CLAIM = "ip-10-0-1-2.us-west-2.compute.internal", "default-abcde"


def disrupted(*names: str, reason: str = "Empty") -> list[dict[str, Any]]:
    """The events of a disruption about each of these nodes and NodeClaims."""
    kinds = ["Node" if name.startswith("ip-") else "NodeClaim" for name in names]
    return [event(f"Disrupting {kind}: {reason}", kind, name) for kind, name in zip(kinds, names, strict=True)]


def ended(items: list[dict[str, Any]], *more: str) -> tuple[list[EndedNode], list[str]]:
    """The nodes that end, a command each, and the names that are not counted."""
    reported = history("\n".join([*more, json.dumps({"items": items})]))
    return [node for story in reported.stories for node in story.decision.nodes], list(reported.doubles)


def test_events_of_unrelated_names_at_one_moment_are_one_command():
    """On EKS a node has the name of its address: of one reason and moment, one node and one NodeClaim are the same."""
    assert ended(disrupted(EKS_NODE, CLAIM)) == ([EndedNode(EKS_NODE, CLAIM)], [])


def test_events_of_two_reasons_are_two_commands():
    nodes, doubles = ended([*disrupted(EKS_NODE), *disrupted(CLAIM, reason="Drifted")])
    assert (len(nodes), doubles) == (2, [])


TWO = disrupted("ip-1", "ip-2", "default-a", "default-b")


@pytest.mark.parametrize(
    "links",
    [
        [event("Pod should schedule on: nodeclaim/default-b, node/ip-1", "Pod", "web-1", reason="Nominated")],
        [{"kind": "NodeClaim", "metadata": {"name": "default-b"}, "status": {"nodeName": "ip-1"}}],
    ],
    ids=["the event of a pod", "the NodeClaim"],
)
def test_what_names_both_connects_the_events_of_several_nodes(links):
    """One connection is enough for two: the others are then the only ones."""
    assert ended([*links, *TWO]) == ([EndedNode("ip-1", "default-b"), EndedNode("ip-2", "default-a")], [])


def test_a_line_of_the_log_connects_events_as_well():
    pairs = [{"Node": {"name": "ip-1"}, "NodeClaim": {"name": "default-b"}}]
    nodes, doubles = ended(TWO, line("disrupting node(s)", "2026-01-05T11:55:00.000Z", **{"disrupted-nodes": pairs}))
    assert ([node.name for node in nodes], doubles) == (["ip-1", "ip-2"], [])


@pytest.mark.parametrize(
    ("names", "counted", "doubles"),
    [
        (("ip-1", "ip-2", "default-a", "default-b"), ["ip-1", "ip-2"], ["default-a", "default-b"]),
        (("ip-1", "default-a", "default-b"), ["default-a", "default-b"], ["ip-1"]),
        (("ip-1", "ip-2", "default-a"), ["ip-1", "ip-2"], ["default-a"]),
    ],
)
def test_what_nothing_connects_is_counted_once_and_listed(names, counted, doubles):
    """Of the nodes and the NodeClaims those are counted of which there are more."""
    nodes, listed = ended(disrupted(*names))
    assert ([node.name or node.claim for node in nodes], listed) == (counted, doubles)


def test_a_command_that_waited_for_its_new_node_is_one_with_the_events_of_its_end():
    """The line is from the decision, the events from when the new node is ready: minutes later."""
    pairs = [{"Node": {"name": EKS_NODE}, "NodeClaim": {"name": CLAIM}}]
    decided = line("disrupting node(s)", "2026-01-05T11:54:00.000Z", **{"disrupted-nodes": pairs, "decision": "replace"})
    assert ended(disrupted(EKS_NODE, CLAIM), decided) == ([EndedNode(EKS_NODE, CLAIM)], [])
    long_ago = decided.replace("T11:54", "T09:54")
    assert len(ended(disrupted(EKS_NODE, CLAIM), long_ago)[0]) == 2


def test_names_that_are_not_counted_are_in_every_view(tmp_path):
    log = tmp_path / "events.json"
    log.write_text(json.dumps({"items": TWO}))
    for form in ("text", "markdown", "html"):
        shown = CliRunner().invoke(main, ["history", "-f", str(log), "-o", form]).stdout
        assert "2 names are not counted: default-a, default-b" in " ".join(shown.split())
    data = json.loads(CliRunner().invoke(main, ["history", "-f", str(log), "-o", "json"]).stdout)
    assert (len(data["commands"]), data["doubles"]) == (2, ["default-a", "default-b"])


def test_two_nodes_at_one_time_stay_two_commands():
    events = [event("Disrupting Node: Empty", "Node", name) for name in ("node-a", "node-b")]
    stories = stories_of(read_records(json.dumps({"items": events})).records)
    assert [s.decision.nodes[0].name for s in stories] == ["node-a", "node-b"]


def test_other_programs_lines_are_counted():
    read = read_records(f"I0105 klog of somebody\n{line(REPLACE)}\n[1, 2]\n{{broken\n")
    assert (len(read.records), read.others) == (1, 3)


@given(st.text())
def test_any_text_is_read(text):
    """Nothing in a log ends the reading of it."""
    assert read_records(text).others >= 0


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "yesterday", 3, None])
def test_a_time_without_a_year_in_utc_is_none(at):
    """Nothing could be shown of it."""
    assert read_records(json.dumps({"time": at, "message": "deleted node"})) == Records((), 1)


def test_a_number_that_is_too_long_to_read_costs_its_line_alone():
    read = read_records(f'{{"time": {"9" * 5000}}}\n{line(REPLACE)}')
    assert (len(read.records), read.others) == (1, 1)


@pytest.mark.parametrize(
    ("field", "written", "attribute"),
    [
        ("command", "Empty/0f5c: delete (savings: $1.2.3)", "savings"),
        ("command", f"Empty/0f5c: delete (savings: ${'9' * 400})", "savings"),
        ("pod-count", -1, "pods"),
        ("pod-count", True, "pods"),
    ],
)
def test_what_is_no_amount_or_count_is_not_told(field, written, attribute):
    assert getattr(only(line("disrupting node(s)", **{field: written})).decision, attribute) is None


def removals(count: int) -> str:
    """A log of so many nodes that go one a minute, three lines each, among lines about nothing in particular."""
    lines = []
    for number in range(count):
        at = f"2026-01-{1 + number // 1440:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00Z"
        of = {"Node": {"name": f"node-{number}"}, "NodeClaim": {"name": f"general-{number}"}}
        lines += [line("disrupting node(s)", at, **{"disrupted-nodes": [of]}), line("tainted node", at, **of)]
        lines += [line("deleted node", at, **of), *(line("computed", at, NodePool={"name": "general"}) for _ in range(5))]
    return "\n".join(lines)


@pytest.mark.thorough
@pytest.mark.slow
def test_a_log_of_a_thousand_commands_is_retold_in_some_times_what_reading_it_takes():
    """Each node's lines are found by its name, not by looking through the log for each node."""
    text = removals(1000)

    def seconds(run: Callable[[], object]) -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    records = read_records(text).records
    stories = stories_of(records)
    assert [len(s.endings[0].steps) for s in stories] == [2] * 1000
    telling = min(seconds(lambda: stories_of(records)) for _ in range(3))
    assert telling < 10 * min(seconds(lambda: read_records(text)) for _ in range(3))


def test_a_name_that_is_none_names_nothing():
    (node,) = only(line("disrupting node(s)", **{"disrupted-nodes": [{"Node": {"name": None}}]})).decision.nodes
    assert node == EndedNode("")


def test_the_command_prints_what_happened(tmp_path):
    log = tmp_path / "karpenter.log"
    log.write_text(line(REPLACE, reason="underutilized"))
    shown = CliRunner().invoke(main, ["history", "-f", str(log), "--width", "80"])
    assert shown.exit_code == 0
    assert shown.output.splitlines()[:2] == [
        "2026-01-05 12:00:00Z  underutilized: replace 1 node with 1 pod",
        "    ends   node-a, c6g.2xlarge on-demand",
    ]
    assert "1 command ended 1 node" in shown.output
    data = json.loads(CliRunner().invoke(main, ["history", "-f", str(log), "-o", "json"]).stdout)
    assert data["commands"][0]["replacements"][0]["others"] == 55


def test_a_file_that_is_missing_is_named():
    shown = CliRunner().invoke(main, ["history", "-f", "no-such.log"])
    assert shown.exit_code == 2
    assert "no-such.log: cannot be read: no such file or directory" in shown.output


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text", ["---\n" * 40_000, "#\n" * 40_000, "{x\n" * 40_000, "{\n" * 40_000, '{"a": [\n' * 20_000], ids=range(5)
)
def test_the_time_of_reading_grows_with_the_text(text: str):
    """An error of the JSON parser counts all lines before it."""
    started = time.process_time()
    assert read_records(text).records == ()
    assert time.process_time() - started < 2
