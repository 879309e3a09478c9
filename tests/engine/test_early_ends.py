"""Programs that end early in front of a real engine: what it makes of them, and what a policy pack sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from pulumi.automation import CommandError

from tests.engine.engine import ROOT, Engine
from tests.engine.language_host import PYTHON_RUNNER

pytestmark = [
    pytest.mark.xdist_group("engine-early-ends"),
    pytest.mark.skipif(not PYTHON_RUNNER.exists(), reason="`make engine` was not run"),
]

STOPPED = "NP-01 Limits bound what every NodePool may spend"

PROGRAM = """
import os, sys, time
import pulumi
from pulumi_kubernetes.apiextensions import CustomResource

wide = CustomResource("wide", api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "wide"}, spec={})
"""


def typed(engine: Engine, project: Path, end: str) -> None:
    """Preview a program that ends so, with the pack of this repository."""
    (project / "__main__.py").write_text(PROGRAM + end)
    engine.run("preview", "--policy-pack", str(ROOT / "policies"), "--color", "never", folder=project)


ENDS = {
    "to-its-end": ("", STOPPED),
    "by-sys-exit": ("sys.exit(0)", STOPPED),
    "once-it-is-registered": (
        "wide.urn.apply(lambda _: (time.sleep(1), os._exit(0)))",
        STOPPED,
    ),
    "at-once": ("os._exit(0)", "GT-04 All input is readable"),
    "killed": ("os.kill(os.getpid(), 9)", "an unhandled error occurred"),
}
"""How a program ends, and what the failing preview says."""


@pytest.mark.parametrize("end", ENDS)
def test_a_preview_of_a_program_that_ends_early_fails(engine: Engine, project: Path, end: str) -> None:
    """What was registered until then is judged, and so is that nothing was."""
    text, sentence = ENDS[end]
    with pytest.raises(CommandError, match=sentence):
        typed(engine, project, text)


def test_a_preview_of_a_part_has_the_stack_all_the_same(engine: Engine, project: Path) -> None:
    """With `--target`: a program that ended early is not seen in one that did not."""
    target = "urn:pulumi:dev::written::kubernetes:core/v1:ConfigMap::settings"
    text = "from pulumi_kubernetes.core.v1 import ConfigMap\nConfigMap('settings', data={'a': 'b'})\n"
    (project / "__main__.py").write_text(text)
    command = ("preview", "--policy-pack", str(ROOT / "policies"), "--color", "never", "--target", target)
    assert "GT-04" not in engine.run(*command, folder=project).stdout
