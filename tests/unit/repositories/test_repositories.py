"""The first command in a repository says what it read, and what stays open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.repositories.commands import FOLDER, run_in

EUROPE = ("--region", "eu-west-1")


def test_templates_are_named_before_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-2, F-3: the price is a lower bound."""
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "plan", "-f", "k8s", "-R", *EUROPE)
    assert answer.exit_code == 0
    first, *_ = answer.text.splitlines()
    assert first.startswith("At least $68")
    before_price = answer.text.partition("price ")[0]
    assert "k8s/nodepool.yaml.tpl" in before_price
    assert "k8s/apps/queue.yaml.tpl" in before_price
    assert "5 files: 3 read, 2 templates" in answer.text


def test_a_pending_pod_may_belong_to_what_was_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-5: a guess at a name is no help there."""
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "plan", "-f", "k8s", "-R", *EUROPE, "-o", "json")
    (pending,) = answer.data["pending"]
    assert "did you mean" not in pending["reason"]
    assert "nodepool.yaml.tpl not read, which may hold a NodePool for it" in pending["reason"]


def test_strict_fails_on_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-2: also where no pod is pending."""
    words = ("plan", "-f", "jsonnet-tanka", "-R", *EUROPE)
    assert run_in(FOLDER, monkeypatch, *words).exit_code == 0
    assert run_in(FOLDER, monkeypatch, *words, "--strict").exit_code == 1


def test_validate_names_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-3."""
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "validate", "-f", "k8s", "-R")
    assert "k8s/nodepool.yaml.tpl" in answer.text


def test_gates_cannot_tell_what_a_template_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-2: it is undetermined, and named."""
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "gate", "-f", "k8s", "-R", *EUROPE, "-o", "json")
    unknown = [o["object"] for o in answer.data["outcomes"] if (o["rule"], o["verdict"]) == ("GT-04", "cannot tell")]
    assert unknown == ["k8s/apps/queue.yaml.tpl", "k8s/nodepool.yaml.tpl"]
    assert [of["what"] for of in answer.data["inputs"]["open"]] == unknown


@pytest.mark.parametrize("folder", ["jsonnet-tanka", "templates-tpl", "sops", "cdk-out"])
def test_the_counts_of_files_add_up(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-1: and they are all files of the folder."""
    data = run_in(FOLDER / folder, monkeypatch, "validate", "-f", ".", "-R", "-o", "json").data["inputs"]
    others = sum(of["files"] for of in (*data["openFiles"], *data["passedOver"]))
    assert data["files"] == data["read"] + others
    assert data["files"] == sum(path.is_file() for path in (FOLDER / folder).rglob("*"))


def test_environments_of_a_helmfile_have_a_command_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-6, F-28: and its charts are not planned with their defaults."""
    answer = run_in(FOLDER / "helmfile", monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "helmfile -e dev template | cutlist plan -f -" in answer.text
    assert "helmfile -e prod template | cutlist plan -f -" in answer.text
    assert "service" not in answer.text


@pytest.mark.parametrize("options", [(), ("--strict",)])
def test_overlays_are_not_one_plan(options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """F-30: each is named with what it holds, and patches of one are no mistake before it is chosen."""
    answer = run_in(FOLDER / "kustomize-overlays", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, *options)
    assert answer.exit_code == 2
    assert "overlays/dev: is one of 2 environments" in answer.text
    assert "cutlist plan -f overlays/prod" in answer.text
    assert "patches" not in answer.text


def test_a_repository_of_flux_names_its_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-26: its applications are parts of it, in which Flux fills in values."""
    answer = run_in(FOLDER / "flux-monorepo", monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "cutlist plan -f clusters/production -R --helm --kustomize" in answer.text


def test_clusters_of_flux_are_planned_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-26."""
    answer = run_in(FOLDER / "flux-outside-folder", monkeypatch, "plan", "-f", ".", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "fleet/eu-prod" in answer.text
    assert "fleet/eu-staging" in answer.text


def test_an_environment_of_tanka_that_was_exported_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-7: the other one is open, with the command that shows it."""
    answer = run_in(FOLDER / "jsonnet-tanka", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "-o", "json")
    assert answer.pods() == {"grid/deployment/grid": 6}
    (opened,) = answer.data["inputs"]["open"]
    assert opened["what"] == "environments/test"
    assert opened["command"].startswith("tk show")
    assert not answer.data["inputs"]["complete"]


def test_jsonnet_alone_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-7: what is not read is never a success."""
    answer = run_in(FOLDER / "jsonnet-tanka", monkeypatch, "plan", "-f", "environments", "-R", *EUROPE)
    assert answer.exit_code == 2
    assert "tk show" in " ".join(answer.text.split())


def test_a_generator_of_secrets_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-8: no plan depends on a Secret, and nothing encrypted is shown."""
    answer = run_in(FOLDER / "sops", monkeypatch, "plan", "-f", "k8s", *EUROPE, "-o", "json")
    assert answer.exit_code == 0
    assert answer.pods() == {"ruff/deployment/reeve": 4}
    assert "AES256_GCM" not in answer.text


def test_a_generator_of_other_objects_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-8: it may make what a plan depends on."""
    for file in (FOLDER / "sops/k8s").iterdir():
        text = file.read_text("utf-8")
        (tmp_path / file.name).write_text(
            text.replace("kind: Secret", "kind: Deployment") if "secret.enc" in file.name else text
        )
    answer = run_in(tmp_path, monkeypatch, "plan", "-f", ".", *EUROPE)
    assert answer.exit_code == 2
    assert "generators" in answer.text


@pytest.mark.parametrize("path", ["cdk.out", "cdk.out/DunlinStack.template.json"])
def test_objects_of_a_synthesized_template_are_planned(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-13: the role is known only after a deployment, and changes no plan."""
    answer = run_in(FOLDER / "cdk-out", monkeypatch, "plan", "-f", path, *EUROPE, "-o", "json")
    assert answer.pods() == {"deployment/ferry": 5}
    assert answer.data["totals"]["nodes"] == 2


def test_classes_in_a_configuration_belong_to_pools_in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-11, F-12: the role and the cluster's name are known only after an apply."""
    pytest.importorskip("hcl2")
    words = ("plan", "-f", ".", "-R", "--region", "us-east-2", "-o", "json")
    answer = run_in(FOLDER / "terraform-classes-git-pools", monkeypatch, *words)
    assert answer.pods() == {"deployment/render-farm": 60, "deployment/tiny": 20, "deployment/captioner": 2}
    assert (answer.data["totals"]["nodes"], answer.data["totals"]["pending"]) == (4, 0)
    assert answer.data["inputs"]["complete"]


def test_a_template_that_a_configuration_renders_is_read_through_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """F-11: once for each pool; what nothing renders stays open."""
    pytest.importorskip("hcl2")
    answer = run_in(FOLDER / "templates-tpl", monkeypatch, "plan", "-f", ".", "-R", *EUROPE, "-o", "json")
    assert {node["nodePool"] for node in answer.data["nodes"]} == {"batch"}
    assert answer.data["pending"] == []
    assert [of["what"] for of in answer.data["inputs"]["open"]] == ["k8s/apps/queue.yaml.tpl"]
