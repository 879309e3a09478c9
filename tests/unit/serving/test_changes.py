"""Files that change are noticed: saved, replaced, new, gone, and while nobody looks; nothing else is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import pytest

from cutlist_cli.serving.changes import _WatchedPaths, changes

pytest.importorskip("watchfiles", reason="watchfiles, which notices changes, is not installed; the extra watch has it")

Noticed = Callable[..., bool]
SILENCE = 0.5  # seconds without a change; the code under test reports one sooner


@pytest.fixture
def following() -> Iterator[Callable[..., Noticed]]:
    """Follows paths in a thread; what it gives says whether a change was noticed, and waits for one as long as asked."""
    stop, threads = Event(), []

    def follow(*paths: Path, answer: Callable[[], None] = lambda: None) -> Noticed:
        noticed: Queue[None] = Queue()

        def run() -> None:
            for _ in changes([str(path) for path in paths], stop):
                noticed.put(None)
                answer()

        threads.append(Thread(target=run, daemon=True))
        threads[-1].start()
        noticed.get(timeout=10)  # the start
        return lambda within=10: _came(noticed, within)

    yield follow
    stop.set()
    for thread in threads:
        thread.join(timeout=10)


def _came(noticed: Queue[None], within: float) -> bool:
    try:
        noticed.get(timeout=within)
    except Empty:
        return False
    return True


def test_a_file_that_is_saved_is_noticed(following, tmp_path):
    file = tmp_path / "app.yaml"
    file.write_text("a: 1")
    noticed = following(file)
    file.write_text("a: 2")
    assert noticed()


@pytest.mark.slow
def test_a_file_that_is_replaced_is_noticed_each_time(following, tmp_path):
    """As editors do that write beside it first and then rename."""
    file = tmp_path / "app.yaml"
    file.write_text("a: 1")
    noticed = following(file)
    for number in range(3):
        beside = tmp_path / ".app.yaml.swp"
        beside.write_text(f"a: {number}")
        beside.rename(file)
        assert noticed()


@pytest.mark.slow
def test_other_files_beside_it_are_not_noticed(following, tmp_path):
    file = tmp_path / "app.yaml"
    file.write_text("a: 1")
    noticed = following(file)
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "other.yaml").write_text("x")
    assert not noticed(SILENCE)


def test_a_file_that_was_not_there_is_noticed_when_it_comes(following, tmp_path):
    noticed = following(tmp_path / "later.yaml")
    (tmp_path / "later.yaml").write_text("a: 1")
    assert noticed()


@pytest.mark.slow
def test_manifests_in_a_folder_are_noticed_and_other_files_are_not(following, tmp_path):
    (tmp_path / "below").mkdir()
    noticed = following(tmp_path)
    (tmp_path / "below" / "notes.txt").write_text("x")
    assert not noticed(SILENCE)
    (tmp_path / "below" / "app.yml").write_text("a: 1")
    assert noticed()
    (tmp_path / "below" / "app.yml").unlink()
    assert noticed()


def test_files_of_a_catalogue_are_noticed(following, tmp_path):
    (tmp_path / "aws").mkdir()
    noticed = following(tmp_path)
    (tmp_path / "aws" / "machines.tsv").write_text("x")
    assert noticed()


@pytest.mark.slow
def test_folders_that_come_later_are_followed_too(following, tmp_path):
    noticed = following(tmp_path)
    (tmp_path / "new").mkdir()
    assert noticed()
    (tmp_path / "new" / "app.yaml").write_text("a: 1")
    assert noticed()


@pytest.mark.slow
@pytest.mark.parametrize("goes", [lambda folder: folder.rename(folder.with_name("away")), shutil.rmtree])
def test_a_folder_that_goes_and_comes_again_is_followed(following, tmp_path, goes):
    """As it does when another branch is checked out, or manifests are rendered again."""
    folder = tmp_path / "manifests"
    folder.mkdir()
    (folder / "app.yaml").write_text("a: 1")
    noticed = following(folder)
    goes(folder)
    assert noticed()
    while noticed(SILENCE):
        pass
    folder.mkdir()
    assert noticed()
    while noticed(SILENCE):
        pass
    (folder / "app.yaml").write_text("a: 2")
    assert noticed()


def test_what_changes_while_the_answer_is_made_is_noticed_afterwards(following, tmp_path):
    file, busy, go_on = tmp_path / "app.yaml", Event(), Event()
    file.write_text("a: 1")

    def answer() -> None:
        busy.set()
        go_on.wait(10)

    noticed = following(file, answer=answer)
    assert busy.wait(10)
    file.write_text("a: 2")
    go_on.set()
    assert noticed()


def _kustomization(folder: Path, *resources: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kustomization.yaml").write_text(f"resources: [{', '.join(resources)}]\n")
    return folder


def test_what_kustomizations_build_on_is_watched_wherever_it_is(tmp_path):
    """Bases, the bases of these, and the files that they name; nothing else beside them."""
    base = _kustomization(tmp_path / "base", "app.yaml", "../deeper")
    deeper = _kustomization(tmp_path / "deeper", "db.yaml")
    overlay = _kustomization(tmp_path / "overlays" / "prod", "../../base")
    watched = _WatchedPaths([str(overlay)])
    assert set(watched.folders()) >= {str(base), str(deeper), str(overlay)}
    for file in (base / "kustomization.yaml", base / "app.yaml", deeper / "kustomization.yaml", deeper / "db.yaml"):
        assert watched.has(str(file)), file
    assert not watched.has(str(base / "notes.yaml"))


def test_a_base_that_a_change_brings_is_watched_from_then_on(tmp_path):
    for name in ("one", "two"):
        _kustomization(tmp_path / name, "app.yaml")
    overlay = _kustomization(tmp_path / "prod", "../one")
    watched = _WatchedPaths([str(overlay / "kustomization.yaml")])
    assert str(tmp_path / "two") not in watched.folders()
    _kustomization(tmp_path / "prod", "../two")
    assert str(tmp_path / "two") in watched.folders()
    assert watched.has(str(tmp_path / "two" / "app.yaml"))
    assert not watched.has(str(tmp_path / "one" / "app.yaml"))


def test_a_link_is_watched_where_it_is_and_where_it_leads(tmp_path):
    real, folder = tmp_path / "real", tmp_path / "folder"
    real.mkdir()
    folder.mkdir()
    for name in ("a.yaml", "b.yaml"):
        (real / name).write_text("a: 1")
    (folder / "in-folder.yaml").symlink_to(real / "a.yaml")
    (tmp_path / "named.yaml").symlink_to(real / "b.yaml")
    watched = _WatchedPaths([str(folder), str(tmp_path / "named.yaml")])
    assert str(real) in watched.folders()
    assert str(tmp_path) in watched.folders()
    (tmp_path / "named.yaml").unlink()
    (tmp_path / "named.yaml").symlink_to(real / "a.yaml")
    for file in (real / "a.yaml", real / "b.yaml", folder / "in-folder.yaml", tmp_path / "named.yaml"):
        assert watched.has(str(file)), file


@pytest.mark.slow
def test_a_change_of_a_base_elsewhere_is_noticed(following, tmp_path):
    base = _kustomization(tmp_path / "base", "app.yaml")
    (base / "app.yaml").write_text("a: 1")
    noticed = following(_kustomization(tmp_path / "prod", "../base"))
    (base / "app.yaml").write_text("a: 2")
    assert noticed()
