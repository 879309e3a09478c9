"""`plan`, `validate`, `diff` and `gate` on plans of OpenTofu."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cutlist import PlanSettings, default_gates, diff, gate, read_inputs, validate
from cutlist.core.errors import InputError
from cutlist.policy.gates import Judgement, Verdict
from cutlist.verbs.plan.answer import plan_with_measures
from tests.unit.opentofu.plans import DEPLOYMENT, NODE_CLASS, NODE_POOL, WHOLE, change, kubernetes, plan

REGION = "us-west-2"
TRUST = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "*"}}]}
)
ALL = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
OPEN = {"cidr_blocks": ["0.0.0.0/0"], "from_port": 22, "to_port": 22, "protocol": "tcp"}
PUBLIC = {"endpoint_public_access": True, "public_access_cidrs": ["0.0.0.0/0"]}
QUEUE = "module.karpenter.aws_sqs_queue.this[0]"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "plan.json"


def outcomes(file: Path, text: str) -> list[Judgement]:
    file.write_text(text)
    return list(gate([str(file)], default_gates(), date(2026, 1, 5), PlanSettings(region=REGION)).report.outcomes)


def places(found: list[Judgement], rule: str, verdict: Verdict = Verdict.VIOLATED) -> list[str]:
    return [str(o.place).partition(" ")[2] for o in found if o.rule == rule and o.verdict is verdict]


def test_a_plan_is_that_of_the_same_manifests(file: Path) -> None:
    """Nodes are those of the manifests; typed resources and charts are named as not read, and those of a cloud are not."""
    more = [change("kubernetes_deployment_v1.a", {}), change("helm_release.b", {"chart": "b"}), change("aws_eip.c", {})]
    file.write_text(plan(*WHOLE, *more))
    inputs = read_inputs([file], region=REGION)
    planned = plan_with_measures(inputs)[0]
    direct = read_inputs([], manifests=[NODE_POOL, NODE_CLASS, DEPLOYMENT], region=REGION)
    assert planned.nodes == plan_with_measures(direct)[0].nodes
    assert diff(direct, inputs).objects is not None
    notes = [note.text for note in (*planned.assumptions, *planned.warnings)]
    assert any("helm_release.b and kubernetes_deployment_v1.a" in note for note in notes)
    assert not any("aws_eip" in note for note in notes)
    assert not validate([file]).problems


def test_what_nobody_knows_before_an_apply_is_named(file: Path) -> None:
    """A plan that depends on an unknown value is refused with the address; a role in a node class changes no plan."""
    pool = kubernetes("kubernetes_manifest.pool", NODE_POOL, {"spec": {"limits": {"cpu": True}}})
    file.write_text(plan(pool, *WHOLE[1:]))
    with pytest.raises(InputError, match=r"kubernetes_manifest.pool spec.limits.cpu: is known only after an apply"):
        read_inputs([file], region=REGION)
    app = kubernetes("kubernetes_manifest.app", DEPLOYMENT, {"spec": {"replicas": True}})
    file.write_text(plan(*WHOLE[:2], app, change("kubectl_manifest.x", {}, {"yaml_body": True})))
    with pytest.raises(InputError, match=r"(?s)app spec.replicas: is known only.*kubectl_manifest.x yaml_body: is known only"):
        read_inputs([file], region=REGION)
    assert len(validate([file]).problems) == 2
    node_class = kubernetes("kubernetes_manifest.c", NODE_CLASS, {"spec": {"role": True}})
    file.write_text(plan(WHOLE[0], node_class, WHOLE[2]))
    assert read_inputs([file], region=REGION).node_pools


def test_nothing_to_plan_or_check_is_an_error(file: Path) -> None:
    """A plan without objects of Kubernetes has nothing to plan, check or judge."""
    file.write_text(plan(change("random_pet.a", {"length": 2})))
    with pytest.raises(InputError, match="no NodePool is in the input"):
        read_inputs([file], region=REGION)
    with pytest.raises(InputError, match="nothing in it is checked: 1 random_pet"):
        validate([file])
    with pytest.raises(InputError, match="nothing is judged"):
        outcomes(file, file.read_text())


@pytest.mark.parametrize("type_", ["kubectl_manifest", "kubernetes_manifest"])
def test_a_plan_of_unknown_objects_alone_does_not_pass(file: Path, type_: str) -> None:
    """Every finding is open, so nothing is judged; with a resource that rules see, the rest is an answer."""
    unknown = change(f"{type_}.a", {}, {"yaml_body": True, "manifest": True})
    with pytest.raises(InputError, match=rf"nothing is judged.* OB-02 ConfigGroup/{type_}\.a: yaml is known only after"):
        outcomes(file, plan(unknown))
    assert f"{type_}.a yaml" in places(outcomes(file, plan(unknown, *WHOLE)), "OB-02", Verdict.UNKNOWN)


def test_resources_of_aws_are_judged(file: Path) -> None:
    """Blocks and names of Terraform are those that rules look at; a message has the file, the address and the member."""
    found = outcomes(
        file,
        plan(
            change("aws_iam_role.r", {"name": "r", "assume_role_policy": TRUST}),
            change("aws_iam_role.s", {"assume_role_policy": "{}", "inline_policy": [{"name": "a", "policy": ALL}]}),
            change(QUEUE, {"name": "karpenter", "delay_seconds": 30, "sqs_managed_sse_enabled": False}),
            change("aws_security_group.g", {"ingress": [OPEN]}),
            change("aws_vpc_security_group_ingress_rule.h", {"cidr_ipv4": "0.0.0.0/0", "ip_protocol": "-1"}),
            change(
                "aws_eks_cluster.c", {"vpc_config": [{"endpoint_public_access": True, "public_access_cidrs": ["0.0.0.0/0"]}]}
            ),
            change("aws_ssoadmin_permission_set_inline_policy.i", {"inline_policy": ALL}),
            change("aws_launch_template.l", {"metadata_options": [{"http_tokens": "optional"}]}),
        ),
    )
    assert "aws_iam_role.r assume_role_policy.Statement[0].Principal" in places(found, "IF-03")
    assert any(place.startswith("aws_iam_role.s inline_policies[0].policy") for place in places(found, "IF-21"))
    assert any(place.startswith("aws_ssoadmin_permission_set_inline_policy.i ") for place in places(found, "IF-21"))
    assert f"{QUEUE} sqs_managed_sse_enabled" in places(found, "IF-04")
    assert f"{QUEUE} delay_seconds" in places(found, "IF-25")
    assert {"aws_security_group.g ingress[0].cidr_blocks", "aws_vpc_security_group_ingress_rule.h cidr_ipv4"} <= set(
        places(found, "IF-22")
    )
    everything = {str(o.place).partition(" ")[2] for o in found if o.verdict is Verdict.VIOLATED}
    assert any(place.startswith("aws_eks_cluster.c vpc_config") for place in everything), everything


def test_unknown_values_are_undetermined(file: Path) -> None:
    """A document or an object that only an apply knows is no pass; one that nobody wrote is not set."""
    configured = {"address": "aws_iam_role.b", "expressions": {"assume_role_policy": {"references": ["data.x.y.json"]}}}
    found = outcomes(
        file,
        plan(
            change("aws_iam_role_policy.a", {}, {"policy": True, "role": True}),
            change("aws_iam_role.b", {}, {"assume_role_policy": True, "inline_policy": True}),
            change("kubectl_manifest.c", {}, {"yaml_body": True}),
            configuration={"resources": [configured]},
        ),
    )
    assert "aws_iam_role_policy.a policy" in places(found, "IF-21", Verdict.UNKNOWN)
    assert "aws_iam_role.b assume_role_policy" in places(found, "IF-03", Verdict.UNKNOWN)
    assert not [o for o in found if "inline" in o.path]
    assert "kubectl_manifest.c yaml" in places(found, "OB-02", Verdict.UNKNOWN)


def test_a_dynamic_block_of_unknown_length_is_unknown(file: Path) -> None:
    """Plans leave its configuration out; what a provider fills in itself looks the same, and is not set."""
    configured = {"address": "aws_eks_cluster.a", "expressions": {"name": {}, "vpc_config": [{"subnet_ids": {}}]}}
    group = {"address": "aws_security_group.b", "expressions": {"name": {}}}
    found = outcomes(
        file,
        plan(
            change("aws_eks_cluster.a", {"name": "a", "vpc_config": [PUBLIC]}, {"encryption_config": True, "version": True}),
            change("aws_security_group.b", {"name": "b"}, {"ingress": True}),
            configuration={"resources": [configured, group]},
        ),
    )
    assert [o.path for o in found if "encryption" in o.path and o.verdict is Verdict.UNKNOWN]
    assert not [o for o in found if "ingress" in o.path]


def test_a_dynamic_block_is_undetermined_where_an_update_does_not_keep_it(file: Path) -> None:
    """The open ports of a group that runs already, and a role's own policies, may be anything after the apply."""
    blocks = [
        {"address": address, "expressions": {"name": {"constant_value": "a"}}}
        for address in ("aws_security_group.a", "aws_iam_role.a")
    ]
    found = outcomes(
        file,
        plan(
            change("aws_security_group.a", {"name": "a"}, {"ingress": True}, actions=["update"]),
            change("aws_iam_role.a", {"name": "a"}, {"inline_policy": True}, actions=["update"]),
            configuration={"resources": blocks},
        ),
    )
    assert "aws_security_group.a ingress" in places(found, "IF-22", Verdict.UNKNOWN)
    assert "aws_iam_role.a inline_policies" in places(found, "IF-21", Verdict.UNKNOWN)


def test_references_connect_what_is_unknown(file: Path) -> None:
    """A target that has a queue's ARN by reference feeds it, so what it rewrites is found."""
    target = {
        "address": "aws_cloudwatch_event_target.t",
        "expressions": {"arn": {"references": ["aws_sqs_queue.q.arn", "aws_sqs_queue.q"]}, "input_path": {}},
    }
    found = outcomes(
        file,
        plan(
            change("aws_sqs_queue.q", {"name": "karpenter-warnings", "sqs_managed_sse_enabled": True}),
            change("aws_cloudwatch_event_target.t", {"input_path": "$.detail"}, {"arn": True}),
            configuration={"resources": [target]},
        ),
    )
    assert "aws_cloudwatch_event_target.t input_path" in places(found, "IF-25")


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ({"values": ["settings: {clusterName: a}", "settings: {disableDryRun: true}"]}, "values.settings.disableDryRun"),
        ({"set": [{"name": "settings.disableDryRun", "value": "true", "type": ""}]}, "values.settings.disableDryRun"),
        ({"set": [{"name": r"settings.interruptionQueueName", "value": "q"}]}, "values.settings.interruptionQueueName"),
    ],
)
def test_values_of_karpenters_chart_are_judged(file: Path, values: dict[str, Any], at: str) -> None:
    """The texts of values are laid over each other, then what `set` says."""
    chart = {"chart": "karpenter", "repository": "oci://public.ecr.aws/karpenter", "version": "1.14.1", **values}
    found = outcomes(file, plan(change("helm_release.karpenter", chart)))
    assert f"helm_release.karpenter {at}" in places(found, "IF-15")
    assert not places(found, "IF-12")


def test_a_sensitive_value_is_never_shown(file: Path) -> None:
    """Neither mistakes nor findings repeat what is marked as sensitive."""
    bad = {**NODE_POOL, "spec": {**NODE_POOL["spec"], "limits": {"cpu": "hush-hush-hush"}}}
    by_mark = kubernetes("kubernetes_manifest.p", bad, sensitive={"spec": {"limits": True}})
    hidden = {**bad["spec"], "limits": "(sensitive value)"}
    after = {"yaml_body": json.dumps(bad), "yaml_body_parsed": json.dumps({**bad, "spec": hidden})}
    for pool in (by_mark, change("kubectl_manifest.p", after, {}, {"yaml_body": True})):
        found = outcomes(file, plan(pool, WHOLE[1]))
        assert any("[secret]" in outcome.found for outcome in found)
        assert "hush" not in repr(found)
        problems = validate([file]).problems
        assert problems
        assert "hush" not in repr(problems)
