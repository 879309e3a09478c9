"""A secret in any input is in no output: of no command, in no form, whether it answers or refuses.

Each place of an input has a value of its own that ends in CANARY, so that a failure says which place leaks. Answers that are
inputs are left out: manifests of `convert` and `suggest`, which keep annotations, and user data of `userdata`.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist_cli import main, terminal
from cutlist_cli.commands import command_names
from cutlist_cli.renderer import Renderer

CANARY = re.compile(r"[\w.-]*CANARY|Q0FOQVJZ\w*")
"""A value, as it is written or in base64, where its last six letters stand alone."""
ENCODED = b64encode(b"in-base64-xyCANARY").decode()
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general, annotations: {example.com/token: pool-annotation-CANARY}}
spec:
  weight: 10
  limits: {cpu: "100", memory: 400Gi}
  template:
    metadata: {annotations: {vault/api-key: node-annotation-CANARY}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large, m7i.xlarge]}]
  disruption: {consolidateAfter: 0s, budgets: [{nodes: 10%}]}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {Name: "*"}}]
  securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]
  tags: {db_password: tag-of-class-CANARY}
  userData: |
    #!/bin/bash
    export API_TOKEN=exported-CANARY
    curl --password option-of-curl-CANARY -H "Authorization: Bearer bearer-CANARY" https://bob:address-CANARY@example.com
    cat > key <<END
    -----BEGIN PRIVATE KEY-----
    lines-of-key-CANARY
    -----END PRIVATE KEY-----
    END
"""
APP = f"""
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    example.com/password: annotation-CANARY
    kubectl.kubernetes.io/last-applied-configuration: '{{"spec": {{"password": "last-applied-CANARY"}}}}'
spec:
  replicas: 3
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}, annotations: {{vault/token: pod-annotation-CANARY}}}}
    spec:
      containers:
      - name: main
        image: web
        env: [{{name: DB_PASSWORD, value: env-CANARY}}, {{name: OPTIONS, value: "level=1 api_key=inside-env-CANARY"}}]
        args: [--password=joined-CANARY, --token, separate-CANARY, -Ddb.password=java-CANARY, "postgres://u:uri-CANARY@db/x"]
        command: [sh, -c, "export API_KEY=command-CANARY; run"]
        resources: {{requests: {{cpu: "1", memory: 1Gi}}}}
---
apiVersion: v1
kind: Secret
metadata: {{name: db}}
data: {{plain: "{ENCODED}"}}
stringData: {{conf: "user: a, the-rest-CANARY", other: string-data-CANARY}}
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: settings}}
data:
  DB_PASSWORD: config-map-CANARY
  app.conf: "level=1\\napi_key: text-of-map-CANARY\\n"
  app.json: '{{"clientSecret": "json-of-map-CANARY"}}'
  tls.key: "-----BEGIN RSA PRIVATE KEY-----\\nrsa-CANARY\\n-----END RSA PRIVATE KEY-----\\n"
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: grafana}}
spec:
  chart: {{spec: {{chart: grafana, sourceRef: {{kind: HelmRepository, name: charts}}}}}}
  values:
    adminPassword: helm-CANARY
    extraEnv: [{{name: TOKEN, value: item-of-helm-CANARY}}]
    tags: [{{Key: db_password, Value: pair-CANARY}}, {{Key: team, Value: shop}}]
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {{name: charts}}
spec: {{url: "https://bob:repository-CANARY@charts.example.com"}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: apps}}
spec:
  source:
    repoURL: https://bob:argo-CANARY@git.example.com/x
    chart: x
    helm: {{values: "adminPassword: argo-values-CANARY", parameters: [{{name: db.password, value: parameter-CANARY}}]}}
"""
CLUSTER = """
apiVersion: v1
kind: Node
metadata:
  name: node-a
  labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: m7i.large, karpenter.sh/capacity-type: on-demand,
    topology.kubernetes.io/zone: us-west-2a, kubernetes.io/arch: amd64, karpenter.sh/registered: "true",
    karpenter.sh/initialized: "true"}
  annotations: {example.com/token: node-CANARY}
spec: {providerID: "aws:///us-west-2a/i-0123456789abcdef0"}
status: {capacity: {cpu: "2", memory: 8Gi, pods: "29"}, allocatable: {cpu: 1930m, memory: 7Gi, pods: "29"}}
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: general-a, labels: {karpenter.sh/nodepool: general}, annotations: {example.com/token: claim-CANARY}}
spec:
  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large]}]
status: {nodeName: node-a, providerID: "aws:///us-west-2a/i-0123456789abcdef0"}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, annotations: {example.com/token: pod-of-node-CANARY}}
spec:
  nodeName: node-a
  containers: [{name: main, image: a, env: [{name: TOKEN, value: env-of-node-CANARY}], resources: {requests: {cpu: 100m}}}]
status: {phase: Running}
"""
LOG = json.dumps(
    {
        "level": "INFO",
        "time": "2026-01-05T12:00:00Z",
        "message": "found provisionable pod(s) password=log-CANARY",
        "Pods": "a/b",
        "token": "member-of-log-CANARY",
    }
)
GATES = """
environment: production
exemptions:
- {rule: NP-04, object: NodePool/general, owner: web, reason: "password=reason-CANARY", until: 2026-12-01}
rules: {NP-02: {perMonth: 10, token: setting-CANARY}}
"""
_MANIFESTS = "-f pools.yaml -f app.yaml --region us-west-2"
_AT = "--at 2026-01-05T12:00:00Z"
COMMANDS = (
    f"plan {_MANIFESTS} --launch",
    f"plan {_MANIFESTS} --before plan.json -o markdown",
    "validate -f pools.yaml -f app.yaml",
    "types -f pools.yaml --region us-west-2",
    f"explain Deployment/web {_MANIFESTS}",
    f"gate {_MANIFESTS} --gates gates.yaml --verbose --also-to json=g.1 --also-to sarif=g.2 "
    "--also-to junit=g.3 --also-to markdown=g.4",
    "diff pools.yaml other-pools.yaml -f app.yaml --region us-west-2",
    "diff app.yaml other-app.yaml -f pools.yaml --region us-west-2",
    "diff nothing.yaml app.yaml -f pools.yaml --region us-west-2",
    "diff pools.yaml other-pools.yaml --cluster cluster.yaml --region us-west-2 --allow-empty",
    f"disrupt -f pools.yaml -f cluster.yaml --region us-west-2 {_AT}",
    "nodes -f pools.yaml -f cluster.yaml --region us-west-2",
    f"interrupt -f pools.yaml -f cluster.yaml --region us-west-2 {_AT}",
    f"simulate {_MANIFESTS} --days 0.01 {_AT}",
    "budgets -f pools.yaml",
    "upgrade -f pools.yaml -f cluster.yaml --from 1.14.1 --to 1.15.1 --region us-west-2",
    f"why Deployment/web {_MANIFESTS} --log karpenter.log",
    "history -f karpenter.log",
    f"verify {_MANIFESTS} --cluster cluster.yaml --log karpenter.log",
)
ELSEWHERE = {
    "inputs are the answer": ("convert", "suggest", "userdata"),
    "a stack or a kubeconfig is read": ("new", "permissions", "preview", "snapshot"),
    "the answers of other commands are shown": ("mcp", "serve"),
    "nothing that could hold a secret is read": ("catalog", "doctor", "help", "schema", "sweep"),
}
"""The commands that are not in this table, and why; those of the second row have a table of their own beside the stacks."""


WRONG_NODES = (
    POOL
    + """---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: wrong}
spec:
  password: unknown-member-CANARY
  weight: token=weight-CANARY
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: wrong}
      requirements: []
      taints: [{key: a, value: password=taint-CANARY, effect: NoSchedule}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: wrong}
spec:
  role: nodes
  userData: [list-of-user-data-CANARY]
  tags: {password: [list-of-tag-CANARY]}
  amiSelectorTerms: [{alias: password=alias-CANARY}]
  subnetSelectorTerms: [{id: "https://bob:subnet-CANARY@example.com"}]
  securityGroupSelectorTerms: [{tags: {token: ""}}]
"""
)
_OPAQUE = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"
_POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: "
_FIGURES = "apiVersion: cutlist/v1\nkind: Figures\n"
WRONG = {
    "no-mapping.yaml": f"{_OPAQUE}stringData: string-CANARY\n",
    "list.yaml": f"{_OPAQUE}data: [list-CANARY]\n",
    "twice.yaml": f"{_OPAQUE}stringData: {{password: first-CANARY, password: second-CANARY}}\n",
    "no-end.yaml": f'{_OPAQUE}stringData:\n  password: "no-end-CANARY\n',
    "colons.yaml": f"{_OPAQUE}stringData: {{password: one-CANARY: two-CANARY: [}}\n",
    "tab.yaml": f"{_OPAQUE}stringData:\n  password: before-tab-CANARY\n\tb: after-tab-CANARY\n",
    "tag.yaml": f"{_OPAQUE}stringData:\n  password: !!int tagged-CANARY\n",
    "json.json": '{"kind": "Secret", "apiVersion": "v1", "stringData": {"password": "json-CANARY" "after-CANARY"}}',
    "env.yaml": f"{_POD}{{containers: [{{name: a, image: a, env: [{{name: TOKEN, value: [env-list-CANARY]}}]}}]}}\n",
    "quantity.yaml": f"{_POD}{{containers: [{{name: a, resources: {{requests: {{cpu: password=quantity-CANARY}}}}}}]}}\n",
    "nodes.yaml": WRONG_NODES,
    "figures.yaml": f"{_FIGURES}password: figure-CANARY\nprices: {{token: price-CANARY}}\n",
    "kustomization.yaml": "kind: Kustomization\nresources: ['https://bob:base-CANARY@github.com/a/b']\n"
    "secretGenerator: [{name: a, literals: [password=literal-CANARY]}]\n",
    "release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n"
    "spec: {values: 'password: values-CANARY', chart: ['password=chart-CANARY']}\n",
}
"""Files that are mistaken where they are secret."""
WRONG_USE = {
    "use.csv": "namespace,workload,container,cpu,memory\n,deployment/web,main,password=cell-CANARY,1Gi\ntoken=row-CANARY,a\n",
    "use.json": '{"status": "success", "token": "query-CANARY", "data": {"resultType": "matrix", "result": '
    '[{"metric": {"namespace": "a", "pod": "b", "password": "label-CANARY"}, "values": [[1, "token=value-CANARY"]]}]}}',
    "use.yaml": "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\n"
    "metadata: {name: web, annotations: {token: vpa-CANARY}}\n"
    "spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
    "status: {recommendation: {containerRecommendations: [{containerName: main, target: {cpu: password=target-CANARY}}]}}\n",
}
WRONG_FILES = {
    "gates": "environment: password=environment-CANARY\npassword: member-CANARY\n"
    "exemptions: [{rule: token=rule-CANARY, object: password=object-CANARY, owner: a, reason: 'token=b-CANARY', until: x}]\n"
    "rules: {NP-02: {perMonth: password=month-CANARY}}\n",
    "scheduler-config": "password: scheduler-CANARY\npodTopologySpread: token=spread-CANARY\n",
    "before": '{"password": "plan-CANARY", "kind": "password=kind-CANARY"}',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that commands read, with other values in those whose names begin with `other`."""
    folder = tmp_path_factory.mktemp("inputs")
    texts = {"pools.yaml": POOL, "app.yaml": APP, "cluster.yaml": CLUSTER, "karpenter.log": LOG, "gates.yaml": GATES}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "other-pools.yaml").write_text(POOL.replace("CANARY", "x-CANARY").replace("weight: 10", "weight: 20"))
    other = APP.replace("CANARY", "x-CANARY").replace(ENCODED, b64encode(b"base64-other-xyCANARY").decode())
    (folder / "other-app.yaml").write_text(other.replace("replicas: 3", "replicas: 4"))
    (folder / "nothing.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nothing}\n")
    return folder


@pytest.fixture(autouse=True)
def every_form(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer is written in every form that its command has."""

    def show(self: Renderer[Any], compute: Any) -> Any:
        answer = compute()
        for form in self.formats.names:
            terminal.write(self.formats.write(form, answer, self.width))
        return answer

    monkeypatch.chdir(folder)
    if not Path("plan.json").exists():
        answer = CliRunner().invoke(main, f"plan {_MANIFESTS} -o json".split())
        Path("plan.json").write_text(answer.stdout)
    monkeypatch.setattr(Renderer, "_show_once", show)


def leaks(text: str) -> set[str]:
    """Return the values that are in a text."""
    return set(CANARY.findall(text))


def test_leaks_are_found():
    """The test itself can fail."""
    assert leaks(f"is 'env-CANARY' and {ENCODED}") == {"env-CANARY", "Q0FOQVJZ"}
    assert len(leaks(POOL + APP + CLUSTER + LOG + GATES)) > 35


def test_every_command_is_in_a_table_or_has_a_reason():
    tried = {words.split()[0] for words in COMMANDS}
    reasons = [name for names in ELSEWHERE.values() for name in names]
    assert sorted([*tried, *reasons]) == command_names()


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words.split()[:2]))
def test_an_answer_has_no_secret(words: str):
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code in (0, 1), result.output
    written = [path.read_text() for path in Path().glob("g.*")]
    assert leaks("\n".join([result.output, *written])) == set()


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("command", ["validate", "plan", "gate", "convert"])
def test_a_mistake_shows_no_secret(name: str, command: str, tmp_path: Path):
    """Which of the commands reads a file has its own words for what is wrong."""
    (tmp_path / name).write_text(WRONG[name])
    region = ["--region", "us-west-2"] if command in ("plan", "gate") else []
    result = CliRunner().invoke(main, [command, "-f", str(tmp_path / name), *region, "--allow-empty"])
    assert result.exit_code in (0, 1, 2), result.output
    assert leaks(result.stderr if command == "convert" else result.output) == set()


@pytest.mark.parametrize("name", WRONG_USE)
def test_a_mistake_in_measured_use_shows_no_secret(name: str, tmp_path: Path):
    (tmp_path / name).write_text(WRONG_USE[name])
    use = f"cpu={tmp_path / name}" if name.endswith(".json") else str(tmp_path / name)
    result = CliRunner().invoke(main, ["plan", *_MANIFESTS.split(), "--usage", use])
    assert (result.exit_code, leaks(result.output)) == (2, set())


@pytest.mark.parametrize("option", WRONG_FILES)
def test_a_mistake_in_a_file_of_an_option_shows_no_secret(option: str, tmp_path: Path):
    (tmp_path / "wrong.yaml").write_text(WRONG_FILES[option])
    result = CliRunner().invoke(main, ["gate", *_MANIFESTS.split(), f"--{option}", str(tmp_path / "wrong.yaml")])
    assert (result.exit_code in (1, 2), leaks(result.output)) == (True, set())


PROGRAM = """#!/bin/sh
case "$1" in version) echo '{"version":"v3.17.0"}'; exit 0;; esac
echo 'Error: execution error: password: said-CANARY; Authorization: Bearer bearer-CANARY; https://u:in-address-CANARY@x' >&2
echo 'apiVersion: v1
kind: Secret
metadata: {name: a}
stringData: {key: printed-CANARY}
spec: [not: valid: yaml: apiKey=broken-CANARY'
exit %s
"""
RENDERED = {
    "helm": ("--helm", {"Chart.yaml": "{apiVersion: v2, name: c, version: 0.1.0}", "templates/a.yaml": "a: {{ .Values.a }}"}),
    "kustomize": ("--kustomize", {"kustomization.yaml": "resources: [a.yaml]\nhelmCharts: [{name: x}]\n", "a.yaml": APP}),
}


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("name", RENDERED)
def test_what_a_program_prints_that_fails_shows_no_secret(
    name: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Helm and kustomize repeat values where they refuse them."""
    option, files = RENDERED[name]
    folder, programs = tmp_path / "app", tmp_path / "bin"
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    programs.mkdir()
    (programs / name).write_text(PROGRAM % code)
    (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for command in ("plan", "gate"):
        result = CliRunner().invoke(main, [command, "-f", str(folder), option, "--region", "us-west-2"])
        assert result.exit_code in (1, 2), result.output
        assert (result.output, leaks(result.output)) == (result.output, set())


OWN_KINDS = """apiVersion: cutlist/v1
kind: Figures
prices: {onDemandDiscount: 10%}
token: token-of-figures-CANARY
"""


def test_what_a_change_says_of_its_judge_shows_no_secret(tmp_path: Path):
    (tmp_path / "all.yaml").write_text(f"{POOL}---\n{APP}\n---\n{OWN_KINDS}")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/gates.yaml").write_text("rules: {}\n")
    words = ["gate", "-f", str(tmp_path / "all.yaml"), "--gates", str(tmp_path / "own/gates.yaml"), "--region", "us-west-2"]
    result = CliRunner().invoke(main, words)
    assert ("GT-10" in result.output, leaks(result.output)) == (True, set())
