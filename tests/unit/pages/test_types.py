"""The programs of the pages, as the type checkers of users see them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
_PROGRAM: Final = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PATHS: Final = ("", "components", "policies")
"""What pyright finds the packages in. mypy has the types of the SDKs in tools/stubs, since it takes too long to read these."""
_GIVEN: Final = {
    "docs/gates.md, Rules of your own": """
from collections.abc import Iterator, Mapping
from typing import Any
from cutlist.policy.rules import Finding, Resource, Severity, object_rule
from cutlist.policy.rules.parameters import text
from cutlist.policy.rules.tokens import NODE_POOL
LABEL = text("label", "acme.example/team", "The label of a pool.")
""",
    "docs/upgrade.md, In a stack": """
from cutlist import EC2NodeClass, NodePool
default = EC2NodeClass(name="default", role="r", ami="al2023@v20260625", discovery="shop")
general = NodePool(name="general", node_class=default, requirements={})
""",
    "docs/karpenter-cluster.md, What a destroy does": """
from typing import Any, cast
import pulumi
import pulumi_aws as aws
vpc = cast("aws.ec2.Vpc", None)
role = cast("aws.iam.Role", None)
subnet_ids: list[str] = []
chart = ""
manifest: dict[str, Any] = {}
node_role = cast("pulumi.Resource", None)
subnet_tags = cast("pulumi.Resource", None)
""",
}
"""What the text around a program says that it has, by page and section."""
_WRONG: Final = """
from cutlist import EC2NodeClass, NodePool
from pulumi_cutlist.aws import Interruption, KarpenterCluster, KarpenterClusterArgs
nodes = EC2NodeClass(name="default", role="r", ami="al2023@v20260625", discovery="shop")
general = NodePool(name="general", node_class=nodes, requirements={}, taints=["a=b:NoSchedule"])
where: KarpenterClusterArgs = {"cluster_name": "shop", "region": "eu-west-1", "account_id": "1"}
KarpenterCluster("shop", {**where, "karpenter_verison": "1"})
KarpenterCluster("shop", {**where, "charts": {"replica": 3}})
KarpenterCluster("shop", {**where, "control_plane": {"encrypt_secret": True}})
KarpenterCluster("shop", {**where, "observability": {"grafana_password": 1}})
Interruption("queue", {"cluster_name": "shop"})
"""


def written_programs(folder: Path) -> dict[str, str]:
    """Write the programs of each section of a page as a module, and return the sections by the names of their modules."""
    sections: dict[str, str] = {}
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("[!_]*.md"))):
        for number, text in enumerate(re.split(r"^##(?=#? )", page.read_text(), flags=re.MULTILINE)):
            blocks, title = _PROGRAM.findall(text), text.partition("\n")[0].lstrip("# ")
            if blocks:
                module = f"page_{page.stem.replace('-', '_').lower()}_{number}"
                place = f"{page.relative_to(ROOT).as_posix()}, {title}"
                lines = "\n".join((_GIVEN.get(place, ""), *blocks)).splitlines()
                kept = ("pass" if line.strip().startswith("owner = aws.Provider(") else line for line in lines)
                (folder / f"{module}.py").write_text("\n".join(kept) + "\n")
                sections[module] = place
    assert set(_GIVEN) <= set(sections.values())
    return sections


def checked(folder: Path) -> list[str]:
    """Return what mypy in its strict mode says of the modules in a folder; what `make types` has read is not read again."""
    configured = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"))
    command = [sys.executable, "-m", "mypy", *configured, *sorted(map(str, folder.glob("*.py")))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if ": error:" in line]


@pytest.mark.typed
def test_programs_of_pages_pass_a_strict_type_check(tmp_path: Path):
    """And a program with mistakes does not: each misspelt input, at any depth, and each of another type."""
    assert len(written_programs(tmp_path)) > 10
    (tmp_path / "wrong.py").write_text(_WRONG)
    found = checked(tmp_path)
    wrong = [line for line in found if "wrong.py" in line]
    assert [line for line in found if line not in wrong] == []
    said = [re.sub(r".*error: ", "", line) for line in wrong]
    for part in ('expected "Taint"', '"karpenter_verison"', '"replica"', '"encrypt_secret"', '"grafana_password"', '"region"'):
        assert any(part in line for line in said), part


@pytest.mark.thorough  # it reads the SDKs themselves, as a user's editor does: 8 s of a processor
@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_programs_of_pages_pass_pyright(tmp_path: Path):
    """With pyright's own settings. It too reports each mistake of a program that has some."""
    written_programs(tmp_path)
    (tmp_path / "wrong.py").write_text(_WRONG)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT / path) for path in _PATHS]}))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    quiet = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=quiet, capture_output=True, text=True)
    found = [
        (Path(of["file"]).name, of["message"])
        for of in json.loads(done.stdout)["generalDiagnostics"]
        if of["severity"] == "error"
    ]
    assert [of for of in found if of[0] != "wrong.py"] == []
    for part in ('"Taint"', '"karpenter_verison"', '"replica"', '"encrypt_secret"', '"Literal[1]"', '"region"'):
        assert any(part in message for _, message in found), part
