"""The real policy pack, over its protocol: the same verdicts as the gate without an engine gives, and remediations."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from datetime import timedelta

import pytest
import yaml
from cutlist_policies.gates import gates_of
from google.protobuf import json_format
from pulumi.runtime.proto import analyzer_pb2 as ap
from pulumi_cutlist.day import today
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.recorded.recording import Recording, Registration

from cutlist.policy.gates import Level, Report, Verdict, judge
from cutlist.policy.registry import ALL
from tests.infrastructure.test_registered_plan import HERE, OBJECTS, PROGRAM, WEB
from tests.policies.pack import POLICIES, ROOT, Pack, Said, running
from tests.policies.programs import recorded

pytestmark = pytest.mark.xdist_group("pack")

SOON = (today() + timedelta(days=200)).isoformat()
GATES = {
    "profile": "strict",
    "rules": {
        "NP-02": {"perMonth": 10},
        "NP-15": "off",
        "NP-03": "advisory",
        "NC-01": {"level": "remediate", "hops": 1},
        "NC-07": {"level": "remediate", "required": ["team=web"]},
        "NP-99": "off",
    },
    "exemptions": [
        {"rule": "NC-03", "object": "EC2NodeClass/default", "owner": "web", "reason": "a trial", "until": SOON},
        {"rule": "NC-09", "object": "EC2NodeClass/default", "owner": "web", "reason": "a trial", "until": "2020-01-31"},
    ],
}
CONFIG = {"cutlist:gates": json.dumps(GATES)}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A program that breaks most rules."""
    return recorded(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="module")
def pack() -> Iterator[Pack]:
    """The pack under the gates above."""
    with running(CONFIG) as started:
        yield started


@pytest.fixture(scope="module")
def report(recording: Recording) -> Report:
    """What the gate without an engine says of the same program under the same gates."""
    return judge(recorded_resources(recording), gates_of(CONFIG, "cutlist"), today())


def named(recording: Recording, name: str) -> Registration:
    return next(r for r in recording.resources.values() if r.name == name)


def test_both_ways_give_the_same_verdicts(recording: Recording, pack: Pack, report: Report):
    said = pack.program(recording)
    levels = {Level.REMEDIATE: "mandatory"}
    offline = {
        (one.rule, one.sentence, levels.get(one.level, str(one.level)))
        for one in report.outcomes
        if one.verdict is Verdict.VIOLATED
    }
    assert said.violations == offline
    assert len({policy for policy, _, _ in offline}) >= 15
    assert {"GT-01", "GT-02", "NP-01", "NP-02", "NP-04", "NP-07", "IF-01", "IF-07", "IF-12", "PL-09"} <= {
        p for p, _, _ in offline
    }


def test_a_patch_and_an_object_of_any_kind_are_judged_as_what_they_apply(recording: Recording, pack: Pack):
    said = pack.program(recording)
    assert {"NodePool/patched", "NodePool/any"} <= {s.partition(":")[0] for rule, s, _ in said.violations if rule == "NP-01"}


def test_what_one_way_cannot_tell_the_other_cannot_either(recording: Recording, pack: Pack, report: Report):
    """An unknown value ends a policy in an engine, what nobody can know here is not applicable; both name each rule."""
    said = pack.program(recording)
    assert said.unknown >= {"IF-01", "IF-02", "IF-04"}
    assert said.unknown | said.not_applicable == {o.rule for o in report.outcomes if o.verdict is Verdict.UNKNOWN}


@pytest.mark.thorough
def test_what_is_undetermined_stops_a_change_where_the_gates_refuse_it(recording: Recording):
    config = {"cutlist:gates": json.dumps({**GATES, "refuseUnknown": True})}
    with running(config) as started:
        said = started.program(recording)
    stopping = judge(recorded_resources(recording), gates_of(config, "cutlist"), today()).stopping
    refused = {(one.rule, one.sentence, "mandatory") for one in stopping if one.verdict is Verdict.UNKNOWN}
    assert {rule for rule, _, _ in refused} >= {"IF-01", "IF-02", "IF-04"}
    assert refused <= said.violations


def test_what_an_engine_marks_as_secret_is_in_no_message(recording: Recording, pack: Pack):
    """Under no name that says so: the marks come with the requests."""
    said = pack.program(recording)
    about = [sentence for _, sentence, _ in said.violations if sentence.startswith("Policy/marked:")]
    assert any("[secret]" in sentence for sentence in about)
    assert not any("marked-as-secret" in sentence for _, sentence, _ in said.violations)


def test_plain_objects_have_a_plan_that_rules_judge(tmp_path):
    """As the gate without an engine has it: a program without a NodePlan is not one without money."""
    (tmp_path / "__main__.py").write_text(PROGRAM + OBJECTS + WEB)
    registered = Program(tmp_path, tmp_path, "cutlist", "dev", HERE).run(Mode.PREVIEW)
    config = {**HERE, "cutlist:gates": json.dumps({"rules": {"PL-01": {"perHour": 0.0001}}})}
    with running(config) as started:
        rules = {rule for rule, _, _ in started.program(registered).violations}
    assert "PL-01" in rules
    assert "GT-03" not in rules


def test_levels_are_those_of_the_stacks_gates(pack: Pack):
    levels = pack.levels()
    assert levels.keys() == {rule.id for rule in ALL} - {"NP-15"} | {"GT-01", "GT-02", "GT-03", "GT-08", "GT-09"}
    assert (levels["NP-01"], levels["NP-03"], levels["NC-01"]) == ("mandatory", "advisory", "remediate")
    assert levels["GT-01"] == "mandatory"


def test_a_rule_that_is_off_is_named(pack: Pack):
    [gates] = [one for one in pack.policies() if one.name == "gates"]
    assert gates.description == "Cutlist's gates themselves; off: NP-15"


def test_policies_are_few_for_an_engine_reads_a_resource_for_each(pack: Pack):
    names = [one.name for one in pack.policies()]
    assert names == [
        "resource",
        "resource-advice",
        "resource-repairs",
        "stack",
        "stack-advice",
        "plan",
        "plan-advice",
        "gates",
        "gates-advice",
    ]


def test_a_remediation_sets_what_is_wrong_and_keeps_secrets(recording: Recording, pack: Pack):
    made = {one.policyName: one for one in pack.remediate(named(recording, "tagged"))}
    spec = json_format.MessageToDict(made["resource-repairs"].properties)["spec"]
    assert spec["tags"]["team"] == "web"
    assert spec["tags"]["cost-center"] == "shop"
    assert spec["tags"]["owner"]["value"] == "s3cret"  # still marked: a mapping with a signature, not the bare text


def test_a_remediation_asks_the_metadata_service_for_tokens(recording: Recording, pack: Pack):
    made = {one.policyName: one for one in pack.remediate(named(recording, "defaultec2nodeclass"))}
    options = json_format.MessageToDict(made["resource-repairs"].properties)["spec"]["metadataOptions"]
    assert options == {"httpTokens": "required", "httpPutResponseHopLimit": 1}


@pytest.mark.thorough
def test_an_engines_own_configuration_counts_on_top(recording: Recording):
    """`--policy-pack-config` sets the levels of policies and the settings of their rules."""
    with running(CONFIG) as started:
        started.configure("resource", ap.ADVISORY, **{"NP-02": {"perMonth": 10**8}})
        said = started.program(recording)
    levels = {rule: level for rule, _, level in said.violations}
    assert "NP-02" not in levels
    assert levels["PL-09"] == levels["NP-01"] == "advisory"


def test_the_pack_names_a_virtualenv_and_one_environment_resolves_both_sdks():
    """The pack runs in its own Python, so it says in which; `constraints.txt` pins one protobuf for both."""
    project = yaml.safe_load((POLICIES / "PulumiPolicy.yaml").read_text())
    assert (POLICIES / project["runtime"]["options"]["virtualenv"]).resolve() == ROOT / ".venv"
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    assert pins["protobuf"].startswith("5.29.")
    assert {"pulumi", "pulumi_policy"} <= set(pins)


@pytest.mark.thorough
def test_a_configuration_that_is_no_json_is_a_violation(recording: Recording):
    with running({"cutlist:gates": "production"}) as started:
        said = started.program(recording)
    assert [m for p, m, _ in said.violations if p == "GT-01"] == [
        "gates: expected a mapping, found 'production'; allowed: a mapping with "
        "baseline, environment, exemptions, profile, refuseUnknown, rules; correct config.cutlist:gates"
    ]


def spent(recording: Recording, times: int) -> float:
    """Seconds of a processor that a pack takes to start and to look at a NodePool so many times."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with running() as started:
        started.policies()
        for _ in range(times):
            started.analyze(named(recording, "generalnodepool"), Said())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.thorough
def test_the_pack_starts_and_answers_quickly(recording: Recording):
    """In time of its own, for the machine has other work to do: a second or so, and some milliseconds a resource.

    A limit of time alone: that the pack starts and answers is what the other tests show.
    """
    start = spent(recording, 0)
    assert start < 4
    assert (spent(recording, 50) - start) / 50 < 0.015
