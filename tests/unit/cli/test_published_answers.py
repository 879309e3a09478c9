"""What commands write as JSON, be it empty, a refusal or full, has the form that `cutlist schema` publishes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import click
import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import SPOT
from cutlist.core.records import json_of
from cutlist.disruption.spot_loss import lose_spot
from cutlist.logs import read_records, stories_of
from cutlist.verbs.history.answer import history_json
from cutlist.verbs.history.record import History
from cutlist.verbs.schemas import ANSWERS
from cutlist_cli import main
from cutlist_cli.commands import command_names, load
from tests.sample import POOLS, SNAPSHOT
from tests.unit.api.manifests import CLASS, POOL, changed
from tests.unit.cli import test_convert as old
from tests.unit.cli import test_userdata as boots
from tests.unit.disruption.builders import cluster, node, runs
from tests.unit.logs.test_history import REPLACE, event, line
from tests.unit.published import faults

_POOLS, _CLUSTER = str(POOLS), str(SNAPSHOT)


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


def answer(name: str, *arguments: str, code: int = 0, stdin: str = "") -> dict[str, object]:
    """What a command wrote, once its schema has nothing against it."""
    result = run(*arguments, "-o", "json", stdin=stdin)
    assert result.exit_code == code, result.output
    data: dict[str, object] = json.loads(result.stdout)
    assert faults(name, data) == []
    return data


def json_forms(name: str, command: click.Command) -> Iterator[str]:
    """The names of this command and of those below it that write JSON when they are asked to."""
    if isinstance(command, click.Group):
        for below, one in command.commands.items():
            yield from json_forms(f"{name}-{below}", one)
    if any(isinstance(p.type, click.Choice) and "json" in p.type.choices for p in command.params):
        yield name


def test_every_command_that_writes_json_has_a_schema_of_its_name_and_the_help_names_it():
    """But for `snapshot`, which writes Kubernetes' own objects."""
    writing = [name for one in command_names() if (command := load(one)) for name in json_forms(one, command)]
    assert {"interrupt", "history", "catalog-diff", "preview"} < {*writing}
    of_several = {"diff-all", "explain-all", "gate-all", "plan-all", "simulate-runs", "suggest-fleet", "validate-all"}
    of_several |= {"verify-bill"}
    assert {*writing, *of_several, "budgets-write", "comparison"} - {"snapshot"} == ANSWERS.keys()
    help_text = " ".join(run("schema", "--help").output.split())
    named = help_text.partition("-o json writes")[2].partition("Examples:")[0]
    assert {*named.replace(",", " ").replace(";", " ").replace(".", " ").split()} >= ANSWERS.keys()


@pytest.mark.parametrize("zone", ["us-west-2a", "us-west-2d", ""])
def test_a_loss_of_spot(zone):
    """Of a zone that has such nodes, of one that has none, and of all."""
    data = answer(
        "interrupt", "interrupt", "-f", _POOLS, "-f", _CLUSTER, "--region", "us-west-2", *(["--spot-in", zone] if zone else [])
    )
    assert data["zone"] == (zone or None)


def test_a_loss_of_spot_where_nothing_is_and_where_nothing_can_be_placed():
    """In a cluster without nodes, and in one without a NodePool that would take the pods: there alone is an error."""
    for machines, is_lost in (([], False), ([node("a", runs("web"), kind=SPOT)], True)):
        data = json.loads(json_of(lose_spot(replace(cluster(*machines), pools={}))))
        assert faults("interrupt", data) == []
        assert (bool(data["lost"]), bool(data.get("error"))) == (is_lost, is_lost)


_EVENTS = json.dumps({"items": [event("Disrupting NodeClaim: Empty", "NodeClaim", "general-x")]})


@pytest.mark.parametrize(
    ("log", "commands"), [("", 0), ("klog of somebody\n", 0), (line(REPLACE, reason="underutilized"), 1), (_EVENTS, 1)]
)
def test_a_history(log, commands):
    """Of an empty log, of one of others, of a line of old releases, and of events."""
    data = answer("history", "history", "-f", "-", "--allow-empty", stdin=log)
    assert len(data["commands"]) == commands


_MESSAGES = st.sampled_from(["disrupting node(s)", "launched nodeclaim", "deleted node", "tainted node"])
_TIMES = st.sampled_from(["2026-01-05T12:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026", ""])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.just("(savings: $1.2.3)"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["Node", "NodeClaim", "name"]), inner),
    max_leaves=4,
)
_KEYS = st.sampled_from(
    ["command", "decision", "disrupted-nodes", "replacement-nodes", "pod-count", "Node", "NodeClaim", "zone"]
)
_LINES = st.builds(
    lambda at, said, more: {"time": at, "message": said, **more}, _TIMES, _MESSAGES, st.dictionaries(_KEYS, _VALUES)
)


@given(st.lists(_LINES, max_size=4))
def test_a_history_of_any_log(lines):
    """Whatever fields hold."""
    read = read_records("\n".join(map(json.dumps, lines)))
    assert faults("history", json.loads(history_json(History(tuple(stories_of(read.records)), read.others)))) == []


def test_a_validation(tmp_path):
    """Of nothing, of what is right, of mistakes, and of an edit."""
    (tmp_path / "none").mkdir()
    (tmp_path / "right.yaml").write_text(yaml.safe_dump_all([POOL, CLASS]))
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(changed(POOL, {"spec.limit": {}, "spec.limits": {"cpu": -1}})))
    (tmp_path / "next.yaml").write_text(yaml.safe_dump_all([changed(POOL, {"spec.weight": 7}), CLASS]))
    assert answer("validate", "validate", "-f", str(tmp_path / "none"), "--allow-empty")["checked"] == {}
    assert answer("validate", "validate", "-f", str(tmp_path / "right.yaml"))["problems"] == []
    assert answer("validate", "validate", "-f", str(tmp_path / "wrong.yaml"), code=1)["problems"]
    edited = ("--before", str(tmp_path / "right.yaml"))
    assert answer("validate", "validate", "-f", str(tmp_path / "next.yaml"), *edited)["edits"]


@pytest.mark.parametrize(
    ("before", "code", "filled"),
    [("1.14.1", 0, set()), ("1.12.0", 0, {"changes"}), ("0.32.10", 1, {"changes", "stops", "obstacles"})],
)
def test_an_upgrade(before, code, filled):
    """That changes nothing, that may be made, and that must not be made like this."""
    made = answer("upgrade", "upgrade", "--from", before, "--target", "1.14.1", "--kubernetes", "1.34", code=code)
    assert {name for name in ("changes", "stops", "obstacles") if made[name]} == filled


@pytest.mark.parametrize("text", ["", old.SERVICE, f"{old.CLASS}---\n{old.POOL}"])
def test_the_report_of_a_conversion(text):
    """Of nothing, of what is not an object of Karpenter, and of old objects."""
    result = run("convert", "-f", "-", "--allow-empty", "-o", "json", stdin=text)
    assert result.exit_code == 0, result.output
    assert faults("convert", json.loads(result.stderr)) == []


def test_user_data_says_what_nodes_need(tmp_path):
    """By NodePools, and by a class that none uses."""
    (tmp_path / "class.yaml").write_text(boots.CLASS % ("linux", "al2023"))
    asked = ("userdata", "-f", str(tmp_path), *boots.CLUSTER, *boots.MACHINE, *boots.NETWORK)
    assert [one["nodePool"] for one in answer("userdata", *asked)["nodes"]] == [None]
    (tmp_path / "pool.yaml").write_text(boots.POOL % "spot")
    assert [one["nodePool"] for one in answer("userdata", *asked)["nodes"]] == ["web"]


def test_a_catalogue_beside_itself():
    asked = ("catalog", "diff", "embedded", "embedded", "--region", "us-west-2")
    assert answer("catalog-diff", *asked) == [{"region": "us-west-2", "new": [], "gone": [], "zones": [], "prices": []}]
