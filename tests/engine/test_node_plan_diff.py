"""What a person sees in `pulumi preview --diff` when a NodePool changes: old and new nodes, and old and new price."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.engine.engine import Engine, copied, program

pytestmark = pytest.mark.xdist_group("engine-diff")

Edit = Callable[[str, str], str]


@pytest.fixture(scope="module")
def after(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Edit:
    """The part about the NodePlan of the diff that a preview shows after an edit of dev's NodePools: old text, new text."""
    project = copied(tmp_path_factory.mktemp("project"))
    stack = engine.stack("dev", project, program(project))
    stack.up(color="never")
    pools = project / "stacks" / "dev" / "node-pools.yaml"
    written = pools.read_text()

    def diff(old: str, new: str) -> str:
        assert old in written
        pools.write_text(written.replace(old, new, 1))
        try:
            shown = stack.preview(diff=True, color="never").stdout
        finally:
            pools.write_text(written)
        found = re.search(r"~ cutlist:index:NodePlan: \(update\)\n(.*?)\n    [~+-] \w+:", shown, re.DOTALL)
        return found[1] if found else ""

    return diff


def test_other_nodes_and_another_price(after: Edit):
    """A pool without spot: the kinds that go, the kinds that come, and what that does to the bill, each in a line."""
    diff = after("values: [spot, on-demand]", "values: [on-demand]")
    lines = [line.strip() for line in diff.splitlines()]
    assert any(re.fullmatch(r"- c6gd?\.2xlarge spot *: 1", line) for line in lines)
    assert any(re.fullmatch(r"\+ \S+ on-demand *: \d", line) for line in lines)
    price = r"(?:about )?\$[\d.]+/h, (?:about )?\$[\d.]+/month"
    assert any(re.fullmatch(rf'~ price: "{price}" => "{price}"', line) for line in lines)
    assert any(re.fullmatch(r"~ pricePerMonth *: [\d.]+ => [\d.]+", line) for line in lines)
    assert "..." not in diff


def test_pods_that_lose_their_node(after: Edit):
    """A limit that is too low: which workload stays pending, how many pods of it, and why."""
    diff = after('cpu: "200"', 'cpu: "8"')
    assert re.search(r'\+ shop/deployment/web: "12 pods: NodePool general: ', diff)
    assert re.search(r"~ pending *: 0 => \d+", diff)


def test_an_edit_that_moves_no_node(after: Edit):
    """The plan's diff has no node; that measures differ, by which gates compare NodePools as registered, is one line."""
    diff = [line.strip() for line in after("consolidateAfter: 1m", "consolidateAfter: 2m").splitlines()]
    assert diff == ["[urn=urn:pulumi:dev::cutlist::cutlist:index:NodePlan::nodes]", "~ measures (hidden)"]
