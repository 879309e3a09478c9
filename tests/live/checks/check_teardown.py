"""Drain gate and sweep against a real API server: owners, finalizers, a controller that no longer runs, rights."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any, Final

import pytest

from cutlist.infrastructure.teardown.drain import DrainMode
from cutlist.infrastructure.teardown.report import Result, SweepReport
from cutlist_live.errors import NotDrainedError
from cutlist_live.sweep.access import Connect, Endpoint
from cutlist_live.sweep.calls import Calls
from cutlist_live.sweep.connection import connect
from cutlist_live.sweep.drain import Drain
from cutlist_live.sweep.guards import Guards
from cutlist_live.sweep.sweep import Sweep, SweepRequest
from tests.infrastructure.sweep_account import REGION, Cloud, Karpenter, Time, facts
from tests.live.checks.stored import Stored
from tests.live.processes import wait_for
from tests.live.servers import Servers

FINALIZER: Final = "karpenter.sh/termination"
CLASS: Final = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
NODE_CLASS: Final = {
    "role": "nodes",
    "amiSelectorTerms": [{"alias": "al2023@latest"}],
    "subnetSelectorTerms": [{"id": "subnet-0a"}],
    "securityGroupSelectorTerms": [{"id": "sg-0a"}],
}
SWEEPER: Final = "sweep-rights"


@pytest.fixture
def account(aws_account: Cloud) -> Karpenter:
    """Return an account with the cluster `shop`, alive."""
    karpenter = Karpenter.of(aws_account)
    karpenter.cluster("shop")
    return karpenter


def connected(servers: Servers, user: str = "admin") -> Connect:
    """Return what opens the API of the cluster for a user, in place of that which EKS describes."""
    authority = base64.b64encode(servers.authority.read_bytes()).decode()
    return lambda _: connect(Endpoint(servers.url, authority, f"{user}-token"))


def drain(servers: Servers, account: Karpenter, mode: DrainMode, time: Time, own: Iterable[str] = ()) -> None:
    calls = Calls(account.cloud, REGION, time.clock)
    Drain(Guards(facts("shop"), calls, connected(servers)), mode, list(own)).run()


def swept(servers: Servers, account: Karpenter, user: str = "admin") -> SweepReport:
    return Sweep(SweepRequest(facts("shop")), account.cloud, connected(servers, user), Time().clock).run()


def ids(report: SweepReport, result: Result) -> set[str]:
    return {finding.leftover.id for finding in report.of(result)}


class Pool:
    """A NodePool with a NodeClaim, its Node and a pod on it, as Karpenter makes them; no Karpenter removes them."""

    def __init__(self, stored: Stored, name: str, instance: str = "i-0a") -> None:
        self.stored = stored
        template = {"nodeClassRef": CLASS, "requirements": []}
        self.pool = stored.put(self._object("NodePool", name, {"template": {"spec": template}}))
        owner = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "name": name, "uid": self.pool["metadata"]["uid"]}
        owned = {"ownerReferences": [{**owner, "blockOwnerDeletion": True}], "finalizers": [FINALIZER]}
        claim = self._object("NodeClaim", f"{name}-1", template, **owned)
        provider = f"aws:///{REGION}a/{instance}"
        self.claim = stored.put({**claim, "status": {"nodeName": f"node-of-{name}", "providerID": provider}})
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-of-{name}"}, "spec": {"providerID": provider}}
        self.node = stored.put(node)
        pod = {
            "nodeName": f"node-of-{name}",
            "containers": [{"name": "main", "image": "x"}],
            "tolerations": [{"operator": "Exists"}],
        }
        self.pod = stored.put(
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"web-of-{name}", "namespace": "shop"}, "spec": pod}
        )

    @staticmethod
    def _object(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
        return {"apiVersion": "karpenter.sh/v1", "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}

    def is_being_deleted(self, manifest: dict[str, Any]) -> bool:
        """Tell whether a stored object waits for its finalizers."""
        stored = self.stored.get(manifest)
        return stored is not None and "deletionTimestamp" in stored["metadata"]

    def terminate(self) -> None:
        """Do what a controller does once the machine has ended."""
        self.stored.change(self.claim, {"metadata": {"finalizers": None}})


def test_pools_of_others_stop_a_destroy(servers: Servers, account: Karpenter, stored: Stored) -> None:  # I-58
    pool = Pool(stored, "theirs")
    with pytest.raises(NotDrainedError, match=r"NodePools: theirs; NodeClaims: theirs-1$"):
        drain(servers, account, DrainMode.FAIL, Time())
    assert not pool.is_being_deleted(pool.pool)


def test_pools_are_there_until_their_nodes_have_ended(servers: Servers, account: Karpenter, stored: Stored) -> None:  # I-58
    """The pool is deleted in the foreground: Kubernetes deletes its NodeClaims, and the pool waits for their finalizers."""
    pool, time, states = Pool(stored, "theirs"), Time(), []

    def pause() -> None:
        if len(time.paused) == 1:
            wait_for("the NodeClaim to be deleted with its pool", lambda: pool.is_being_deleted(pool.claim), 60)
            states.append(pool.is_being_deleted(pool.pool))
        if len(time.paused) == 2:
            pool.terminate()
            wait_for("the pool to be deleted", lambda: stored.get(pool.pool) is None, 60)

    time.on_pause = pause
    drain(servers, account, DrainMode.DELETE, time)
    assert states == [True]
    assert stored.get(pool.claim) is None


def test_without_a_controller_a_drain_names_what_is_left_and_what_holds_it(
    servers: Servers, account: Karpenter, stored: Stored
) -> None:
    """Nobody removes the finalizers: after half an hour the destroy stops, and everything is there still."""
    pool = Pool(stored, "theirs")
    with pytest.raises(NotDrainedError) as error:
        drain(servers, account, DrainMode.DELETE, Time())
    text = str(error.value)
    assert re.search(r"after 30 minutes there are still NodePools: theirs; NodeClaims: theirs-1\n", text)
    assert "theirs-1: pod shop/web-of-theirs on node node-of-theirs: not evicted yet" in text
    assert pool.is_being_deleted(pool.pool)
    stored.delete(pool.pod, gracePeriodSeconds=0)
    with pytest.raises(NotDrainedError, match="no pod holds their nodes; does Karpenter's controller run"):
        drain(servers, account, DrainMode.DELETE, Time())


def test_a_gate_of_a_stack_that_stays_deletes_nothing(servers: Servers, account: Karpenter, stored: Stored) -> None:
    """As long as a pool of its own is in use; one that is being deleted is not."""
    own, theirs = Pool(stored, "own"), Pool(stored, "theirs")
    drain(servers, account, DrainMode.DELETE, Time(), own=["own"])
    assert not theirs.is_being_deleted(theirs.pool)
    stored.delete(own.pool, propagationPolicy="Foreground")
    with pytest.raises(NotDrainedError):
        drain(servers, account, DrainMode.FAIL, Time(), own=["own"])


@pytest.fixture
def sweeper(stored: Stored) -> str:
    """Return a user that may list what the page on teardown says, and nothing else."""
    rules = [
        {"apiGroups": ["karpenter.sh"], "resources": ["nodeclaims"], "verbs": ["list"]},
        {"apiGroups": ["karpenter.k8s.aws"], "resources": ["ec2nodeclasses"], "verbs": ["list"]},
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["list"]},
    ]
    group, meta = "rbac.authorization.k8s.io", {"metadata": {"name": SWEEPER}}
    stored.put({"apiVersion": f"{group}/v1", "kind": "ClusterRole", **meta, "rules": rules})
    role = {"apiGroup": group, "kind": "ClusterRole", "name": SWEEPER}
    subject = {"apiGroup": group, "kind": "User", "name": "nobody"}
    stored.put({"apiVersion": f"{group}/v1", "kind": "ClusterRoleBinding", **meta, "roleRef": role, "subjects": [subject]})
    return "nobody"


def test_a_sweep_keeps_what_the_cluster_names(servers: Servers, account: Karpenter, stored: Stored, sweeper: str) -> None:
    """I-61, I-69: with the rights that its page names. A NodeClaim that only waits for its finalizer counts."""
    left = account.left("shop", 2)
    pool = Pool(stored, "general", left.instances[0])
    stored.delete(pool.claim)
    assert pool.is_being_deleted(pool.claim)
    stored.put(
        {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": NODE_CLASS}
    )
    report = swept(servers, account, sweeper)
    assert ids(report, Result.REMOVED) == {left.instances[1]}
    assert {left.instances[0], *left.templates, *left.profiles} <= ids(report, Result.KEPT)


def test_a_sweep_that_may_not_ask_removes_nothing(servers: Servers, account: Karpenter) -> None:
    left = account.left("shop", 1)
    report = swept(servers, account, "nobody")
    assert (report.exit_code, report.of(Result.REMOVED)) == (2, ())
    assert report.stopped is not None
    assert "nodeclaims.karpenter.sh may not be listed (403)" in report.stopped.why
    assert left.ids <= account.there()


def test_once_the_nodes_are_deleted_the_rest_is_left_over(servers: Servers, account: Karpenter, stored: Stored) -> None:
    left = account.left("shop", 2)
    pool = Pool(stored, "general", left.instances[0])
    stored.delete(pool.claim)
    pool.terminate()
    stored.delete(pool.node)
    wait_for("the node to be deleted", lambda: stored.get(pool.node) is None, 60)
    report = swept(servers, account)
    assert ids(report, Result.REMOVED) >= {*left.instances, *left.templates, *left.profiles}
