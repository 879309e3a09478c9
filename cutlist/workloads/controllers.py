"""Controllers: how many pods of which template each kind runs at one time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Manifest = Mapping[str, Any]

KINDS: Final = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job", "CronJob")


@dataclass(frozen=True, slots=True)
class Controller:
    """One controller of the input. `replicas` is None if the manifest leaves the number open. `range` is the range of pods that
    its own operator scales it in."""

    kind: str
    namespace: str
    name: str
    template: Manifest
    replicas: int | None
    suspended: bool = False
    first: int = 0
    claim_templates: tuple[Manifest, ...] = ()
    range: tuple[int, int] | None = None

    @staticmethod
    def read(manifest: Manifest) -> Controller:
        """Return the controller of a manifest that satisfies the rule of its kind."""
        kind, metadata, spec = manifest["kind"], manifest["metadata"], manifest["spec"]
        namespace = metadata.get("namespace") or "default"
        name = metadata.get("name") or metadata.get("generateName") or ""
        job = spec["jobTemplate"]["spec"] if kind == "CronJob" else spec
        pod = _pod(
            job["template"], namespace, {"batch.kubernetes.io/job-name": name, "job-name": name} if kind == "Job" else {}
        )
        if kind in ("Job", "CronJob"):
            finished = kind == "Job" and _finished(manifest.get("status") or {})
            done = 0 if kind == "CronJob" else (manifest.get("status") or {}).get("succeeded") or 0
            suspended = bool(spec.get("suspend") or job.get("suspend"))
            return Controller(kind, namespace, name, pod, 0 if finished else pods_at_once(job, done), suspended)
        first = (spec.get("ordinals") or {}).get("start") or 0
        claims = tuple(spec.get("volumeClaimTemplates") or ())
        return Controller(kind, namespace, name, _without_volumes(pod, claims), spec.get("replicas"), False, first, claims)


def pods_at_once(job: Manifest, succeeded: int = 0) -> int:
    """Return how many pods of a job run at one time: its parallelism (1 by default), but no more than the remaining
    completions."""
    parallelism, completions = job.get("parallelism"), job.get("completions")
    together = 1 if parallelism is None else int(parallelism)
    return together if completions is None else max(0, min(together, completions - succeeded))


def _finished(status: Manifest) -> bool:
    return any(c.get("type") in ("Complete", "Failed") and c.get("status") == "True" for c in status.get("conditions") or ())


def _pod(raw: Manifest, namespace: str, labels: Mapping[str, str]) -> Manifest:
    metadata = dict(raw.get("metadata") or {})
    metadata["namespace"] = namespace
    metadata["labels"] = {**(metadata.get("labels") or {}), **labels}
    return {"metadata": metadata, "spec": raw["spec"]}


def _without_volumes(pod: Manifest, claims: tuple[Manifest, ...]) -> Manifest:
    """Return the pod without the volumes that its StatefulSet's claim templates replace."""
    names = {claim["metadata"]["name"] for claim in claims}
    volumes = pod["spec"].get("volumes")
    if not names or not volumes:
        return pod
    return {**pod, "spec": {**pod["spec"], "volumes": [v for v in volumes if v["name"] not in names]}}
