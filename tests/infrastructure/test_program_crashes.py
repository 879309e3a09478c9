"""A plain exception of a user's program is shown as such, with file and line of the program, and nothing is judged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import FunctionType

import pytest
from click.testing import CliRunner
from pulumi_cutlist.errors import ProgramCrash
from pulumi_cutlist.program.main_file import crash_of
from pulumi_cutlist.stack.gate import gate_stack
from pulumi_cutlist.stack.preview import preview

from cutlist.core.errors import InputError
from cutlist_cli import main
from tests.written_project import write_project

Project = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Write a project whose program, and helper beside it, have these texts."""

    def write(program: str, helper: str = "") -> Path:
        (tmp_path / "crash_helper.py").write_text(helper)
        return write_project(tmp_path, program)

    return write


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        ("x = 1\n{}['x']\n", "__main__.py:2: KeyError: 'x'"),
        ("assert False\n", "__main__.py:1: AssertionError"),
        ("\n\ndef f(:\n", "__main__.py:3: SyntaxError: invalid syntax"),
        ("import nothing_like_it\n", "__main__.py:1: ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("import json\njson.loads('')\n", "__main__.py:2: JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        ("import pulumi\npulumi.Output.from_input(1).apply(\n    lambda v: v.foo)\n", "__main__.py:3: AttributeError: "),
        ("import pulumi\npulumi.export('x', object())\n", "__main__.py: ValueError: "),
        ("import pulumi\npulumi.ComponentResource('a:b:C', 3)\n", "__main__.py:2: TypeError: "),
    ],
)
def test_an_exception_of_a_program_is_shown_at_its_line(project: Project, program: str, shown: str) -> None:
    with pytest.raises(ProgramCrash) as crash:
        preview(project(program), "dev")
    assert str(crash.value).startswith(shown)


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (
            "import json\njson.load_s('')\n",
            "__main__.py:2: AttributeError: module 'json' has no attribute 'load_s'; did you mean loads?",
        ),
        ("from json import dumpz\n", "__main__.py:1: ImportError: cannot import name 'dumpz' from 'json'; did you mean dump?"),
        (
            "from cutlist import Taint\nTaint(key='a', efect='NoExecute')\n",
            "__main__.py:2: TypeError: Taint.__init__() got an unexpected keyword argument 'efect'; did you mean effect?",
        ),
        ("general = 1\ngenerel + 1\n", "__main__.py:2: NameError: name 'generel' is not defined; did you mean general?"),
    ],
)
def test_a_misspelt_name_is_shown_with_the_nearest_one(project: Project, program: str, shown: str) -> None:
    with pytest.raises(ProgramCrash) as crash:
        preview(project(program), "dev")
    assert str(crash.value) == shown


LATE = """\
import pulumi
from pulumi_cutlist.aws import Cluster
Cluster("shop", {"control_plane": {
    "cluster_name": "shop", "account_id": pulumi.Output.from_input("1"), "region": "eu-west-1", "version": "1.35",
    "subnet_ids": ["subnet-a", "subnet-b"], "zones": ["eu-west-1a", "eu-west-1b"],
    "admins": {"ci": "arn:aws:iam::111122223333:role/ci"}}})
"""
CLUSTER = "from pulumi_cutlist.plan import NodePlan\n"


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        (f"{CLUSTER}\nNodePlan('a', {{'sources': []}})\n", "__main__.py:3 region: is missing; allowed: a string in quotes"),
        (
            f"{CLUSTER}NodePlan('a', {{'region': 'us-west-2', 'manifests': [{{'kind': 'NodePool'}}]}})\n",
            "__main__.py:2 manifests[0]: is not a Kubernetes object",
        ),
        (
            "from cutlist import NodePool\nNodePool(name='a', node_class='b', limit=1)\n",
            "__main__.py:2 NodePool/a limit: unknown",
        ),
        (
            "import pulumi\nfrom cutlist import NodePool\nNodePool(name=f'{pulumi.Output.from_input(1)}', node_class='b')\n",
            "__main__.py:3 NodePool metadata.name: has the text of an Output in it, and not its value",
        ),
        (f"{CLUSTER}NodePlan('a', type)\n", "__main__.py:2 NodePlan/a: the inputs are not a mapping: found a type; allowed: "),
        (LATE, "__main__.py:3 control_plane.account_id: account '1' has 1 digit"),
        (f"{CLUSTER}NodePlan('a')\n", "__main__.py:2 NodePlan: missing a required argument: 'args'; allowed: NodePlan("),
        ("import pulumi\npulumi.Config().require('team')\n", "__main__.py:2: the configuration has no shop:team; allowed: "),
        (
            "import pulumi\npulumi.Config('a').require_bool('b')\n",
            "__main__.py:2: a:b of the configuration is 'c'; allowed: true",
        ),
        (
            "import pulumi\nclass B(pulumi.CustomResource): pass\nfor _ in 'ab':\n    B('a:b:C', 'x', {})\n",
            "__main__.py:4: a second resource x of type a:b:C below the same parents: duplicate URN urn:",
        ),
    ],
)
def test_a_mistake_in_the_input_is_shown_at_the_line_of_the_program(project: Project, program: str, shown: str) -> None:
    """Two components may have an input of the same name."""
    folder = project(program)
    (folder / "Pulumi.dev.yaml").write_text("config: {'a:b': c}\n")
    with pytest.raises(InputError) as error:
        preview(folder, "dev")
    assert str(error.value).startswith(shown)


def test_the_innermost_line_of_the_users_files_is_named(project: Project) -> None:
    folder = project("import crash_helper\ncrash_helper.ratio(0)\n", "def ratio(n):\n    return 1 / n\n")
    with pytest.raises(ProgramCrash) as crash:
        preview(folder, "dev")
    assert str(crash.value) == "crash_helper.py:2: ZeroDivisionError: division by zero"


def test_mistakes_of_the_stack_file_are_named_as_well(project: Project) -> None:
    folder = project("1 / 0\n")
    (folder / "Pulumi.dev.yaml").write_text("confg: {}\n")
    with pytest.raises(ProgramCrash) as crash:
        preview(folder, "dev")
    assert [problem.place.source for problem in crash.value.problems] == ["Pulumi.dev.yaml", "__main__.py"]


def test_a_gate_does_not_judge_a_program_that_crashes(project: Project) -> None:
    with pytest.raises(ProgramCrash):
        gate_stack(project("1 / 0\n"), "dev", date(2026, 11, 22))


@pytest.mark.parametrize("verb", ["preview", "gate", "permissions"])
def test_commands_end_with_bad_input_and_no_traceback(project: Project, verb: str) -> None:
    result = CliRunner().invoke(main, [verb, "--stack", "dev", "--project-dir", str(project("1 / 0\n"))])
    assert result.exit_code == 2
    assert "__main__.py:1: ZeroDivisionError: division by zero" in result.stderr
    assert "Traceback" not in result.stderr
    assert "should not have happened" not in result.stderr


def test_an_extra_that_a_program_needs_is_still_named(project: Project) -> None:
    program = "raise ModuleNotFoundError('no', name='pulumi_eks')\n"
    result = CliRunner().invoke(main, ["preview", "--stack", "dev", "--project-dir", str(project(program))])
    assert result.exit_code == 2
    assert "pip install 'cutlist[aws]'" in result.stderr


@pytest.mark.parametrize("verb", ["preview", "permissions"])
def test_a_program_that_ends_itself_gives_no_answer(project: Project, verb: str) -> None:
    """Pulumi would stop before its resources are answered, so nothing can be said of them."""
    result = CliRunner().invoke(main, [verb, "--stack", "dev", "--project-dir", str(project("import sys\nsys.exit(0)\n"))])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "__main__.py:2: the program ends itself with sys.exit(0), before all its resources were known" in result.stderr


def test_a_fault_of_cutlist_is_not_blamed_on_the_program() -> None:
    faulty = FunctionType(compile("1 / 0\n", "plan.py", "exec"), {"__name__": "pulumi_cutlist.plan"})
    with pytest.raises(ZeroDivisionError) as fault:
        faulty()
    assert crash_of(fault.value, Path("__main__.py")) is None
