"""Objects as people have them: the first command in their folder gives a plan, or says what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main

OBJECTS = Path(__file__).parent / "objects"


@pytest.fixture(autouse=True)
def in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(OBJECTS)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, env={"COLUMNS": "200"})


def planned(*words: str) -> dict[str, Any]:
    result = run("plan", *words, "-o", "json")
    assert result.exit_code == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def pods(plan: dict[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in plan["nodes"]:
        for part in node["pods"]:
            counts[part["workload"]] = counts.get(part["workload"], 0) + part["count"] * node["count"]
    return counts


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("region", [(), ("--region", "eu-central-1")], ids=["region of eksctl", "region given"])
def test_a_folder_of_auto_mode_is_planned_with_the_pools_of_its_eksctl_file(region: tuple[str, ...]):
    plan = planned("-f", "auto_mode", "-R", *region)
    assert pods(plan) == {"deployment/site": 3, "deployment/dns-guard": 2, "cronjob/nightly": 4}
    assert {node["nodePool"] for node in plan["nodes"]} == {"general-purpose", "system"}


def test_workloads_of_auto_mode_alone_are_answered_with_the_option_that_is_missing():
    result = run("plan", "-f", "auto_mode/workloads", "--region", "eu-central-1")
    assert result.exit_code == 2
    assert "--built-in-pool general-purpose and --built-in-pool system" in " ".join(result.stderr.split())


def test_a_folder_of_v1beta1_is_planned_as_converted():
    plan = planned("-f", "v1beta1", "-R", "--region", "eu-west-1")
    assert (plan["totals"]["nodes"], pods(plan)) == (2, {"deployment/diver": 30})


def test_validate_judges_what_is_written():
    result = run("validate", "-f", "v1beta1/karpenter")
    assert result.exit_code == 1
    assert "karpenter.sh/v1beta1 is not served since Karpenter 1.1" in " ".join(result.stdout.split())


def test_a_folder_of_scalers_is_planned_at_their_minimum_with_every_range():
    result = run("plan", "-f", "scalers", "-R", "--region", "eu-west-1")
    text = " ".join(result.stdout.split())
    assert "deployment/feed is planned with 4 pods; HorizontalPodAutoscaler feed may make it 4 to 20" in text
    assert "deployment/thumbs is planned with 0 pods; ScaledObject thumbs may make it 0 to 30" in text
    assert "scaledjob/sweep is planned with 0 pods; it may run 0 to 10 at a time" in text
    assert "0 replicas, so there is no pod to plan for: deployment/parked" in text
    assert pods(planned("-f", "scalers", "-R", "--region", "eu-west-1")) == {"deployment/feed": 4}


def test_the_maximum_is_planned_by_an_option():
    plan = planned("-f", "scalers", "-R", "--region", "eu-west-1", "--replicas", "max")
    assert pods(plan) == {"deployment/feed": 20, "deployment/thumbs": 30, "scaledjob/sweep": 10}


ELSEWHERE = ("-f", "classes_elsewhere", "--region", "us-east-2", "--external-class")


def test_pods_beyond_an_assumed_disk_are_not_blamed():
    text = " ".join(run("plan", *ELSEWHERE, "default", "--external-class", "gpu").stdout.split())
    assert "the disk of EC2NodeClass gpu is assumed to be 20Gi" in text
    assert "request of at most" not in text


def test_what_the_classes_decide_gives_the_plan_of_the_cluster():
    plan = planned(*ELSEWHERE, "default:Bottlerocket,disk=150Gi,maxPods=40", "--external-class", "gpu:disk=500Gi")
    assert (plan["totals"]["nodes"], plan["totals"]["pending"]) == (4, 0)
    assert pods(plan) == {"deployment/render-farm": 60, "deployment/tiny": 20, "deployment/captioner": 2}


def test_a_volume_that_ec2_does_not_make_is_a_mistake():
    result = run("validate", "-f", "gp3_iops_300.yaml")
    assert result.exit_code == 1
    assert "EC2 makes no gp3 volume with 300 iops" in result.stdout


def test_a_release_with_the_name_of_a_secret_is_named():
    text = " ".join(run("plan", "-f", "secret_name.yaml", "--region", "us-west-2").stderr.split())
    assert "helm template orders orders" in text
