"""`cutlist top`: a cluster at a glance, the most expensive nodes first, as many as there is room for."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from cutlist import disrupt, nodes, read_inputs
from cutlist.report.top.text import render_top
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
    assert all(cell_len(line) <= width for line in render_top(*cluster, width).splitlines())


@pytest.mark.parametrize("rows", range(11, 20))
def test_the_screen_is_not_longer_than_the_terminal(cluster, rows):
    lines = render_top(*cluster, 100, rows=rows).splitlines()
    assert len(lines) <= rows
    shown = sum(line.startswith("ip-") for line in lines)
    assert (f"and {4 - shown} more" in lines[-1]) == (shown < 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--context", "prod"], "--context is for the live cluster, and -f names files instead"),
        (["--every", "0"], "0 is not in the range"),
    ],
)
def test_options_that_do_nothing_are_refused(arguments, message):
    result = CliRunner().invoke(main, [*ARGUMENTS, *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_folder_without_nodes_is_no_answer():
    assert CliRunner().invoke(main, ["top", "-f", FILES[0], "--region", "us-west-2"]).exit_code == 2
