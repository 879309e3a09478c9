"""A secret of a stack is in no output: of its settings, of the resources and outputs of its program, or of a kubeconfig."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pulumi_cutlist.program import run as program_run

from cutlist_cli import main
from tests.unit.cli.test_canaries import APP, POOL, leaks

pytestmark = pytest.mark.slow

PROJECT = "name: shop\nruntime: python\nconfig:\n  token: {type: string, secret: true}\n"
STACK = """
config:
  aws:region: us-west-2
  shop:token: {secure: AAABencrypted-CANARY}
  shop:dbPassword: plain-setting-CANARY
  shop:gates: {environment: production, rules: {NP-02: {perMonth: 10}}}
encryptionsalt: v1:salt-CANARY
"""
PROGRAM = '''
import json, pulumi
import pulumi_aws as aws, pulumi_kubernetes as k8s
from pulumi_kubernetes.yaml.v2 import ConfigGroup
from pulumi_cutlist.plan import NodePlan

config, secret = pulumi.Config(), pulumi.Output.secret
def statement(**members):
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Resource": "*", **members}]}

pulumi.export("token", config.require_secret("token"))
pulumi.export("marked", {"list": [secret("marked-output-CANARY")]})
pulumi.export("db_password", "named-output-CANARY")
pulumi.export("kubeconfig", json.dumps({"users": [{"user": {"token": "kubeconfig-CANARY"}}]}))
aws.iam.RolePolicy("rights", role="r", policy=secret(json.dumps(statement(
    Action="*", Condition={"StringEquals": {"aws:RequestTag/x": "condition-CANARY"}}, Sid="sid-CANARY"))))
aws.iam.Role("trust", assume_role_policy=json.dumps(statement(
    Principal={"AWS": "*"}, Action="sts:AssumeRole", password="member-of-policy-CANARY")))
aws.sqs.QueuePolicy("queue", queue_url="u", policy=json.dumps(
    {"token": "policy-CANARY", **statement(Principal="*", Action="sqs:*", apiKey="statement-CANARY")}))
aws.ec2.SecurityGroup("group", ingress=[{"protocol": "tcp", "from_port": 22, "to_port": 22,
    "cidr_blocks": [secret("range-CANARY"), "0.0.0.0/0"], "description": "password=described-CANARY"}])
aws.rds.Instance("db", instance_class="db.t3.micro", username="bob", password=secret("rds-CANARY"))
aws.ec2.LaunchTemplate("template", user_data="export TOKEN=template-CANARY")
k8s.core.v1.Secret("secret", string_data={"a": "object-CANARY"})
k8s.core.v1.ConfigMap("map", data={"pool.yaml": """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: inner, annotations: {token: inner-annotation-CANARY}}
spec: {password: inner-member-CANARY}
"""})
k8s.helm.v3.Release("release", chart="karpenter", version="1", repository_opts={
    "repo": "https://bob:chart-CANARY@charts.example.com", "password": "repository-CANARY"},
    values={"adminPassword": "value-CANARY", "env": [{"name": "TOKEN", "value": "item-CANARY"}]})
ConfigGroup("group", yaml=secret("""apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: name-in-yaml-CANARY}
spec: {weight: weight-in-yaml-CANARY, template: {spec: {nodeClassRef: {kind: EC2NodeClass, name: class-in-yaml-CANARY}}}}
"""))
k8s.apiextensions.CustomResource("class", api_version="karpenter.k8s.aws/v1", kind="EC2NodeClass", spec=secret({
    "role": "arn:role-of-class-CANARY", "amiSelectorTerms": [{"alias": "alias-of-class-CANARY"}],
    "subnetSelectorTerms": [{"id": "subnet-of-class-CANARY"}], "securityGroupSelectorTerms": [{"id": "*"}]}))
NodePlan("nodes", {"region": "us-west-2", "sources": ["pools.yaml", "app.yaml"]})
'''
COMMANDS = (
    "preview --stack dev --launch",
    "preview --stack dev -o json",
    "preview --stack dev -o markdown --resources",
    "preview --stack dev -o html",
    "gate --stack dev --before . --verbose -o markdown",
    "gate --stack dev --verbose --also-to json=g.1 --also-to sarif=g.2 --also-to junit=g.3 --also-to markdown=g.4",
    "diff pools.yaml dev -f app.yaml --region us-west-2",
    "permissions --stack dev",
    "new qa --like dev",
)
CRASHES = {
    "exception": "import pulumi\nraise ValueError('password=' + 'raised-CANARY')\n",
    "setting": "import pulumi\npulumi.Config().require_int('dbPassword')\n",
    "printed": "import pulumi\npulumi.log.error('an error')\npulumi.export('a', pulumi.Output.secret('logged-CANARY'))\n",
}
KUBECONFIG = """
apiVersion: v1
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "%s"}}]
users: [{name: a, user: %s}]
"""
KUBECONFIGS = {
    "address": KUBECONFIG % ("https://bob:address-CANARY@127.0.0.1:9", "{token: token-CANARY, password: password-CANARY}"),
    "key": KUBECONFIG % ("https://127.0.0.1:9", "{client-key-data: key-CANARY, client-certificate-data: certificate-CANARY}"),
    "list": KUBECONFIG % ("https://127.0.0.1:9", "{token: [list-CANARY]}"),
    "no YAML": KUBECONFIG % ("https://127.0.0.1:9", "{token: colon-CANARY: [}"),
    "credential that is no JSON": KUBECONFIG
    % (
        "http://127.0.0.1:9",
        "{exec: {command: sh, apiVersion: client.authentication.k8s.io/v1, "
        """args: ["-c", "echo '{\\"status\\": {\\"token\\": \\"half-CANARY'"]}}""",
    ),
    "credential of another kind": KUBECONFIG
    % (
        "http://127.0.0.1:9",
        "{exec: {command: sh, apiVersion: client.authentication.k8s.io/v1, "
        """args: ["-c", "echo '{\\"status\\": {\\"token\\": [\\"listed-CANARY\\"]}}'"]}}""",
    ),
    "credential that nobody takes": KUBECONFIG
    % (
        "http://127.0.0.1:9",
        "{exec: {command: sh, apiVersion: client.authentication.k8s.io/v1, args: ["
        """"-c", "echo '{\\"apiVersion\\": \\"client.authentication.k8s.io/v1\\", \\"kind\\": \\"ExecCredential\\", """
        """\\"status\\": {\\"token\\": \\"sent-CANARY\\"}}'"]}}""",
    ),
    "command": KUBECONFIG
    % (
        "http://127.0.0.1:9",
        "{exec: {command: sh, apiVersion: client.authentication.k8s.io/v1, env: [{name: TOKEN, value: variable-CANARY}], "
        'args: ["-c", "echo password=error-CANARY >&2; echo output-CANARY; exit 1"]}}',
    ),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"Pulumi.yaml": PROJECT, "Pulumi.dev.yaml": STACK, "pools.yaml": POOL, "app.yaml": APP}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "__main__.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_answer_about_a_stack_has_a_secret(project: Path, monkeypatch: pytest.MonkeyPatch):
    """Its program runs once for all commands."""
    made: list[Any] = []
    run = program_run.run_program

    def run_once(*of: Any) -> Any:
        made.extend([] if made else [run(*of)])
        return made[0]

    monkeypatch.setattr(program_run, "run_program", run_once)
    for words in COMMANDS:
        result = CliRunner().invoke(main, words.split())
        shown = "\n".join([result.output, *(path.read_text() for path in project.glob("g.*"))])
        assert result.exit_code in (0, 1, 2), result.output
        assert (words, leaks(shown)) == (words, set())


@pytest.mark.parametrize("text", CRASHES.values(), ids=CRASHES)
def test_a_program_that_fails_shows_no_secret(project: Path, text: str):
    (project / "__main__.py").write_text(text)
    result = CliRunner().invoke(main, ["preview", "--stack", "dev"])
    assert leaks(result.output) == set()


@pytest.mark.parametrize("text", KUBECONFIGS.values(), ids=KUBECONFIGS)
def test_a_kubeconfig_is_not_repeated(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "kubeconfig").write_text(text)
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    result = CliRunner().invoke(main, ["snapshot", "--to", str(tmp_path / "cluster.yaml")])
    assert (result.exit_code, leaks(result.output)) == (2, set())
