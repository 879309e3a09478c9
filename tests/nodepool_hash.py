"""The hash of a typed NodePool, as Karpenter would write it on the pool."""

from __future__ import annotations

from cutlist import NodePool
from cutlist.api.nodepool_hash import stored_template_hash


def nodepool_hash(pool: NodePool) -> str:
    """Return the hash of a pool as an API server stores it, in decimal, like the annotation `karpenter.sh/nodepool-hash`."""
    template = pool.manifest()["spec"]["template"]
    lifetime = {"expireAfter": pool.expire_after, "terminationGracePeriod": pool.termination_grace_period}
    return stored_template_hash({**template, "spec": {**template["spec"], **lifetime}})
