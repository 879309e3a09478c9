"""Stacks and clusters without anything in them: previews, gates and snapshots of nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.stack import preview as stack_preview

from cutlist_cli import main
from cutlist_cli import snapshot as snapshot_command
from cutlist_live.snapshot import Snapshot


@pytest.fixture
def empty(monkeypatch):
    """Stacks whose programs register nothing, and clusters whose lists are all empty."""
    monkeypatch.setattr(stack_preview, "preview", lambda *_: stack_preview.Preview(Recording(), (), {}))
    monkeypatch.setattr(
        snapshot_command, "read_cluster_objects", lambda *_, **__: Snapshot(datetime(2026, 1, 5, tzinfo=UTC), ())
    )


@pytest.mark.parametrize(
    ("arguments", "named"), [(("preview", "--stack", "dev"), "stack dev"), (("snapshot", "--to", "-"), "cluster")]
)
def test_nothing_is_refused_and_named(arguments, named, empty):
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{named}: ")
    assert "--allow-empty" in result.stderr


def test_an_empty_snapshot_is_written_where_it_is_allowed(empty):
    assert CliRunner().invoke(main, ["snapshot", "--to", "-", "--allow-empty"]).exit_code == 0
