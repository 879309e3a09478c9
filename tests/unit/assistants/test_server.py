"""`cutlist mcp`, as a client of the protocol meets it over standard input and output."""

from __future__ import annotations

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.sample import SHOP

# Looked for and not imported: each worker collects all tests, and one runs these.
pytestmark = pytest.mark.skipif(
    find_spec("mcp") is None, reason="mcp, the protocol of assistants, is not installed; the extra mcp has it"
)
_CALL = {"file": ["pools.yaml", "workloads.yaml"], "region": "us-west-2"}
_PLAN = ["-f", "pools.yaml", "-f", "workloads.yaml", "--region", "us-west-2", "-o", "json"]
_AT = ["--at", "2026-11-23"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A root inside of a project whose settings lie above it, with a link to a secret."""
    root = tmp_path / "manifests"
    (root / "linked").mkdir(parents=True)
    for name in ("pools.yaml", "workloads.yaml"):
        shutil.copy(SHOP / name, root)
    (tmp_path / "cutlist.yaml").write_text("region: no-region\n")
    (tmp_path / "secret.yaml").write_text("password: secret-of-another\n")
    (root / "linked" / "secret.yaml").symlink_to(tmp_path / "secret.yaml")
    return root


async def _session(folder: Path, calls: list[tuple[str, dict[str, Any]]]) -> tuple[list[str], list[Any]]:
    """Return the names of the tools and what each call answers."""
    from mcp import ClientSession, StdioServerParameters, stdio_client

    command = ["-c", "from cutlist_cli.__main__ import run; run()", "mcp", "--root", str(folder)]
    started = StdioServerParameters(command=sys.executable, args=command)
    async with stdio_client(started) as streams, ClientSession(*streams) as session:
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]
        return names, [await session.call_tool(name, arguments) for name, arguments in calls]


@pytest.mark.slow
def test_a_client_gets_the_answers_of_the_commands(folder, monkeypatch):
    """Byte for byte what `-o json` writes; what leads out of the root is refused, and nothing of it shown."""
    import anyio

    calls = [
        ("plan", {**_CALL, "at": "2026-11-23"}),
        ("gate", {**_CALL, "at": "2026-11-23"}),
        ("plan", {**_CALL, "file": ["pools.yaml", "linked"]}),
        ("plan", {**_CALL, "file": ["../secret.yaml", "linked/secret.yaml"]}),
        ("sweep", {}),
    ]
    names, (plan, gate, linked, outside, unknown) = anyio.run(_session, folder, calls)

    assert names == ["plan", "explain", "diff", "suggest", "gate"]
    monkeypatch.chdir(folder)
    for answer, command in ((plan, ["plan", *_PLAN, *_AT]), (gate, ["gate", *_PLAN, *_AT])):
        expected = CliRunner().invoke(main, command).stdout
        assert not answer.is_error
        assert answer.content[0].text == expected
        assert answer.structured_content == json.loads(expected)
    assert gate.structured_content["passed"] is False
    assert [each.is_error for each in (linked, outside, unknown)] == [True] * 3
    assert "linked/secret.yaml: cannot be read: outside of the folders" in linked.content[0].text
    assert outside.content[0].text.count("is outside of the folders") == 2
    assert "no tool 'sweep'" in unknown.content[0].text
    refusals = "".join(content.text for each in (linked, outside, unknown) for content in each.content)
    assert "Traceback" not in refusals
    assert "secret-of-another" not in refusals


@pytest.mark.slow
def test_commands_see_no_credentials():
    from cutlist_cli.assistants.server import environment

    variables = {"AWS_REGION": "us-west-2", "AWS_SECRET_ACCESS_KEY": "a", "KUBECONFIG": "b", "PULUMI_ACCESS_TOKEN": "c"}
    assert environment({**variables, "PATH": "/bin"}) == {"AWS_REGION": "us-west-2", "PATH": "/bin"}


@pytest.mark.parametrize("root", ["gone", "workloads.yaml"])
def test_a_root_is_a_folder(root, folder, monkeypatch):
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, ["mcp", "--root", root])
    assert (result.exit_code, "is not a folder" in result.stderr) == (2, True)
