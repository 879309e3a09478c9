"""Addresses, names, archives and servers that want more than to be fetched."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.documents.delivery.fetching import ArtifactSource, ChartSource, FetchError, GitSource, Source
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.archive import unpack
from cutlist_live.fetch.limits import Limits
from cutlist_live.fetch.programs import Program
from cutlist_live.fetch.reference import check, without_credentials
from tests.fetch.charts import archive, files_of, member, packed
from tests.fetch.servers import Answer, Remote

Make = Callable[..., ToolFetcher]

REFUSED: list[Source] = [
    GitSource("ext::sh -c touch% /tmp/x"),
    GitSource("file:///srv/shop.git"),
    GitSource("/srv/shop.git"),
    GitSource("../shop"),
    GitSource("--upload-pack=touch x"),
    GitSource("-oProxyCommand=x:shop"),
    GitSource("ssh://-oProxyCommand=x/shop"),
    GitSource("git@host:-x"),
    GitSource("git://example.com/shop"),
    GitSource("https://example.com/a b"),
    GitSource("https://example.com/../../shop"),
    GitSource("https://example.com/shop", "--upload-pack=x"),
    GitSource("https://example.com/shop", "main:refs/heads/x"),
    GitSource("https://example.com/shop", "a..b"),
    GitSource("https://example.com/shop", semver="--x"),
    ChartSource("file:///charts", "lamp"),
    ChartSource("http://", "lamp"),
    ChartSource("https://[::1", "lamp"),
    ChartSource("https://example.com", "--post-renderer"),
    ChartSource("https://example.com", "../lamp"),
    ChartSource("https://example.com", "a/b"),
    ChartSource("oci://example.com", "a/../b"),
    ChartSource("https://example.com", ""),
    ChartSource("https://example.com", "lamp", "--post-renderer=x"),
    ChartSource("https://example.com", "lamp", "1.0\n--x"),
    ArtifactSource("https://example.com/x"),
    ArtifactSource("oci://example.com/x", "a/b"),
    ArtifactSource("oci://example.com/x", "sha256:12"),
]


@pytest.mark.parametrize("source", REFUSED, ids=str)
def test_no_program_sees_what_is_not_an_address_a_name_or_a_version(source: Source) -> None:
    """FE-10"""
    with pytest.raises(FetchError):
        check(source)


@pytest.mark.parametrize(
    "source",
    [
        GitSource("https://example.com/shop.git", "refs/heads/feature/x"),
        GitSource("git@example.com:team/shop.git", "v1.0.0+build.1"),
        GitSource("ssh://git@example.com:2222/shop", semver="^1 || >=2.1, <3"),
        ChartSource("https://user:password@example.com/charts/", "lamp_x.y", ">= 1.2 < 2"),
        ChartSource("oci://[::1]:5000/charts", "team/lamp", "*"),
        ArtifactSource("oci://example.com:5000/x/y", f"sha256:{'0' * 64}"),
    ],
    ids=str,
)
def test_what_is_usual_is_accepted(source: Source) -> None:
    check(source)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ([member("../x", data=b"x")], "leads out of its folder"),
        ([member("a/../../x", data=b"x")], "leads out of its folder"),
        ([member("/etc/x", data=b"x")], "leads out of its folder"),
        ([member("a\\..\\x", data=b"x")], "leads out of its folder"),
        ([member("c:x", data=b"x")], "leads out of its folder"),
        ([member("a/link", tarfile.SYMTYPE, "/etc/passwd")], "holds a link"),
        ([member("a/link", tarfile.LNKTYPE, "a/x")], "holds a link"),
        ([member("a/pipe", tarfile.FIFOTYPE)], "holds a device"),
        ([member("a/x", data=b"1"), member("a/x", data=b"2")], "File exists"),
        ([member("a/x", data=b"1"), member("a/x/y", data=b"2")], "can be unpacked: "),
        ([member("a/" * 70 + "x", data=b"1")], "leads out of its folder"),
        ([member(f"a/{n}") for n in range(60)], "more than 50 files"),
        ([member("a/zeros", data=bytes(300_000))], "unpacks to more than 0 MiB"),
    ],
)
def test_an_archive_unpacks_only_files_below_its_folder_and_not_too_many(
    members: list[tuple[tarfile.TarInfo, bytes]], reason: str, tmp_path: Path
) -> None:
    """FE-11"""
    path, folder = tmp_path / "a.tgz", tmp_path / "unpacked"
    path.write_bytes(archive(members))
    folder.mkdir()
    with pytest.raises(FetchError, match=reason):
        unpack(str(path), str(folder), "the archive", Limits(unpacked=100_000, files=50))
    assert {entry.name for entry in tmp_path.iterdir()} == {"a.tgz", "unpacked"}
    assert not any(entry.is_symlink() for entry in folder.rglob("*"))


def test_an_archive_that_claims_to_be_small_is_measured_while_it_is_unpacked(tmp_path: Path) -> None:
    """FE-11: a long name fills a header, which is no file."""
    path, folder = tmp_path / "a.tgz", tmp_path / "unpacked"
    path.write_bytes(archive([member("x" * 5_000_000)]))
    folder.mkdir()
    with pytest.raises(FetchError, match="unpacks to more"):
        unpack(str(path), str(folder), "the archive", Limits(unpacked=100_000, files=50))


@pytest.mark.parametrize("data", [b"", b"no archive", packed("a", {"x": "y"})[:40]])
def test_a_damaged_archive_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.tgz").write_bytes(data)
    with pytest.raises(FetchError, match="not an archive"):
        unpack(str(tmp_path / "a.tgz"), str(tmp_path), "the archive", Limits())


@pytest.mark.usefixtures("helm")
def test_a_chart_with_a_link_is_refused_and_not_kept(remote: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-11"""
    data = archive([member("lamp/Chart.yaml", data=b"name: lamp"), member("lamp/x", tarfile.SYMTYPE, "/etc")])
    remote.add_chart("lamp", "1.0.0", data)
    with pytest.raises(FetchError, match="holds a link"):
        fetcher().fetch(ChartSource(remote.charts, "lamp"))
    assert list((tmp_path / "cache").rglob("Chart.yaml")) == []


@pytest.mark.sampled(one_in=3)
@pytest.mark.usefixtures("helm")
@pytest.mark.parametrize("address", ["file:///etc/hostname", "ftp://127.0.0.1/x", "ext::sh"])
def test_a_redirect_to_another_scheme_is_not_followed_by_helm(address: str, remote: Remote, fetcher: Make) -> None:
    """FE-12"""
    remote.add_chart("lamp", "1.0.0", packed("lamp", files_of("lamp", "1.0.0")))
    remote.files["/charts/lamp-1.0.0.tgz"] = Answer(b"", status=302, location=address)
    with pytest.raises(FetchError, match="helm refuses it"):
        fetcher().fetch(ChartSource(remote.charts, "lamp"))


@pytest.mark.parametrize("address", ["file:///srv/shop.git", "ext::sh", "git://127.0.0.1/shop", "ftp://127.0.0.1/shop"])
def test_a_redirect_to_another_scheme_is_not_followed_by_git(address: str, remote: Remote, fetcher: Make) -> None:
    """FE-12"""
    remote.files["/git/shop/info/refs"] = Answer(b"", status=302, location=address)
    with pytest.raises(FetchError, match="git refuses it"):
        fetcher().fetch(GitSource(f"http://{remote.address}/git/shop"))


@pytest.mark.usefixtures("helm")
def test_a_server_that_does_not_end_is_left(remote: Remote, fetcher: Make) -> None:
    """FE-11"""
    remote.files["/charts/index.yaml"] = Answer(b"", seconds=3)
    with pytest.raises(FetchError, match=r"takes longer than 0\.3 s"):
        fetcher(limits=Limits(seconds=0.3)).fetch(ChartSource(remote.charts, "lamp"))


@pytest.mark.usefixtures("helm")
def test_a_chart_that_is_too_large_to_transfer_is_refused(remote: Remote, fetcher: Make) -> None:
    """FE-11"""
    remote.add_chart("lamp", "1.0.0", b"x" * 2_000_000)
    with pytest.raises(FetchError, match=r"helm (fetches more than|refuses it)"):
        fetcher(limits=Limits(transferred=1_000_000)).fetch(ChartSource(remote.charts, "lamp"))


def test_a_program_gets_no_input_and_all_that_it_started_ends_with_it(tmp_path: Path) -> None:
    program = Program("sh", str(tmp_path), {"PATH": "/usr/bin:/bin"}, Limits(seconds=0.2))
    with pytest.raises(FetchError, match="takes longer"):
        program.run(["-c", "read line; (sleep 1; touch late) & sleep 5"], shown="sh")
    with pytest.raises(FetchError, match="takes longer"):
        program.run(["-c", "sleep 2"], shown="sh")
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://user:secret@example.com/x?token=secret#secret", "https://example.com/x"),
        ("oci://secret@example.com:5000/x/", "oci://example.com:5000/x"),
        ("git@example.com:shop", "git@example.com:shop"),
    ],
)
def test_an_address_is_shown_without_what_logs_in(address: str, shown: str) -> None:
    """FE-9"""
    assert without_credentials(address) == shown
