"""The file of a fleet: what it says of each environment, and every mistake in it with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cutlist import Allowances, InputError
from cutlist.core.errors import Place, Problem
from cutlist.documents.folders import Charts, Reading
from cutlist.settings.planning import ZONES
from cutlist.verbs.suggest.fleet_file import MEMBERS, Environment, expanded, read_fleet
from cutlist_cli.commands import load
from tests.documentation import section
from tests.sample import SHOP

WHOLE = """
defaults:
  region: us-west-2
  allow: [arm64]
  zone: us-west-2a
  plans: 20
environments:
  - name: shop
    file: [pools.yaml, apps/*.yaml]
    usage: cpu=use/cpu.json
    allow: [spot, types]
    min-nodes: 2
    max-nodes: 9
    keep: [zone-spread, nodes]
    spare: 10
    percentile: 90
    margin: 0
    catalog: prices
    karpenter: "1.15"
    feature-gate: NodeClassCEL
    recursive: true
  - name: search
    file: search
    region: eu-west-1
    provider: aws
    zone: [eu-west-1a, eu-west-1b]
    seed: 7
"""


def fleet_of(folder: Path, text: str) -> tuple[Environment, ...]:
    (folder / "fleet.yaml").write_text(text)
    return read_fleet(folder / "fleet.yaml")


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        fleet_of(folder, text)
    return [str(problem).removeprefix(f"{folder}/") for problem in raised.value.problems]


def test_members_are_the_options_and_paths_are_beside_the_file(tmp_path):
    shop, search = fleet_of(tmp_path, WHOLE)
    assert shop.files == (str(tmp_path / "pools.yaml"), str(tmp_path / "apps/*.yaml"))
    assert shop.usage == (f"cpu={tmp_path / 'use/cpu.json'}",)
    assert (shop.usage_policy.percentile, shop.usage_policy.margin) == (90, 0)
    assert (shop.settings["catalog"], shop.settings["karpenter"]) == (str(tmp_path / "prices"), "1.15")
    assert (shop.settings["feature_gates"], shop.settings["recursive"]) == (("NodeClassCEL",), True)
    assert (search.name, search.files, search.is_azure, search.seed) == ("search", (str(tmp_path / "search"),), False, 7)
    assert search.settings["zones"] == ("eu-west-1a", "eu-west-1b")


def test_what_an_environment_says_replaces_the_default(tmp_path):
    shop, search = fleet_of(tmp_path, WHOLE)
    assert shop.allowances == Allowances(
        spot=True, types=True, min_nodes=2, max_nodes=9, keep=frozenset({"zone-spread", "nodes"}), spare=10
    )
    assert search.allowances == Allowances(arm64=True)
    assert [e.settings["region"] for e in (shop, search)] == ["us-west-2", "eu-west-1"]
    assert [e.settings["zones"] for e in (shop, search)] == [("us-west-2a",), ("eu-west-1a", "eu-west-1b")]
    assert [e.plans for e in (shop, search)] == [20, 20]


@pytest.mark.parametrize(("written", "per_cent"), [("10%", 10), ("10", 10), ('"7"', 7), ("0%", 0)])
def test_spare_room_is_written_as_the_option_is(tmp_path, written, per_cent):
    (environment,) = fleet_of(tmp_path, f"environments: [{{name: a, file: x, region: y, spare: {written}}}]")
    assert environment.allowances.spare == per_cent


@pytest.mark.parametrize("written", ["101%", "x", "-1", "5%%", "1.5", "[]", "true"])
def test_what_is_no_share_of_pods_is_refused(tmp_path, written):
    (mistake,) = mistakes(tmp_path, f"environments: [{{name: a, file: x, region: y, spare: {written}}}]")
    assert mistake.startswith("fleet.yaml:1 environments[0].spare: ")


def test_every_mistake_is_named_with_its_line_and_path(tmp_path):
    text = """
defaults: {alow: [spot]}
environments:
  - {name: a, file: "-", karpenter: 1.15}
  - {name: "", file: [], allow: [arm]}
  - {file: x, percentile: 101, plans: 0, keep: zones, spare: 101}
  - just text
"""
    assert [line.partition("; allowed")[0] for line in mistakes(tmp_path, text)] == [
        "fleet.yaml:2 defaults.alow: is not a field here",
        "fleet.yaml:4 environments[0].file: standard input belongs to no environment",
        'fleet.yaml:4 environments[0].karpenter: 1.15 is not text; did you mean "1.15"?',
        "fleet.yaml:5 environments[1].allow[0]: 'arm' is unknown",
        "fleet.yaml:5 environments[1].file: is empty; at least one entry is needed",
        "fleet.yaml:5 environments[1].name: is empty",
        "fleet.yaml:6 environments[2].keep: 'zones' is unknown",
        "fleet.yaml:6 environments[2].name: is missing",
        "fleet.yaml:6 environments[2].percentile: 101 is out of range",
        "fleet.yaml:6 environments[2].plans: 0 is out of range",
        "fleet.yaml:6 environments[2].spare: 101 is out of range",
        "fleet.yaml:7 environments[3]: expected a mapping, found 'just text'",
    ]


def test_environments_are_checked_against_each_other_and_for_what_they_lack(tmp_path):
    text = """
environments:
  - {name: a}
  - {name: a, file: x, region: y, min-nodes: 4, max-nodes: 2}
"""
    assert [line.partition("; allowed")[0] for line in mistakes(tmp_path, text)] == [
        "fleet.yaml:3 environments[0].file: no file is named",
        "fleet.yaml:3 environments[0].region: no region is named",
        "fleet.yaml:4 environments[1].max-nodes: 2 is less than min-nodes 4",
        "fleet.yaml:4 environments[1].name: 'a' is the name of environments[0] too",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "fleet.yaml: holds no fleet"),
        ("# nothing\n", "fleet.yaml: holds no fleet"),
        ("[]", "fleet.yaml:1: holds no fleet but a list"),
        ("environments: []", "fleet.yaml:1 environments: is empty"),
        ("environments: {}", "fleet.yaml:1 environments: expected a list"),
        ("environments:\n- name: a\n---\nenvironments: []\n", "fleet.yaml:4 (document 2): a second document"),
    ],
)
def test_what_holds_no_environment_is_refused(tmp_path, text, sentence):
    assert mistakes(tmp_path, text)[0].startswith(sentence)


def test_patterns_mean_files_and_never_that_of_the_fleet(tmp_path):
    for name in ("b.yaml", "a.yaml", "fleet.yaml", "sub/c.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    place = Place(str(tmp_path / "fleet.yaml"))
    patterns = [f"{tmp_path}/*.yaml", f"{tmp_path}/a.yaml", f"cpu={tmp_path}/**/c*", "elsewhere.yaml"]
    assert expanded(patterns, place) == (
        f"{tmp_path}/a.yaml",
        f"{tmp_path}/b.yaml",
        f"cpu={tmp_path}/sub/c.yaml",
        "elsewhere.yaml",
    )
    with pytest.raises(InputError, match=r"no file is called .*none\*"):
        expanded([f"{tmp_path}/none*"], place)


def test_problems_of_parameters_are_those_of_the_options_that_say_them(tmp_path):
    shop, search = fleet_of(tmp_path, WHOLE)
    problems = [Problem(Place.of(ZONES), "no such zone"), Problem(Place("pools.yaml", 1, 3, "spec"), "is wrong")]
    in_defaults, elsewhere = shop.placed(problems)
    assert (in_defaults.place.line, in_defaults.place.path) == (5, "defaults.zone")
    assert elsewhere == problems[1]
    assert search.placed(problems)[0].place.path == "environments[1].zone"


def test_the_page_shows_a_fleet_that_can_be_read_and_all_its_members():
    page = section("suggest.md", "Many environments")
    (shown,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = SHOP / "fleet.yaml"
    assert file.read_text().endswith(shown)
    for environment in read_fleet(file):
        paths = [*expanded(environment.files, environment.at("file")), *environment.usage]
        assert all(Path(path).exists() for path in paths)
    assert [member for member in MEMBERS if f"`{member}`" not in page] == []


def test_a_member_and_its_default_are_those_of_the_option(tmp_path):
    """Whatever `suggest` accepts for one environment can stand in the file of a fleet."""
    command = load("suggest")
    options = {param.opts[-1].removeprefix("--"): param for param in command.params}
    of_the_whole = {
        "all",
        "debug",
        "dask",
        "environment",
        "fetch",
        "fleet",
        "help-all",
        "offline",
        "output",
        "pull-request",
        "resume",
        "seconds",
        "show-refused",
        "to",
        "width",
        "workers",
        "write",
    }
    assert MEMBERS.keys() - {"provider"} == options.keys() - of_the_whole
    (plain,) = fleet_of(tmp_path, "environments: [{name: a, file: x, region: y}]")
    values = {
        "plans": plain.plans,
        "seed": plain.seed,
        "bound": plain.bound,
        "min-nodes": plain.allowances.min_nodes,
        "percentile": plain.usage_policy.percentile,
        "margin": plain.usage_policy.margin * 100,
    }
    assert {name: options[name].default for name in values} == values


def test_charts_of_an_environment_are_rendered_where_it_asks(tmp_path):
    """Files of values are beside the file of the fleet, and any setting of helm asks for it."""
    plain, asked, valued = fleet_of(
        tmp_path,
        "defaults: {file: x, region: y}\nenvironments: [{name: a}, {name: b, helm: true}, "
        "{name: c, helm-values: v.yaml, helm-kube-version: '1.34', helm-api-version: [a/v1]}]",
    )
    assert Reading.of(plain.settings).charts is None
    assert Reading.of(asked.settings).charts == Charts()
    assert Reading.of(valued.settings).charts == Charts((str(tmp_path / "v.yaml"),), "1.34", ("a/v1",))
