"""NodePools whose node class is made elsewhere: no mistake, and planned for where the class is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.unit.planning.manifests import deployment, pool

OWN = "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: other}\nspec: {}\n"
MISSING = "NodePool general refers to the EC2NodeClass 'default', which is not in the input"
EC2 = "karpenter.k8s.aws, kind: EC2NodeClass"
AKS = pool().replace(EC2, "karpenter.azure.com, kind: AKSNodeClass").replace("default", "own")
AUTO = pool().replace(EC2, "eks.amazonaws.com, kind: NodeClass").replace("default", "own")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def file(tmp_path: Path) -> str:
    amd64 = "[{key: kubernetes.io/arch, operator: In, values: [amd64]}]"
    (tmp_path / "all.yaml").write_text(f"{pool(requirements=amd64)}---\n{deployment()}")
    return str(tmp_path / "all.yaml")


def plan(tmp_path: Path, written: str, region: str, name: str) -> Result:
    (tmp_path / "own.yaml").write_text(f"{written}---\n{deployment()}")
    return run("plan", "-f", str(tmp_path / "own.yaml"), "--region", region, "--external-class", name)


def test_a_class_that_is_elsewhere_is_no_mistake_of_validate(file: str) -> None:
    """Nobody would refuse the pool; what has to be in the cluster is named with its place."""
    result = run("validate", "-f", file, "--width", "300")
    assert result.exit_code == 0
    said = " ".join(result.output.split())
    assert "Nothing is wrong: 1 Deployment, 1 NodePool." in said
    assert f"all.yaml:9 spec.template.spec.nodeClassRef.name: {MISSING}; it has to be in the cluster" in said


@pytest.mark.parametrize("name", ["default", "EC2NodeClass/default"])
def test_validate_says_nothing_of_a_class_that_is_said_to_be_elsewhere(file: str, name: str) -> None:
    result = run("validate", "-f", file, "--external-class", name)
    assert (result.exit_code, "it has to be in the cluster" in result.output) == (0, False)
    other = run("validate", "-f", file, "--external-class", "other")
    assert (other.exit_code, "it has to be in the cluster" in " ".join(other.output.split())) == (0, True)


def test_validate_as_json_names_the_class(file: str) -> None:
    """With the pool that refers to it, and no problem."""
    answer = json.loads(run("validate", "-f", file, "-o", "json").output)
    assert answer["problems"] == []
    (missing,) = answer["missingClasses"]
    assert (missing["kind"], missing["name"], missing["nodePool"]) == ("EC2NodeClass", "default", "general")


def test_a_class_with_nearly_the_name_is_offered(tmp_path: Path) -> None:
    """A slip of the pen is worth a word, though nobody refuses it."""
    (tmp_path / "all.yaml").write_text(f"{pool().replace('name: default}', 'name: otherr}')}---\n{OWN}")
    assert "did you mean other?" in " ".join(run("validate", "-f", str(tmp_path / "all.yaml"), "--width", "300").output.split())


def test_a_plan_needs_the_option(file: str) -> None:
    """Without the class nothing is known of the nodes; the mistake names the option."""
    result = run("plan", "-f", file, "--region", "us-west-2")
    assert result.exit_code == 2
    assert "or name it with --external-class" in " ".join(result.stderr.split())


@pytest.mark.parametrize("name", ["default", "EC2NodeClass/default"])
def test_an_external_class_has_every_default(file: str, name: str) -> None:
    """The pods get their node, and the plan lists what it assumed."""
    result = run("plan", "-f", file, "--region", "us-west-2", "--external-class", name, "-o", "json")
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert (len(answer["nodes"]), answer["pending"]) == (1, [])
    (text,) = (note["text"] for note in answer["assumptions"] if note["code"] == "external-class")
    assert "EC2NodeClass default is elsewhere" in text


def test_only_a_command_that_has_the_option_suggests_it(file: str) -> None:
    """`plan` can go on without the class; user data cannot be written without it."""
    plan = run("plan", "-f", file, "--region", "us-west-2")
    user_data = run("userdata", "-f", file, "--cluster-name", "demo", "--endpoint", "https://demo.example")
    assert (plan.exit_code, user_data.exit_code) == (2, 2)
    assert "add the EC2NodeClass to the input, or name it with --external-class" in " ".join(plan.output.split())
    assert "add the EC2NodeClass to the input" in " ".join(user_data.output.split())
    assert "--external-class" not in user_data.output


@pytest.mark.parametrize("name", ["defualt", "NodeClass/default"])
def test_another_name_does_not_help(file: str, name: str) -> None:
    """The class is still missing."""
    assert run("plan", "-f", file, "--region", "us-west-2", "--external-class", name).exit_code == 2


def test_classes_of_aks_and_of_auto_mode_may_be_elsewhere_too(tmp_path: Path) -> None:
    """Each kind has defaults of its own."""
    for written, region, kind in ((AKS, "japaneast", "AKSNodeClass"), (AUTO, "us-west-2", "NodeClass")):
        result = plan(tmp_path, written, region, "own")
        assert result.exit_code == 0, result.output
        assert f"{kind} own is elsewhere" in " ".join(result.output.split())


def test_the_gate_takes_it_from_the_option_and_from_the_rule(file: str, tmp_path: Path) -> None:
    """What NP-10 declares to be elsewhere can be planned with."""
    gates = tmp_path / "gates.yaml"
    gates.write_text("rules: {NP-10: {external: [EC2NodeClass/default]}}")
    for more in (["--external-class", "default"], ["--gates", str(gates)]):
        answer = json.loads(run("gate", "-f", file, "--region", "us-west-2", *more, "-o", "json").output)
        assert not {"NP-10", "GT-03", "GT-04"} & {o["rule"] for o in answer["outcomes"] if o["stops"]}
