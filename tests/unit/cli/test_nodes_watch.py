"""`cutlist nodes --watch`: a cluster at a glance, the most expensive nodes first, as many as there is room for."""

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
from cutlist.verbs.nodes.selection import Selection
from cutlist_cli import main
from cutlist_cli.input_options import InputOptions
from tests.sample import POOLS, SNAPSHOT

FILES = [str(POOLS), str(SNAPSHOT)]
NODES = ["nodes", *(word for file in FILES for word in ("-f", file))]
REGION = ["--region", "us-west-2"]


@pytest.fixture(scope="module")
def cluster():
    inputs = read_inputs(FILES, region="us-west-2")
    return nodes(inputs), disrupt(inputs)


def test_a_cluster_begins_with_its_cost_and_what_comes_next(cluster):
    first, *lines = render_glance(*cluster, 100).splitlines()
    assert first == "About $453 a month ($445 to $463): 4 nodes in us-west-2, 2026-01-05 11:40:00Z"
    assert "next     emptiness deletes 1 node and saves about $17 a month" in lines
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


def test_nodes_are_chosen_ordered_and_labelled(cluster):
    """The sums stay those of the cluster, and a line says how many of its nodes are shown."""
    selection = Selection(sort="cpu", wanted=("karpenter.sh/capacity-type=spot",), labels=("topology.kubernetes.io/zone",))
    lines = render_glance(*cluster, 120, selection=selection).splitlines()
    assert lines[0].startswith("About $453 a month")
    assert "shown    2 of 4 nodes: karpenter.sh/capacity-type=spot" in lines
    (title,) = (line for line in lines if line.startswith("node "))
    assert title.split()[-1] == "zone"
    rows = [line.split() for line in lines if line.startswith("ip-")]
    assert [(row[0], row[-1]) for row in rows] == [("ip-10-0-2-21", "us-west-2b"), ("ip-10-0-3-31", "us-west-2c")]


@pytest.mark.parametrize(
    ("sort", "first"), [("name", 11), ("price", 11), ("cpu", 21), ("memory", 11), ("pods", 11), ("age", 11)]
)
def test_each_order_has_its_first_node_and_reversed_its_last(cluster, sort, first):
    nodes_in_order = [node.name for node in Selection(sort).of(cluster[0].nodes)]
    assert nodes_in_order[0].endswith(str(first))
    assert [node.name for node in Selection(sort, is_reversed=True).of(cluster[0].nodes)] == nodes_in_order[::-1]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ("karpenter.sh/capacity-type", 4),
        ("karpenter.sh/capacity-type=spot", 2),
        ("karpenter.sh/capacity-type==spot", 2),
        ("karpenter.sh/capacity-type!=spot", 2),
        ("team!=web", 4),
        ("team", 0),
    ],
)
def test_selectors_mean_what_kubectl_s_mean(cluster, wanted, count):
    """`!=` also holds of nodes without the label."""
    assert len(Selection(wanted=(wanted,)).of(cluster[0].nodes)) == count


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-l", "karpenter.sh/capacity=spot"], "did you mean karpenter.sh/capacity-type?"),
        (["-l", "karpenter.sh/capacity-type=x"], "allowed: karpenter.sh/capacity-type in on-demand, spot"),
        (["-l", "=spot"], "'=spot' names no label"),
        (["--sort", "cpu", "-o", "json"], "choose what text shows"),
    ],
)
def test_a_selection_that_shows_nothing_is_an_error(arguments, message):
    result = CliRunner().invoke(main, [*NODES, *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


_FOR_A_LIVE_CLUSTER = " is for a live cluster, which --watch reads where there is neither -f nor --from-plan"
_FOR_WHAT_COMES_NEXT = " is for what Karpenter does next, which --watch shows where a region is known"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*REGION, "--watch", "--context", "prod"], f"--context{_FOR_A_LIVE_CLUSTER}"),
        ([*REGION, "--watch", "--every", "3"], f"--every{_FOR_A_LIVE_CLUSTER}"),
        (["--context", "prod"], f"--context{_FOR_A_LIVE_CLUSTER}"),
        (["--watch", "--zone", "us-west-2a"], f"--zone{_FOR_WHAT_COMES_NEXT}"),
        ([*REGION, "--karpenter", "1.13"], f"--karpenter{_FOR_WHAT_COMES_NEXT}"),
        ([*REGION, "--every", "0"], "0 is not in the range"),
        ([*REGION, "--watch", "-o", "json"], "--watch shows text and not json"),
    ],
)
def test_options_that_do_nothing_are_refused(arguments, message, monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(main, [*NODES, *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_setting_of_the_project_is_not_refused(monkeypatch, tmp_path: Path):
    """It is for all commands of the folder."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "cutlist.yaml").write_text("zone: us-west-2a\nregion: us-west-2\n")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, NODES).exit_code == 0


OBJECTS = [*yaml.safe_load_all(POOLS.read_text()), *yaml.safe_load_all(SNAPSHOT.read_text())]
NODE = "ip-10-0-3-31"
CLEARED = "<cleared>"


@pytest.fixture
def screens(monkeypatch) -> Callable[..., list[str]]:
    """Runs the command with a region until Ctrl-C, and returns what was on the screen after each time it was cleared."""
    monkeypatch.setattr("cutlist_cli.terminal.clear", lambda: click.echo(CLEARED))

    def run(*arguments: str, region: list[str] = REGION) -> list[str]:
        result = CliRunner().invoke(main, ["nodes", "--watch", *arguments, *region])
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


def _listed(objects: list[dict]) -> SimpleNamespace:
    """What a live cluster answers that holds these objects."""
    return SimpleNamespace(as_json=lambda: json.dumps({"apiVersion": "v1", "kind": "List", "items": list(_items(objects))}))


@pytest.fixture
def live(monkeypatch) -> None:
    """A live cluster that holds the sample's, until Ctrl-C after the first time."""

    def leave(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", lambda *_, **__: _listed(OBJECTS))
    monkeypatch.setattr("cutlist_cli.nodes.time", SimpleNamespace(sleep=leave))


@pytest.mark.usefixtures("live")
def test_without_a_region_a_live_cluster_has_the_table_of_files(monkeypatch, screens):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    (shown,) = screens(region=[])
    assert shown == CliRunner().invoke(main, NODES).stdout


@pytest.mark.usefixtures("live")
def test_the_files_of_the_project_are_not_the_live_cluster(monkeypatch, screens, tmp_path: Path):
    """Whoever wants them names them: a project's own files are what it deploys."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "cutlist.yaml").write_text("region: us-west-2\nfile: [nothing.yaml]\n")
    monkeypatch.chdir(tmp_path)
    (shown,) = screens(region=[])
    assert " 4 nodes in us-west-2" in shown


@pytest.mark.usefixtures("live")
def test_settings_of_a_plan_count_for_what_comes_next(monkeypatch, screens):
    asked = {}
    real = InputOptions.read_files

    def read_files(self, *arguments, **others):
        asked.update(self.settings)
        return real(self, *arguments, **others)

    monkeypatch.setattr(InputOptions, "read_files", read_files)
    screens("--zone", "us-west-2a", "--karpenter", "1.14")
    del asked["allow_empty"]  # what is missing is reported beside the nodes
    assert asked == {"region": "us-west-2", "zones": ("us-west-2a",), "karpenter": "1.14"}


@pytest.mark.usefixtures("live")
def test_a_terminal_is_not_overrun(monkeypatch, screens):
    monkeypatch.setattr("cutlist_cli.nodes.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    monkeypatch.setenv("LINES", "13")
    monkeypatch.setenv("COLUMNS", "100")
    (shown,) = screens()
    assert len(shown.splitlines()) <= 13
    assert "more node" in shown


def test_a_live_cluster_is_read_again_and_again(monkeypatch, screens):
    """Also after a time in which it does not answer: why is shown until it does."""
    waits: list[float] = []

    def cluster(*_, **__):
        if len(waits) == 1:
            raise CutlistError("the API server does not answer")
        objects = _without_the_node(OBJECTS) if len(waits) == 2 else OBJECTS
        return _listed(objects)

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", cluster)
    monkeypatch.setattr("cutlist_cli.nodes.time", SimpleNamespace(sleep=sleep))
    first, failed, last = screens("--every", "7")
    assert waits == [7, 7, 7]
    assert (" 4 nodes in us-west-2" in first, NODE in first) == (True, True)
    assert failed.strip() == "error: the API server does not answer"
    assert (" 3 nodes in us-west-2" in last, NODE in last) == (True, False)


def test_a_cluster_that_cannot_be_read_at_all_ends_it(monkeypatch):
    def cluster(*_, **__):
        raise CutlistError("the API server does not answer")

    monkeypatch.setattr("cutlist_cli.snapshot.read_cluster_objects", cluster)
    result = CliRunner().invoke(main, ["nodes", "--watch", "--region", "us-west-2"])
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


def test_files_without_nodes_are_no_answer(monkeypatch):
    """Until there are some."""

    def changes(_):
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    result = CliRunner().invoke(main, ["nodes", "--watch", "-f", FILES[0], *REGION])
    assert (result.exit_code, "no node" in result.stderr) == (2, True)


def test_leaving_a_mistake_is_not_the_end_of_an_answer(monkeypatch, tmp_path: Path):
    """What is on the screen when the user leaves decides: here a file that cannot be read."""
    file = tmp_path / "cluster.yaml"
    file.write_text("kind: [")

    def changes(_):
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    result = CliRunner().invoke(main, ["nodes", "--watch", "-f", str(file), "--region", "us-west-2"])
    assert result.exit_code == 2
    assert "interrupted" not in result.stderr


def test_nodes_without_their_nodepool_are_shown(monkeypatch, screens, tmp_path: Path):
    """As without `--watch`; of each node it says that the NodePool is not there."""
    file = tmp_path / "cluster.yaml"
    file.write_text(yaml.safe_dump_all([o for o in _items(OBJECTS) if o["kind"] != "NodePool"]))

    def changes(_):
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("cutlist_cli.serving.changes.changes", changes)
    (screen,) = screens("-f", str(file))
    assert (" nodes in us-west-2" in screen, "NodePool not found (NodePool=" in screen) == (True, True)
