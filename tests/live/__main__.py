"""The live Karpenter: `python -m tests.live COMMAND`.

up      start a cluster, and leave it running
down    stop it
run     run scenarios, all or those that are named, and hold Cutlist's answers against what Karpenter did
record  put what was run last into the recordings of the project
list    name the scenarios
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.live import disrupting, scheduling
from tests.live.comparing import differences
from tests.live.recordings import take_in
from tests.live.scenario import VERSIONS, Scenario
from tests.live.scenarios import ALL
from tests.live.servers import Karpenter, Servers
from tests.live.state import written_types
from tests.recorded import PROJECT

SCRATCH = PROJECT / ".live"
_KINDS = {"scheduling": (scheduling, {}), "disruption": (disrupting, disrupting.SETTINGS)}
"""The module that lives through a kind of scenario, and Karpenter's settings in all of them."""


def main(arguments: Sequence[str]) -> int:
    """Do what a command says. Exit code 1 when an answer differs or a scenario does not run, 2 for a wrong command."""
    options = _parser().parse_args(arguments)
    servers = Servers(options.folder, options.programs or SCRATCH)
    match options.command:
        case "up":
            servers.up()
            servers.run_karpenter(Karpenter(options.karpenter[0]))
            _say(f"up: export KUBECONFIG={servers.kubeconfig()}")
            return 0
        case "down":
            servers.down()
            return 0
        case "run":
            return _run(servers, options)
        case "record":
            for archive in take_in(options.folder / "recordings", ALL):
                _say(f"{archive.relative_to(PROJECT)}: {archive.stat().st_size:,} bytes")
            return 0
        case _:
            for scenario in ALL.values():
                _say(f"{scenario.name:40} {scenario.kind:11} {scenario.about}")
            return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.live", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=("up", "down", "run", "record", "list"))
    parser.add_argument("names", nargs="*", help="scenarios to run; a part of a name stands for all that have it; default: all")
    parser.add_argument("--karpenter", action="append", choices=VERSIONS, help="the minors to run; default: all")
    parser.add_argument("--kind", choices=("scheduling", "disruption"), help="only scenarios of this kind")
    parser.add_argument("--folder", type=Path, default=SCRATCH, help="where a cluster lives; default: .live")
    parser.add_argument("--programs", type=Path, help="the folder with bin and crds; default: .live")
    return parser


def _run(servers: Servers, options: argparse.Namespace) -> int:
    scenarios = _selected(options.names, options.kind)
    if not scenarios:
        _say(f"no scenario is called {' or '.join(options.names)}; `list` names them")
        return 2
    versions = options.karpenter or VERSIONS
    runs = [(version, scenario) for version in versions for scenario in scenarios if version in scenario.versions]
    began = time.monotonic()
    bad = []
    with _running(servers):
        for number, (version, scenario) in enumerate(runs, 1):
            verdict = _one(servers, scenario, version, options.folder)
            _say(f"{number:3}/{len(runs)} {version} {scenario.name:40} {verdict.splitlines()[0]}")
            for line in verdict.splitlines()[1:]:
                _say(f"        {line[:600]}")
            if not verdict.startswith(("equal", "free")):
                bad.append(f"{version} {scenario.name}")
    _say(f"{len(runs) - len(bad)} of {len(runs)} equal or free, in {time.monotonic() - began:.0f} s")
    if bad:
        _say(f"not so: {', '.join(bad)}")
    return 1 if bad else 0


def _selected(names: Sequence[str], kind: str | None) -> list[Scenario]:
    return [
        scenario
        for scenario in ALL.values()
        if kind in (None, scenario.kind) and (not names or any(name in scenario.name for name in names))
    ]


@contextmanager
def _running(servers: Servers) -> Iterator[None]:
    """Start the servers, and stop them in the end; a cluster that was up before stays so."""
    was_up = servers.processes.running("kube-apiserver") is not None
    if not was_up:
        servers.up()
    try:
        yield
    finally:
        if was_up:
            servers.resume_karpenter()
        else:
            servers.down()


def _one(servers: Servers, scenario: Scenario, version: str, folder: Path) -> str:
    """Run a scenario, keep its recording in the folder, and return a verdict: a line, and a line for each difference."""
    began = time.monotonic()
    try:
        types = written_types(scenario, folder)
        own, settings = _KINDS[scenario.kind]
        servers.run_karpenter(Karpenter(version, scenario.gates, {**settings, **scenario.settings}, types))
        recording = own.live_through(servers, scenario, version)
    except Exception as error:  # one scenario must not end the run
        return f"BROKEN  {type(error).__name__}: {error}\n{traceback.format_exc()}"
    recording.write(folder / "recordings")
    took = f"{time.monotonic() - began:.0f} s"
    try:
        lines = differences(recording)
    except Exception as error:
        return f"NO ANSWER  {took}  {type(error).__name__}: {error}\n{traceback.format_exc()}"
    if not lines:
        return f"equal   {took}"
    if scenario.free:
        return f"free    {took}  {scenario.free}"
    return "\n".join([f"DIFFERS {took}", *lines])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
