"""`fetch: true` in a project's file, and changes that bring it in: they do not turn it on where they are judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.fetch.charts import files_of, packed
from tests.fetch.repositories import commit, git
from tests.fetch.servers import Remote
from tests.fetch.test_reading import release, repository
from tests.recorded import PROJECT

Run = Callable[..., Result]

pytestmark = pytest.mark.usefixtures("helm")

PLAIN = "region: us-west-2\nhelm: true\n"
FETCHING = f"{PLAIN}fetch: true\n"


@pytest.fixture
def project(remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a release of a chart that a server has, whose project's file does not fetch."""
    remote.add_chart("lamp", "1.4.0", packed("lamp", files_of("lamp", "1.4.0")))
    folder = tmp_path / "project"
    apps = {"apiVersion": "v1", "kind": "List", "items": [repository(remote), release("lamp")]}
    pools = (PROJECT / "examples/shop/pools.yaml").read_text()
    commit(folder, {"cutlist.yaml": PLAIN, "apps.json": json.dumps(apps), "pools.yaml": pools})
    monkeypatch.setenv("CUTLIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    return folder


def run(*words: str) -> Result:
    """Run a command on the files of the project."""
    files = ("-f", "apps.json", "-f", "pools.yaml")
    return CliRunner().invoke(main, [*words, *files, "-o", "json"])


def test_the_file_asks_to_fetch(project: Path, remote: Remote) -> None:
    """It writes the lock beside it, as the option does."""
    (project / "cutlist.yaml").write_text(FETCHING)
    plan = json.loads(run("plan").stdout)
    assert plan["inputs"]["open"] == []
    assert (project / "cutlist.lock").exists()
    assert remote.asked


def test_a_change_that_asks_to_fetch_is_compared_without_it(project: Path, remote: Remote) -> None:
    """The file at the revision decides: who writes a change does not turn on the network of who judges it."""
    (project / "cutlist.yaml").write_text(FETCHING)
    result = run("diff", "--git", "HEAD", "--allow-empty")
    assert (remote.asked, (project / "cutlist.lock").exists()) == ([], False)
    assert "fetch in the project's file does not count, since the file has it not at HEAD; --fetch does" in result.stderr


def test_a_project_that_fetches_already_is_compared_with_it(project: Path, remote: Remote) -> None:
    (project / "cutlist.yaml").write_text(FETCHING)
    git(project, "commit", "-qam", "fetch")
    result = run("diff", "--git", "HEAD", "--allow-empty")
    assert (result.exit_code, bool(remote.asked), (project / "cutlist.lock").exists()) == (0, True, True)


def test_the_option_counts_whatever_the_file_says(project: Path, remote: Remote) -> None:
    run("diff", "--git", "HEAD", "--allow-empty", "--fetch")
    assert remote.asked


def test_the_gates_fetch_only_by_their_option(project: Path, remote: Remote) -> None:
    """They know no revision to compare with, and may judge the change that asks to fetch."""
    (project / "cutlist.yaml").write_text(FETCHING)
    result = run("gate")
    assert remote.asked == []
    assert "fetch in the project's file does not count for gate, which may judge a change to it; --fetch does" in result.stderr
    run("gate", "--fetch")
    assert remote.asked
