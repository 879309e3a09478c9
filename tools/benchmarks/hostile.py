"""The processor time and memory of a gate on inputs that are made to take long: `python -m tools.benchmarks hostile`."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.benchmarks.start import CUTLIST

_LOCALS: Final = "locals of OpenTofu, each ten times the one before"
SECONDS: Final = {"5,000 NodePools": 20.0, "500 NodePools with a class and a Deployment each": 20.0, _LOCALS: 20.0}
"""The most processor time of an input, where it is not that of all others."""
_SECONDS: Final = 10.0
_MIB: Final = 500
_CLASS: Final = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {{name: {name}}}
spec:
  amiSelectorTerms: [{{alias: al2023@v20250915}}]
  role: nodes
  subnetSelectorTerms: [{{tags: {{karpenter.sh/discovery: shop}}}}]
  securityGroupSelectorTerms: [{{tags: {{karpenter.sh/discovery: shop}}}}]
"""
_POOL: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  limits: {limits}
  template:
    metadata: {{labels: {{pool: {name}}}}}
    spec:
      expireAfter: 720h
      nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: {of}}}
      taints: [{taints}]
      requirements:
        - {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}
        - {{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r]}}
{more}"""
_PODS: Final = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{{spec}containers: [{{name: app, image: "web:1.2", resources: {{requests: {{cpu: {cpu}, memory: 1Gi}}}}}}]}}
"""
_BOTH: Final = "{cpu: 100, memory: 400Gi}"
_MANY: Final = range(20_000)
_FILE: Final = "input.yaml"
_BUILT: Final = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
_MADE: Final = 'apiVersion = "v1", kind = "ConfigMap", metadata = { name = each.key }'
_TERMS: Final = "requiredDuringSchedulingIgnoredDuringExecution"


def report() -> int:
    """Print the processor time and the peak memory of each input; return 1 where one takes more than it may."""
    print("| input | processor time | memory |\n|---|---|---|")
    is_over = False
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, files) in enumerate(_inputs().items()):
            path = Path(folder) / str(number)
            for file, text in files.items():
                (path / file).parent.mkdir(parents=True, exist_ok=True)
                (path / file).write_text(text)
            seconds, memory = measured(("gate",), path)
            is_over |= seconds > SECONDS.get(name, _SECONDS) or memory > _MIB
            print(f"| {name} | {seconds:.1f} s | {memory:.0f} MiB |", flush=True)
    return int(is_over)


def measured(command: Sequence[str], path: Path) -> tuple[float, float]:
    """Return the processor time of a command on a file in seconds, and its peak memory in MiB: at least this process's."""
    words = [sys.executable, *CUTLIST, *command, "-f", str(path), "--region", "us-west-2"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _inputs() -> Mapping[str, Mapping[str, str]]:
    """Return the files of each input, by path."""
    pools = [a_class(), a_pool()]
    written = {name: [*pools, *objects] for name, objects in {**_pods(), **_counted_pods(), **_texts()}.items()}
    in_one = {name: {_FILE: "---\n".join(of)} for name, of in {**_many_pools(), **_odd_pools(), **written}.items()}
    return {**in_one, **{name: {_FILE: "---\n".join(pools), **files} for name, files in _folders().items()}}


def _many_pools() -> Mapping[str, Sequence[str]]:
    return {
        "5,000 NodePools": [a_class(), *(a_pool(f"p{n}") for n in range(5_000))],
        "500 NodePools with a class each": [*_apart(500)],
        "500 NodePools with a class and a Deployment each": [*_apart(500), *(pods_of_a_pool(n) for n in range(500))],
    }


def _odd_pools() -> Mapping[str, Sequence[str]]:
    """Return inputs of one NodePool, in which something is large."""
    values = ", ".join(f"v{n}" for n in range(100_000))
    excluded = "".join(
        f"        - {{key: node.kubernetes.io/instance-type, operator: NotIn, values: [x{n}.large]}}\n" for n in _MANY
    )
    taints = ", ".join(f"{{key: example.com/{n}, effect: NoSchedule}}" for n in _MANY)
    tolerations = ", ".join(f"{{key: example.com/{n}, operator: Exists}}" for n in range(2_000))
    windows = ", ".join(f'{{nodes: "{n % 3}", schedule: "* * * * *", duration: {1_000_000 + n}h}}' for n in range(50))
    disrupted = f"spec:\n  disruption: {{consolidationPolicy: WhenEmpty, consolidateAfter: 30s, budgets: [{windows}]}}\n"
    fixed = a_pool("fixed", "{nodes: '1e9'}").replace("spec:\n", "spec:\n  replicas: 1000000000\n", 1)
    chosen = a_pool(more=f"        - {{key: team, operator: In, values: [{values}]}}\n")
    return {
        "a static NodePool of 1e9 replicas": [a_class(), fixed],
        "a requirement of 100,000 values": [a_class(), chosen],
        "20,000 requirements on one label": [a_class(), a_pool(more=excluded)],
        "20,000 taints": [a_class(), a_pool(taints=taints), pods(spec=f"tolerations: [{tolerations}], ")],
        "50 budgets of every minute": [a_class(), a_pool().replace("spec:\n", disrupted, 1)],
        "1,000 NodeOverlays": [a_class(), a_pool(), pods(), *(_overlay(n) for n in range(1_000))],
        "a limit of 1e300 processors": [a_class(), a_pool(limits="{cpu: '1e300'}"), pods()],
    }


def _pods() -> Mapping[str, Sequence[str]]:
    """Return pods with many rules, and many different ones."""
    terms = ", ".join(f"{{matchExpressions: [{{key: example.com/{n}, operator: Exists}}]}}" for n in _MANY)
    chosen = f"affinity: {{nodeAffinity: {{{_TERMS}: {{nodeSelectorTerms: [{terms}]}}}}}}, "
    apart = "{labelSelector: {matchExpressions: [{key: app, operator: Exists}]}, topologyKey: kubernetes.io/hostname}"
    repelling = f"affinity: {{podAntiAffinity: {{{_TERMS}: [{apart}]}}}}, "
    preferring = _preferring(1_900)
    return {
        "20,000 terms of affinity": [pods(spec=chosen)],
        "1,900 preferences": [pods(spec=preferring)],
        "20 Deployments of 1,900 preferences, refused": [pods(f"d{n}", cpu=f"{n + 100}m", spec=preferring) for n in range(20)],
        "1,000 spread constraints": [pods(spec=_spread(1_000, "DoNotSchedule"))],
        "1,000 soft spread constraints of 10 pods, refused": [pods(replicas=10, spec=_spread(1_000, "ScheduleAnyway"))],
        "3,000 Deployments, all different": [pods(f"d{n}", cpu=f"{n + 1}m") for n in range(3_000)],
        "300 Deployments that repel each other": [pods(f"d{n}", spec=repelling) for n in range(300)],
    }


def _counted_pods() -> Mapping[str, Sequence[str]]:
    """Return more equal pods than can be placed one by one."""
    spread = pods(spec=_spread(1, "DoNotSchedule"))
    return {
        "a Deployment of 1e9 replicas": [pods(replicas=10**9)],
        "1e9 replicas with a preference that nothing meets": [pods(replicas=10**9, spec=_preferring(1))],
        "a CapacityBuffer of 1e9 percent": [pods(), _buffer("percentage: 1000000000")],
        "a CapacityBuffer of 1e9 spread replicas, refused": [spread, _buffer("replicas: 1000000000")],
        "two Deployments of 1e9 replicas, refused": [pods(f"d{n}", replicas=10**9) for n in range(2)],
    }


def _texts() -> Mapping[str, Sequence[str]]:
    """Return texts that become large where they are opened."""
    packed = b64encode(gzip.compress(b"x" * 1_000_000)).decode()
    return {
        "200 ConfigMaps of 1 MB in gzip": [_config_map(n, packed) for n in range(200)],
        "a ConfigMap of 8 MB": [_config_map(0, "A" * 8_000_000)],
        "aliases of aliases": ["\n".join(_aliases())],
    }


def _folders() -> Mapping[str, Mapping[str, str]]:
    """Return files that ask for more than they hold, by their paths in a folder."""
    loops = "\n".join(f"  a{n} = flatten([for x in local.a{n - 1} : [for y in local.a0 : x]])" for n in range(1, 12))
    called = "\n".join(f'module "m{n}" {{\n  source = "./below"\n  count = 20\n}}' for n in range(5))
    made = f'resource "kubernetes_manifest" "made" {{\n  for_each = toset(local.a11)\n  manifest = {{ {_MADE} }}\n}}\n'
    return {
        "kustomizations that each name the next one twice": dict(_doubling(26)),
        _LOCALS: {"main.tf": f"locals {{\n  a0 = range(10)\n{loops}\n}}\n{made}"},
        "modules of OpenTofu that call a hundred, seven deep": {f"{'below/' * n}main.tf": called for n in range(7)}
        | {f"{'below/' * 7}main.tf": made.replace("toset(local.a11)", "[]")},
    }


def _doubling(length: int) -> Iterator[tuple[str, str]]:
    """Yield kustomizations of which each is built on the next one through two folders."""
    yield "kustomization.yaml", f"{_BUILT}resources: [{_FILE}, k0]\n"
    for n in range(length):
        yield f"k{n}/kustomization.yaml", f"{_BUILT}resources: [a, b]\n"
        for name in "ab":
            yield f"k{n}/{name}/kustomization.yaml", f"{_BUILT}namePrefix: {name}-\nresources: [../../k{n + 1}]\n"
    yield f"k{length}/kustomization.yaml", f"{_BUILT}resources: [web.yaml]\n"
    yield f"k{length}/web.yaml", pods()


def a_class(name: str = "default") -> str:
    """Return a node class."""
    return _CLASS.format(name=name)


def a_pool(name: str = "general", limits: str = _BOTH, of: str = "default", taints: str = "", more: str = "") -> str:
    """Return a NodePool of a class, with more requirements."""
    return _POOL.format(name=name, limits=limits, of=of, taints=taints, more=more)


def pods(name: str = "web", replicas: int = 3, spec: str = "", cpu: str = "500m") -> str:
    """Return a Deployment."""
    return _PODS.format(name=name, replicas=replicas, spec=spec, cpu=cpu)


def _apart(number: int) -> Iterator[str]:
    for n in range(number):
        yield a_class(f"c{n}")
        yield a_pool(f"p{n}", of=f"c{n}")


def pods_of_a_pool(number: int) -> str:
    """Return a Deployment whose pods only the NodePool of a number takes."""
    return pods(f"d{number}", spec=f"nodeSelector: {{pool: p{number}}}, ")


def _preferring(number: int) -> str:
    """Return preferences for labels that no node has, as the beginning of a pod's spec."""
    terms = (
        f"{{weight: 1, preference: {{matchExpressions: [{{key: example.com/{n}, operator: Exists}}]}}}}" for n in range(number)
    )
    return f"affinity: {{nodeAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{', '.join(terms)}]}}}}, "


def _spread(number: int, when: str) -> str:
    """Return spread constraints, each over a label of its own, as the beginning of a pod's spec."""
    rules = (
        f"{{maxSkew: 1, topologyKey: example.com/{n}, whenUnsatisfiable: {when}, labelSelector: {{}}}}" for n in range(number)
    )
    return f"topologySpreadConstraints: [{', '.join(rules)}], "


def _buffer(size: str) -> str:
    """Return a CapacityBuffer for the Deployment `web`."""
    spec = f"scalableRef: {{apiGroup: apps, kind: Deployment, name: web}}, {size}"
    return f"apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {{name: spare}}\nspec: {{{spec}}}\n"


def _overlay(number: int) -> str:
    """Return a NodeOverlay that raises prices and adds a resource."""
    wanted = "{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}"
    spec = f"{{weight: {number + 1}, requirements: [{wanted}], priceAdjustment: +1%, capacity: {{example.com/r{number}: 1}}}}"
    return f"apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {{name: o{number}}}\nspec: {spec}\n"


def _config_map(number: int, text: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number}}}\ndata: {{text: {text}}}\n"


def _aliases() -> Iterator[str]:
    yield "a: &a [x, x, x, x, x, x, x, x, x]"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True):
        yield f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
