"""The lock and the cache: the next run gets the same, or says what differs; without a network what was fetched is there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.documents.delivery.fetching import ArtifactSource, ChartSource, FetchError, GitSource, Source
from cutlist_live.fetch import Cache, Lock, ToolFetcher, cache_folder
from tests.fetch.charts import files_of, packed, sha256
from tests.fetch.repositories import commit, git, publish
from tests.fetch.servers import Remote

Make = Callable[..., ToolFetcher]

ARTIFACT = "application/vnd.cncf.flux.content.v1.tar+gzip"


@pytest.fixture
def full(remote: Remote, tmp_path: Path, helm: None) -> Remote:
    """A server with one of everything."""
    remote.add_chart("lamp", "1.4.0", packed("lamp", files_of("lamp", "1.4.0")))
    remote.add_artifact("shop/all", "1.0.0", packed("", {"a.yaml": "one"}), ARTIFACT)
    commit(tmp_path / "work", {"a.yaml": "one"}, tag="v1.0.0")
    publish(tmp_path / "work", tmp_path / "repositories", "shop")
    return remote


def sources(remote: Remote) -> list[Source]:
    artifact = ArtifactSource(f"oci://{remote.address}/shop/all", semver="1.x", plain_http=True)
    return [ChartSource(remote.charts, "lamp", "1.x"), GitSource(remote.git("shop")), artifact]


def change(remote: Remote, tmp_path: Path) -> None:
    """Publish newer versions of everything."""
    remote.add_chart("lamp", "1.5.0", packed("lamp", files_of("lamp", "1.5.0")))
    remote.add_artifact("shop/all", "1.1.0", packed("", {"a.yaml": "two"}), ARTIFACT)
    commit(tmp_path / "work", {"a.yaml": "two"})
    git(tmp_path / "work", "push", "-q", "--mirror", str(tmp_path / "repositories/shop.git"))


def content(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("cache", ["cache", "another"])
def test_with_a_lock_a_later_run_gets_the_same_bytes(
    index: int, cache: str, full: Remote, fetcher: Make, tmp_path: Path
) -> None:
    """FE-13: from the cache, and on another machine."""
    source = sources(full)[index]
    first = fetcher(lock=True).fetch(source)
    change(full, tmp_path)
    later = fetcher(lock=True, cache=cache).fetch(source)
    assert content(later.folder) == content(first.folder)
    assert later.digest == first.digest
    assert content(fetcher(cache="third").fetch(source).folder) != content(first.folder)


def test_a_lock_says_what_was_asked_and_what_came(full: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-13: in the order of names, without paths of the machine."""
    for source in reversed(sources(full)):
        fetcher(lock=True).fetch(source)
    written = (tmp_path / "cutlist.lock").read_text()
    head = git(tmp_path / "work", "rev-parse", "HEAD")
    digest = sha256(packed("lamp", files_of("lamp", "1.4.0")))
    chart, artifact, repository = sorted(json.loads(written)["fetched"], key=lambda e: ("git" in e, "artifact" in e))
    assert chart == {"chart": "lamp", "repository": full.charts, "asked": "1.x", "version": "1.4.0", "digest": digest}
    assert repository == {"git": full.git("shop"), "asked": "", "version": "HEAD", "digest": f"sha1:{head}"}
    assert (artifact["asked"], artifact["version"]) == ("semver 1.x", "1.0.0")
    assert str(tmp_path) not in written


def test_a_version_whose_content_has_changed_is_refused(full: Remote, fetcher: Make) -> None:
    """FE-13"""
    source = ChartSource(full.charts, "lamp", "1.4.0")
    before = fetcher(lock=True).fetch(source)
    changed = packed("lamp", {**files_of("lamp", "1.4.0"), "more.txt": "more"})
    full.add_chart("lamp", "1.4.0", changed)
    full.entries["lamp"].pop(0)
    with pytest.raises(FetchError) as caught:
        fetcher(lock=True, cache="another").fetch(source)
    assert f"{sha256(changed)}, and cutlist.lock names {before.digest}" in str(caught.value)
    assert caught.value.allowed == "to remove its entry from cutlist.lock, if the new content is what you want"


@pytest.mark.parametrize("lock", [True, False])
def test_without_a_network_the_cache_answers(lock: bool, full: Remote, fetcher: Make) -> None:
    """FE-14"""
    online = [fetcher(lock=lock).fetch(source) for source in sources(full)]
    full.asked.clear()
    assert [fetcher(lock=lock, offline=True).fetch(source) for source in sources(full)] == online
    assert full.asked == []


def test_without_a_network_what_is_not_in_the_cache_is_refused(full: Remote, fetcher: Make) -> None:
    """FE-14"""
    fetcher(lock=True).fetch(sources(full)[0])
    for one in (fetcher(offline=True, cache="another"), fetcher(lock=True, offline=True, cache="another")):
        with pytest.raises(FetchError, match="is not in the cache") as caught:
            one.fetch(sources(full)[0])
        assert caught.value.allowed == "a run without --offline"
    assert full.asked.count("/charts/lamp-1.4.0.tgz") == 1


def test_with_a_lock_and_the_cache_no_server_is_asked(full: Remote, fetcher: Make) -> None:
    fetcher(lock=True).fetch(sources(full)[1])
    full.asked.clear()
    fetcher(lock=True).fetch(sources(full)[1])
    assert full.asked == []


def test_entries_of_other_inputs_stay(full: Remote, fetcher: Make, tmp_path: Path) -> None:
    for source in sources(full):
        fetcher(lock=True).fetch(source)
    assert len(json.loads((tmp_path / "cutlist.lock").read_text())["fetched"]) == 3


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "[]",
        '{"version": 2, "fetched": []}',
        '{"version": 1, "fetched": [{"asked": "", "version": "1", "digest": "sha256:../../x"}]}',
        '{"version": 1, "fetched": [{"asked": "", "version": 1, "digest": 2}]}',
    ],
)
def test_a_file_that_is_not_a_lock_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "cutlist.lock").write_text(text)
    with pytest.raises(InputError, match=r"cutlist\.lock"):
        Lock.of(str(tmp_path / "cutlist.lock"))


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({}, "linux", "/home/ada/.cache/cutlist/fetched"),
        ({"XDG_CACHE_HOME": "/var/x"}, "linux", "/var/x/cutlist/fetched"),
        ({}, "darwin", "/home/ada/Library/Caches/cutlist/fetched"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/cutlist/fetched"),
        ({"CUTLIST_CACHE": "/elsewhere", "XDG_CACHE_HOME": "/var/x"}, "linux", "/elsewhere"),
    ],
)
def test_the_cache_is_where_the_system_keeps_caches(environment: dict[str, str], platform: str, folder: str) -> None:
    assert cache_folder(environment, "/home/ada", platform).replace(os.sep, "/") == folder


def test_two_runs_that_keep_the_same_content_do_not_disturb_each_other(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    with cache.work() as one, cache.work() as two:
        for work in (one, two):
            Path(work, "made").mkdir()
            Path(work, "made", "a").write_text("same")
        folders = {cache.keep("sha256:00", os.path.join(work, "made")) for work in (one, two)}
    (folder,) = folders
    assert Path(folder, "a").read_text() == "same"
    assert os.listdir(tmp_path / "work") == []


def test_a_cache_that_cannot_be_written_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FetchError, match="cannot be written") as caught, Cache(str(tmp_path / "file")).work():
        pass
    assert caught.value.allowed == "another folder in $CUTLIST_CACHE"
