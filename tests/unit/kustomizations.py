"""Kustomizations as people write them, in small: more than one part of kustomize each, and what is left to it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.unit.layouts import (
    CLAIM,
    CLAIMED,
    COMPONENT,
    CRON,
    HEAD,
    SCALER,
    SPREAD,
    STATEFUL,
    Layout,
    deployment,
    kustomized,
    service,
)

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
DAEMON = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      serviceAccountName: agent
      priorityClassName: high
      containers: [{name: main, image: demo/agent, envFrom: [{configMapRef: {name: settings}}]}]
"""
ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: agent}\n"
PRIORITY = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n"
BUDGET = """apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
"""
NETWORK_POLICY = """apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{podSelector: {matchLabels: {app: front}}}]}]
"""
INGRESS = """apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  defaultBackend: {service: {name: web, port: {number: 80}}}
"""
BINDINGS = """apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: agent}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: agent}
subjects:
- {kind: ServiceAccount, name: agent, namespace: default}
- {kind: ServiceAccount, name: other, namespace: elsewhere}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: agent}
rules: []
"""
ROLLOUT = """apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: front}
spec:
  replicas: 3
  selector: {matchLabels: {app: front}}
  template:
    metadata: {labels: {app: front}}
    spec: {containers: [{name: main, image: demo/front}]}
"""
SCALED_OBJECT = """apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec: {scaleTargetRef: {name: web}, triggers: []}
"""
JOB = """apiVersion: batch/v1
kind: Job
metadata: {name: load}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: demo/load}]}}}
"""
VOLUME = """apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: fast}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], volumeName: disk, storageClassName: fast}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: p
"""
POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    metadata: {labels: {team: a}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {}
"""

KUSTOMIZATIONS: Mapping[str, Layout] = {
    "three levels of bases, each with a prefix": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\nnamePrefix: b-\n",
            "base/web.yaml": deployment("web"),
            "team/kustomization.yaml": "resources: [../base]\nnamePrefix: t-\nnameSuffix: -x\n",
            "prod/kustomization.yaml": "resources: [../team]\nnamePrefix: p-\nnamespace: prod\n",
        },
        "Deployment/prod/p-t-b-web-x",
        path="prod",
    ),
    "one base under two prefixes": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml, service.yaml]\n",
            "base/web.yaml": deployment("web"),
            "base/service.yaml": service("web"),
            "a/kustomization.yaml": "resources: [../base]\nnamePrefix: a-\nreplicas: [{name: web, count: 2}]\n",
            "b/kustomization.yaml": "resources: [../base]\nnameSuffix: -b\n",
            "both/kustomization.yaml": "resources: [../a, ../b]\nnamespace: shop\n",
        },
        "Deployment/shop/a-web",
        "Deployment/shop/web-b",
        "Service/shop/a-web",
        "Service/shop/web-b",
        path="both",
    ),
    "one base in two namespaces": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "a/kustomization.yaml": "resources: [../base]\nnamespace: a\n",
            "b/kustomization.yaml": "resources: [../base]\nnamespace: b\nreplicas: [{name: web, count: 3}]\n",
            "all/kustomization.yaml": "resources: [../a, ../b]\n",
        },
        "Deployment/a/web",
        "Deployment/b/web",
        path="all",
    ),
    "a namespace over objects that have one, and over those that have none": kustomized(
        {
            "kustomization.yaml": "namespace: shop\nresources: [web.yaml, agent.yaml, roles.yaml, classes.yaml, ns.yaml]\n",
            "web.yaml": deployment("web").replace("{name: web}", "{name: web, namespace: other}", 1),
            "agent.yaml": f"{DAEMON}---\n{ACCOUNT}",
            "roles.yaml": BINDINGS,
            "classes.yaml": f"{PRIORITY}---\n{VOLUME}",
            "ns.yaml": NAMESPACE,
        },
        "Deployment/shop/web",
        "DaemonSet/shop/agent",
        "ServiceAccount/shop/agent",
        "ClusterRoleBinding/agent",
        "ClusterRole/agent",
        "PriorityClass/high",
        "PersistentVolume/disk",
        "PersistentVolumeClaim/shop/data",
        "StorageClass/fast",
        "Namespace/shop",
    ),
    "prefixes in what refers to accounts, roles, priorities, volumes and services": kustomized(
        {
            "kustomization.yaml": "resources: [agent.yaml, roles.yaml, classes.yaml, ingress.yaml, db.yaml]\nnamePrefix: my-\n",
            "agent.yaml": f"{DAEMON}---\n{ACCOUNT}",
            "roles.yaml": BINDINGS,
            "classes.yaml": f"{PRIORITY}---\n{VOLUME}",
            "ingress.yaml": f"{INGRESS}---\n{service('web')}",
            "db.yaml": f"{STATEFUL}---\n{service('db')}",
        },
        "DaemonSet/my-agent",
        "ServiceAccount/my-agent",
        "ClusterRoleBinding/my-agent",
        "ClusterRole/my-agent",
        "PriorityClass/my-high",
        "PersistentVolume/my-disk",
        "PersistentVolumeClaim/my-data",
        "StorageClass/my-fast",
        "Ingress/my-web",
        "Service/my-web",
        "Service/my-db",
        "StatefulSet/my-db",
    ),
    "a prefix over kinds of others, which nothing follows": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, scaled.yaml, rollout.yaml, pool.yaml]\nnamePrefix: x-\n",
            "web.yaml": deployment("web"),
            "scaled.yaml": SCALED_OBJECT,
            "rollout.yaml": ROLLOUT,
            "pool.yaml": POOL,
        },
        "Deployment/x-web",
        "ScaledObject/x-web",
        "Rollout/x-front",
        "NodePool/x-general",
        "EC2NodeClass/x-default",
    ),
    "labels over kinds of others": kustomized(
        {
            "kustomization.yaml": "resources: [rollout.yaml, pool.yaml, job.yaml]\ncommonLabels: {team: b}\n"
            "labels:\n- {pairs: {size: s}, includeTemplates: true}\ncommonAnnotations: {owner: b}\n",
            "rollout.yaml": ROLLOUT,
            "pool.yaml": POOL,
            "job.yaml": JOB,
        },
        "Rollout/front",
        "NodePool/general",
        "EC2NodeClass/default",
        "Job/load",
    ),
    "common labels in budgets, policies, services and jobs": kustomized(
        {
            "kustomization.yaml": "resources: [all.yaml]\ncommonLabels: {part: shop}\n",
            "all.yaml": "---\n".join(
                (deployment("web", SPREAD), BUDGET, NETWORK_POLICY, service("web"), CRON, STATEFUL, DAEMON, JOB)
            ),
        },
        "Deployment/web",
        "PodDisruptionBudget/web",
        "NetworkPolicy/web",
        "Service/web",
        "CronJob/nightly",
        "StatefulSet/db",
        "DaemonSet/agent",
        "Job/load",
    ),
    "replicas of several kinds": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, db.yaml]\n"
            "replicas: [{name: web, count: 0}, {name: db, count: 5}]\nnamePrefix: a-\n",
            "web.yaml": deployment("web"),
            "db.yaml": STATEFUL,
        },
        "Deployment/a-web",
        "StatefulSet/a-db",
    ),
    "images by name, tag and digest": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\nimages:\n- {name: demo/web, newName: example.com/web, newTag: v3}\n"
            "- {name: demo/other, digest: sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b}\n",
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "components in components": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "inner/kustomization.yaml": f"{COMPONENT}resources: [agent.yaml]\nlabels: [{{pairs: {{by: inner}}}}]\n",
            "inner/agent.yaml": DAEMON,
            "outer/kustomization.yaml": f"{COMPONENT}components: [../inner]\nnamePrefix: o-\n"
            "replicas: [{name: web, count: 6}]\n",
            "prod/kustomization.yaml": "resources: [../base]\ncomponents: [../outer]\n",
        },
        "Deployment/o-web",
        "DaemonSet/o-agent",
        path="prod",
    ),
    "a component alone": kustomized(
        {
            "scaled/kustomization.yaml": f"{COMPONENT}resources: [scaler.yaml]\n",
            "scaled/scaler.yaml": SCALER,
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [scaled]\nnameSuffix: -one\n",
            "web.yaml": deployment("web"),
        },
        "Deployment/web-one",
        "HorizontalPodAutoscaler/web-one",
    ),
    "generated names that pods refer to": kustomized(
        {
            "kustomization.yaml": "resources: [agent.yaml]\nconfigMapGenerator:\n- {name: settings, envs: [settings.env]}\n"
            "secretGenerator:\n- {name: token, literals: [a=b], type: Opaque}\n"
            "generatorOptions: {labels: {a: b}}\nnamePrefix: g-\n",
            "agent.yaml": DAEMON,
            "settings.env": "A=1\n",
        },
        "DaemonSet/g-agent",
    ),
    "generators merged over a base": kustomized(
        {
            "base/kustomization.yaml": "resources: [agent.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n",
            "base/agent.yaml": DAEMON,
            "dev/kustomization.yaml": "resources: [../base]\n"
            "configMapGenerator: [{name: settings, behavior: merge, literals: [c=d]}]\nnamespace: dev\n",
        },
        "DaemonSet/dev/agent",
        path="dev",
    ),
    "resources in JSON, in lists and in files of several": kustomized(
        {
            "kustomization.yaml": "resources: [list.yaml, several.yaml, one.json]\nnamespace: shop\n",
            "list.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: a}}\n"
            "- {apiVersion: v1, kind: Service, metadata: {name: b}, spec: {}}\n",
            "several.yaml": f"# first\n---\n{deployment('web')}---\n---\n{deployment('api')}",
            "one.json": '{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "one"}}',
        },
        "Service/shop/a",
        "Service/shop/b",
        "Deployment/shop/web",
        "Deployment/shop/api",
        "ServiceAccount/shop/one",
    ),
    "objects that are only for the local side": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, local.yaml, kept.yaml]\n",
            "web.yaml": deployment("web"),
            "kept.yaml": deployment("kept").replace(
                "{name: kept}", '{name: kept, annotations: {config.kubernetes.io/local-config: "false"}}', 1
            ),
            "local.yaml": deployment("local").replace(
                "{name: local}", '{name: local, annotations: {config.kubernetes.io/local-config: "true"}}', 1
            ),
        },
        "Deployment/web",
        "Deployment/kept",
    ),
    "anchors and merge keys": kustomized(
        {
            "kustomization.yaml": "resources: [job.yaml]\n",
            "job.yaml": """apiVersion: batch/v1
kind: Job
metadata: {name: load, labels: &labels {app: load}}
spec: {parallelism: 2, template: {metadata: {labels: *labels}, spec: {restartPolicy: Never, containers: []}}}
""",
        },
        "Job/load",
    ),
    "folders of resources under each name of a kustomization": kustomized(
        {
            "kustomization.yaml": "resources: [a, b/, ./c]\n",
            "a/kustomization.yml": "resources: [web.yaml]\n",
            "a/web.yaml": deployment("a"),
            "b/Kustomization": "resources: [web.yaml]\nnamePrefix: b-\n",
            "b/web.yaml": deployment("web"),
            "c/kustomization.yaml": f"{HEAD}resources: [sub/web.yaml]\n",
            "c/sub/web.yaml": deployment("c"),
            "c/unused.yaml": deployment("unused"),
        },
        "Deployment/a",
        "Deployment/b-web",
        "Deployment/c",
    ),
    "order, definitions and metadata": kustomized(
        {
            "kustomization.yaml": f"{HEAD}metadata: {{name: all}}\nsortOptions: {{order: legacy}}\ncrds: [crd.json]\n"
            "resources: [web.yaml]\nbuildMetadata: [transformerAnnotations]\n",
            "crd.json": "{}",
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "the label of who manages": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\nbuildMetadata: [managedByLabel]\n",
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "an overlay with objects of its own beside those of its base": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml, claim.yaml]\ncommonLabels: {app: shop}\n",
            "base/web.yaml": deployment("web", CLAIMED),
            "base/claim.yaml": CLAIM,
            "prod/kustomization.yaml": "resources: [../base, agent.yaml, budget.yaml]\nnamespace: prod\n"
            "commonAnnotations: {env: prod}\nlabels: [{pairs: {env: prod}, includeSelectors: true}]\n",
            "prod/agent.yaml": DAEMON,
            "prod/budget.yaml": BUDGET,
        },
        "Deployment/prod/web",
        "PersistentVolumeClaim/prod/data",
        "DaemonSet/prod/agent",
        "PodDisruptionBudget/prod/web",
        path="prod",
    ),
    "a patch in the file": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches:\n"
            '- target: {kind: Deployment}\n  patch: \'[{"op": "add", "path": "/spec/replicas", "value": 4}]\'\n',
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "a patch that merges": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "dev/kustomization.yaml": "resources: [../base]\npatches: [{path: more.yaml}]\nnamespace: dev\n",
            "dev/more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n",
        },
        "Deployment/dev/web",
        path="dev",
    ),
    "patches in the old words": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\npatchesStrategicMerge: [more.yaml]\n"
            "patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  path: paths.yaml\n",
            "web.yaml": deployment("web"),
            "more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n",
            "paths.yaml": "- {op: replace, path: /spec/replicas, value: 6}\n",
        },
        "Deployment/web",
    ),
    "a component with a patch": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\ncomponents: [big]\n",
            "web.yaml": deployment("web"),
            "big/kustomization.yaml": f"{COMPONENT}patches: [{{path: big.yaml}}]\n",
            "big/big.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 9}\n",
        },
        "Deployment/web",
    ),
    "patches before names and namespaces": kustomized(
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": deployment("web"),
            "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\nnamespace: dev\n"
            "replicas: [{name: web, count: 7}]\npatches:\n- {path: more.yaml}\n"
            "- target: {kind: Deployment, name: w.*}\n  patch: |\n    kind: any\n    metadata: {name: any}\n"
            "    spec: {template: {spec: {nodeSelector: {a: b}, containers: [{name: side, image: x}, {name: main, env: "
            "[{name: A, value: b}]}]}}}\n",
            "dev/more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
            "spec: {replicas: 5, paused: null}\n",
        },
        "Deployment/dev/dev-web",
        path="dev",
    ),
    "patches by labels": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, api.yaml]\npatches:\n"
            '- target: {labelSelector: "tier=front"}\n  patch: \'[{"op": "add", "path": "/spec/replicas", "value": 4}]\'\n'
            '- target: {labelSelector: "tier!=front, x=y", kind: Deployment}\n'
            '  patch: \'[{"op": "add", "path": "/spec/replicas", "value": 7}]\'\n',
            "web.yaml": deployment("web").replace("{name: web}", "{name: web, labels: {tier: front, x: y}}", 1),
            "api.yaml": deployment("api").replace("{name: api}", "{name: api, labels: {x: y}}", 1),
        },
        "Deployment/web",
        "Deployment/api",
    ),
    "patches that delete": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, api.yaml]\npatches: [{path: gone.yaml}, {path: less.yaml}]\n",
            "web.yaml": deployment("web").replace(
                "containers: [", "containers: [{name: side, image: demo/side, env: [{name: A, value: a}]}, ", 1
            ),
            "api.yaml": deployment("api"),
            "gone.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\n$patch: delete\n",
            "less.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: "
            "[{name: side, $patch: delete}]}}}\n",
        },
        "Deployment/web",
    ),
}
"""Each is read here as kustomize reads it."""

LEFT_TO_KUSTOMIZE: Mapping[str, Layout] = {
    "a patch of ports": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: more.yaml}]\n",
            "web.yaml": deployment("web").replace("name: main,", "name: main, ports: [{containerPort: 80}],"),
            "more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: "
            "[{name: main, ports: [{containerPort: 81}]}]}}}\n",
        },
        "Deployment/web",
    ),
    "a patch by a set of labels": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml]\npatches:\n"
            '- target: {labelSelector: "a in (b)"}\n  patch: \'[{"op": "add", "path": "/spec/replicas", "value": 4}]\'\n',
            "web.yaml": deployment("web"),
        },
        "Deployment/web",
    ),
    "replacements": kustomized(
        {
            "kustomization.yaml": "resources: [web.yaml, api.yaml]\nreplacements:\n- source: {kind: Deployment, name: api, "
            "fieldPath: spec.replicas}\n  targets: [{select: {kind: Deployment, name: web}, fieldPaths: [spec.replicas], "
            "options: {create: true}}]\n",
            "web.yaml": deployment("web"),
            "api.yaml": deployment("api").replace("spec:\n", "spec:\n  replicas: 7\n", 1),
        },
        "Deployment/web",
        "Deployment/api",
    ),
}
"""Each is refused here with the way out, and read from kustomize where that is asked for."""
