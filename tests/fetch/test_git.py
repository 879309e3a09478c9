"""Repositories of git, fetched by the real git from a server on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.documents.delivery.fetching import FetchError, GitSource
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.limits import Limits
from tests.fetch.repositories import commit, git, publish
from tests.fetch.servers import Remote

Make = Callable[..., ToolFetcher]


@pytest.fixture
def shop(remote: Remote, tmp_path: Path) -> Remote:
    """A server with a repository of three commits, with two tags and a branch beside the default one."""
    work = tmp_path / "work"
    commit(work, {"a.yaml": "one"}, tag="v1.1.0")
    commit(work, {"a.yaml": "two", "deep/er/b.yaml": "b"}, tag="v1.2.0")
    commit(work, {"a.yaml": "three"})
    git(work, "branch", "canary", "HEAD~2")
    publish(work, tmp_path / "repositories", "shop")
    return remote


def text(folder: str, path: str = "a.yaml") -> str:
    return Path(folder, path).read_text()


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("revision", "content", "version"),
    [
        ("", "three", "HEAD"),
        ("main", "three", "main"),
        ("canary", "one", "canary"),
        ("v1.2.0", "two", "v1.2.0"),
        ("refs/tags/v1.1.0", "one", "v1.1.0"),
        ("~1.1", "one", "v1.1.0"),
    ],
)
def test_a_revision_is_a_branch_a_tag_or_a_range(
    revision: str, content: str, version: str, shop: Remote, fetcher: Make
) -> None:
    """FE-3"""
    fetched = fetcher().fetch(GitSource(shop.git("shop"), revision))
    assert (text(fetched.folder), fetched.version) == (content, version)


def test_a_commit_is_fetched_by_its_name(shop: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-3"""
    name = git(tmp_path / "work", "rev-parse", "HEAD~1")
    fetched = fetcher().fetch(GitSource(shop.git("shop"), name))
    assert (text(fetched.folder), fetched.digest) == ("two", f"sha1:{name}")
    assert text(fetched.folder, "deep/er/b.yaml") == "b"


def test_a_range_chooses_the_highest_tag(shop: Remote, fetcher: Make) -> None:
    """FE-5"""
    assert fetcher().fetch(GitSource(shop.git("shop"), semver=">=1.0 <2")).version == "v1.2.0"


@pytest.mark.parametrize(
    ("source", "reason", "allowed"),
    [
        (("mian", ""), "has no branch or tag mian", "such as main"),
        (("", ">=3"), "has no tag in >=3", "a range with one of its tags"),
        (("abcdef1", ""), "is a part of a commit's name", "all of it, a branch or a tag"),
    ],
)
def test_a_revision_that_is_not_there(source: tuple[str, str], reason: str, allowed: str, shop: Remote, fetcher: Make) -> None:
    with pytest.raises(FetchError, match=reason) as caught:
        fetcher().fetch(GitSource(shop.git("shop"), *source))
    assert caught.value.allowed == allowed


def test_a_repository_that_is_not_there_names_the_command(shop: Remote, fetcher: Make) -> None:
    with pytest.raises(FetchError, match=r"git refuses it: .*not found") as caught:
        fetcher().fetch(GitSource(shop.git("shap")))
    assert caught.value.allowed == f"git ls-remote {shop.git('shap')}"


def test_neither_hooks_nor_filters_nor_monitors_of_the_user_run(shop: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-4"""
    work, mark, home = tmp_path / "work", tmp_path / "ran", tmp_path / "home"
    commit(work, {".gitattributes": "*.bin filter=own\n", "x.bin": "pointer"})
    publish(work, tmp_path / "repositories", "filtered")
    script = home / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)
    (home / "hooks").mkdir()
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        (home / "hooks" / hook).symlink_to(script)
    settings = f'[core]\nhooksPath={home}/hooks\nfsmonitor={script}\n[filter "own"]\nsmudge={script}\nprocess={script}\n'
    (home / ".gitconfig").write_text(f"{settings}[init]\ntemplateDir={home}\n")
    fetched = fetcher().fetch(GitSource(shop.git("filtered")))
    assert (text(fetched.folder, "x.bin"), mark.exists()) == ("pointer", False)


def test_a_link_that_leads_out_of_a_repository_is_left_out(shop: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-4"""
    links = {"in": "a.yaml", "out": "../../../etc/passwd", "abs": "/etc/passwd", "deep/up": "..", "two": "deep/up/../../x"}
    commit(tmp_path / "links", {"a.yaml": "a", "deep/b": "b"}, links=links)
    publish(tmp_path / "links", tmp_path / "repositories", "links")
    folder = fetcher().fetch(GitSource(shop.git("links"))).folder
    assert sorted(name for name in links if os.path.lexists(os.path.join(folder, name))) == ["deep/up", "in"]
    assert text(folder, "in") == "a"


def test_a_repository_with_too_much_in_it_is_refused(shop: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-4: also where few objects stand for many files."""
    commit(tmp_path / "wide", {f"{n}/a.yaml": "x" * 1000 for n in range(30)})
    publish(tmp_path / "wide", tmp_path / "repositories", "wide")
    source = GitSource(shop.git("wide"))
    with pytest.raises(FetchError, match="holds more than 20 files"):
        fetcher(limits=Limits(files=20)).fetch(source)
    with pytest.raises(FetchError, match="unpacks to more than 0 MiB"):
        fetcher(limits=Limits(unpacked=20_000)).fetch(source)
    with pytest.raises(FetchError, match="git fetches more than"):
        fetcher(limits=Limits(transferred=1)).fetch(source)


def test_what_is_kept_is_not_a_repository(shop: Remote, fetcher: Make) -> None:
    """Nothing that runs in the folder finds settings of git there."""
    assert not os.path.exists(os.path.join(fetcher().fetch(GitSource(shop.git("shop"))).folder, ".git"))
