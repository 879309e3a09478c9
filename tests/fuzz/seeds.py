"""Texts that every reader takes, with as many of its members as one text can have; mutants are made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from cutlist_cli import main

ROOT: Final = Path(__file__).resolve().parents[2]
_SCENARIOS: Final = ROOT / "tests/seeds/scenarios"
_RUN_2: Final = ("20-run2-nodepool-default.yaml", "21-run2-ec2nodeclass-default.yaml")
REGION: Final = "us-west-2"

PODS: Final = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}, annotations: {karpenter.sh/do-not-disrupt: "true"}}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      priorityClassName: high
      runtimeClassName: slow
      nodeSelector: {kubernetes.io/arch: amd64}
      tolerations: [{key: team, operator: Equal, value: shop, effect: NoSchedule, tolerationSeconds: 30}]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["1"]}]}]
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 5
            preference: {matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2a]}]}
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]}}
      topologySpreadConstraints:
      - {maxSkew: 1, minDomains: 2, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
         labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [pod-template-hash], nodeTaintsPolicy: Honor}
      overhead: {cpu: 10m}
      initContainers: [{name: side, restartPolicy: Always, resources: {requests: {cpu: 50m}}}]
      containers:
      - name: main
        image: demo/web
        env: [{name: TOKEN, value: abc}]
        ports: [{containerPort: 80, hostPort: 8080, protocol: TCP}]
        resources: {requests: {cpu: 250m, memory: 512Mi, ephemeral-storage: 1Gi}, limits: {memory: 1Gi, nvidia.com/gpu: 0}}
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {storageClassName: gp3, accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: gp3}
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [us-west-2a]}]}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: slow}
handler: slow
overhead: {podFixed: {cpu: 20m, memory: 30Mi}}
scheduling: {nodeSelector: {a: b}, tolerations: [{operator: Exists}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec:
  schedule: "0 2 * * *"
  jobTemplate:
    spec:
      completions: 3
      parallelism: 2
      completionMode: Indexed
      template: {spec: {restartPolicy: Never, containers: [{name: main, image: a, resources: {requests: {cpu: "1"}}}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: kube-system}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: main, image: a, resources: {requests: {cpu: 100m, memory: 128Mi}}}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: gp3, resources: {requests: {storage: 1Gi}}}}]
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: main, image: a, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: shop}
spec: {limits: [{type: Container, default: {memory: 1Gi}, defaultRequest: {cpu: 100m}, max: {cpu: "8"}}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 50%, selector: {matchLabels: {app: web}}}
"""

SCALERS: Final = """apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  updatePolicy: {updateMode: Auto, minReplicas: 2}
  resourcePolicy:
    containerPolicies:
    - {containerName: main, minAllowed: {cpu: 100m}, maxAllowed: {cpu: "2"}, controlledResources: [cpu],
       controlledValues: RequestsOnly}
status: {recommendation: {containerRecommendations: [{containerName: main, target: {cpu: 300m, memory: 600Mi}}]}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  minReplicas: 2
  maxReplicas: 10
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {name: web}, minReplicaCount: 1, maxReplicaCount: 9, triggers: [{type: cpu, metadata: {value: "60"}}]}
"""

POOLS: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  weight: 10
  limits: {cpu: "1000", memory: 4000Gi}
  template:
    metadata: {labels: {team: shop}, annotations: {a: b}}
    spec:
      expireAfter: 720h
      terminationGracePeriod: 48h
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: general}
      taints: [{key: team, value: shop, effect: NoSchedule}]
      startupTaints: [{key: start, effect: NoExecute}]
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}
      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r], minValues: 2}
      - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["4"]}
      - {key: kubernetes.io/arch, operator: NotIn, values: [arm64]}
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 5m
    budgets:
    - {nodes: 10%, reasons: [Drifted]}
    - {nodes: "0", schedule: "0 9 * * mon-fri", duration: 8h}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: general}
spec:
  amiFamily: AL2023
  amiSelectorTerms: [{alias: al2023@v20250505}]
  role: KarpenterNodeRole-demo
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}, {id: subnet-0123456789abcdef0}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
  capacityReservationSelectorTerms: [{id: cr-0123456789abcdef0}]
  associatePublicIPAddress: false
  instanceStorePolicy: RAID0
  detailedMonitoring: true
  metadataOptions: {httpEndpoint: enabled, httpPutResponseHopLimit: 1, httpTokens: required}
  blockDeviceMappings:
  - deviceName: /dev/xvda
    rootVolume: true
    ebs: {volumeSize: 100Gi, volumeType: gp3, iops: 3000, throughput: 125, encrypted: true}
  kubelet:
    {maxPods: 110, kubeReserved: {cpu: 200m, memory: 100Mi}, evictionHard: {memory.available: 5%}, clusterDNS: [10.0.1.100]}
  userData: |
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="//"

    --//
    Content-Type: application/node.eks.aws

    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec: {kubelet: {config: {maxPods: 42}}}
    --//--
  tags: {team: shop}
"""

AZURE: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: general}
      requirements: [{key: karpenter.azure.com/sku-family, operator: In, values: [D]}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: general}
spec:
  {imageFamily: Ubuntu2204, osDiskSizeGB: 128, maxPods: 50, tags: {a: b},
   kubelet: {cpuCFSQuota: true, imageGCHighThresholdPercent: 80}}
---
apiVersion: cutlist/v1
kind: Figures
aks: {kubernetesVersion: "1.33", networkPlugin: azure}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: main, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}]}
"""

OVERLAYS: Final = """apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: discount}
spec:
  weight: 10
  requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
  priceAdjustment: "-10%"
---
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: room}
spec:
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}]
  price: "0.05"
  capacity: {smarter-devices/fuse: 1}
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {name: room, namespace: shop}
spec: {podTemplateRef: {name: room}, replicas: 3, limits: {cpu: "8"}}
---
apiVersion: v1
kind: PodTemplate
metadata: {name: room, namespace: shop}
template: {spec: {containers: [{name: main, image: a, resources: {requests: {cpu: "1"}}}]}}
"""

FIGURES: Final = """apiVersion: cutlist/v1
kind: Figures
controller: {vmMemoryOverheadPercent: 0.05, reservedENIs: 1}
memory: {m7i.large: 7661Mi}
prices: {onDemandDiscount: 12%, spotDiscount: 0%, surcharge: 0.02}
resources: {nat-gateway: 0.04}
"""

GATES: Final = """environment: production
required: [NP-01, PL-01]
settings: {NP-01: {maxCpu: 2000}, PL-01: {perMonth: 5000}, PL-02: {perNode: 3}}
levels: {NP-05: advisory, NP-07: disabled}
exemptions:
- {rule: NP-03, object: NodePool/general, owner: team@example.com, reason: a migration until May, until: 2026-05-01}
"""

SCHEDULER_CONFIG: Final = """podTopologySpread:
  defaultConstraints:
  - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway}
  - {maxSkew: 2, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}
"""

KUSTOMIZATION: Final = """apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [app.yaml]
namespace: prod
namePrefix: a-
nameSuffix: -b
commonLabels: {team: shop}
labels: [{pairs: {a: b}, includeSelectors: true}]
commonAnnotations: {c: d}
replicas: [{name: web, count: 4}]
images: [{name: demo/web, newTag: v2}]
"""

POLICY: Final = """{"Version": "2012-10-17", "Id": "demo", "Statement": [
 {"Sid": "Run", "Effect": "Allow", "Action": ["ec2:RunInstances", "ec2:Create*"], "Resource": "arn:aws:ec2:*:*:instance/*",
  "Condition": {"StringEquals": {"aws:RequestTag/kubernetes.io/cluster/demo": "owned"},
                "Bool": {"aws:SecureTransport": "true"}}},
 {"Effect": "Allow", "Action": "iam:PassRole", "Resource": "arn:aws:iam::111122223333:role/KarpenterNodeRole-demo",
  "Condition": {"ForAnyValue:StringLike": {"iam:PassedToService": ["ec2.amazonaws.com"]},
                "Null": {"aws:TokenIssueTime": "false"}}},
 {"Effect": "Deny", "NotAction": "s3:*", "NotResource": ["arn:aws:s3:::a"], "Principal": {"AWS": "*"},
  "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}, "DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"},
                "NumericLessThan": {"aws:MultiFactorAuthAge": "300"}}},
 {"Effect": "Allow", "Action": "sts:AssumeRoleWithWebIdentity",
  "Principal": {"Federated": "arn:aws:iam::111122223333:oidc-provider/x"},
  "Condition": {"StringEquals": {"x:sub": "system:serviceaccount:kube-system:karpenter", "x:aud": "sts.amazonaws.com"}}}]}
"""

_AT: Final = "2026-01-05T12:00:00Z"
_CREATED: Final = {
    "NodePool": {"name": "general"},
    "NodeClaim": {"name": "general-x"},
    "requests": {"cpu": "1", "memory": "1Gi"},
    "instance-types": "c6g.large, c7g.large and 55 other(s)",
}
_REPLACED: Final = (
    "disrupting nodeclaim(s) via replace, terminating 1 nodes (1 pods) node-a/c6g.2xlarge/on-demand and "
    "replacing with on-demand node from types c6g.large, c7g.large and 55 other(s)"
)
_EVENT: Final = {
    "kind": "Event",
    "lastTimestamp": _AT,
    "reason": "DisruptionTerminating",
    "message": "Disrupting Node: Empty/Delete",
    "involvedObject": {"kind": "Node", "name": "node-a"},
}
_RECORDS: Final[tuple[Mapping[str, Any], ...]] = (
    {"level": "INFO", "time": _AT, "message": "found provisionable pod(s)", "Pods": "a/b"},
    {"level": "INFO", "time": _AT, "message": "created nodeclaim", **_CREATED},
    {"level": "INFO", "time": _AT, "message": _REPLACED, "reason": "underutilized"},
    _EVENT,
)
LOG: Final = "\n".join(map(json.dumps, _RECORDS))

USAGE_TABLE: Final = """namespace,workload,container,cpu,memory
shop,deployment/web,web,180m,310Mi
shop,deployment/web,,240m,1.5Gi
,statefulset/db,db,1e-1,
"""
_SERIES: Final = {"metric": {"namespace": "shop", "pod": "web-7d9f8b7c6-x2x4z", "container": "web"}, "values": [[1, "0.2"]]}
_SANDBOX: Final = {"metric": {"pod": "web-0", "container": "POD"}, "values": [[1767600000.5, "NaN"], [2, "+Inf"]]}
USAGE_QUERY: Final = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [_SERIES, _SANDBOX]}})
RECOMMENDATIONS: Final = """apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
status:
  recommendation:
    containerRecommendations:
      - {containerName: web, target: {cpu: 25m, memory: 262144k}, upperBound: {cpu: "1"}}
"""

PROJECT: Final = """name: demo
runtime: python
config:
  cluster: {type: string, default: demo}
  nodePools: {type: array, items: {type: string}}
  count: {type: integer, default: 3}
  token: {type: string, secret: true, default: x}
"""

STACK: Final = """config:
  aws:region: us-west-2
  demo:cluster: demo
  demo:nodePools: [dev/node-pools.yaml]
  demo:token: {secure: AAABAHsomething}
  demo:gates: {environment: production, levels: {NP-05: advisory}, settings: {PL-01: {perMonth: 5000}}}
  demo:gateDefaults: {production: {levels: {NP-05: mandatory}}}
encryptionsalt: v1:abc
environment: [shared]
"""


def scenario(name: str) -> bytes:
    """Return a file of the recorded clusters."""
    return (_SCENARIOS / name).read_bytes()


@cache
def snapshot() -> bytes:
    """Return a cluster with one node of Karpenter, its NodeClaim and its pods, as it was read from a real one."""
    live = _SCENARIOS / "r3-karpenter-on-eks/live"
    pools = [_SCENARIOS / "r3-karpenter-on-eks/manifests" / name for name in _RUN_2]
    return b"\n---\n".join(path.read_bytes() for path in (live / "run2-one-pod.yaml", *pools))


@cache
def plan() -> bytes:
    """Return the plan of the pods and pools here, as JSON."""
    return answer("plan", "-f", "-", "--region", REGION, "-o", "json", text=f"{POOLS}---\n{PODS}").encode()


@cache
def catalogue() -> Mapping[str, bytes]:
    """Return a small catalogue: the files of a folder by their names."""
    data = ROOT / "cutlist/catalog/data/aws"
    machines, region, services = (data / name for name in ("machines.tsv", f"regions/{REGION}.tsv", "services.tsv"))
    types = ("m5.large", "c5.large", "m6i.xlarge", "g4dn.xlarge")
    files: dict[str, bytes] = {}
    for path in (machines, region, services):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.startswith(("#", "type\t", *types)) or path == services]
        files[path.relative_to(data).as_posix()] = "".join(kept).encode()
    return files


def answer(*words: str, text: str = "") -> str:
    """Return what a command writes to standard output; it has to succeed."""
    result = CliRunner().invoke(main, list(words), input=text)
    if result.exit_code:
        raise AssertionError(result.output)
    return result.stdout


def as_json(text: str) -> bytes:
    """Return documents of YAML as one list of Kubernetes in JSON."""
    import yaml

    items: list[Any] = list(yaml.safe_load_all(text))
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, default=str).encode()
