"""The checks before anything is removed: the account, the region, the state of the cluster (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown import steps
from cutlist.infrastructure.teardown.cluster_state import ClusterState, LiveObjects, ObservedCluster
from cutlist_live.errors import FailedCallError, RefusedError, UnreachableError
from cutlist_live.sweep.access import Connect, KarpenterObjects, endpoint
from cutlist_live.sweep.calls import Calls

_DELETING: Final = "DELETING"


@dataclass(frozen=True, slots=True)
class Guards:
    """The checks before a sweep. `connect` opens a running cluster's API."""

    facts: ClusterFacts
    calls: Calls
    connect: Connect

    def check_account(self) -> None:
        """Raise RefusedError unless the credentials belong to the account and the calls go to the region."""
        region = self.calls.clients.client("sts", self.calls.region).meta.region_name
        account = self.calls.answer(steps.IDENTITY, "get_caller_identity")["Account"]
        if account != self.facts.account:
            raise RefusedError(f"the credentials are of account {account}; the cluster is in account {self.facts.account}")
        if region != self.facts.region:
            raise RefusedError(f"calls would go to region {region}; the cluster is in {self.facts.region}")

    def world(self) -> tuple[ObservedCluster, str]:
        """Return the state of the cluster, and why its API does not answer if it does not. Raises RefusedError,
        FailedCallError."""
        cluster = self._described()
        now = self.calls.clock.now()
        if cluster is None:
            return ObservedCluster(ClusterState.GONE, now), ""
        if cluster["status"] == _DELETING:
            return ObservedCluster(ClusterState.DELETING, now), ""
        try:
            objects = self._connected(cluster)
            live = LiveObjects.of(objects.node_claims(), objects.nodes(), objects.node_classes())
        except UnreachableError as error:
            return ObservedCluster(ClusterState.UNREACHABLE, now), str(error)
        return ObservedCluster(ClusterState.ALIVE, now, live), ""

    def objects(self) -> KarpenterObjects | None:
        """Return the API of the cluster; None when the cluster no longer exists.

        Raises RefusedError, FailedCallError, UnreachableError.
        """
        cluster = self._described()
        return None if cluster is None or cluster["status"] == _DELETING else self._connected(cluster)

    def _described(self) -> dict[str, Any] | None:
        """Return the cluster's description from EKS. Raises RefusedError when it is another cluster."""
        try:
            answer = self.calls.answer(steps.CLUSTER, "describe_cluster", name=self.facts.cluster)
        except FailedCallError as error:
            if steps.CLUSTER.outcome(error.code) is steps.ErrorMeaning.DONE:
                return None
            raise
        cluster = dict(answer["cluster"])
        if cluster["arn"] != self.facts.cluster_arn:
            raise RefusedError(f"the cluster that answers is {cluster['arn']}, not {self.facts.cluster_arn}")
        return cluster

    def _connected(self, cluster: dict[str, Any]) -> KarpenterObjects:
        if not cluster.get("endpoint"):
            raise UnreachableError(f"it is {cluster['status']} and has no endpoint")
        return self.connect(endpoint(cluster, self.calls.clients, self.calls.region))
