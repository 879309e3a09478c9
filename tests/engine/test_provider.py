"""The stand-in provider by itself, spoken to as an engine does: what these tests of stacks rest on. It needs no engine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc
from pulumi.runtime.rpc import UNKNOWN

from tests.engine.provider import plain, struct

QUEUE = {"urn": "urn:pulumi:dev::shop::aws:sqs/queue:Queue::jobs", "type": "aws:sqs/queue:Queue", "name": "jobs"}
SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "hidden"}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the provider writes what it did."""
    return tmp_path_factory.mktemp("provider") / "journal"


@pytest.fixture(scope="module")
def provider(journal: Path) -> Iterator[provider_pb2_grpc.ResourceProviderStub]:
    """A stand-in for AWS in its own process."""
    command = [sys.executable, "-m", "tests.engine.provider", "aws", "7.51.1", str(journal), "127.0.0.1:1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            with grpc.insecure_channel(f"127.0.0.1:{int(process.stdout.readline())}") as channel:
                yield provider_pb2_grpc.ResourceProviderStub(channel)
        finally:
            process.terminate()


def _changes(old: dict[str, object], new: dict[str, object], **request: object) -> dict[str, object]:
    return {**QUEUE, "id": "jobs-id", "old_inputs": struct(old), "news": struct(new), **request}


def test_what_a_cloud_computes_is_unknown_in_a_preview(provider, journal):
    """A preview knows the inputs alone, and leaves no trace."""
    made = provider.Create(provider_pb2.CreateRequest(**QUEUE, properties=struct({"fifoQueue": True}), preview=True))
    computed = {"name": UNKNOWN, "arn": UNKNOWN, "url": UNKNOWN}
    assert (made.id, plain(made.properties)) == ("", {"fifoQueue": True, **computed})
    assert not journal.exists()


def test_an_update_gives_every_output_and_is_written_down(provider, journal):
    """Inputs come back untouched, secrets among them, with ids and computed outputs that carry the resource's name."""
    made = provider.Create(provider_pb2.CreateRequest(**QUEUE, properties=struct({"name": "jobs", "policy": SECRET})))
    outputs = plain(made.properties)
    assert made.id == "https://sqs.us-west-2.amazonaws.com/111122223333/jobs"
    assert outputs["policy"] == SECRET
    assert outputs["arn"] == "arn:aws:sqs:us-west-2:111122223333:jobs"
    provider.Delete(provider_pb2.DeleteRequest(**QUEUE, id=made.id))
    assert [json.loads(line)["operation"] for line in journal.read_text().splitlines()] == ["create", "delete"]


def test_a_diff_tells_no_change_a_change_and_a_replacement(provider):
    """By the inputs, without those that are ignored."""
    answer = provider_pb2.DiffResponse
    same = provider.Diff(provider_pb2.DiffRequest(**_changes({"delaySeconds": 1}, {"delaySeconds": 1})))
    changed = provider.Diff(provider_pb2.DiffRequest(**_changes({"delaySeconds": 1}, {"delaySeconds": 2})))
    ignored = provider.Diff(
        provider_pb2.DiffRequest(**_changes({"delaySeconds": 1}, {"delaySeconds": 2}, ignoreChanges=["delaySeconds"]))
    )
    renamed = provider.Diff(provider_pb2.DiffRequest(**_changes({"name": "a"}, {"name": "b"})))
    assert (same.changes, ignored.changes) == (answer.DIFF_NONE, answer.DIFF_NONE)
    assert (changed.changes, list(changed.diffs), list(changed.replaces)) == (answer.DIFF_SOME, ["delaySeconds"], [])
    assert list(renamed.replaces) == ["name"]


def test_another_region_is_another_resource_and_another_spelling_is_the_same(provider):
    """A document that the service has normalised is not a change; a chosen name is free before it is taken again."""
    answer = provider_pb2.DiffResponse
    moved = provider.Diff(provider_pb2.DiffRequest(**_changes({"name": "a", "region": "b"}, {"name": "a", "region": "c"})))
    assert (list(moved.replaces), moved.deleteBeforeReplace) == (["region"], True)
    spelled = provider.Diff(provider_pb2.DiffRequest(**_changes({"policy": '{"a": [1]}'}, {"policy": '{ "a":[1] }'})))
    assert spelled.changes == answer.DIFF_NONE
    changed = provider.Diff(provider_pb2.DiffRequest(**_changes({"policy": '{"a": [1]}'}, {"policy": '{"a": [2]}'})))
    assert list(changed.diffs) == ["policy"]


def test_what_an_account_would_refuse_is_refused(provider):
    """Before anything is made, in a preview already, with the path and the source of the limit."""
    checked = provider.Check(provider_pb2.CheckRequest(**QUEUE, news=struct({"name": "web.jobs", "delaySeconds": 1_000})))
    assert [failure.reason.partition(" is not")[0] for failure in checked.failures] == [
        "jobs: name: 'web.jobs'",
        "jobs: delaySeconds: 1000",
    ]
    bucket = {**QUEUE, "type": "aws:s3/bucket:Bucket"}
    [failure] = provider.Check(provider_pb2.CheckRequest(**bucket, news=struct({}))).failures
    assert "no row of the table is about aws:s3/bucket:Bucket" in failure.reason


def test_a_name_that_is_left_out_is_made_once(provider):
    """As Pulumi does it: before the creation, the same at each update, and free for a successor beside it."""
    first = plain(provider.Check(provider_pb2.CheckRequest(**QUEUE, news=struct({"delaySeconds": 1}))).inputs)
    assert first["name"].startswith("jobs-")
    again = provider.Check(provider_pb2.CheckRequest(**QUEUE, olds=struct(first), news=struct({"delaySeconds": 2})))
    assert plain(again.inputs)["name"] == first["name"]
    moved = provider.Diff(provider_pb2.DiffRequest(**_changes({**first, "region": "b"}, {**first, "region": "c"})))
    assert (list(moved.replaces), moved.deleteBeforeReplace) == (["region"], False)


def test_an_update_moves_what_it_moves_and_nothing_else(provider):
    """A launch template has a version more after each update; its ARN is known before it."""
    template = {**QUEUE, "type": "aws:ec2/launchTemplate:LaunchTemplate", "name": "nodes"}
    olds = provider.Create(provider_pb2.CreateRequest(**template, properties=struct({"name": "nodes"}))).properties
    assert plain(olds)["latestVersion"] == 1
    request = {**template, "id": "lt-nodes", "olds": olds, "news": struct({"name": "nodes", "description": "more"})}
    preview = plain(provider.Update(provider_pb2.UpdateRequest(**request, preview=True)).properties)
    assert (preview["latestVersion"], preview["arn"]) == (UNKNOWN, plain(olds)["arn"])
    assert plain(provider.Update(provider_pb2.UpdateRequest(**request)).properties)["latestVersion"] == 2


def test_a_refresh_finds_what_was_made(provider):
    """Reading gives back what the state has."""
    request = provider_pb2.ReadRequest(**QUEUE, id="jobs-id", properties=struct({"url": "u"}), inputs=struct({"name": "jobs"}))
    found = provider.Read(request)
    assert (found.id, plain(found.properties), plain(found.inputs)) == ("jobs-id", {"url": "u"}, {"name": "jobs"})


def test_a_lookup_that_nobody_foresaw_is_refused(provider):
    """So that a program which begins to look something up is noticed."""
    known = provider.Invoke(provider_pb2.InvokeRequest(tok="aws:index/getPartition:getPartition", args=Struct()))
    assert plain(getattr(known, "return"))["partition"] == "aws"
    with pytest.raises(grpc.RpcError, match="no answer to aws:ec2/getAmi:getAmi"):
        provider.Invoke(provider_pb2.InvokeRequest(tok="aws:ec2/getAmi:getAmi"))
