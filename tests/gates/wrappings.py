"""NodePools without limits that reach a cluster in something else, and plans of something else than what is registered."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode, urlsafe_b64encode
from textwrap import indent
from typing import Any

import yaml

from cutlist.planning.spec_digests import spec_digests
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
    "a ConfigMap with a manifest called prose": kubernetes("v1", "ConfigMap", data={"pool.md": TEXT}),
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
    "a list under Pulumi's name": registered("kubernetes:core/v1:List", **LIST),
    "a list of ConfigMaps": registered(
        "kubernetes:core/v1:ConfigMapList",
        apiVersion="v1",
        kind="ConfigMapList",
        items=[{"metadata": {"name": "a"}, "data": {"a": TEXT}}],
    ),
    "a patch of any object": registered("kubernetes:apiextensions.k8s.io:CustomResourcePatch", **POOL),
    "a patch of a NodePool": registered("kubernetes:karpenter.sh/v1:NodePoolPatch", **POOL),
    "a file of a repository": registered("github:index/repositoryFile:RepositoryFile", file="pool.yaml", content=TEXT),
    "a file of GitLab, in base64": registered("gitlab:index/repositoryFile:RepositoryFile", content=encoded(TEXT)),
    "a script of a deployment": registered(
        "azure-native:resources:AzureCliScript", scriptContent=f"az aks get-credentials\nkubectl apply -f - <<EOF\n{TEXT}\nEOF"
    ),
    "a template of CloudFormation": registered(
        "aws:cloudformation/stack:Stack",
        templateBody=json.dumps(
            {"Resources": {"A": {"Type": "AWSQS::Kubernetes::Resource", "Properties": {"Manifest": TEXT}}}}
        ),
    ),
    "a document of SSM, line by line": registered(
        "aws:ssm/document:Document",
        content=json.dumps({"mainSteps": [{"inputs": {"runCommand": ["kubectl apply -f - <<X", *TEXT.splitlines(), "X"]}}]}),
    ),
    "user data": registered(
        "aws:ec2/instance:Instance", userData=f"#!/bin/sh\ncat > p.yaml <<EOF\n{TEXT}\nEOF\nkubectl apply -f p.yaml"
    ),
    "user data in base64": registered(
        "aws:ec2/launchTemplate:LaunchTemplate", userData=encoded(f"#!/bin/sh\necho '{JSON}' | k -f -")
    ),
    "an Application of the provider": registered(
        "argocd:index/application:Application", spec={"sources": [{"helm": {"values": yaml.safe_dump({"extra": [POOL]})}}]}
    ),
    "a CronJob": kubernetes(
        "batch/v1",
        "CronJob",
        spec={"jobTemplate": {"spec": {"template": {"spec": {"containers": [{"args": ["apply", "-f", "-", TEXT]}]}}}}},
    ),
    "lines of arguments": kubernetes(
        "v1",
        "Pod",
        spec={"containers": [{"command": ["sh", "-c"], "args": ["kubectl apply -f - <<X", *TEXT.splitlines(), "X"]}]},
    ),
    "letters of JSON by number": kubernetes("v1", "ConfigMap", data={"a": JSON.replace("apiVersion", "api\\u0056ersion")}),
    "letters of YAML by number": kubernetes(
        "v1", "ConfigMap", data={"a": f'"api\\x56ersion"{TEXT.partition("apiVersion")[2]}'}
    ),
    "gzip in base64": kubernetes("v1", "ConfigMap", binaryData={"a": b64encode(gzip.compress(TEXT.encode())).decode()}),
    "base64 twice": kubernetes("v1", "Secret", data={"a": encoded(encoded(TEXT))}),
    "base64 for addresses": kubernetes("v1", "ConfigMap", data={"a": urlsafe_b64encode(TEXT.encode()).decode()}),
    "base64 in a script": registered(COMMAND, create=f"echo {encoded(TEXT)} | base64 -d | kubectl apply -f -"),
    "a release of Helm that is stored": kubernetes(
        "v1",
        "Secret",
        type="helm.sh/release.v1",
        data={"release": encoded(b64encode(gzip.compress(json.dumps({"manifest": TEXT}).encode())).decode())},
    ),
    "a script with a document after it": registered(COMMAND, create=f"kubectl apply -f - <<EOF\n{TEXT}\nEOF\n---\na: 1\n"),
    "a quoted text with line ends by letters": registered(
        COMMAND, create=f"printf '{TEXT}' | kubectl apply -f -".replace("\n", "\\n")
    ),
    "a text of PowerShell": registered(COMMAND, create=f"@'\n{TEXT}\n'@ | kubectl apply -f -"),
    "a program of Python": registered(COMMAND, create=f"python3 -c 'apply({POOL!r})'"),
    "a text in a program": registered(COMMAND, create=f'python3 - <<X\nPOOL = """\n{TEXT}"""\napply(POOL)\nX'),
    "a text that is indented": registered(COMMAND, create=f"if true\nthen\n{indent(TEXT, '    ')}\nfi"),
    "a here-document behind tabs": registered(
        COMMAND, create=f"cat <<-EOF | kubectl apply -f -\n{indent(TEXT, chr(9))}\n\tEOF\n"
    ),
    "a text with the line ends of Windows": kubernetes("v1", "ConfigMap", data={"a": TEXT.replace("\n", "\r\n")}),
    "a name of a member": registered("acme:index:Objects", objects={TEXT: "apply"}),
    "a list in a group's list": registered("kubernetes:yaml:ConfigGroup", objs=[[POOL]]),
    "a mapping in a group": registered("kubernetes:yaml:ConfigGroup", objs={"pool": POOL}),
    "a parameter": registered("aws:ssm/parameter:Parameter", value=TEXT),
    "a function's files": registered("aws:lambda/function:Function", code={"assets": {"pool.yaml": {"text": TEXT}}}),
    "patches of a post-renderer": kubernetes(
        "helm.toolkit.fluxcd.io/v2", "HelmRelease", spec={"postRenderers": [{"kustomize": {"patches": [{"patch": TEXT}]}}]}
    ),
    "a graph of kro": kubernetes(
        "kro.run/v1alpha1", "ResourceGraphDefinition", spec={"resources": [{"id": "a", "template": POOL}]}
    ),
    "a bundle of Fleet": kubernetes("fleet.cattle.io/v1alpha1", "Bundle", spec={"resources": [{"name": "a", "content": TEXT}]}),
    "a SelectorSyncSet": kubernetes("hive.openshift.io/v1", "SelectorSyncSet", spec={"resources": [POOL]}),
    "an object of kubectl": registered("kubectl:index:Manifest", yamlBody=TEXT),
}
OVERLAY = kubernetes("karpenter.sh/v1alpha1", "NodeOverlay", spec={"requirements": [], "priceAdjustment": "-10%"})
BUFFER = kubernetes("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", spec={"podTemplateRef": {"name": "web"}, "replicas": 3})
TAGGED = [{"tags": {"karpenter.sh/discovery": "demo"}}]
AUTO_CLASS = kubernetes(
    "eks.amazonaws.com/v1",
    "NodeClass",
    spec={
        "role": "nodes",
        "subnetSelectorTerms": TAGGED,
        "securityGroupSelectorTerms": TAGGED,
        "ephemeralStorage": {"size": "80Gi"},
    },
)
KEYS = {"NodePool/general": s.POOL, "EC2NodeClass/default": s.CLASS, "AKSNodeClass/default": s.AKS_CLASS}
KEYS |= {"NodeOverlay/trick": OVERLAY, "CapacityBuffer/default/trick": BUFFER, "NodeClass/trick": AUTO_CLASS}
PLANNED = s.put(s.PLAN, "measures.objects", {key: dict(spec_digests(of.data)) for key, of in KEYS.items()})
OF_POOL = (
    ("spec.limits.cpu", "9000"),
    ("spec.weight", 50),
    (s.CAPACITY, ["spot"]),
    ("spec.template.spec.nodeClassRef.name", "other"),
    ("spec.disruption.consolidateAfter", "720h"),
    ("spec.template.spec.taints", [{"key": "a", "effect": "NoSchedule"}]),
    ("spec.template.metadata.labels", {"example.com/team": "other"}),
)
CHANGED = {
    **{f"a pool of another {path}": s.put(s.POOL, path, value) for path, value in OF_POOL},
    "another limit, while the class is unknown": s.unknown(
        s.put(s.POOL, "spec.limits.cpu", "9000"), "spec.template.spec.nodeClassRef.name"
    ),
    "another weight, while a requirement is unknown": s.unknown(s.put(s.POOL, "spec.weight", 50), f"{s.CAPACITY}[0]"),
    "a class with bigger disks": s.put(s.CLASS, "spec.blockDeviceMappings[0].ebs.volumeSize", "900Gi"),
    "a class of other images": s.put(s.CLASS, "spec.amiSelectorTerms", [{"alias": "bottlerocket@v1.40.0"}]),
    "a class with user data": s.put(s.CLASS, "spec.userData", "#!/bin/sh"),
    "a class that keeps more": s.put(s.CLASS, "spec.kubelet", {"maxPods": 8}),
    "a class with bigger disks, of a role that is unknown": s.unknown(
        s.put(s.CLASS, "spec.blockDeviceMappings[0].ebs.volumeSize", "900Gi"), "spec.role"
    ),
    "a class of AKS with other disks": s.put(s.AKS_CLASS, "spec.osDiskSizeGB", 900),
    "a class of Auto Mode with bigger disks": s.put(AUTO_CLASS, "spec.ephemeralStorage.size", "900Gi"),
    "an overlay that lowers more": s.put(OVERLAY, "spec.priceAdjustment", "-90%"),
    "an overlay of capacity": s.put(OVERLAY, "spec.capacity", {"example.com/licences": 3}),
    "more buffers": s.put(BUFFER, "spec.replicas", 3000),
}
UNPLANNED = {
    "an overlay": s.named(OVERLAY, "other"),
    "a buffer": s.named(BUFFER, "other"),
    "a buffer of another namespace": s.put(BUFFER, "metadata.namespace", "other"),
}
TO_OTHER = s.put(s.POOL, "spec.template.spec.nodeClassRef.name", "other")
WITH_ITS_CLASS_ELSEWHERE = s.put(PLANNED, "measures.objects", {"NodePool/general": dict(spec_digests(TO_OTHER.data))})
SAME = {
    "a default left out": s.put(s.POOL, "spec.weight", None),
    "a limit as a number": s.put(s.POOL, "spec.limits.cpu", 100),
    "another status": s.put(s.CLASS, "status.subnets", []),
    "annotations of the provider": s.put(s.CLASS, "metadata.annotations", {"pulumi.com/waitFor": "condition=Ready"}),
    "a class that no pool uses": s.named(s.CLASS, "other"),
    "a role that is unknown": s.unknown(s.CLASS, "spec.role"),
    "a selector that is unknown": s.unknown(s.CLASS, "spec.subnetSelectorTerms[0].tags"),
}
HARMLESS = {
    "a sample in a README": kubernetes("v1", "ConfigMap", data={"README.md": f"# Pools\n\nWrite\n\n```yaml\n{TEXT}```\n"}),
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
    Trick("planned as registered", (PLANNED, *KEYS.values()), "GT-03", Wanted.PASSES),
    *(Trick(f"planned but for {name}", (PLANNED, s.POOL, of), "GT-03", Wanted.PASSES) for name, of in SAME.items()),
    *(Trick(f"planned otherwise: {name}", (PLANNED, of), "GT-03") for name, of in CHANGED.items()),
    *(Trick(f"not planned: {name}", (PLANNED, s.POOL, of), "GT-03") for name, of in UNPLANNED.items()),
    Trick("not planned: a class of a pool", (WITH_ITS_CLASS_ELSEWHERE, TO_OTHER, s.named(s.CLASS, "other")), "GT-03"),
    Trick("planned with a class elsewhere", (WITH_ITS_CLASS_ELSEWHERE, TO_OTHER), "GT-03", Wanted.PASSES),
    Trick("not planned at all", (s.POOL, s.CLASS), "GT-03"),
    Trick("planned under another name", (PLANNED, s.named(s.POOL, "other"), s.CLASS), "GT-03"),
    Trick("one of two is planned", (PLANNED, s.POOL, s.put(s.named(s.POOL, "other"), "spec.weight", 9), s.CLASS), "GT-03"),
)
