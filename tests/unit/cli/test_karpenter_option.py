"""`--karpenter`: the version whose rules count, for every command that plans, judges or forecasts."""

from __future__ import annotations

import json
from functools import partial

import click
import pytest
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.recorded import PROJECT

EXAMPLES = PROJECT / "docs" / "examples"
FILES = ("-f", str(EXAMPLES / "pools.yaml"), "-f", str(EXAMPLES / "app.yaml"), "--region", "us-west-2")


def run(*arguments: str) -> Result:
    """A command's result."""
    return CliRunner().invoke(main, [*arguments])


plan = partial(run, "plan", *FILES)


def test_the_karpenter_whose_rules_count_can_be_chosen() -> None:
    """It is in the plan's head; a patch release counts as one that is known, which is said."""
    shown = plan("--karpenter", "1.15.9").stdout
    assert shown.startswith("Plan for us-west-2, Karpenter 1.15.0\n")
    assert "Karpenter 1.15.9 counts as 1.15.0" in " ".join(shown.split())


def test_the_plan_as_data_names_its_karpenter() -> None:
    """By the release whose answers are recorded."""
    assert json.loads(plan("-o", "json").stdout)["karpenter"] == "1.14.1"


def test_a_karpenter_whose_rules_are_not_known_is_refused() -> None:
    """With those that are."""
    result = plan("--karpenter", "9.9.9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--karpenter: Karpenter 9.9.9 is not supported" in result.stderr
    assert "1.14, 1.15" in result.stderr


@pytest.mark.parametrize("name", ["diff", "disrupt", "explain", "gate", "interrupt", "plan", "serve", "types"])
def test_every_command_that_plans_judges_or_forecasts_has_the_option(name: str) -> None:
    """With the same words."""
    with click.Context(main) as context:
        command = main.get_command(context, name)
    assert command is not None
    (option,) = [o for o in command.params if o.name == "karpenter"]
    assert option.opts == ["--karpenter"]
