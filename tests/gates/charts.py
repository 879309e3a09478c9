"""Karpenter's charts, and rights over the cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.gates.trick import Trick, Wanted
from tests.unit.policy.rules import subjects as s

SOURCES = (
    "oci://ghcr.io/somebody/karpenter",
    "oci://public.ecr.aws/somebody/karpenter",
    "oci://public.ecr.aws/karpenter-fork/karpenter",
    "oci://registry-1.docker.io/bitnamicharts/karpenter",
    "https://example.com/charts/karpenter-1.14.1.tgz",
    "https://github.com/me/fork/raw/main/karpenter-v1.14.1.tgz?raw=true",
    "https://charts.karpenter.sh/karpenter",
    "./charts/karpenter",
    "/srv/charts/karpenter",
    "../karpenter/",
    "oci://999988887777.dkr.ecr.example.com/karpenter",
)
OWN = (
    "oci://public.ecr.aws/karpenter/karpenter",
    "oci://mcr.microsoft.com/aks/karpenter/karpenter",
    "oci://111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter/karpenter",
    "oci://111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn/mirror/karpenter",
)
RENAMED = (
    "oci://ghcr.io/me/karpenter-fork",
    "oci://ghcr.io/me/karpenter-provider-aws",
    "oci://ghcr.io/me/node-scaler",
    "git+https://github.com/me/karpenter@charts?ref=main",
    "./vendor/scaler",
    "oci://public.ecr.aws/karpenter/../me/karpenter",
    "OCI://ghcr.io/me/karpenter",
    "oci://111122223333.dkr.ecr.eu-west-1.amazonaws.com.example.com/karpenter",
)
CHART = "kubernetes:helm.sh/v4:Chart"
OLD = "kubernetes:helm.sh/v3:Chart"


def binding(name: str, role: str = "cluster-admin", kind: str = "Group", **members: Any) -> tuple[s.Resource, ...]:
    """Return a binding of a role to one subject."""
    subject = {"kind": kind, "name": name, **members}
    return (s.put(s.put(s.BINDING, "subjects", [subject]), "roleRef.name", role),)


EVERYBODY = (
    "system:authenticated",
    "system:unauthenticated",
    "system:serviceaccounts",
    "system:serviceaccounts:default",
    "system:nodes",
    "system:bootstrappers",
)
ROLE_BINDING = replace(binding("system:authenticated", "edit")[0], type="kubernetes:rbac.authorization.k8s.io/v1:RoleBinding")

TRICKS = (
    *(Trick(f"a release of {source}", (s.put(s.RELEASE, "chart", source),), "IF-12") for source in SOURCES),
    *(Trick(f"Karpenter as {source}", (s.put(s.RELEASE, "chart", source),), "IF-12") for source in RENAMED),
    *(
        Trick(f"an image of {image}", (s.put(s.RELEASE, "values.controller.image.repository", image),), "IF-12")
        for image in ("ghcr.io/me/karpenter", "docker.io/me/controller", "karpenter", "public.ecr.aws/me/controller")
    ),
    *(
        Trick(
            f"an image of {image}, which is known",
            (s.put(s.RELEASE, "values.controller.image.repository", image),),
            "IF-12",
            Wanted.PASSES,
        )
        for image in (
            "public.ecr.aws/karpenter/controller",
            "111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter/controller",
        )
    ),
    Trick(
        "an image of a mirror that is trusted",
        (s.put(s.RELEASE, "values.controller.image.repository", "mirror.example.com/karpenter/controller"),),
        "IF-12",
        Wanted.PASSES,
        {"rules": {"IF-12": {"sources": ["oci://public.ecr.aws/karpenter", "oci://mirror.example.com/karpenter"]}}},
    ),
    Trick("a chart of the old kind", (replace(s.put(s.RELEASE, "chart", SOURCES[0]), type=OLD),), "IF-12"),
    Trick(
        "a chart of the old kind from somebody's repository",
        (
            replace(
                s.put(s.put(s.RELEASE, "chart", "karpenter"), "fetchOpts.repo", "https://somebody.github.io/charts"), type=OLD
            ),
        ),
        "IF-12",
    ),
    Trick(
        "NodePools in a chart of one's own",
        (s.drop(s.put(s.RELEASE, "chart", "./charts/karpenter-pools"), "values"),),
        "IF-12",
        Wanted.PASSES,
    ),
    *(
        Trick(f"a chart of {source}", (replace(s.put(s.RELEASE, "chart", source), type=CHART),), "IF-12")
        for source in SOURCES[:3]
    ),
    *(
        Trick(f"a release of {source}, which is known", (s.put(s.RELEASE, "chart", source),), "IF-12", Wanted.PASSES)
        for source in OWN
    ),
    Trick(
        "a repository of somebody",
        (s.put(s.put(s.RELEASE, "chart", "karpenter"), "repositoryOpts.repo", "https://somebody.github.io/charts"),),
        "IF-12",
    ),
    Trick(
        "a mirror that is trusted",
        (s.put(s.RELEASE, "chart", "oci://mirror.example.com/karpenter/karpenter"),),
        "IF-12",
        Wanted.PASSES,
        {"rules": {"IF-12": {"sources": ["oci://mirror.example.com/karpenter"]}}},
    ),
    Trick(
        "a chart of something else", (s.drop(s.put(s.RELEASE, "chart", "./charts/redis"), "values"),), "IF-12", Wanted.PASSES
    ),
    Trick("CRDs of a fork", (s.RELEASE, s.put(s.CRDS, "chart", "oci://ghcr.io/somebody/karpenter-crd")), "IF-12"),
    *(
        Trick(f"a version {v!r}", (s.put(s.RELEASE, "version", v),), "IF-12")
        for v in ("", "1.14", ">=1.0.0", "*", "1.x", "^1.14.0", "latest")
    ),
    Trick("no version", (s.drop(s.RELEASE, "version"),), "IF-12"),
    Trick("CRDs that lag behind", (s.RELEASE, s.put(s.CRDS, "version", "1.13.0")), "IF-12"),
    Trick("a queue under its old name", (s.put(s.RELEASE, "values.settings.interruptionQueueName", "demo"),), "IF-15"),
    Trick("no dry run", (s.put(s.RELEASE, "values.settings.disableDryRun", True),), "IF-15"),
    Trick("no dry run, as text", (s.put(s.RELEASE, "values.settings.disableDryRun", "true"),), "IF-15"),
    *(Trick(f"administrators: {name}", binding(name), "IF-20") for name in EVERYBODY),
    *(Trick(f"{name} may edit", binding(name, "edit"), "IF-20") for name in EVERYBODY[:4]),
    Trick("a role of their own for everybody", binding("system:authenticated", "nodepool-writer"), "IF-20"),
    Trick("anonymous users", binding("system:anonymous", "view", "User"), "IF-20"),
    Trick("the default account", binding("default", kind="ServiceAccount", namespace="kube-system"), "IF-20"),
    Trick("the default account as a user", binding("system:serviceaccount:kube-system:default", kind="User"), "IF-20"),
    Trick("a node as a user", binding("system:node:ip-10-0-0-1", kind="User"), "IF-20"),
    Trick("an account of its own as a user", binding("system:serviceaccount:ci:deployer", kind="User"), "IF-20", Wanted.PASSES),
    Trick("a binding in a namespace", (ROLE_BINDING,), "IF-20"),
    Trick("a patch of a binding", (replace(binding("system:authenticated")[0], type=s.BINDING.type + "Patch"),), "IF-20"),
    Trick("discovery for everybody", binding("system:authenticated", "system:discovery"), "IF-20", Wanted.PASSES),
    Trick("administrators with a name", binding("platform-team"), "IF-20", Wanted.PASSES),
    Trick(
        "everybody writes NodePools",
        (s.ADMINS, s.put(s.BINDING, "subjects", [{"kind": "Group", "name": "dev"}])),
        "IF-13",
        Wanted.REPORTED,
    ),
)
