"""The real policy pack, over its protocol: the same verdicts as the gate without an engine gives, and remediations."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator

import pytest
import yaml
from cutlist_policies.gates import gates_of, today
from google.protobuf import json_format
from pulumi.runtime.proto import analyzer_pb2 as ap
from pulumi_cutlist.offline import Recording, Registration
from pulumi_cutlist.subjects import subjects_of

from cutlist.gates import Level, Report, Verdict, judge
from cutlist.rules import ALL
from tests.policies.pack import POLICIES, ROOT, Pack, Said, running
from tests.policies.programs import recorded

pytestmark = pytest.mark.xdist_group("pack")

GATES = {
    "rules": {
        "NP-02": {"perMonth": 10},
        "NP-15": "off",
        "NP-03": "advisory",
        "NC-01": {"level": "remediate", "hops": 1},
        "NC-07": {"level": "remediate", "required": ["team=web"]},
        "NP-99": "off",
    },
    "exemptions": [
        {"rule": "NC-03", "object": "EC2NodeClass/default", "owner": "web", "reason": "a trial", "until": "2099-12-31"},
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
    return judge(subjects_of(recording), gates_of(CONFIG, "cutlist"), today())


def named(recording: Recording, name: str) -> Registration:
    return next(r for r in recording.resources.values() if r.name == name)


def test_both_ways_give_the_same_verdicts(recording: Recording, pack: Pack, report: Report):
    said = pack.program(recording)
    levels = {Level.REMEDIATE: "mandatory"}
    offline = {
        (one.rule.lower(), one.sentence, levels.get(one.level, str(one.level)))
        for one in report.outcomes
        if one.verdict is Verdict.VIOLATED
    }
    assert said.violations == offline
    assert len({policy for policy, _, _ in offline}) >= 15
    assert {"gt-01", "gt-02", "np-01", "np-02", "np-07", "if-01", "if-07", "if-12", "pl-09"} <= {p for p, _, _ in offline}


def test_what_one_way_cannot_tell_the_other_cannot_either(recording: Recording, pack: Pack, report: Report):
    """An unknown value ends a policy in an engine; what nobody can know here is not applicable, with the reason."""
    said = pack.program(recording)
    left_open = {one.rule.lower() for one in report.outcomes if one.verdict is Verdict.UNKNOWN}
    told = {reason.partition(": cannot tell ")[2] for reason in said.not_applicable}
    by_reason = {o.rule.lower() for o in report.outcomes if o.verdict is Verdict.UNKNOWN and o.found in told}
    assert said.unknown >= {"if-01", "if-02", "if-04"}
    assert left_open == said.unknown | by_reason


def test_levels_are_those_of_the_stacks_gates(pack: Pack):
    names = pack.names()
    assert len(names) == len(ALL) + 3
    assert (names["np-01"], names["np-03"], names["np-15"], names["nc-01"]) == (
        "mandatory",
        "advisory",
        "disabled",
        "remediate",
    )
    assert names["gt-01"] == "mandatory"


def test_a_remediation_sets_what_is_wrong_and_keeps_secrets(recording: Recording, pack: Pack):
    made = {one.policyName: one for one in pack.remediate(named(recording, "tagged"))}
    spec = json_format.MessageToDict(made["nc-07"].properties)["spec"]
    assert spec["tags"]["team"] == "web"
    assert spec["tags"]["cost-center"] == "shop"
    assert spec["tags"]["owner"]["value"] == "s3cret"  # still marked: a mapping with a signature, not the bare text
    assert set(made) == {"nc-07"}


def test_a_remediation_asks_the_metadata_service_for_tokens(recording: Recording, pack: Pack):
    made = {one.policyName: one for one in pack.remediate(named(recording, "defaultec2nodeclass"))}
    options = json_format.MessageToDict(made["nc-01"].properties)["spec"]["metadataOptions"]
    assert options == {"httpTokens": "required", "httpPutResponseHopLimit": 1}


def test_an_engines_own_configuration_counts_on_top(recording: Recording):
    """`--policy-pack-config` sets levels and settings of single policies."""
    with running(CONFIG) as started:
        started.configure("np-02", ap.ADVISORY, perMonth=10**12)
        said = started.program(recording)
    assert "np-02" not in {policy for policy, _, _ in said.violations}


def test_the_pack_names_a_virtualenv_and_one_environment_resolves_both_sdks():
    """The pack runs in its own Python, so it says in which; `constraints.txt` pins one protobuf for both."""
    project = yaml.safe_load((POLICIES / "PulumiPolicy.yaml").read_text())
    assert (POLICIES / project["runtime"]["options"]["virtualenv"]).resolve() == ROOT / ".venv"
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    assert pins["protobuf"].startswith("5.29.")
    assert {"pulumi", "pulumi_policy"} <= set(pins)


def test_a_configuration_that_is_no_json_is_a_violation(recording: Recording):
    with running({"cutlist:gates": "production"}) as started:
        said = started.program(recording)
    assert [m for p, m, _ in said.violations if p == "gt-01"] == [
        "gates: gates is 'production'; allowed: a mapping with "
        "baseline, environment, exemptions, refuseUnknown, rules; see the message"
    ]


def spent(recording: Recording, times: int) -> float:
    """Seconds of a processor that a pack takes to start and to look at a NodePool so many times."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with running() as started:
        started.names()
        for _ in range(times):
            started.analyze(named(recording, "generalnodepool"), Said())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_pack_starts_and_answers_quickly(recording: Recording):
    """In time of its own, for the machine has other work to do: a second or so, and some milliseconds a resource."""
    start = spent(recording, 0)
    assert start < 4
    assert (spent(recording, 50) - start) / 50 < 0.03
