"""`cutlist top`: a cluster at a glance, the most expensive nodes first, as many as there is room for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
import yaml
from click.testing import CliRunner
from rich.cells import cell_len

from cutlist import disrupt, nodes, read_inputs
from cutlist.core.errors import CutlistError
from cutlist.verbs.nodes.glance import render_glance
from cutlist_cli import main
from tests.sample import POOLS, SNAPSHOT

FILES = [str(POOLS), str(SNAPSHOT)]
ARGUMENTS = ["top", *(word for file in FILES for word in ("-f", file)), "--region", "us-west-2"]


@pytest.fixture(scope="module")
def cluster():
    inputs = read_inputs(FILES, region="us-west-2")
    return nodes(inputs), disrupt(inputs)


def test_a_cluster_begins_with_its_cost_and_what_comes_next():
    result = CliRunner().invoke(main, ARGUMENTS)
    assert (result.exit_code, result.stderr) == (0, "")
    first, *lines = result.stdout.splitlines()
    assert first == "$458* a month: 4 nodes in us-west-2, 2026-01-05 11:40:00Z"
    assert "next     emptiness deletes 1 node and saves $19.47* a month" in lines
    names = [line.split()[0] for line in lines if line.startswith("ip-")]
    assert names == ["ip-10-0-1-11", "ip-10-0-1-12", "ip-10-0-2-21", "ip-10-0-3-31"]
    assert any(line.startswith("ip-10-0-3-31") and line.endswith("  next") for line in lines)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(cluster, width):
    assert all(cell_len(line) <= width for line in render_glance(*cluster, width).splitlines())


@pytest.mark.parametrize("rows", range(11, 20))
def test_the_screen_is_not_longer_than_the_terminal(cluster, rows):
    lines = render_glance(*cluster, 100, rows=rows).splitlines()
    assert len(lines) <= rows
    shown = sum(line.startswith("ip-") for line in lines)
    assert (f"and {4 - shown} more" in lines[-1]) == (shown < 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--context", "prod"], "--context and -f exclude each other: --context names a live cluster, -f files"),
        (["--every", "0"], "0 is not in the range"),
    ],
)
def test_options_that_do_nothing_are_refused(arguments, message):
    result = CliRunner().invoke(main, [*ARGUMENTS, *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_folder_without_nodes_is_no_answer():
    assert CliRunner().invoke(main, ["top", "-f", FILES[0], "--region", "us-west-2"]).exit_code == 2


OBJECTS = [*yaml.safe_load_all(POOLS.read_text()), *yaml.safe_load_all(SNAPSHOT.read_text())]
NODE = "ip-10-0-3-31"
CLEARED = "<cleared>"


@pytest.fixture
def screens(monkeypatch) -> Callable[..., list[str]]:
    """Runs the command as on a terminal until Ctrl-C, and returns what was on the screen after each time it was cleared."""
    monkeypatch.setattr("cutlist_cli.top.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    monkeypatch.setattr("cutlist_cli.terminal.clear", lambda: click.echo(CLEARED))

    def run(*arguments: str) -> list[str]:
        result = CliRunner().invoke(main, ["top", *arguments, "--region", "us-west-2"])
        assert result.exit_code == 0, result.output
        before, *shown = result.output.split(f"{CLEARED}\n")
        assert before == ""
        return shown

    return run


def _without_the_node(objects: list[dict]) -> list[dict]:
    """The objects of a cluster after a node of it is removed, with its NodeClaim and its pods."""
    return [each for each in _items(objects) if NODE not in json.dumps(each)]


def _items(objects: list[dict]) -> Iterator[dict]:
    for each in objects:
        yield from each["items"] if each["kind"] == "List" else [each]


def test_a_live_cluster_is_read_again_and_again(monkeypatch, screens):
    """Also after a time in which it does not answer: why is shown until it does."""
    waits: list[float] = []

    def cluster(*_, **__):
        if len(waits) == 1:
            raise CutlistError("the API server does not answer")
        objects = _without_the_node(OBJECTS) if len(waits) == 2 else OBJECTS
        return SimpleNamespace(as_json=lambda: json.dumps({"apiVersion": "v1", "kind": "List", "items": list(_items(objects))}))

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", cluster)
    monkeypatch.setattr("cutlist_cli.top.time.sleep", sleep)
    first, failed, last = screens("--every", "7")
    assert waits == [7, 7, 7]
    assert (" 4 nodes in us-west-2" in first, NODE in first) == (True, True)
    assert failed.strip() == "error: the API server does not answer"
    assert (" 3 nodes in us-west-2" in last, NODE in last) == (True, False)


def test_a_cluster_that_cannot_be_read_at_all_ends_it(monkeypatch):
    def cluster(*_, **__):
        raise CutlistError("the API server does not answer")

    monkeypatch.setattr("cutlist_cli.top.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", cluster)
    result = CliRunner().invoke(main, ["top", "--region", "us-west-2"])
    assert result.exit_code == 2
    assert result.stderr.strip() == "error: the API server does not answer"


def test_files_of_a_cluster_are_followed(monkeypatch, screens, tmp_path: Path):
    """Into a mistake and out of it."""
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all(OBJECTS))

    def changes(paths):
        assert paths == [str(file)]
        yield
        file.write_text("kind: [")
        yield
        file.write_text(yaml.safe_dump_all(_without_the_node(OBJECTS)))
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    first, failed, last = screens("-f", str(file))
    assert (" 4 nodes in us-west-2" in first, NODE in first) == (True, True)
    assert "is not YAML" in failed
    assert (" 3 nodes in us-west-2" in last, NODE in last) == (True, False)


def test_leaving_a_mistake_is_not_the_end_of_an_answer(monkeypatch, tmp_path: Path):
    """What is on the screen when the user leaves decides: here a file that cannot be read."""
    file = tmp_path / "cluster.yaml"
    file.write_text("kind: [")

    def changes(_):
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.top.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    result = CliRunner().invoke(main, ["top", "-f", str(file), "--region", "us-west-2"])
    assert result.exit_code == 2
    assert "interrupted" not in result.stderr
