"""Charts of repositories and registries, fetched by the real helm from a server on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cutlist.documents.delivery.fetching import ChartSource, FetchError
from cutlist_live.fetch import ToolFetcher
from cutlist_live.fetch.semver import Range
from tests.fetch.charts import files_of, packed, sha256
from tests.fetch.servers import Remote

Make = Callable[..., ToolFetcher]

pytestmark = pytest.mark.usefixtures("helm")
VERSIONS = ("1.3.9", "1.4.2", "1.10.0", "2.0.0-beta.1")


@pytest.fixture
def lamp(remote: Remote) -> Remote:
    """A server that has a chart in several versions."""
    for version in VERSIONS:
        remote.add_chart("lamp", version, packed("lamp", files_of("lamp", version)))
    return remote


def version_in(folder: str) -> str:
    return str(json.loads(Path(folder, "Chart.yaml").read_text())["version"])


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("asked", "version"),
    [
        ("1.3.9", "1.3.9"),
        ("~1.4", "1.4.2"),
        ("1.x", "1.10.0"),
        (">=1.2 <2", "1.10.0"),
        ("", "1.10.0"),
        (">1-0 <3", "2.0.0-beta.1"),
    ],
)
def test_a_version_of_a_repository_is_the_highest_in_its_range(asked: str, version: str, lamp: Remote, fetcher: Make) -> None:
    """FE-1"""
    fetched = fetcher().fetch(ChartSource(lamp.charts, "lamp", asked))
    assert Range.of(asked).highest(VERSIONS) == version  # as it is for git
    assert (fetched.version, version_in(fetched.folder)) == (version, version)
    assert fetched.digest == sha256(packed("lamp", files_of("lamp", version)))


@pytest.mark.parametrize(("asked", "version"), [("1.3.9", "1.3.9"), ("~1.4", "1.4.2"), ("", "1.10.0")])
def test_a_version_of_a_registry_is_one_of_its_tags(asked: str, version: str, lamp: Remote, fetcher: Make) -> None:
    """FE-2"""
    fetched = fetcher().fetch(ChartSource(lamp.registry, "lamp", asked, plain_http=True))
    assert (fetched.version, version_in(fetched.folder)) == (version, version)


def test_a_chart_is_fetched_once_in_a_run(lamp: Remote, fetcher: Make) -> None:
    one = fetcher()
    assert one.fetch(ChartSource(lamp.charts, "lamp")) == one.fetch(ChartSource(lamp.charts, "lamp"))
    assert lamp.asked.count("/charts/lamp-1.10.0.tgz") == 1


def test_a_chart_that_is_not_there_is_refused_with_the_command_that_asks_for_it(lamp: Remote, fetcher: Make) -> None:
    with pytest.raises(FetchError, match=r'chart "lamp" matching 9.0.0 not found') as caught:
        fetcher().fetch(ChartSource(lamp.charts, "lamp", "9.0.0"))
    assert caught.value.allowed == f"helm pull lamp --repo {lamp.charts} --version 9.0.0"


def test_one_chart_that_fails_does_not_end_the_others(lamp: Remote, fetcher: Make) -> None:
    one = fetcher()
    for _ in range(2):
        with pytest.raises(FetchError):
            one.fetch(ChartSource(lamp.charts, "torch"))
    assert one.fetch(ChartSource(lamp.charts, "lamp")).version == "1.10.0"


def test_the_login_of_helm_is_used_and_never_shown(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-9"""
    lamp.login = "shop:opensesame"
    with pytest.raises(FetchError, match="401"):
        fetcher().fetch(ChartSource(lamp.charts, "lamp"))
    config = tmp_path / "home/.config/helm"
    config.mkdir(parents=True)
    entry = {"name": "own", "url": f"{lamp.charts}/", "username": "shop", "password": "opensesame"}
    (config / "repositories.yaml").write_text(json.dumps({"repositories": [entry]}))
    assert fetcher().fetch(ChartSource(lamp.charts, "lamp")).version == "1.10.0"
    with pytest.raises(FetchError) as caught:
        fetcher(lock=True).fetch(ChartSource(lamp.charts.replace("//", "//shop:opensesame@"), "torch"))
    assert "opensesame" not in f"{caught.value} {caught.value.allowed}"


def test_a_plugin_of_the_user_is_not_run(lamp: Remote, fetcher: Make, tmp_path: Path) -> None:
    """FE-9"""
    plugin, mark = tmp_path / "home/.local/share/helm/plugins/own", tmp_path / "ran"
    plugin.mkdir(parents=True)
    about = {"name": "own", "version": "1.0.0", "command": "true", "downloaders": [{"command": "get.sh", "protocols": ["own"]}]}
    (plugin / "plugin.yaml").write_text(json.dumps(about))
    (plugin / "get.sh").write_text(f"#!/bin/sh\ntouch {mark}\n")
    (plugin / "get.sh").chmod(0o755)
    lamp.add_chart("torch", "1.0.0", b"", url="own://torch.tgz")
    with pytest.raises(FetchError, match="own"):
        fetcher().fetch(ChartSource(lamp.charts, "torch"))
    assert not mark.exists()
