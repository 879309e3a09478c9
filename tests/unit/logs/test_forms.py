"""The forms in which logs are kept, and the words of earlier releases (spec: disruption 11.5)."""

from __future__ import annotations

import json

import pytest

from cutlist.logs import ended_claims, failed_launches, launched_nodes, read_records, stories_of
from tests.unit.logs.test_launches import AT

TIME = "2026-01-05T12:00:00.000Z"
LINE = {"level": "INFO", "time": TIME, "logger": "controller", "message": "deleted node", "Node": {"name": "n1"}}
JSON = json.dumps(LINE)
UNTIMED = json.dumps({name: value for name, value in LINE.items() if name != "time"})
CONSOLE = f'{TIME}\tINFO\tcontroller.termination\tdeleted node\t{{"commit": "5f1a6b2", "node": "n1"}}'
KEPT = {
    "JSON": JSON,
    "JSON on several lines": json.dumps(LINE, indent=2),
    "the console encoder": CONSOLE,
    "the console encoder with spaces for tabs": CONSOLE.replace("\t", "    "),
    "the console encoder without a space before the fields": CONSOLE.replace("\t{", "{"),
    "a frame of a terminal": f"│ {CONSOLE}      │",
    "names of pod and container": f"karpenter-5c9d7-abcde controller {JSON}",
    "names before a line of the console": f"karpenter-5c9d7-abcde controller {CONSOLE}",
    "kubectl logs --timestamps": f"2026-01-05T12:00:00.123456789Z {JSON}",
    "a time in place of the line's": f"{TIME}\t{UNTIMED}",
    "a time with a blank": f"2026-01-05 12:00:00.000\t{UNTIMED}",
    "a quotation": f"> {JSON}",
    "a container runtime": f"{TIME} stderr F {JSON}",
    "docker": json.dumps({"log": f"{JSON}\n", "stream": "stderr", "time": TIME}),
    "fluent-bit": json.dumps({"time": TIME, "log_processed": LINE, "kubernetes": {"pod_name": "karpenter-1"}}),
    "fluent-bit without the line's time": json.dumps({"time": TIME, "log": UNTIMED}),
    "Loki": json.dumps({"line": JSON, "timestamp": "1767614400000000000", "fields": {"app": "karpenter"}}),
    "CloudWatch": json.dumps({"@timestamp": "2026-01-05 12:00:00.000", "@message": UNTIMED}),
    "Cloud Logging": json.dumps({"timestamp": TIME, "jsonPayload": LINE, "severity": "INFO"}),
    "a line of the console in a member": json.dumps({"time": TIME, "log": CONSOLE}),
    "an event": json.dumps(
        {"kind": "Event", "lastTimestamp": TIME, "message": "deleted node", "involvedObject": {"kind": "Node", "name": "n1"}}
    ),
    "an event of events.k8s.io": json.dumps(
        {"kind": "Event", "eventTime": TIME, "note": "deleted node", "regarding": {"kind": "Node", "name": "n1"}}
    ),
    "an exporter of events": json.dumps(
        {"lastTimestamp": TIME, "eventMessage": "deleted node", "involvedObject": {"kind": "Node", "name": "n1"}}
    ),
}
NOT_KEPT = (
    "",
    "Starting karpenter {}",
    f"{TIME} INFO nginx deleted node",
    '{"level":"INFO","time":"2026-01-05T12:00:00Z","message":"deleted no',
    f"{TIME}\t{{{{not an object}}}}",
    '{"log": "nothing of Karpenter", "stream": "stderr"}',
)


def test_a_line_is_read_in_every_form_in_which_logs_are_kept():
    read = {name: [(r.at, r.message, r.about) for r in read_records(text).records] for name, text in KEPT.items()}
    assert read == {name: [(AT, "deleted node", ("Node", "n1"))] for name in KEPT}


def test_forms_may_be_mixed_and_what_else_is_there_is_counted():
    text = "\n".join([*KEPT.values(), *NOT_KEPT])
    read = read_records(text)
    assert (len(read.records), read.others) == (len(KEPT), sum(bool(line) for line in NOT_KEPT))


def test_a_message_with_braces_keeps_them():
    requests = 'launching node with 5 pods requesting {"cpu":"5125m"} from types m6a.large and 10 other(s)'
    (record,) = read_records(f'{TIME}\tINFO\tcontroller.provisioner\t{requests}\t{{"provisioner": "p"}}').records
    assert (record.message, record.fields["provisioner"]) == (requests, "p")


def console(message: str, level: str = "INFO", **fields: object) -> str:
    return f"{TIME}\t{level}\tcontroller.x\t{message}\t{json.dumps(fields)}"


ENDED = {
    "consolidation": (
        console("Consolidating via Delete, terminating 1 nodes n1/m5.large"),
        console("deprovisioning via consolidation delete, terminating 1 machines n1/m5.large/spot"),
        console("disrupting via consolidation delete, terminating 1 nodes (2 pods) n1/m5.large/spot"),
    ),
    "drift": (console("disrupting via drift delete, terminating 1 nodes (4 pods) n1/m5.large/on-demand"),),
    "expiration": (
        console("deprovisioning via expiration replace, terminating 1 machines n1/m5.large/spot"),
        console("triggering termination for expired node after TTL", node="n1", ttl="30s"),
    ),
    "interrupted": (
        console("deleted node from interruption message", node="n1"),
        console("initiating delete for machine from interruption message", node="n1", machine="general-x"),
        console("initiating delete from interruption message", node="n1", nodeclaim="general-x"),
    ),
    "registration_timeout": (console("terminating due to registration ttl", "DEBUG", node="n1", ttl="15m0s"),),
    "vanished": (console("garbage collecting nodeclaim with no cloudprovider representation", "DEBUG", node="n1"),),
    "deleted": (console("deleted node", node="n1"), console("deleted machine", node="n1", machine="general-x")),
}


def test_earlier_releases_say_otherwise_what_ended_a_node():
    of_lines = {reason: [ended_claims(read_records(line).records) for line in lines] for reason, lines in ENDED.items()}
    assert {reason: [[(c.reason, c.node) for c in claims] for claims in ended] for reason, ended in of_lines.items()} == {
        reason: [[(reason, "n1")]] * len(lines) for reason, lines in ENDED.items()
    }


def test_a_deletion_is_without_a_reason_only_where_no_line_has_one():
    """The removal that follows a command, an interruption or a launch that failed is the end of these."""
    command = console("disrupting via drift delete, terminating 1 nodes (4 pods) n1/m5.large/on-demand")
    interruption = console("initiating delete from interruption message", node="n2", nodeclaim="general-b")
    failure = console("creating instance, insufficient capacity, all were unavailable", "ERROR", nodeclaim="general-c")
    after = [console("deleted node", node=name) for name in ("n1", "n2", "n3")]
    claims = [console("deleted nodeclaim", nodeclaim=f"general-{letter}") for letter in "bc"]
    ended = ended_claims(read_records("\n".join([command, interruption, failure, *after, *claims])).records)
    assert sorted((claim.node, claim.reason) for claim in ended) == [("n1", "drift"), ("n2", "interrupted"), ("n3", "deleted")]


NO_CAPACITY = "creating instance, insufficient capacity, with fleet error(s), UnfulfillableCapacity: none"
OF_AZURE = 'Creating virtual machine "aks-gpu-x" failed: PUT https://management.azure.com/x ERROR CODE: OperationNotAllowed'
FAILED = (
    (console(OF_AZURE, "ERROR", nodeclaim="gpu-x", nodepool="gpu"), "gpu-x", "gpu", OF_AZURE),
    (console(NO_CAPACITY, "ERROR", machine="gpu-x", provisioner="gpu"), "gpu-x", "gpu", NO_CAPACITY),
    (console(f"Launching node, {NO_CAPACITY}", "ERROR", provisioner="gpu"), "", "gpu", f"Launching node, {NO_CAPACITY}"),
    (
        console(
            "Reconciler error",
            "ERROR",
            controller="nodeclaim.lifecycle",
            NodeClaim={"name": "gpu-x"},
            error="launching nodeclaim, creating instance, too few instances returned",
        ),
        "gpu-x",
        "gpu",
        "creating instance, too few instances returned",
    ),
)


def test_earlier_releases_report_a_failed_launch_in_the_message_and_retries_as_errors_of_the_reconciler():
    lines = [(failed_launches(read_records(line).records), expected) for line, *expected in FAILED]
    assert [[[f.claim, f.node_pool, f.message] for f in launches] for launches, _ in lines] == [[of] for _, of in lines]


@pytest.mark.parametrize("controller", ["nodeclaim.lifecycle", "disruption"])
def test_an_error_of_another_kind_is_not_a_launch(controller):
    error = "launching nodeclaim, x" if controller == "disruption" else "syncing node, x"
    line = console("Reconciler error", "ERROR", controller=controller, NodeClaim={"name": "gpu-x"}, error=error)
    assert failed_launches(read_records(line).records) == ()


def test_a_launch_of_an_earlier_release_has_the_provisioner_as_its_pool():
    fields = {"instance-type": "m5.large", "zone": "us-west-2a", "capacity-type": "spot"}
    lines = (
        console("launched machine", machine="general-x", provisioner="general", **fields),
        console("launched new instance", provisioner="general", **fields),
    )
    launched = launched_nodes(read_records("\n".join(lines)).records)
    assert [(n.claim, n.node_pool, n.instance_type) for n in launched] == [
        ("general-x", "general", "m5.large"),
        ("", "general", "m5.large"),
    ]


def test_the_steps_of_a_command_of_an_earlier_release_are_found_by_bare_names():
    lines = (
        console("deprovisioning via consolidation delete, terminating 1 machines n1/m5.large/spot"),
        console("cordoned node", node="n1"),
        console("deleted machine", machine="general-x", node="n1"),
    )
    (story,) = stories_of(read_records("\n".join(lines)).records)
    assert [step.what for step in story.endings[0].steps] == ["cordoned", "claim general-x deleted"]
