"""The package's plugin: components whose own resources it provides itself, and what it answers an engine about them."""

from __future__ import annotations

import asyncio
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from pulumi.errors import InputPropertiesError
from pulumi.runtime.proto import provider_pb2
from pulumi_cutlist.package.plugin import PROVIDERS, Package, PluginServicer
from pulumi_cutlist.program.offline import Mode, Program

SWEEP = "cutlist:index:Sweep"
WHERE = {"account": "111122223333", "cluster": "shop", "region": "us-west-2"}
CONSTRUCTED = """
import pulumi
from pulumi_cutlist.aws import SpotServiceLinkedRole
from pulumi_cutlist.package.plugin import Package

where = {"clusterName": "shop", "region": "us-west-2", "accountId": "111122223333"}
package = Package()
package.construct("sweep", "cutlist:index:Teardown", where)
package.construct("gate", "cutlist:index:DrainGate", where)
package.construct("spot", "cutlist:index:SpotServiceLinkedRole", {"region": "us-west-2"})
SpotServiceLinkedRole("own", {"region": "us-west-2"})
"""


def _struct(data: dict[str, Any]) -> Struct:
    struct = Struct()
    struct.update(data)
    return struct


def _servicer() -> PluginServicer:
    return PluginServicer(SimpleNamespace(version="0.1.0"), [], "")


class Context:
    """What a servicer is called with, of which it uses the end of a call that failed."""

    async def abort(self, _: Any, said: str) -> None:
        raise RuntimeError(said)


def test_components_of_the_plugin_have_its_own_resources(tmp_path: Path):
    """Beside a program of another language no Python runs dynamic resources; a component that Python makes keeps them."""
    (tmp_path / "__main__.py").write_text(CONSTRUCTED)
    resources = Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW).resources.values()
    own = {resource.name: resource.type for resource in resources if not resource.type.startswith("pulumi:")}
    assert {own["sweep-sweep"], own["gate-gate"]} | {type_ for type_ in own.values() if type_ in PROVIDERS} == {*PROVIDERS}
    assert own["own"] == "pulumi-python:dynamic/cutlist:EnsuredServiceLinkedRole"


def test_the_pickler_of_python_is_left_as_it_was(tmp_path: Path):
    """Pulumi changes it for each provider that it serializes, a little more each time."""
    (tmp_path / "__main__.py").write_text(CONSTRUCTED)
    before = vars(pickle._Pickler).copy()
    Program(tmp_path, tmp_path, "shop", "dev").run(Mode.PREVIEW)
    assert vars(pickle._Pickler) == before


def test_mistakes_in_inputs_are_reported_under_their_paths():
    """Every one of them, as an engine takes it from a plugin; it shows any other error with the code that raised it."""
    inputs = {"clusterName": "shop", "region": "eu-wst-1", "own": {"nat": "singel"}}
    with pytest.raises(InputPropertiesError) as refused:
        Package().construct("vpc", "cutlist:index:Network", inputs)
    assert refused.value.message == "vpc has 2 mistakes in its inputs"
    [nat, region] = refused.value.errors or ()
    assert nat == {
        "property_path": "own.nat",
        "reason": "unknown value 'singel'; allowed: single, per-zone, none; did you mean single?",
    }
    assert region["property_path"] == "region"
    assert region["reason"].startswith("no region 'eu-wst-1' is known; allowed: eu-west-1, ")


def test_what_is_missing_or_of_another_form_is_reported_with_the_rest():
    """The SDK would stop at the first that is missing, or refuse a number, and read a text as an empty mapping."""
    inputs = {"controlPlane": {"clustrName": "shop", "logRetentionDays": "x"}, "systemNodes": [1], "addOns": {"coredns": "y"}}
    with pytest.raises(InputPropertiesError) as refused:
        Package().construct("shop", "cutlist:index:Cluster", inputs)
    reasons = {problem["property_path"]: problem["reason"] for problem in refused.value.errors or ()}
    assert reasons.pop("controlPlane.clustrName").endswith("did you mean clusterName?")
    missing = [path for path, reason in reasons.items() if reason.startswith("is missing")]
    assert missing == [
        f"controlPlane.{name}" for name in ("accountId", "admins", "clusterName", "region", "subnetIds", "version", "zones")
    ]
    assert {path: reason for path, reason in reasons.items() if path not in missing} == {
        "addOns.coredns": "expected a mapping, found 'y'; allowed: a mapping with version, configuration",
        "controlPlane.logRetentionDays": "expected a whole number, found 'x'",
        "systemNodes": reasons["systemNodes"],
    }
    assert reasons["systemNodes"].startswith("expected a mapping, found a list; allowed: a mapping with subnetIds, zones, ")


CLUSTER = {
    "clusterName": "shop",
    "region": "eu-west-1",
    "accountId": "111122223333",
    "kubernetesVersion": "1.34",
    "admins": {"a": "arn:aws:iam::111122223333:role/a"},
}


def reasons(**inputs: Any) -> dict[str, str]:
    """Return what a cluster's inputs are refused for, by path."""
    with pytest.raises(InputPropertiesError) as refused:
        Package().construct("shop", "cutlist:index:KarpenterCluster", {**CLUSTER, **inputs})
    return {problem["property_path"]: problem["reason"] for problem in refused.value.errors or ()}


def test_a_mistake_in_a_manifest_is_under_the_input_that_has_it():
    node_class = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    spec = {"weigth": 3, "template": {"spec": {"nodeClassRef": node_class, "requirements": []}}}
    found = reasons(nodePools=[{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "g"}, "spec": spec}])
    assert found["nodePools[0].spec.weigth"].startswith("unknown field 'weigth'")
    assert found["nodePools[0].spec.weigth"].endswith("did you mean weight?")


def test_a_mistake_in_a_file_is_under_the_input_that_lists_it(tmp_path: Path):
    """With the file, and the folder around it."""
    assert reasons(workloads=["nowhere/"]) == {"workloads[0]": "nowhere/: cannot be read: no such file or directory"}
    (tmp_path / "web.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: x}\n")
    found = reasons(workloads=[str(tmp_path)])
    assert list(found) == ["workloads[0]"]
    assert f"{tmp_path}/web.yaml" in found["workloads[0]"]


def test_a_sweep_is_made_changed_in_place_and_replaced_as_in_python():
    """By what its provider says; an account is another resource."""
    servicer, context = _servicer(), Context()

    async def calls() -> tuple[Any, Any, Any, Any]:
        made = await servicer.Create(provider_pb2.CreateRequest(type=SWEEP, properties=_struct(WHERE)), context)
        answers = []
        for news in (WHERE, {**WHERE, "maximum_instances": 5}, {**WHERE, "account": "444455556666"}):
            request = provider_pb2.DiffRequest(type=SWEEP, id=made.id, old_inputs=_struct(WHERE), news=_struct(news))
            answers.append(await servicer.Diff(request, context))
        return made, *answers

    made, same, changed, replaced = asyncio.run(calls())
    assert (made.id, MessageToDict(made.properties)) == ("111122223333/shop/us-west-2", WHERE)
    kinds = provider_pb2.DiffResponse
    assert [answer.changes for answer in (same, changed, replaced)] == [kinds.DIFF_NONE, kinds.DIFF_SOME, kinds.DIFF_SOME]
    assert [list(answer.replaces) for answer in (same, changed, replaced)] == [[], [], ["account"]]


def test_own_resources_need_no_thread_of_registrations():
    """A registration keeps its thread until the engine knows about the resource; with all of them taken it still does."""
    done = threading.Event()

    async def calls() -> Any:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        registration = loop.run_in_executor(None, done.wait)
        request = provider_pb2.CreateRequest(type=SWEEP, properties=_struct(WHERE))
        try:
            return await asyncio.wait_for(_servicer().Create(request, Context()), 5)
        finally:
            done.set()
            await registration

    assert asyncio.run(calls()).id == "111122223333/shop/us-west-2"


def test_a_refusal_reaches_the_engine_in_its_own_words(monkeypatch: pytest.MonkeyPatch):
    """Without a traceback: it is for the user."""

    def refuse(*_: Any) -> None:
        raise ValueError("2 instances are left over")

    monkeypatch.setattr(PROVIDERS[SWEEP], "delete", refuse)
    request = provider_pb2.DeleteRequest(type=SWEEP, id="shop", properties=_struct(WHERE))
    with pytest.raises(RuntimeError, match=r"^2 instances are left over$"):
        asyncio.run(_servicer().Delete(request, Context()))
