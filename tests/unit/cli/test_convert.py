"""`cutlist convert`: where objects, values and report go, and what is refused."""

from __future__ import annotations

import json
import os
import stat

import pytest
import yaml
from click.testing import CliRunner

from cutlist_cli import main

CLASS = """\
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiFamily: AL2023
  role: demo
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
"""
POOL = """\
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec: {nodeClassRef: {name: default}, requirements: [], kubelet: {maxPods: 20}}
"""
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: karpenter-global-settings}
data: {aws.clusterName: demo}
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"


@pytest.fixture
def folder(tmp_path):
    for name, text in (("class", CLASS), ("pool", POOL), ("service", SERVICE)):
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def run(*arguments, **options):
    return CliRunner().invoke(main, ["convert", *map(str, arguments)], **options)


@pytest.mark.parametrize(
    ("label", "name", "release"),
    [("karpenter.azure.com/sku-cpu", "AKS Node Auto Provisioning", "1.14.0"), ("karpenter.k8s.aws/instance-cpu", "", None)],
)
def test_the_report_names_the_service_that_objects_are_for(tmp_path, label, name, release):
    """Also where the class of a NodePool follows from its labels alone; without one of its own nothing is named."""  # Z-73
    wanted = f"[{{key: {label}, operator: In, values: ['4']}}]"
    (tmp_path / "pool.yaml").write_text(POOL.replace("[], kubelet: {maxPods: 20}", wanted))
    services = json.loads(run("-f", tmp_path, "-o", "json").stderr).get("services", [])
    assert [(service["name"], service["karpenter"]) for service in services] == ([(name, release)] if name else [])
    assert ("AKS Node Auto Provisioning runs Karpenter 1.14: provider" in run("-f", tmp_path).stderr) == bool(name)


def test_objects_go_to_standard_output_and_the_report_to_standard_error(folder):
    """So that one can be kept and the other read."""
    result = run("-f", folder)
    assert result.exit_code == 0
    assert [one["apiVersion"] for one in yaml.safe_load_all(result.stdout)] == ["karpenter.k8s.aws/v1", "karpenter.sh/v1", "v1"]
    assert "EC2NodeClass default" in result.stderr
    assert "Converted 2 objects" in result.stderr


def test_a_second_run_says_that_there_is_nothing_to_do(folder):
    """Objects of v1 come out as they went in."""
    first = run("-f", folder)
    second = run("-f", "-", input=first.stdout)
    assert second.stdout == first.stdout
    assert second.stderr == "Nothing to convert: no object of an old version is in the input.\n"


def test_output_goes_to_a_file(folder):
    """With nothing on standard output."""
    result = run("-f", folder, "--to", folder / "new.txt", "-o", "none")
    assert (result.exit_code, result.output) == (0, "")
    assert len(list(yaml.safe_load_all((folder / "new.txt").read_text()))) == 3


def test_in_place_touches_only_files_that_change(folder):
    """Their rights stay, and the service's file is not even written."""
    os.chmod(folder / "pool.yaml", 0o640)
    os.utime(folder / "service.yaml", (1, 1))
    result = run("-f", folder, "--write")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "karpenter.sh/v1\n" in (folder / "pool.yaml").read_text()
    assert "maxPods: 20" in (folder / "class.yaml").read_text()
    assert stat.S_IMODE((folder / "pool.yaml").stat().st_mode) == 0o640
    assert (folder / "service.yaml").stat().st_mtime == 1
    assert sorted(path.name for path in folder.iterdir()) == ["class.yaml", "pool.yaml", "service.yaml"]


def test_values_go_to_their_file(folder):
    """The ConfigMap leaves the objects."""
    (folder / "settings.yaml").write_text(SETTINGS)
    result = run("-f", folder, "--values", folder / "values.txt")
    assert (folder / "values.txt").read_text() == "settings:\n  clusterName: demo\n"
    assert "ConfigMap" not in result.stdout


def test_values_alone_go_to_standard_output():
    """Where nothing else is there to be mixed up with."""
    assert run("-f", "-", input=SETTINGS).stdout == "settings:\n  clusterName: demo\n"


def test_values_among_objects_need_a_place(folder):
    """They are no Kubernetes object, so they cannot stand among some; nothing is written."""
    (folder / "settings.yaml").write_text(SETTINGS)
    result = run("-f", folder, "--to", folder / "new.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--values FILE" in result.stderr
    assert not (folder / "new.txt").exists()


def test_the_report_as_json(folder):
    """Each change with object, place, kind, paths, and who reads the fields so."""
    report = json.loads(run("-f", folder, "-o", "json").stderr)
    assert [one["to"] for one in report["converted"]] == [
        ["karpenter.k8s.aws/v1 EC2NodeClass default"],
        ["karpenter.sh/v1 NodePool general"],
    ] or report["converted"][0]["to"] == ["karpenter.sh/v1 NodePool general"]
    moved = next(one for one in report["changes"] if one["old"] == "spec.template.spec.kubelet")
    assert (moved["object"], moved["kind"], moved["readBy"]) == ("NodePool general", "carried over", "karpenter")
    assert (moved["line"], moved["source"]) == (6, str(folder / "pool.yaml"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (POOL, "add the EC2NodeClass to the input"),
        (CLASS.replace("AL2023", "Ubuntu"), "you have to choose"),
        (CLASS.replace("AL2023", "Debian"), "found the text 'Debian'"),
        ("{", "is not YAML"),
        ("a: &a [*a]", "is inside the value that it refers to"),
        (POOL.replace("spec:", "spec: 1\nsped:", 1), "found the number 1 where a mapping is needed"),
        ("apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\n", "metadata"),
        ("apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: []\n", "metadata"),
        ("apiVersion: karpenter.sh/v1alpha9\nkind: NodePool\n", "is not served as"),
    ],
)
def test_bad_input_is_reported_without_a_traceback(text, words):
    """One message a mistake, exit code 2, nothing on standard output."""
    result = run("-f", "-", input=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in " ".join(result.stderr.split())
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("arguments", [("--write", "--to", "x"), ("--write", "-f", "-")])
def test_places_that_exclude_each_other(folder, arguments):
    """Files are written back or put together, not both."""
    assert run("-f", folder, *arguments, input="").exit_code == 2


def test_a_place_that_cannot_be_written_is_reported(folder):
    """With the reason, and without a traceback."""
    result = run("-f", folder, "--to", folder / "no" / "such.yaml")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_a_pipe_can_be_written_to(folder):
    """What is not a file is written to as it is."""
    assert run("-f", folder, "--to", os.devnull, "-o", "none").exit_code == 0
