"""What a test of pages cannot run, and why; and what other programs print whose output a command reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Commands that need what a test does not have.

    A command is one of these if it begins with `name`, has the words of `having` and none of `lacking`. What it would print is
    the text of `prints`, files of the sample project. The files that it would write are `leaves`, each with the file of this
    repository that has such a text.
    """

    name: str
    reason: str
    having: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    prints: tuple[str, ...] = ()
    leaves: Mapping[str, str] = field(default_factory=dict)

    def covers(self, arguments: Sequence[str]) -> bool:
        """Tell whether a command is one of these."""
        return arguments[0] == self.name and {*self.having} <= {*arguments} and not {*self.lacking} & {*arguments}


_CLUSTER: Final = "reads a cluster"
_ACCOUNT: Final = "reads an account"
_ENDLESS: Final = "runs until somebody ends it"
_STACK: Final = "runs the program of a stack, which takes seconds: tests/infrastructure runs those of all stacks"
_STORED_CLUSTER: Final = ("pools.yaml", "snapshot.yaml")
_FROM_AWS: Final = {
    "cutlist-catalog/aws/machines.tsv": "cutlist/catalog/data/aws/machines.tsv",
    "cutlist-catalog/aws/regions/us-west-2.tsv": "cutlist/catalog/data/aws/regions/us-west-2.tsv",
}
_FROM_AZURE: Final = {
    "cutlist-catalog/azure/machines.tsv": "cutlist/catalog/data/azure/machines.tsv",
    "cutlist-catalog/azure/regions/japaneast.tsv": "cutlist/catalog/data/azure/regions/japaneast.tsv",
    "cutlist-catalog/azure/quotas/japaneast.yaml": "examples/shop/aks/cluster.yaml",
}

ELSEWHERE: Final = (
    Elsewhere("snapshot", _CLUSTER, lacking=("--rbac",), prints=_STORED_CLUSTER),
    Elsewhere("sweep", _ACCOUNT),
    Elsewhere("catalog", _ACCOUNT, having=("update",), lacking=("azure",), leaves=_FROM_AWS),
    Elsewhere("catalog", _ACCOUNT, having=("update", "azure"), leaves=_FROM_AZURE),
    Elsewhere("catalog", _ACCOUNT, having=("resolve",), prints=("search/class.yaml",)),
    Elsewhere("mcp", _ENDLESS),
    Elsewhere("serve", _ENDLESS),
    *(Elsewhere(name, _ENDLESS, having=("--watch",)) for name in ("plan", "explain", "diff", "nodes")),
    *(Elsewhere(name, _STACK, having=("--stack",)) for name in ("preview", "gate", "permissions")),
    Elsewhere("new", _STACK),
    *(Elsewhere(name, "runs kustomize", having=("--kustomize",)) for name in ("plan", "gate")),
    *(Elsewhere(name, "runs helm", having=("--helm",)) for name in ("plan", "gate")),
    *(Elsewhere("plan", "runs helmfile", having=(option,)) for option in ("--helmfile", "--helmfile-environment")),
    Elsewhere("suggest", "searches for many seconds: tests of fleets run it", having=("--fleet",)),
    Elsewhere("simulate", "its trace has to be fetched", having=("alibaba-gpu-2023=openb_pod_list_default.csv",)),
)
"""A test checks that pages have such commands, and that their options exist."""

PRINTED: Final = {
    "curl": ("usage/replicas.json",),
    "helm template": ("workloads.yaml",),
    "kubectl get events": ("kubernetes-events.json",),
    "kubectl get nodepools,ec2nodeclasses": ("old/v1beta1.yaml",),
    "kubectl get nodes,nodeclaims,nodepools": _STORED_CLUSTER,
    "kubectl get nodes,nodeclaims,pods": ("snapshot.yaml",),
    "kubectl logs": ("karpenter.log",),
    "kustomize build overlays/prod": ("overlays/prod/checkout.yaml",),
    "tofu show -json tfplan": ("opentofu/plan.json",),
    "tofu show -json": ("opentofu/state.json",),
}
"""The files of the sample project that have what another program would print, by how its command begins."""


def printed_by(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the files that have what another program would print; none for a program that is not known."""
    line = " ".join(words)
    return next((files for beginning, files in PRINTED.items() if line.startswith(beginning)), ())
