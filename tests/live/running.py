"""Many scenarios in one or several clusters side by side, each compared with Cutlist's answer."""

from __future__ import annotations

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.live import disrupting, living_days, scheduling
from tests.live.comparing import differences, with_zones_told_apart
from tests.live.processes import StartError
from tests.live.recording import Recording
from tests.live.scenario import Scenario
from tests.live.scenarios.days import Day
from tests.live.servers import Karpenter, Servers
from tests.live.state import written_types

_TRIES: Final = 3
"""How often a scenario is lived while Karpenter lags behind its cluster."""
_KINDS: Final = {"scheduling": (scheduling, {}), "disruption": (disrupting, disrupting.SETTINGS), "day": (living_days, {})}
"""The module that lives through a kind of scenario, and Karpenter's settings in all of them."""


@dataclass(frozen=True, slots=True)
class Run:
    """A scenario, or a day, with one Karpenter."""

    scenario: Scenario | Day
    version: str

    def __str__(self) -> str:
        return f"{self.version} {self.scenario.name}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a run: a word, and lines that explain it."""

    run: Run
    word: str
    seconds: float
    lines: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Tell whether Cutlist's answer is Karpenter's, or may differ from it, or there is nothing to answer."""
        return self.word in ("equal", "free", "recorded")


def in_order(scenarios: Sequence[Scenario | Day], versions: Sequence[str]) -> list[Run]:
    """Return the runs of scenarios, ordered so that Karpenter is seldom started with other settings."""
    runs = [Run(scenario, version) for scenario in scenarios for version in versions if version in scenario.versions]
    return sorted(runs, key=lambda run: (run.version, *_settings(run.scenario)))


def _settings(scenario: Scenario | Day) -> tuple[str, int, str, str]:
    own = sorted({**scenario.gates, **scenario.settings}.items())
    return scenario.kind, len(own), str(own), scenario.name if _has_types(scenario) else ""


def _has_types(scenario: Scenario | Day) -> bool:
    return isinstance(scenario, Scenario) and bool(scenario.instance_types)


def run_all(
    runs: Sequence[Run], clusters: Sequence[Servers], folder: Path, report: Callable[[Verdict], object]
) -> list[Verdict]:
    """Run everything, and return the verdicts; each is also reported as soon as it is there. Recordings are written into
    `recordings` of the folder. Clusters that were not up are stopped in the end, also after an interrupt.

    Raises StartError where no cluster starts.
    """
    left = deque(runs)
    verdicts: list[Verdict] = []
    failures: list[StartError] = []
    interrupted = threading.Event()
    one_at_a_time = threading.Lock()
    were_up = [servers.is_up() for servers in clusters]

    def work(servers: Servers, was_up: bool) -> None:
        try:
            with _up(servers, was_up):
                while (run := _next_of(left)) is not None:
                    verdict = lived(run, servers, folder)
                    with one_at_a_time:
                        if interrupted.is_set():
                            return
                        verdicts.append(verdict)
                        report(verdict)
        except StartError as error:  # the other clusters do its share
            failures.append(error)

    # An interrupt does not wait for a worker that waits for something: what it waits for is stopped.
    own = list(zip(clusters, were_up, strict=True))[: len(runs)]
    workers = [threading.Thread(target=work, args=each, daemon=True) for each in own]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    except BaseException:
        interrupted.set()
        left.clear()
        for servers, was_up in own:
            _leave(servers, was_up)
        raise
    if failures and left:
        raise failures[0]
    return verdicts


def _next_of(runs: deque[Run]) -> Run | None:
    """Take out the first run, unless another cluster has just taken the last."""
    try:
        return runs.popleft()
    except IndexError:
        return None


@contextmanager
def _up(servers: Servers, was_up: bool) -> Iterator[None]:
    """Start a cluster that is not up, and leave it in the end as it was found."""
    try:
        if not was_up:
            servers.up()
        yield
    finally:
        _leave(servers, was_up)


def _leave(servers: Servers, was_up: bool) -> None:
    """Stop a cluster; one that was up before stays so, with a Karpenter that acts."""
    if was_up:
        servers.resume_karpenter()
    else:
        servers.down()


def lived(run: Run, servers: Servers, folder: Path) -> Verdict:
    """Run a scenario, keep its recording in the folder, and hold Cutlist's answer against it."""
    scenario, version = run.scenario, run.version
    began = time.monotonic()
    try:
        module, settings = _KINDS[scenario.kind]
        types = written_types(scenario, folder) if isinstance(scenario, Scenario) else ""
        servers.run_karpenter(Karpenter(version, scenario.gates, {**settings, **scenario.settings}, types))
        recording = _first_true_view(lambda: module.live_through(servers, scenario, version))
    except Exception as error:  # one scenario must not end the run
        return Verdict(run, "broken", time.monotonic() - began, _explained(error))
    recording.write(folder / "recordings")
    seconds = time.monotonic() - began
    if isinstance(scenario, Day):
        return Verdict(run, "recorded", seconds)
    try:
        recording = with_zones_told_apart(recording)
        lines = differences(recording)
        replace(recording, free=scenario.free if lines else None).write(folder / "recordings")
    except Exception as error:
        return Verdict(run, "no answer", seconds, _explained(error))
    if lines and scenario.free:
        return Verdict(run, "free", seconds, (scenario.free,))
    return Verdict(run, "differs" if lines else "equal", seconds, tuple(lines))


def _first_true_view(live_through: Callable[[], Recording]) -> Recording:
    """Return the first recording of a pass over the cluster that was written down; a scenario is lived again otherwise."""
    for _ in range(_TRIES - 1):
        with suppress(scheduling.StaleViewError):
            return live_through()
    return live_through()


def _explained(error: Exception) -> tuple[str, ...]:
    return (f"{type(error).__name__}: {error}", *"".join(traceback.format_tb(error.__traceback__)).splitlines()[-8:])
