"""Folders as people lay them out, in small: their files, and the objects that kubectl or kustomize reads of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HEAD = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"


def deployment(name: str, more: str = "") -> str:
    """Return a Deployment of one container."""
    return f"""apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      containers: [{{name: main, image: demo/{name}, resources: {{requests: {{cpu: 250m}}}}}}]
{more}"""


def service(name: str) -> str:
    """Return a Service, which no plan depends on."""
    return f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\nspec: {{selector: {{app: {name}}}}}\n"


SPREAD = """      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - {weight: 1, podAffinityTerm: {topologyKey: host, labelSelector: {matchLabels: {app: web}}}}
"""
CLAIM = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce]}\n"
CLAIMED = "      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n"
SCALER = """apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 2, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""
STATEFUL = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: main, image: demo/db}]}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast}}]
"""
CRON = """apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "@daily"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: demo/job}]}}}}
"""


@dataclass(frozen=True)
class Layout:
    """Files by path, the path that is read, and what is in it: `Kind/name`, or `Kind/namespace/name`.

    `codes` are those of the notes. `is_kustomized` says that kustomize makes the same of the path.
    """

    files: Mapping[str, str]
    objects: tuple[str, ...]
    path: str = "."
    recursive: bool = False
    codes: tuple[str, ...] = ()
    is_kustomized: bool = False

    def write(self, folder: Path) -> Path:
        """Write the files below a folder, and return the path to read."""
        for name, text in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return folder / self.path


def kustomized(files: Mapping[str, str], *objects: str, path: str = ".", codes: tuple[str, ...] = ()) -> Layout:
    """Return a layout that kustomize reads as Cutlist does."""
    return Layout(files, objects, path, codes=codes, is_kustomized=True)


LAYOUTS: Mapping[str, Layout] = {
    "a flat folder of YAML and JSON": Layout(
        {
            "a.yaml": f"{deployment('a')}---\n{service('a')}",
            "b.yml": deployment("b"),
            "c.json": json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}),
            "README.md": "kind: nothing",
        },
        ("Deployment/a", "Service/a", "Deployment/b", "ConfigMap/c"),
    ),
    "a nested folder without -R": Layout(
        {"a.yaml": deployment("a"), "sub/b.yaml": deployment("b"), "sub/deep/c.yaml": deployment("c")},
        ("Deployment/a",),
        codes=("subfolder",),
    ),
    "a nested folder with -R": Layout(
        {"a.yaml": deployment("a"), "sub/b.yaml": deployment("b"), "sub/deep/c.yaml": deployment("c")},
        ("Deployment/a", "Deployment/b", "Deployment/c"),
        recursive=True,
    ),
    "foreign files among manifests": Layout(
        {
            "web.yaml": deployment("web"),
            "iam-policy.json": json.dumps({"Version": "2012-10-17", "Statement": []}),
            "values.yaml": "image: {tag: v1}\nreplicas: 3\n",
            "docker-compose.yml": "version: '3'\nservices: {web: {image: demo/web}}\n",
            "ports.json": "[80, 443]",
            "empty.yaml": "# to be written\n",
        },
        ("Deployment/web",),
        codes=("foreign-file",),
    ),
    "templates among manifests": Layout(
        {
            "web.yaml": deployment("web"),
            "a.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n{{- if .Values.x }}\n{{- end }}\n",
        },
        ("Deployment/web",),
        codes=("template-not-rendered",),
    ),
    "a chart beside manifests": Layout(
        {
            "web.yaml": deployment("web"),
            "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
            "chart/values.yaml": "replicas: 1\n",
            "chart/templates/web.yaml": deployment("from-the-chart"),
        },
        ("Deployment/web",),
        recursive=True,
        codes=("chart-not-rendered",),
    ),
    "a List and a typed list": Layout(
        {
            "list.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n",
            "typed.json": json.dumps({"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata": {"name": "b"}}]}),
        },
        ("Secret/a", "ConfigMap/b"),
    ),
    "kustomization.yaml": kustomized(
        {"kustomization.yaml": f"{HEAD}resources: [web.yaml]\n", "web.yaml": deployment("web"), "old.yaml": deployment("old")},
        "Deployment/web",
        codes=("kustomization",),
    ),
    "kustomization.yml without apiVersion and kind": kustomized(
        {"kustomization.yml": "resources: [web.yaml]\n", "web.yaml": deployment("web")}, "Deployment/web"
    ),
    "Kustomization": kustomized({"Kustomization": "resources: [web.yaml]\n", "web.yaml": deployment("web")}, "Deployment/web"),
    "a base and an overlay": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml, ns.yaml]\n",
            "base/web.yaml": deployment("web"),
            "base/ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: any}\n",
            "dev/kustomization.yaml": "resources: [../base]\nnamespace: dev\nreplicas: [{name: web, count: 7}]\n"
            "images: [{name: demo/web, newTag: v2}]\n",
        },
        "Deployment/dev/web",
        "Namespace/dev",
        path="dev",
    ),
    "bases, the old word": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "dev/kustomization.yaml": "bases: [../base]\nresources: [own.yaml]\nnamePrefix: dev-\n",
            "dev/own.yaml": service("own"),
        },
        "Deployment/dev-web",
        "Service/dev-own",
        path="dev",
    ),
    "an overlay below its base": Layout(
        {
            "kustomization.yaml": "resources: [web.yaml]\n",
            "web.yaml": deployment("web"),
            "overlays/dev/kustomization.yaml": "resources: [../..]\nnamespace: dev\n",
        },
        ("Deployment/dev/web",),
        recursive=True,
        codes=("kustomization",),
    ),
    "generators and their inputs": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\n"
            "configMapGenerator: [{name: settings, files: [settings.json, key=other.yaml], literals: [a=b]}]\n"
            "secretGenerator: [{name: key, literals: [a=b]}]\ngeneratorOptions: {disableNameSuffixHash: true}\n",
            "web.yaml": deployment("web"),
            "settings.json": "{}",
            "other.yaml": deployment("never"),
        },
        "Deployment/web",
    ),
    "a component that is used and one that is not": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "more/kustomization.yaml": f"{COMPONENT}resources: [extra.yaml]\nreplicas: [{{name: web, count: 4}}]\n",
            "more/extra.yaml": deployment("extra"),
            "unused/kustomization.yaml": f"{COMPONENT}resources: [never.yaml]\n",
            "unused/never.yaml": deployment("never"),
            "dev/kustomization.yaml": "resources: [../base]\ncomponents: [../more]\nnamespace: dev\n",
        },
        "Deployment/dev/web",
        "Deployment/dev/extra",
        path="dev",
    ),
    "labels, annotations and names that others refer to": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml, claim.yaml, scaler.yaml]\nnamePrefix: shop-\n"
            "commonLabels: {team: shop}\ncommonAnnotations: {owner: shop}\n",
            "base/web.yaml": deployment("web", SPREAD + CLAIMED),
            "base/claim.yaml": CLAIM,
            "base/scaler.yaml": SCALER,
            "dev/kustomization.yaml": "resources: [../base, db.yaml, job.yaml, class.yaml]\nnameSuffix: -dev\nnamespace: dev\n"
            "labels:\n- {pairs: {tier: a}}\n- {pairs: {size: b}, includeTemplates: true}\n"
            "- {pairs: {zone: c}, includeSelectors: true}\n",
            "dev/db.yaml": STATEFUL,
            "dev/job.yaml": CRON,
            "dev/class.yaml": "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: p\n",
        },
        "Deployment/dev/shop-web-dev",
        "PersistentVolumeClaim/dev/shop-data-dev",
        "HorizontalPodAutoscaler/dev/shop-web-dev",
        "StatefulSet/dev/db-dev",
        "CronJob/dev/nightly-dev",
        "StorageClass/fast-dev",
        path="dev",
    ),
    "custom resources in a kustomization": kustomized(
        {
            "kustomization.yaml": "resources: [pool.yaml, role.yaml]\nnamespace: karpenter\n",
            "pool.yaml": "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\nspec: {}\n",
            "role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: []\n",
        },
        "NodePool/karpenter/general",
        "ClusterRole/reader",
    ),
    "transformer configurations that change nothing": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\nconfigurations: [names.yaml]\nbuildMetadata: [originAnnotations]\n",
            "names.yaml": "nameReference: [{kind: ConfigMap, fieldSpecs: [{kind: Rollout, path: spec/x}]}]\n",
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "several kustomizations below one folder": Layout(
        {
            "apps/a/kustomization.yaml": "resources: [web.yaml]\n",
            "apps/a/web.yaml": deployment("a"),
            "apps/b/kustomization.yaml": "resources: [web.yaml, ../shared]\n",
            "apps/b/web.yaml": deployment("b"),
            "apps/shared/kustomization.yaml": "resources: [ns.yaml]\n",
            "apps/shared/ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
            "plain.yaml": deployment("plain"),
        },
        ("Deployment/plain", "Deployment/a", "Deployment/b", "Namespace/shop"),
        recursive=True,
    ),
}
