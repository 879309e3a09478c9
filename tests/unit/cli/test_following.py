"""`cutlist serve` and `--watch`: answers that follow the files, mistakes and all."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import cutlist.catalog
from cutlist import disrupt, nodes, read_inputs
from cutlist.verbs.nodes.glance import render_glance
from cutlist_cli import main, terminal
from tests.sample import POOLS, SHOP, SNAPSHOT, WORKLOADS

pytest.importorskip("watchfiles", reason="watchfiles, which notices changes, is not installed; the extra watch has it")


@pytest.fixture
def files(tmp_path) -> Path:
    """A folder with the NodePools and the workloads of the docs."""
    for name in ("pools.yaml", "workloads.yaml"):
        (tmp_path / name).write_text((SHOP / name).read_text())
    return tmp_path


# Whoever runs these tests in the background of a shell has taught them to ignore Ctrl-C.
_AS_IN_A_TERMINAL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from cutlist import disrupt, nodes, read_inputs
from cutlist.verbs.nodes.glance import render_glance
from cutlist_cli import main, terminal
main()
"""


@pytest.fixture
def started(files) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Runs a command on that folder until the test is over."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _AS_IN_A_TERMINAL, *arguments]
        given = ["-f", str(files), "--region", "us-west-2"]
        running.append(subprocess.Popen([*command, *given], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def _line(process: subprocess.Popen[str], pattern: str) -> str:
    for line in process.stdout:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"ended without {pattern!r}")


def _page(address: str, wanted: str) -> str:
    """The page at an address as soon as it has these words."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own server
            text = answer.read().decode()
        if wanted in text:
            return text
        time.sleep(0.1)
    raise AssertionError(f"no page with {wanted!r}")


@pytest.mark.slow
def test_the_served_page_follows_the_files_into_mistakes_and_out_of_them(started, files):
    process = started("serve", "--port", "0")
    address = re.search(r"http://127\.0\.0\.1:\d+/", _line(process, "http://")).group()
    app = (files / "workloads.yaml").read_text()
    assert "deployment/trainer" in _page(address, "Plan for us-west-2</title>")
    (files / "workloads.yaml").write_text(app.replace("replicas: 12", "replicas: -12"))
    assert "-12" in _page(address, "problem in the files")
    (files / "workloads.yaml").write_text(app.replace("replicas: 12", "replicas: 24"))
    assert "for 24 pods" in _page(address, "Plan for us-west-2</title>")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


@pytest.mark.thorough
@pytest.mark.slow
def test_the_served_page_follows_the_plan_of_before(started, files):
    arguments = ["plan", "-f", str(files), "--region", "us-west-2", "-o", "json"]
    before = files.parent / f"{files.name}-before.json"
    before.write_text("{}")
    process = started("serve", "--port", "0", "--before", str(before))
    address = re.search(r"http://127\.0\.0\.1:\d+/", _line(process, "http://")).group()
    assert before.name in _page(address, "problem in the files")
    before.write_text(CliRunner().invoke(main, arguments).stdout)
    assert "No change: nodes, price and pending pods are as before." in _page(address, "Plan for us-west-2</title>")


@pytest.mark.slow
def test_a_watched_plan_is_written_anew_at_each_change(started, files):
    process = started("plan", "--watch")
    app = (files / "workloads.yaml").read_text()
    assert "for 12 pods" in _line(process, " a month.*: ")
    (files / "workloads.yaml").write_text(app.replace("replicas: 12", "replicas: -12"))
    assert _line(process, "^Found 1 problem")
    (files / "workloads.yaml").write_text(app.replace("replicas: 12", "replicas: 24"))
    assert "for 24 pods" in _line(process, " a month.*: ")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "-f", "-"],
        ["serve", "-f", ".", "--before", "-"],
        ["plan", "-f", "-", "--watch"],
        ["explain", "web", "-f", "-", "--watch"],
    ],
)
def test_standard_input_cannot_be_followed(arguments):
    result = CliRunner().invoke(main, [*arguments, "--region", "us-west-2"], input="")
    assert result.exit_code == 2
    assert "standard input (-) can be read once only" in result.stderr


_REGION = ("--region", "us-west-2")
_FOLLOWED = {
    "plan": ("plan", "-f", "FOLDER", *_REGION),
    "types": ("types", "-f", "FOLDER", *_REGION, "--limit", "3"),
    "explain": ("explain", "deployment/web", "-f", "FOLDER", *_REGION),
    "diff": ("diff", "pools.yaml", "FOLDER/pools.yaml", "-f", "FOLDER/workloads.yaml", "--cluster", "snapshot.yaml", *_REGION),
    "git": ("diff", "--git", "HEAD", "FOLDER", *_REGION),
    "disrupt": ("disrupt", "-f", "FOLDER", "-f", "snapshot.yaml", *_REGION),
    "why": ("why", "deployment/web", "-f", "FOLDER", *_REGION),
    "nodes": ("nodes", "-f", "FOLDER/pools.yaml", "-f", "snapshot.yaml", *_REGION, "--catalog", "FOLDER/catalogue"),
}
_each = pytest.mark.parametrize("command", _FOLLOWED.values(), ids=_FOLLOWED)


@pytest.fixture
def in_place(tmp_path, monkeypatch) -> Path:
    """A folder of manifests in a repository that is the working directory, cluster and pools of the docs beside it."""
    folder = tmp_path / "manifests"
    _catalogue(folder / "catalogue" / "aws")
    for source in (POOLS, WORKLOADS):
        (folder / source.name).write_text(source.read_text())
    for source in (POOLS, SNAPSHOT):
        (tmp_path / source.name).write_text(source.read_text())
    for arguments in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    return folder


def _catalogue(folder: Path) -> None:
    """What comes with Cutlist, as a folder of one's own."""
    data = Path(cutlist.catalog.__file__).parent / "data" / "aws"
    (folder / "regions").mkdir(parents=True)
    for name in ("machines.tsv", "regions/us-west-2.tsv"):
        (folder / name).write_text((data / name).read_text())


def _named(command: tuple[str, ...], folder: Path) -> list[str]:
    return [word.replace("FOLDER", folder.name) for word in command]


def _at_a_glance(folder: Path) -> str:
    """What `nodes` shows of the cluster while it is watched."""
    inputs = read_inputs([folder / "pools.yaml", "snapshot.yaml"], region="us-west-2", catalog=folder / "catalogue")
    return render_glance(nodes(inputs), disrupt(inputs), terminal.width())


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@_each
def test_every_answer_follows_all_files_that_its_options_name(in_place, monkeypatch, command):
    """An answer, a mistake in a file, and an answer again; what is followed is every path of the command line."""
    followed = []

    def changes(paths):
        followed.extend(paths)
        pools = in_place / "pools.yaml"
        right = pools.read_text()
        yield
        pools.write_text(right.replace("kind: NodePool", "kind: NodePool\nkind: twice", 1))
        yield
        pools.write_text(right)
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    once = CliRunner().invoke(main, _named(command, in_place))
    assert once.exit_code == 0, once.output
    shown = _at_a_glance(in_place) if command[0] == "nodes" else once.stdout
    result = CliRunner().invoke(main, [*_named(command, in_place), "--watch"])
    assert result.exit_code == 0
    assert result.stdout.strip() == (shown + shown).strip()
    assert result.stderr.count("the key 'kind' is written twice") == 1
    paths = {word for word in _named(command, in_place) if word.startswith(in_place.name) or word.endswith(".yaml")}
    assert set(followed) == paths


@_each
@pytest.mark.parametrize("form", ["markdown", "html", "json", "yaml", "csv"])
def test_only_text_is_watched(command, form):
    """Other forms are for programs, which could not tell one answer from the next; the page has a command of its own."""
    result = CliRunner().invoke(main, [*command, "--watch", "-o", form])
    assert result.exit_code == 2
    assert f"--watch shows text and not {form}" in result.stderr
    assert "cutlist serve" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--region: no region is given"),
        pytest.param(["--region", "us-wst-2"], "region 'us-wst-2' is not in the catalogue", marks=pytest.mark.thorough),
        pytest.param(
            ["--region", "us-west-2", "--zone", "us-west-2x"],
            "zone 'us-west-2x' is not in us-west-2",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_an_option_that_no_file_can_mend_is_refused_at_once(files, monkeypatch, arguments, said):
    """A page that says so forever would help nobody. One process of a server shows it; the next test has more mistakes."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    command = [sys.executable, "-c", "from cutlist_cli.__main__ import run; run()", "serve", "-f", str(files), "--port", "0"]
    result = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert said in result.stderr


@pytest.mark.parametrize("command", ["plan", "types", "explain", "disrupt", "nodes"])
def test_a_mistake_that_no_file_can_mend_ends_it_at_once(in_place, monkeypatch, command):
    """An unknown region would be reported forever; what is wrong besides is reported with it."""
    monkeypatch.setattr("cutlist_cli.serving.changes.changes", lambda paths: iter([None] * 3))
    arguments = [word.replace("us-west-2", "us-wst-2") for word in _named(_FOLLOWED[command], in_place)]
    result = CliRunner().invoke(main, [*arguments, "--watch"])
    assert result.exit_code == 2
    assert result.stderr.count("us-wst-2") == 1


@pytest.mark.parametrize(("command", "option"), [("plan", "--strict"), ("diff", "--strict")])
def test_what_goes_on_has_no_exit_code(command, option):
    result = CliRunner().invoke(main, [*_FOLLOWED[command], option, "--watch"])
    assert result.exit_code == 2
    assert f"there is no exit code for {option}" in result.stderr


def test_stacks_are_not_followed(tmp_path, monkeypatch):
    """Their plan comes out of a program, which may read whatever it likes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Pulumi.yaml").write_text("name: x")
    result = CliRunner().invoke(main, ["diff", "dev", "staging", "--watch"])
    assert result.exit_code == 2
    assert "dev is a stack" in result.stderr
