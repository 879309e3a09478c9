"""What commands write: whole files, nothing beside them, and nothing over what they read."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import cutlist_cli
from cutlist.core.errors import InputError
from cutlist_cli import main
from cutlist_cli.files import write_file
from cutlist_live.snapshot import Snapshot
from tests.unit.planning.manifests import deployment

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec: {template: {spec: {requirements: [], nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}}}}
"""


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_everything_as_before(error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.json"
    path.write_text("before")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_file(str(path), "after")
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_file(str(tmp_path / "new.json"), "after")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_file_keeps_its_permissions_and_a_link_its_place(tmp_path: Path):
    path, link = tmp_path / "a.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(str(link), "after")
    assert link.is_symlink()
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("after", 0o640)


def test_a_folder_is_not_written(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be written: is a directory"):
        write_file(str(tmp_path), "text")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pools.yaml").write_text(POOL)
    (tmp_path / "plan.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("gate -f pools.yaml --region us-west-2 --also-to json=pools.yaml", "--also-to"),
        ("gate -f . --region us-west-2 --also-to json=./pools.yaml", "--also-to"),
        ("gate -f pools.yaml --region us-west-2 --before plan.json --also-to json=plan.json", "--also-to"),
        ("gate -f pools.yaml --region us-west-2 --gates pools.yaml --also-to json=pools.yaml", "--also-to"),
        ("convert -f pools.yaml --to pools.yaml", "--to"),
        ("convert -f pools.yaml --to new.yaml --values new.yaml", "--values"),
    ],
)
def test_no_output_is_written_over_an_input(words: str, option: str, folder: Path):
    result = CliRunner().invoke(main, words.split())
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{option}: ")
    assert (folder / "pools.yaml").read_text() == POOL
    assert not (folder / "new.yaml").exists()


@pytest.mark.parametrize("words", ["plan -f pools.yaml --region us-west-2 --to", "convert -f pools.yaml --to"])
def test_an_output_without_a_name_is_refused(words: str, folder: Path):
    """It is a variable of a script that is not set."""
    result = CliRunner().invoke(main, [*words.split(), ""])
    assert (result.exit_code, result.stderr.startswith("--to: the name of the file is empty")) == (2, True)


def test_two_forms_do_not_share_a_file(folder: Path):
    result = CliRunner().invoke(
        main, ["gate", "-f", "pools.yaml", "--region", "us-west-2", "--also-to", "json=gate.out", "--also-to", "sarif=gate.out"]
    )
    assert (result.exit_code, "gate.out is written already" in result.stderr) == (2, True)
    assert not (folder / "gate.out").exists()


def test_an_answer_is_written_again_where_manifests_lie(folder: Path):
    """The file of the run before is not a manifest, so it is not an input."""
    words = ["gate", "-f", ".", "--external-class", "a", "--region", "us-west-2", "--also-to", "json=gate.json"]
    first, second = (CliRunner().invoke(main, words) for _ in range(2))
    assert first.exit_code == second.exit_code != 2
    assert (folder / "gate.json").exists()


OPEN = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260625}]
  metadataOptions: {httpTokens: optional}
"""
OLD = """apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: general}
spec: {template: {spec: {requirements: [], nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: a}}}}
"""
WRITERS = {
    "gate --write": ("gate -f mine --region us-west-2 --write", OPEN),
    "convert --write": ("convert -f mine --write", OLD),
    "gate --also-to": ("gate -f pools.yaml --region us-west-2 --also-to json=mine/w.yaml", POOL),
    "plan --to": ("plan -f pools.yaml --external-class a --allow-empty --region us-west-2 --to mine/w.yaml", POOL),
    "simulate --save": (
        "simulate -f pools.yaml --external-class a --region us-west-2 --days 1 --until 1h --allow-empty --save mine/w.yaml",
        POOL,
    ),
}


@pytest.mark.parametrize("through", ["a file", "a folder"])
@pytest.mark.parametrize("words", WRITERS)
def test_no_command_writes_through_a_link_out_of_the_folder(words: str, through: str, folder: Path):
    line, text = WRITERS[words]
    strangers = folder.with_name(f"{folder.name}-strangers")
    strangers.mkdir()
    (strangers / "w.yaml").write_text(text)
    if through == "a file":
        (folder / "mine").mkdir()
        (folder / "mine/w.yaml").symlink_to(strangers / "w.yaml")
    else:
        (folder / "mine").symlink_to(strangers)
    result = CliRunner().invoke(main, line.split())
    assert (strangers / "w.yaml").read_text() == text, result.output
    assert [path.name for path in strangers.iterdir()] == ["w.yaml"]
    assert "leads out of its folder" in result.output, result.output


WIDE = POOL.replace("requirements: []", "requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]")
FLEET = """defaults: {region: us-west-2, plans: 2}
environments: [{name: shop, file: [fleet], external-class: a}]
"""
OF_CLUSTER = Snapshot(datetime(2026, 6, 1, tzinfo=UTC), (), documents=tuple(yaml.safe_load_all(POOL)))
ALL_WRITERS = {
    **WRITERS,
    "snapshot": ("snapshot --to mine/w.yaml", POOL),
    "suggest --write": (
        "suggest -f mine -f fleet/app.yaml --external-class a --plans 9 --allow spot --region us-west-2 --write 1",
        WIDE,
    ),
    "suggest --fleet --resume": ("suggest --fleet fleet.yaml --resume mine", ""),
}
HALTS = ["a full disk", "a read-only folder", "a signal"]
SLOW = pytest.mark.thorough  # each looks for NodePools, and writes by the same function as the others


def halted(how: str, words: str) -> tuple[int, str]:
    """Return how a process ends that is halted while its command writes, and what it says."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        opened = os.open

        def fails(name: object, *of: object, **more: object) -> int:
            if str(name).endswith(".part"):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return opened(name, *of, **more)

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        if how == "a read-only folder":
            os.open = fails
        else:
            os.fsync = full if how == "a full disk" else lambda _: os.kill(os.getpid(), signal.SIGKILL)
        result = CliRunner().invoke(main, words.split())
        os.write(write, result.output[-4000:].encode())
        os._exit(result.exit_code)
    os.close(write)
    with open(read, encoding="utf-8") as said:
        output = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("how", HALTS)
@pytest.mark.parametrize("words", [pytest.param(w, marks=[SLOW] if w.startswith("suggest") else []) for w in ALL_WRITERS])
def test_a_command_that_is_halted_while_it_writes_leaves_files_as_they_were(
    words: str, how: str, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    line, text = ALL_WRITERS[words]
    (folder / "mine").mkdir()
    (folder / "mine/w.yaml").write_text(text)
    (folder / "fleet.yaml").write_text(FLEET)
    (folder / "fleet").mkdir()
    (folder / "fleet/pool.yaml").write_text(WIDE)
    (folder / "fleet/app.yaml").write_text(deployment("web", cpu="3"))
    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", lambda *_, **__: OF_CLUSTER)
    code, said = halted(how, line)
    assert code == (-signal.SIGKILL if how == "a signal" else 2), said
    assert (folder / "mine/w.yaml").read_text() == text
    assert [path.name for path in (folder / "mine").iterdir() if path.suffix == ".yaml"] == ["w.yaml"]
    if how != "a signal":
        assert "cannot be written" in said, said


def test_nothing_is_converted_where_one_file_leads_out(folder: Path):
    (folder / "mine").mkdir()
    (folder / "mine/a.yaml").write_text(OLD)
    (folder / "mine/b.yaml").symlink_to(folder / "elsewhere.yaml")
    (folder / "elsewhere.yaml").write_text(OLD.replace("general", "other"))
    assert CliRunner().invoke(main, ["convert", "-f", "mine", "--write"]).exit_code == 2
    assert (folder / "mine/a.yaml").read_text() == OLD


ENDED = """
import os, resource, signal, sys
from cutlist_cli.files import write_file
from cutlist_live.snapshot import Snapshot
from tests.unit.planning.manifests import deployment
if sys.argv[1] == "a full disk":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
else:
    os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_file(sys.argv[2], "after" * 100_000)
"""


@pytest.mark.parametrize("how", ["a full disk", "a signal"])
def test_a_file_is_written_whole_or_not_at_all(how: str, tmp_path: Path):
    """Every command writes by this function."""
    path = tmp_path / "a.yaml"
    path.write_text("before")
    ended = subprocess.run([sys.executable, "-c", ENDED, how, str(path)], capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".yaml"] == ["a.yaml"]  # what is read from the folder
    if how == "a full disk":
        assert "cannot be written" in ended.stderr
        assert len(list(tmp_path.iterdir())) == 1


def test_commands_write_by_no_other_function():
    """Others write to folders that they make themselves, or to the project that they copy, after the same check."""
    known = {"files.py", "__main__.py", "new_stack.py"}
    writing = re.compile(r"write_text|write_bytes|open\([^)]*[\"'][wax]b?\+?[\"']")
    commands = Path(cutlist_cli.__file__).parent.rglob("*.py")
    assert {path.name for path in commands if writing.search(path.read_text("utf-8"))} <= known
