"""The drain gate, and the API of the cluster that it and the sweep ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from cutlist.infrastructure.teardown.drain import DrainMode
from cutlist_live.errors import NotDrainedError, RefusedError, UnreachableError
from cutlist_live.sweep.access import Endpoint
from cutlist_live.sweep.calls import Calls
from cutlist_live.sweep.connection import connect
from cutlist_live.sweep.drain import Drain
from cutlist_live.sweep.guards import Guards
from tests.infrastructure.kube_server import TOKEN, ApiServer, serving
from tests.infrastructure.sweep_account import ACCOUNT, REGION, Objects, Time, facts
from tests.infrastructure.test_sweep_calls import Scripted


def pool(name: str, group: str = "karpenter.k8s.aws") -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"template": {"spec": {"nodeClassRef": {"group": group}}}}}


def claim(name: str, node: str = "") -> dict[str, Any]:
    spec = {"nodeClassRef": {"group": "karpenter.k8s.aws"}}
    return {"metadata": {"name": name}, "spec": spec, "status": {"nodeName": node}}


class Aws(Scripted):
    """The account with the cluster, alive unless a code says otherwise."""

    def __init__(self, cluster: str = "", account: str = ACCOUNT) -> None:
        arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/shop"
        alive = {"name": "shop", "arn": arn, "status": "ACTIVE", "endpoint": "https://x", "certificateAuthority": {"data": ""}}
        super().__init__({"get_caller_identity": [{"Account": account}], "describe_cluster": [cluster or {"cluster": alive}]})
        self.meta = _Meta()

    def generate_presigned_url(self, call: str, **_: Any) -> str:
        return f"https://sts/{call}"


class _Events:
    def register(self, event: str, handler: Any) -> None:
        pass

    unregister = register


class _Meta:
    region_name, endpoint_url, events = REGION, "https://sts", _Events()


def drain(objects: Objects, mode: DrainMode, aws: Aws | None = None, time: Time | None = None, **more: Any) -> Drain:
    calls = Calls(aws or Aws(), REGION, (time or Time()).clock)
    return Drain(Guards(facts("shop"), calls, objects.connect), mode, **more)


def test_foreign_pools_stop_a_destroy_and_are_listed():  # I-58
    objects = Objects([pool("theirs"), pool("system", "eks.amazonaws.com")], [claim("theirs-1")])
    with pytest.raises(NotDrainedError, match=r"NodePools: theirs; NodeClaims: theirs-1$"):
        drain(objects, DrainMode.FAIL).run()
    assert objects.deleted == []


@pytest.mark.parametrize("mode", DrainMode)
def test_pools_of_auto_mode_are_never_touched(mode):  # I-58
    objects = Objects([pool("system", "eks.amazonaws.com")])
    drain(objects, mode).run()
    assert objects.deleted == []


def test_foreign_pools_are_deleted_together_and_waited_for():
    time, objects = Time(), Objects([pool("b"), pool("a"), pool("system", "eks.amazonaws.com")], [claim("a-1")])

    def drained() -> None:
        if len(time.paused) == 3:
            objects.claims.clear()

    time.on_pause = drained
    drain(objects, DrainMode.DELETE, time=time).run()
    assert objects.deleted == ["a", "b"]
    assert time.paused == [10.0, 10.0, 10.0]


def test_a_drain_that_takes_too_long_names_the_pods_that_hold_it():
    held = {"metadata": {"name": "web", "namespace": "shop"}, "spec": {"nodeName": "n1"}}
    objects = Objects([pool("a")], [claim("a-1", "n1")], on_nodes=[held])
    with pytest.raises(NotDrainedError, match="after 30 minutes") as late:
        drain(objects, DrainMode.DELETE).run()
    assert "a-1: pod shop/web on node n1" in str(late.value)


def test_a_drain_that_no_pod_holds_asks_for_the_controller():
    """Without it NodeClaims keep their finalizers for good."""
    with pytest.raises(NotDrainedError, match=r"\n  no pod holds their nodes; does Karpenter's controller run\?"):
        drain(Objects([pool("a")], [claim("a-1", "n1")]), DrainMode.DELETE).run()


def test_a_gate_that_leaves_a_stack_that_stays_touches_nothing():
    """When the gate alone is taken out of a program the stack's own pools are in use."""
    objects = Objects([pool("general"), pool("theirs")], [claim("general-1")])
    drain(objects, DrainMode.DELETE, own={"general"}).run()
    drain(objects, DrainMode.FAIL, own={"general"}).run()
    assert objects.deleted == []


def test_a_gate_told_to_ignore_asks_nobody():
    aws = Aws()
    drain(Objects([pool("theirs")]), DrainMode.IGNORE, aws).run()
    assert aws.asked == []


def test_of_a_cluster_that_is_gone_nothing_is_asked():
    objects = Objects([pool("theirs")])
    drain(objects, DrainMode.FAIL, Aws("ResourceNotFoundException: No cluster found")).run()
    assert objects.endpoints == []


def test_credentials_of_another_account_are_refused():  # I-63
    aws = Aws(account="999999999999")
    with pytest.raises(RefusedError, match="account 999999999999"):
        drain(Objects([pool("theirs")]), DrainMode.DELETE, aws).run()
    assert [operation for operation, _ in aws.asked] == ["get_caller_identity"]


def test_a_cluster_that_does_not_answer_stops_a_destroy():
    """Whether it has foreign nodes is not known."""
    with pytest.raises(UnreachableError):
        drain(Objects(answers=False), DrainMode.FAIL).run()


class Heard(ApiServer):
    """Remembers whole targets of deletes, with what they ask for."""

    deletes: ClassVar[list[str]] = []

    def answer(self, method: str, target: str, headers: Mapping[str, str]) -> tuple[int, str, bytes]:
        if method == "DELETE":
            self.deletes.append(target)
        return super().answer(method, target, headers)


@pytest.fixture
def api() -> Iterator[tuple[Heard, str]]:
    Heard.deletes.clear()
    api = Heard({"/api/v1/nodes": [{"metadata": {"name": "n1"}, "spec": {"providerID": "aws:///x/i-1"}}]})
    with serving(api) as address:
        yield api, address


def test_what_karpenter_has_is_read_from_the_api(api):  # I-61
    server, address = api
    server.objects["/apis/karpenter.sh/v1/nodeclaims"] = [claim(f"c{n}") for n in range(700)]
    objects = connect(Endpoint(address, "", TOKEN))
    assert [one["metadata"]["name"] for one in objects.node_claims()] == [f"c{n}" for n in range(700)]
    assert objects.nodes()[0]["spec"]["providerID"] == "aws:///x/i-1"
    assert objects.node_classes() == []


def test_objects_of_an_old_karpenter_are_seen_as_well(api):  # I-61
    """A Karpenter before 1.0 serves v1beta1 alone, one before 0.32 has AWSNodeTemplates."""
    server, address = api
    server.objects["/apis/karpenter.sh/v1beta1/nodeclaims"] = [claim("old")]
    server.objects["/apis/karpenter.k8s.aws/v1alpha1/awsnodetemplates"] = [{"metadata": {"name": "older"}}]
    objects = connect(Endpoint(address, "", TOKEN))
    assert [one["metadata"]["name"] for one in objects.node_claims()] == ["old"]
    assert [one["metadata"]["name"] for one in objects.node_classes()] == ["older"]


@pytest.mark.parametrize("code", [401, 403])
def test_a_list_that_is_refused_is_no_empty_list(api, code):  # I-62
    """Of what may not be seen nothing is known, so the cluster counts as one that does not answer."""
    server, address = api
    server.refused["/apis/karpenter.sh/v1/nodeclaims"] = [code]
    with pytest.raises(UnreachableError, match="nodeclaims" if code != 401 else "credentials"):
        connect(Endpoint(address, "", TOKEN)).node_claims()


@pytest.mark.parametrize(
    ("served", "is_known"), [(b'{"resources": [{"name": "ec2nodeclasses"}]}', True), (b"<html>", False), (b"[]", False)]
)
def test_a_refused_list_of_what_does_not_exist_is_empty(api, served, is_known):  # I-62
    """An API server looks at rights first, and refuses AWSNodeTemplates where there is no such kind. What it has it says to
    everybody who is signed in; where it does not, nothing is known."""
    server, address = api
    server.refused["/apis/karpenter.k8s.aws/v1alpha1/awsnodetemplates"] = [403]
    server.odd["/apis/karpenter.k8s.aws/v1alpha1"] = served
    objects = connect(Endpoint(address, "", TOKEN))
    if is_known:
        assert objects.node_classes() == []
    else:
        with pytest.raises(UnreachableError, match="awsnodetemplates"):
            objects.node_classes()


def test_a_pool_is_deleted_with_all_that_it_made(api):  # K-200
    """In the version that is served; one that was deleted is not an error."""
    server, address = api
    server.objects["/apis/karpenter.sh/v1/nodepools/theirs"] = []
    connect(Endpoint(address, "", TOKEN)).delete_node_pool("theirs")
    connect(Endpoint(address, "", TOKEN)).delete_node_pool("gone")
    assert [target.partition("?")[0].rpartition("/")[2] for target in server.deletes] == ["theirs", "gone", "gone"]
    assert all("propagationPolicy=Foreground" in target for target in server.deletes)
