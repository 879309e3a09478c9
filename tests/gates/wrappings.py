"""NodePools without limits that reach a cluster in something else, and plans of something else than what is registered."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import yaml

from cutlist.api import NodePool
from cutlist.planning.measures import spec_digest
from tests.gates.trick import Trick, Wanted, registered
from tests.unit.policy.rules import subjects as s

POOL: dict[str, Any] = dict(s.drop(s.POOL, "spec.limits").data)
TEXT = yaml.safe_dump(POOL)
JSON = json.dumps(POOL)
LIST = {"apiVersion": "v1", "kind": "List", "items": [POOL]}


def kubernetes(version: str, kind: str, **members: Any) -> s.Resource:
    """Return an object of any kind."""
    data = {"apiVersion": version, "kind": kind, "metadata": {"name": "trick"}, **members}
    return registered(f"kubernetes:{version}:{kind}", **data)


def encoded(text: str) -> str:
    """Return a text in base64."""
    return b64encode(text.encode()).decode()


CHART = "kubernetes:helm.sh/v3:Release"
DYNAMIC = "pulumi-python:dynamic:Resource"
COMMAND = "command:local:Command"
WRAPPINGS = {
    "a ConfigMap": kubernetes("v1", "ConfigMap", data={"pool.yaml": TEXT}),
    "a ConfigMap as JSON": kubernetes("v1", "ConfigMap", data={"pool.json": JSON}),
    "a ConfigMap in base64": kubernetes("v1", "ConfigMap", binaryData={"pool": encoded(TEXT)}),
    "a second document of a ConfigMap": kubernetes("v1", "ConfigMap", data={"all": f"a: 1\n---\n{TEXT}"}),
    "a list in a ConfigMap": kubernetes("v1", "ConfigMap", data={"all": yaml.safe_dump(LIST)}),
    "a ConfigMap under Pulumi's name": registered("kubernetes:core/v1:ConfigMap", data={"pool.yaml": TEXT}),
    "a Secret": kubernetes("v1", "Secret", data={"pool": encoded(TEXT)}),
    "a Secret as text": kubernetes("v1", "Secret", stringData={"pool": TEXT}),
    "a Secret in a ConfigMap": kubernetes(
        "v1",
        "ConfigMap",
        data={"s": yaml.safe_dump({"apiVersion": "v1", "kind": "Secret", "data": {"p": encoded(JSON)}})},
    ),
    "values of a release": registered(CHART, chart="oci://example.com/raw", version="1.0.0", values={"resources": [POOL]}),
    "texts in values of a release": registered(CHART, chart="oci://example.com/raw", values={"extraDeploy": [TEXT]}),
    "values of a chart": registered("kubernetes:helm.sh/v4:Chart", chart="raw", values={"extraObjects": {"a": POOL}}),
    "a HelmRelease": kubernetes("helm.toolkit.fluxcd.io/v2", "HelmRelease", spec={"values": {"manifests": [POOL]}}),
    "values of a HelmRelease as text": kubernetes(
        "helm.toolkit.fluxcd.io/v2", "HelmRelease", spec={"values": {"templates": [TEXT]}}
    ),
    "an Application's values": kubernetes(
        "argoproj.io/v1alpha1",
        "Application",
        spec={"source": {"helm": {"values": yaml.safe_dump({"extraObjects": [POOL]})}}},
    ),
    "an Application's valuesObject": kubernetes(
        "argoproj.io/v1alpha1", "Application", spec={"source": {"helm": {"valuesObject": {"raw": [POOL]}}}}
    ),
    "an ApplicationSet": kubernetes(
        "argoproj.io/v1alpha1", "ApplicationSet", spec={"generators": [{"list": {"elements": [{"m": TEXT}]}}]}
    ),
    "a ClusterPolicy of Kyverno": kubernetes(
        "kyverno.io/v1",
        "ClusterPolicy",
        spec={
            "rules": [
                {
                    "generate": {
                        "apiVersion": "karpenter.sh/v1",
                        "kind": "NodePool",
                        "name": "made",
                        "data": {"spec": POOL["spec"]},
                    }
                }
            ]
        },
    ),
    "an Object of Crossplane": kubernetes(
        "kubernetes.crossplane.io/v1alpha2", "Object", spec={"forProvider": {"manifest": POOL}}
    ),
    "a Composition of Crossplane": kubernetes(
        "apiextensions.crossplane.io/v1",
        "Composition",
        spec={"resources": [{"base": {"kind": "Object", "spec": {"forProvider": {"manifest": POOL}}}}]},
    ),
    "a ClusterResourceSet": kubernetes("v1", "ConfigMap", data={"crs": JSON}),
    "a ManifestWork": kubernetes(
        "work.open-cluster-management.io/v1", "ManifestWork", spec={"workload": {"manifests": [POOL]}}
    ),
    "a Template of gitops": kubernetes(
        "templates.weave.works/v1", "GitOpsTemplate", spec={"resourcetemplates": [{"content": [POOL]}]}
    ),
    "a Job that applies": kubernetes(
        "batch/v1",
        "Job",
        spec={
            "template": {
                "spec": {"containers": [{"name": "a", "command": ["sh", "-c", f"kubectl apply -f - <<EOF\n{TEXT}\nEOF"]}]}
            }
        },
    ),
    "a dynamic resource": registered(DYNAMIC, manifest=POOL),
    "a dynamic resource's text": registered(DYNAMIC, manifest=TEXT),
    "a command's input": registered(COMMAND, create="kubectl apply -f -", stdin=TEXT),
    "a command's here-document": registered(COMMAND, create=f"kubectl apply -f - <<'EOF'\n{TEXT}\nEOF\n"),
    "a command's quoted JSON": registered(COMMAND, create=f"echo '{JSON}' | kubectl apply -f -"),
    "a command's update": registered(COMMAND, create="true", update=f"kubectl apply -f - <<X\n{TEXT}\nX"),
    "a command in base64": registered(COMMAND, create="base64 -d | kubectl apply -f -", stdin=encoded(TEXT)),
    "a remote command": registered("command:remote:Command", create=f"kubectl apply -f - <<EOF\n{TEXT}\nEOF"),
    "a command's environment": registered(COMMAND, create="sh x.sh", environment={"POOL": JSON}),
    "a list in a release": registered(CHART, chart="raw", values={"raw": LIST}),
    "a group's text": registered("kubernetes:yaml/v2:ConfigGroup", yaml=TEXT),
    "a group's objects": registered("kubernetes:yaml:ConfigGroup", objs=[LIST]),
    "an object in a bucket": registered("aws:s3/bucketObjectv2:BucketObjectv2", content=TEXT),
    "an object of kubectl": registered("kubectl:index:Manifest", yamlBody=TEXT),
}
TYPED = NodePool.from_manifest(dict(s.POOL.data))
PLANNED = s.put(s.PLAN, f"{s.GENERAL}.spec", spec_digest(TYPED))
HARMLESS = {
    "a ConfigMap of something else": kubernetes("v1", "ConfigMap", data={"Corefile": ".:53 { forward . /etc/resolv.conf }"}),
    "a copy in an annotation": s.put(
        s.POOL, "metadata.annotations", {"kubectl.kubernetes.io/last-applied-configuration": JSON}
    ),
    "a copy in a ConfigMap's annotation": s.put(
        kubernetes("v1", "ConfigMap"), "metadata.annotations", {"kubectl.kubernetes.io/last-applied-configuration": JSON}
    ),
    "a reference": kubernetes(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        spec={"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}},
    ),
}

TRICKS = (
    *(Trick(f"in {name}", (resource,), "NP-01") for name, resource in WRAPPINGS.items()),
    Trick("in a wrapping, of no plan", (s.PLAN, s.POOL, s.CLASS, WRAPPINGS["a command's input"]), "NP-01"),
    *(Trick(name, (resource,), "NP-01", Wanted.PASSES) for name, resource in HARMLESS.items()),
    Trick("planned as registered", (PLANNED, s.POOL, s.CLASS), "GT-03", Wanted.PASSES),
    Trick("planned with a default left out", (PLANNED, s.put(s.POOL, "spec.weight", None), s.CLASS), "GT-03", Wanted.PASSES),
    *(
        Trick(f"planned with another {path}", (PLANNED, s.put(s.POOL, path, value), s.CLASS), "GT-03")
        for path, value in (
            ("spec.limits.cpu", "9000"),
            ("spec.weight", 50),
            (s.CAPACITY, ["spot"]),
            ("spec.template.spec.nodeClassRef.name", "other"),
            ("spec.disruption.consolidateAfter", "720h"),
            ("spec.template.spec.taints", [{"key": "a", "effect": "NoSchedule"}]),
            ("spec.template.metadata.labels", {"example.com/team": "other"}),
        )
    ),
    Trick("not planned at all", (s.POOL, s.CLASS), "GT-03"),
    Trick("planned under another name", (PLANNED, s.named(s.POOL, "other"), s.CLASS), "GT-03"),
    Trick("one of two is planned", (PLANNED, s.POOL, s.put(s.named(s.POOL, "other"), "spec.weight", 9), s.CLASS), "GT-03"),
)
