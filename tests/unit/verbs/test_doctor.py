"""What an installation has: requirements within their bounds, extras, the age of prices; and the command that shows it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

from click.testing import CliRunner

from cutlist.catalog.ages import OLD
from cutlist.verbs.doctor.answer import ExtraState, Installation, doctor, within
from cutlist.verbs.doctor.text import render_doctor
from cutlist_cli import main
from tests.unit.published import faults

TODAY = date(2026, 11, 23)
HERE = Installation(
    version="1.0.0",
    python="3.12.1",
    requires_python=">=3.11,<3.14",
    platform="Linux",
    folder="/opt/cutlist",
    requirements=(
        "click<9,>=8.1",
        "boto3<2,>=1.35; extra == 'aws'",
        "pulumi<4,>=3.238; extra == 'aws'",
        "pulumi<4,>=3.238; extra == 'kubernetes'",
        "moto[server]<6,>=5.1; extra == 'dev'",
    ),
    distributions={"click": "8.5.1", "pulumi": "3.272.0"},
    programs={"pulumi": "/usr/bin/pulumi", "helm": None},
)


def test_versions_are_held_against_their_bounds():
    """Numbers are compared as numbers, and 8.1 is 8.1.0."""
    fitting = [("8.1.0", "<9,>=8.1"), ("8.1", ">=8.1.0"), ("3.13.9", ">=3.11,<3.14"), ("2.0", "==2.0.0"), ("2.0.1", ">2.0")]
    fitting += [("2.0.1", "!=2.0"), ("2.4", "~=2.2"), ("2.2.9", "~=2.2.1"), ("9.9", "<10"), ("1.0", "<=1"), ("1.0.0rc1", "")]
    outside = [("9.0.0", "<9,>=8.1"), ("8.0.9", "<9,>=8.1"), ("10.0", "<9"), ("3.14.0", ">=3.11,<3.14"), ("2.0.1", "==2.0")]
    outside += [("2.0.0", "!=2.0"), ("3.0", "~=2.2"), ("2.3", "~=2.2.1"), ("1.0.1", "<=1"), ("2.0", ">2.0.0")]
    assert [case for case in fitting if not within(*case)] == []
    assert [case for case in outside if within(*case)] == []


def test_extras_are_installed_partly_or_not():
    """Advice names what an extra lacks; extras of which nothing is there are a choice."""
    answer = doctor(HERE, TODAY)
    states = {extra.name: extra.state for extra in answer.extras}
    assert (states["kubernetes"], states["aws"]) == (ExtraState.INSTALLED, ExtraState.PARTLY)
    assert "dev" not in states
    assert "the extra aws lacks boto3: install cutlist[aws]" in answer.advice
    assert answer.problems == ()


def test_it_names_the_karpenter_of_each_service():  # Z-73, V-142
    answer = doctor(HERE, TODAY)
    assert [(service.name, service.karpenter) for service in answer.services] == [
        ("AKS Node Auto Provisioning", "1.14.0"),
        ("EKS Auto Mode", ""),
    ]
    assert "services      AKS Node Auto Provisioning 1.14.0, EKS Auto Mode (not published)\n" in render_doctor(answer)


def test_what_does_not_fit_is_a_problem_and_named_once():
    """An SDK that two extras need, a Python that is too new, a requirement of every command that is missing."""
    wrong = replace(HERE, python="3.15.0", distributions={"pulumi": "4.0.0"})
    answer = doctor(wrong, TODAY)
    assert answer.problems == (
        "Python 3.15.0 is not supported: Cutlist needs >=3.11,<3.14",
        "pulumi 4.0.0 is outside of <4,>=3.238",
        "click is not installed, and every command needs it",
    )
    assert "3 problems" in render_doctor(answer)


def test_prices_have_an_age():
    """That of the newest published price of a vendor; a region deserves a new look once plans there call its prices old."""
    now, later = doctor(HERE, TODAY), doctor(HERE, TODAY.replace(year=2027))
    assert {figures.vendor for figures in now.figures} == {"aws", "azure"}
    for before, after in zip(now.figures, later.figures, strict=True):
        assert before.regions > 30
        assert before.oldest <= before.newest < TODAY.isoformat()
        assert after.days == (before.days or 0) + 365
        assert before.old_regions <= after.old_regions <= after.regions
        said = f"the prices of {after.old_regions} of {after.regions} regions of {after.vendor} are more than {OLD} days old: "
        assert any(advice.startswith(said) for advice in later.advice)


def test_the_regions_with_old_prices_are_counted():
    """Those of 2026-02-17 are old from their 91st day on, as plans say; one newer region hides none of them."""
    fresh = {of.vendor: of for of in doctor(HERE, date(2026, 5, 18)).figures}
    stale = {of.vendor: of for of in doctor(HERE, date(2026, 5, 19)).figures}
    assert fresh["aws"].old_regions < stale["aws"].old_regions
    assert not fresh["azure"].is_old
    assert stale["aws"].is_old


def test_the_command_describes_this_installation(tmp_path):
    """Its JSON has the published form; a catalogue that is not there is refused."""
    result = CliRunner().invoke(main, ["doctor", "-o", "json"])
    data = json.loads(result.stdout)
    assert faults("doctor", data) == []
    assert result.exit_code == (1 if data["problems"] else 0)
    assert {extra["name"] for extra in data["extras"]} >= {"aws", "azure", "live", "policies"}
    assert [row["core"] for row in data["karpenter"] if row["isDefault"]] == ["1.15.0"]
    said = " ".join(CliRunner().invoke(main, ["doctor"]).stdout.split())
    assert ", 1.15.1, 1.15.2 (default; its core is 1.15.0, as plans say)" in said
    refused = CliRunner().invoke(main, ["doctor", "--catalog", str(tmp_path / "none")])
    assert refused.exit_code == 2
    assert "there is no such folder" in refused.output


def test_prices_age_from_the_named_day() -> None:
    days = [
        json.loads(CliRunner().invoke(main, ["doctor", "-o", "json"], env={"CUTLIST_TODAY": day}).stdout)["catalog"][0]["days"]
        for day in ("2027-03-01", "2027-03-11")
    ]
    assert days[1] == days[0] + 10
