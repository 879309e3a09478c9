"""`--karpenter`: the version whose rules count, for every command that plans, judges or forecasts."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS, WORKLOADS

FILES = ("-f", str(POOLS), "-f", str(WORKLOADS), "--region", "us-west-2")


def run(*arguments: str) -> Result:
    """A command's result."""
    return CliRunner().invoke(main, [*arguments])


plan = partial(run, "plan", *FILES)


def test_the_karpenter_whose_rules_count_can_be_chosen() -> None:
    """It is in the plan's head; a patch release counts as one that is known, which is said."""
    shown = plan("--karpenter", "1.15.9").stdout
    assert " in us-west-2, Karpenter 1.15.0 price" in " ".join(shown.split())
    assert "Karpenter 1.15.9 counts as 1.15.2 with core 1.15.0" in " ".join(shown.split())


def test_the_plan_as_data_names_its_karpenter() -> None:
    """By the release whose answers are recorded."""
    assert json.loads(plan("-o", "json").stdout)["karpenter"] == "1.15.0"


def test_a_karpenter_whose_rules_are_not_known_is_refused() -> None:
    """With those that are."""
    result = plan("--karpenter", "9.9.9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--karpenter: Karpenter 9.9.9 is not supported" in result.stderr
    assert "1.14, 1.15" in result.stderr


@pytest.mark.parametrize("name", ["diff", "disrupt", "explain", "gate", "interrupt", "plan", "serve", "types"])
def test_every_command_that_plans_judges_or_forecasts_has_the_option(name: str) -> None:
    """With the same words."""
    with click.Context(main) as context:
        command = main.get_command(context, name)
    assert command is not None
    (option,) = [o for o in command.params if o.name == "karpenter"]
    assert option.opts == ["--karpenter"]


SERVICE = """
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}
"""
CONFIG = """
podTopologySpread:
  defaultConstraints:
  - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}
"""


def spread_over(tmp_path: Path, config: str, *options: str, objects: str = SERVICE) -> Result:
    """The plan of objects, without others a Deployment with a Service, with a scheduler's configuration."""
    (tmp_path / "web.yaml").write_text(objects)
    (tmp_path / "scheduler.yaml").write_text(config)
    files = ("-f", str(POOLS), "-f", str(tmp_path / "web.yaml"), "--region", "us-west-2")
    return run("plan", *files, "--scheduler-config", str(tmp_path / "scheduler.yaml"), "-o", "json", *options)


def test_default_spread_constraints_count_in_a_plan(tmp_path: Path) -> None:
    """Each of four pods gets a node of its own."""
    # V15-19, V15-20
    result = spread_over(tmp_path, CONFIG, "--karpenter", "1.15")
    assert json.loads(result.stdout)["totals"]["nodes"] == 4


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("selector", ["", "  selector: {app: web}\n"])
def test_pods_of_a_replication_controller_are_spread(tmp_path: Path, selector: str) -> None:
    """By its selector, or by its pods' labels, which the API server writes where it has none."""
    # V15-20
    workload = SERVICE.partition("---")[2].replace("apps/v1", "v1").replace("Deployment", "ReplicationController")
    workload = workload.replace("  selector: {matchLabels: {app: web}}\n", selector)
    result = spread_over(tmp_path, CONFIG, "--karpenter", "1.15", objects=workload)
    assert json.loads(result.stdout)["totals"]["nodes"] == 4


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("written", "wrong", "path"),
    [
        ("{selector: {app: web}, ports: [{port: 80}]}", "none", "spec: expected a mapping"),
        ("{selector: {app: web}, ports", "{selector: [app], ports", "spec.selector: expected a mapping"),
        ("{selector: {app: web}, ports", "{selector: {app: 5}, ports", "spec.selector.app: 5 is not text"),
        ("{matchLabels: {app: web}}", "web", "spec.selector: expected a mapping"),
        ("{matchLabels: {app: web}}", "{matchLabels: {app: [web]}}", "spec.selector.matchLabels.app: expected text"),
        (
            "{matchLabels: {app: web}}",
            "{matchExpressions: [{key: app}]}",
            "spec.selector.matchExpressions[0].operator: is missing",
        ),
    ],
)
def test_a_selector_that_cannot_be_read_is_a_mistake(tmp_path: Path, written: str, wrong: str, path: str) -> None:
    """Where selectors are deduced; without default constraints nothing reads them."""
    # V15-20
    result = spread_over(tmp_path, CONFIG, "--karpenter", "1.15", objects=SERVICE.replace(written, wrong))
    assert result.exit_code == 2
    assert path in " ".join(result.stderr.split())
    assert spread_over(tmp_path, "", "--karpenter", "1.15", objects=SERVICE.replace(written, wrong)).exit_code == 0


def test_a_configuration_that_karpenter_refuses_is_refused(tmp_path: Path) -> None:
    """With the file."""
    # V15-24
    result = spread_over(tmp_path, CONFIG.replace("maxSkew: 1", "maxSkew: 0"), "--karpenter", "1.15")
    assert result.exit_code == 2
    assert "scheduler.yaml" in "".join(result.stderr.split())
    assert "podTopologySpread.defaultConstraints[0].maxSkew must be greater than 0" in " ".join(result.stderr.split())


def test_a_karpenter_without_the_flag_refuses_it(tmp_path: Path) -> None:
    """And names those that have it."""
    # V15-64
    result = spread_over(tmp_path, CONFIG, "--karpenter", "1.14")
    assert result.exit_code == 2
    assert "--scheduler-config: Karpenter 1.14.1 has no --scheduler-config" in result.stderr
    assert "allowed: Karpenter 1.15" in result.stderr


def gated(tmp_path: Path, *options: str) -> Result:
    (tmp_path / "web.yaml").write_text(SERVICE)
    (tmp_path / "scheduler.yaml").write_text(CONFIG)
    files = ("-f", str(POOLS), "-f", str(tmp_path / "web.yaml"), "--region", "us-west-2")
    return run("gate", *files, "-o", "markdown", *options)


def test_gates_are_held_against_a_plan_with_default_spread_constraints(tmp_path: Path) -> None:
    """The plan that the gates judge has four nodes, not one; a Karpenter without the flag refuses it."""
    # V15-19 V15-64
    config = ("--scheduler-config", str(tmp_path / "scheduler.yaml"))
    assert "1 node" in gated(tmp_path, "--karpenter", "1.15").stdout
    assert "4 nodes" in gated(tmp_path, "--karpenter", "1.15", *config).stdout
    refused = gated(tmp_path, "--karpenter", "1.14", *config)
    assert (refused.exit_code, "Karpenter 1.14.1 has no --scheduler-config" in refused.stderr) == (2, True)


@pytest.mark.parametrize("option", ["--karpenter", "--scheduler-config"])
def test_what_a_stack_says_itself_is_no_option_of_its_gates(option: str) -> None:
    refused = run("gate", "--stack", "dev", option, "1.15")
    assert (refused.exit_code, f"{option} is for --file" in " ".join(refused.stderr.split())) == (2, True)
