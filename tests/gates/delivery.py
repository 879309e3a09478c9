"""Objects that reach a cluster past the rules, and objects that the cluster has otherwise than they are registered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cutlist.policy.rules import Options
from tests.gates.trick import Trick, Wanted, registered
from tests.gates.wrappings import BUFFER, OVERLAY, TEXT, kubernetes
from tests.unit.policy.rules import subjects as s

GIT = {"repoURL": "https://example.com/shop.git", "path": "pools"}
COMMAND, REMOTE = "command:local:Command", "command:remote:Command"
UNSEEN = {
    "a release": registered("kubernetes:helm.sh/v3:Release", chart="raw", repositoryOpts={"repo": "https://example.com"}),
    "a chart": registered("kubernetes:helm.sh/v4:Chart", chart="oci://example.com/raw", version="1.0.0"),
    "a chart of the third kind": registered("kubernetes:helm.sh/v3:Chart", chart="./charts/pools"),
    "an Application": kubernetes("argoproj.io/v1alpha1", "Application", spec={"source": GIT}),
    "an ApplicationSet": kubernetes("argoproj.io/v1alpha1", "ApplicationSet", spec={"template": {"spec": {"source": GIT}}}),
    "an Application of the provider": registered("argocd:index/application:Application", spec={"sources": [GIT]}),
    "a Kustomization of Flux": kubernetes("kustomize.toolkit.fluxcd.io/v1", "Kustomization", spec={"path": "./pools"}),
    "a Kustomization of an older Flux": kubernetes("kustomize.toolkit.fluxcd.io/v1beta2", "Kustomization", spec={"path": "."}),
    "a HelmRelease": kubernetes("helm.toolkit.fluxcd.io/v2", "HelmRelease", spec={"chart": {"spec": {"chart": "raw"}}}),
    "a patch of a HelmRelease": registered(
        "kubernetes:helm.toolkit.fluxcd.io/v2:HelmReleasePatch",
        apiVersion="helm.toolkit.fluxcd.io/v2",
        kind="HelmRelease",
        spec={},
    ),
    "a GitRepo of Fleet": kubernetes("fleet.cattle.io/v1alpha1", "GitRepo", spec={"repo": GIT["repoURL"]}),
    "a RootSync": kubernetes("configsync.gke.io/v1beta1", "RootSync", spec={"git": {"dir": "pools"}}),
    "a HelmChart of k3s": kubernetes("helm.cattle.io/v1", "HelmChart", spec={"chart": "raw"}),
    "a Release of Crossplane": kubernetes("helm.crossplane.io/v1beta1", "Release", spec={"forProvider": {"chart": {}}}),
    "an App of kapp": kubernetes("kappctrl.k14s.io/v1alpha1", "App", spec={"fetch": [{"git": {}}]}),
    "a Stack of the operator": kubernetes("pulumi.com/v1", "Stack", spec={"stack": "shop/pools"}),
    "a clone by Kyverno": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={"rules": [{"generate": {"kind": "NodePool", "apiVersion": "karpenter.sh/v1", "clone": {"name": "a"}}}]},
    ),
    "a run of Terraform": kubernetes("infra.contrib.fluxcd.io/v1alpha2", "Terraform", spec={"path": "."}),
    "a command with an address": registered(COMMAND, create="kubectl apply -f https://example.com/pools.yaml"),
    "a command with a script": registered(COMMAND, create="sh deploy.sh"),
    "a remote command": registered(REMOTE, create="./deploy"),
    "a dynamic resource": registered("pulumi-python:dynamic:Resource", url="https://example.com"),
    "a dynamic resource of a name": registered("pulumi-python:dynamic/pools:Pools", count=3),
    "a dynamic resource of Node": registered("pulumi-nodejs:dynamic:Resource", count=3),
    "Flux by Azure": registered(
        "azure-native:kubernetesconfiguration:FluxConfiguration", gitRepository={"url": GIT["repoURL"]}
    ),
    "a script by Azure": registered("azure-native:resources:AzureCliScript", primaryScriptUri="https://example.com/a.sh"),
    "a wrapped Application": kubernetes(
        "v1", "ConfigMap", data={"a": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {}\n"}
    ),
}
OPEN = {
    "a file": registered("kubernetes:yaml/v2:ConfigFile", file="https://example.com/pools.yaml"),
    "a file of the first kind": registered("kubernetes:yaml:ConfigFile", file="https://example.com/pools.yaml"),
    "files": registered("kubernetes:yaml/v2:ConfigGroup", files=["https://example.com/*.yaml"]),
    "a directory": registered("kubernetes:kustomize/v2:Directory", directory="https://github.com/example/shop//pools"),
    "a directory of the first kind": registered("kubernetes:kustomize:Directory", directory="https://example.com/shop"),
}
ORDINARY = {
    "Karpenter's own release": s.RELEASE,
    "a project of Argo CD": kubernetes("argoproj.io/v1alpha1", "AppProject", spec={}),
    "a rollout": kubernetes("argoproj.io/v1alpha1", "Rollout", spec={"replicas": 3}),
    "a repository of Flux": kubernetes("source.toolkit.fluxcd.io/v1", "GitRepository", spec={"url": GIT["repoURL"]}),
    "a copy of a file": registered("command:remote:CopyToRemote", source="a", remotePath="/b"),
    "Cutlist's own": registered("pulumi-python:dynamic/cutlist:Drain", cluster="demo"),
}


def ignoring(resource: s.Resource, *paths: str) -> s.Resource:
    """Return a resource of which changes of some paths are ignored."""
    return replace(resource, options=Options(ignore_changes=paths))


MUTATE: dict[str, Any] = {
    "match": {"any": [{"resources": {"kinds": ["karpenter.sh/*/NodePool"]}}]},
    "mutate": {"patchStrategicMerge": {"spec": {"limits": None}}},
}
ALL_RESOURCES = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["*"]}
PATCH = 'kubectl patch nodepool general --type merge -p \'{"spec":{"limits":null}}\''
OTHERWISE = {
    "changes of a limit are ignored": ignoring(s.POOL, "spec.limits"),
    "changes of the spec are ignored": ignoring(s.POOL, "spec"),
    "changes in brackets are ignored": ignoring(s.POOL, '["spec"]["limits"]'),
    "changes of anything are ignored": ignoring(s.POOL, "*"),
    "changes of a class are ignored": ignoring(s.CLASS, "spec.amiSelectorTerms"),
    "changes of an overlay are ignored": ignoring(OVERLAY, "spec.priceAdjustment"),
    "changes of a buffer are ignored": ignoring(BUFFER, "spec.replicas"),
    "changes of a text are ignored": ignoring(registered("kubernetes:yaml/v2:ConfigGroup", yaml=TEXT), "yaml"),
    "changes of objects are ignored": ignoring(registered("kubernetes:yaml:ConfigGroup", objs=[dict(s.POOL.data)]), "objs[0]"),
    "changes of data are ignored": ignoring(kubernetes("v1", "ConfigMap", data={"a": TEXT}), "data"),
    "Kyverno mutates": kubernetes("kyverno.io/v1", "ClusterPolicy", spec={"rules": [MUTATE]}),
    "Kyverno mutates what is there": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={
            "rules": [
                {
                    "match": {"any": [{"resources": {"kinds": ["ConfigMap"]}}]},
                    "mutate": {"targets": [{"apiVersion": "karpenter.sh/v1", "kind": "NodePool"}], "patchesJson6902": "[]"},
                }
            ]
        },
    ),
    "Kyverno's MutatingPolicy": kubernetes(
        "policies.kyverno.io/v1alpha1",
        "MutatingPolicy",
        spec={"matchConstraints": {"resourceRules": [{"apiGroups": ["karpenter.sh"], "resources": ["nodepools"]}]}},
    ),
    "Gatekeeper assigns": kubernetes(
        "mutations.gatekeeper.sh/v1", "Assign", spec={"applyTo": [{"groups": ["karpenter.sh"], "kinds": ["NodePool"]}]}
    ),
    "a webhook for NodePools": kubernetes(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        webhooks=[{"rules": [{"apiGroups": ["karpenter.sh"], "resources": ["nodepools"]}]}],
    ),
    "a webhook for everything": kubernetes(
        "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", webhooks=[{"rules": [ALL_RESOURCES]}]
    ),
    "a MutatingAdmissionPolicy": kubernetes(
        "admissionregistration.k8s.io/v1beta1",
        "MutatingAdmissionPolicy",
        spec={"matchConstraints": {"resourceRules": [{**ALL_RESOURCES, "apiGroups": ["karpenter.k8s.aws"]}]}},
    ),
    "a command that patches": registered(COMMAND, create=PATCH),
    "a command that edits by update": registered(COMMAND, create="true", update=PATCH),
    "a command by the API": registered(COMMAND, create="curl -X PATCH https://k/apis/karpenter.sh/v1/nodepools/general -d @a"),
    "a remote command that scales": registered(REMOTE, create="kubectl scale nodepool/static --replicas 500"),
    "a class that a command replaces": registered(COMMAND, create="cat a | kubectl replace ec2nodeclass default -f -"),
    "a Job that patches": kubernetes(
        "batch/v1",
        "Job",
        spec={"template": {"spec": {"containers": [{"command": ["kubectl", "patch", "nodepool", "general", "-p", "{}"]}]}}},
    ),
}
AS_REGISTERED = {
    "changes of annotations are ignored": ignoring(s.POOL, "metadata.annotations", 'metadata["labels"]'),
    "changes of the status are ignored": ignoring(s.CLASS, "status"),
    "changes of a release are ignored": ignoring(s.RELEASE, "values.replicas"),
    "Kyverno validates": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={"rules": [{"match": MUTATE["match"], "validate": {"pattern": {"spec": {"limits": "?*"}}}}]},
    ),
    "Kyverno mutates pods": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={"rules": [{"match": {"any": [{"resources": {"kinds": ["Pod"]}}]}, "mutate": {"patchStrategicMerge": {}}}]},
    ),
    "Kyverno sends pods to a pool": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={
            "rules": [
                {
                    "match": {"any": [{"resources": {"kinds": ["Pod"], "namespaces": ["batch"]}}]},
                    "mutate": {"patchStrategicMerge": {"spec": {"nodeSelector": {"karpenter.sh/nodepool": "batch"}}}},
                }
            ]
        },
    ),
    "Gatekeeper sends pods to a pool": kubernetes(
        "mutations.gatekeeper.sh/v1",
        "Assign",
        spec={
            "applyTo": [{"groups": [""], "kinds": ["Pod"], "versions": ["v1"]}],
            "location": "spec.nodeSelector",
            "parameters": {"assign": {"value": {"karpenter.sh/nodepool": "batch"}}},
        },
    ),
    "a webhook for pods": kubernetes(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        webhooks=[{"rules": [{"apiGroups": [""], "resources": ["pods"]}]}],
    ),
    "a webhook for pods of every group": kubernetes(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        webhooks=[{"rules": [{"apiGroups": ["*"], "resources": ["pods"]}]}],
    ),
    "a webhook for all of another group": kubernetes(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        webhooks=[{"rules": [{"apiGroups": ["apps"], "resources": ["*"]}]}],
    ),
    "a command that waits": registered(COMMAND, create="set -e\nkubectl wait --for=condition=Ready nodepool/general"),
    "a command that drains at the end": registered(COMMAND, create="true", delete="kubectl delete nodepools --all"),
    "a command that writes a kubeconfig": registered(COMMAND, create="aws eks update-kubeconfig --name demo"),
    "a component that keeps its input": registered("acme:index:Pools", pools=[dict(s.POOL.data)]),
}

NODE_POOL = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "name": "static"}
DIFFERENCES = [{"group": "karpenter.sh", "kind": "NodePool", "jsonPointers": ["/spec/limits"]}]
RESPECTED = {"syncOptions": ["CreateNamespace=true", "RespectIgnoreDifferences=true"]}


def application(**spec: Any) -> s.Resource:
    return kubernetes("argoproj.io/v1alpha1", "Application", spec=spec)


def annotated(**annotations: str) -> s.Resource:
    """Return a NodePool with annotations of Flux."""
    named = {f"kustomize.toolkit.fluxcd.io/{name}": value for name, value in annotations.items()}
    return s.put(s.POOL, "metadata.annotations", named)


SCALED = {
    "an autoscaler of a static pool": kubernetes(
        "autoscaling/v2", "HorizontalPodAutoscaler", spec={"scaleTargetRef": NODE_POOL, "maxReplicas": 900}
    ),
    "an event that scales a static pool": kubernetes(
        "keda.sh/v1alpha1", "ScaledObject", spec={"scaleTargetRef": NODE_POOL, "maxReplicaCount": 900}
    ),
    "differences that Argo CD respects": application(ignoreDifferences=DIFFERENCES, syncPolicy=RESPECTED),
    "differences of a set that Argo CD respects": kubernetes(
        "argoproj.io/v1alpha1",
        "ApplicationSet",
        spec={"template": {"spec": {"ignoreDifferences": DIFFERENCES, "syncPolicy": RESPECTED}}},
    ),
    "differences of everything that Argo CD respects": application(
        ignoreDifferences=[{"group": "*", "kind": "*", "managedFieldsManagers": ["x"]}], syncPolicy=RESPECTED
    ),
    "a pool that Flux leaves as it is": annotated(reconcile="disabled"),
    "a pool that Flux writes once": annotated(ssa="IfNotPresent"),
    "a pool that Flux ignores": annotated(ssa="Ignore"),
}
"""What keeps an object in the cluster from being the one that is registered."""
APPLIED = {
    "an autoscaler of a Deployment": kubernetes(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        spec={"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "nodepool"}},
    ),
    "an autoscaler of requests": kubernetes(
        "autoscaling.k8s.io/v1", "VerticalPodAutoscaler", spec={"targetRef": {"kind": "Deployment", "name": "x"}}
    ),
    "differences that Argo CD only hides": application(ignoreDifferences=DIFFERENCES),
    "differences of Deployments": application(
        ignoreDifferences=[{"group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"]}], syncPolicy=RESPECTED
    ),
    "a policy of Argo CD's workflows": kubernetes("argoproj.io/v1alpha1", "WorkflowTemplate", spec={}),
    "a pool that Flux merges": annotated(ssa="Merge"),
    "a pool that Flux does not prune": annotated(prune="disabled"),
}

TRICKS = (
    *(Trick(name, (of,), "OB-04") for name, of in SCALED.items()),
    *(Trick(f"applied: {name}", (of,), "OB-04", Wanted.PASSES) for name, of in APPLIED.items()),
    *(Trick(f"not looked at: {name}", (of,), "OB-03", Wanted.REPORTED) for name, of in UNSEEN.items()),
    *(Trick(f"stopped: {n}", (UNSEEN[n],), "OB-03", gates={"rules": {"OB-03": "mandatory"}}) for n in list(UNSEEN)[:3]),
    Trick(
        "looked at elsewhere",
        (UNSEEN["a command with a script"],),
        "OB-03",
        Wanted.PASSES,
        {"rules": {"OB-03": {"known": ["Command/trick"]}}},
    ),
    *(Trick(f"unread: {name}", (of,), "OB-02", Wanted.OPEN) for name, of in OPEN.items()),
    *(Trick(f"ordinary: {name}", (of,), "OB-03", Wanted.PASSES) for name, of in ORDINARY.items()),
    *(Trick(f"otherwise: {name}", (of,), "OB-04") for name, of in OTHERWISE.items()),
    *(Trick(f"as registered: {name}", (s.POOL, s.CLASS, of), "OB-04", Wanted.PASSES) for name, of in AS_REGISTERED.items()),
    Trick("the same pool twice", (s.POOL, s.CLASS, AS_REGISTERED["a component that keeps its input"]), "NP-11", Wanted.PASSES),
)
