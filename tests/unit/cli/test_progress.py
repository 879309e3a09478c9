"""What a command says while somebody waits: after a while, on a terminal, and nothing that stays."""

from __future__ import annotations

import io
import re
import time
from itertools import groupby
from types import SimpleNamespace

import click
import pytest

from cutlist import read_inputs, simulate
from cutlist.verbs.suggest.progress import CANDIDATES, RESTRICTIONS, SearchProgress
from cutlist_cli import fetching, progress
from cutlist_cli.progress import progress_line, time_left
from cutlist_cli.rendering import show_rendering
from cutlist_cli.stopping import WorkTime
from cutlist_cli.suggest import say_progress
from cutlist_cli.watching import LineWatcher
from tests.sample import POOLS, WORKLOADS

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True

    def wait_for(self, words: str, after: int = 0) -> None:
        """Until the words are written, behind so many characters; fails when they are not within some seconds."""
        end = time.monotonic() + 10
        while self.getvalue().find(words, after) < 0:
            assert time.monotonic() < end, self.getvalue()
            time.sleep(0.005)


@pytest.fixture(autouse=True)
def _command():
    with click.Context(click.Command("plan")):
        yield


@pytest.fixture
def screen(monkeypatch):
    """A terminal in front of somebody without any patience."""
    terminal = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=terminal))  # pytest puts its own in place of sys.stderr
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_a_long_wait_says_what_for_and_leaves_no_trace(screen):
    with progress_line("placing the pods"):
        screen.wait_for("placing the pods, 0 s")
    assert screen.getvalue().endswith(CLEAR)


def test_another_text_takes_the_place_of_the_first(screen):
    with progress_line("planning 1 of 9") as say:
        screen.wait_for("planning 1 of 9")
        say("planning 2 of 9")
        screen.wait_for("planning 2 of 9, 0 s")
    assert _texts(screen, "planning 1 of 9|planning 2 of 9") == ["planning 1 of 9", "planning 2 of 9"]


def test_a_part_of_it_has_words_of_its_own_while_it_lasts(screen):
    with progress_line("comparing the plans"):
        screen.wait_for("comparing the plans")
        with progress_line("reading the files"):
            screen.wait_for("reading the files")
        inner = screen.getvalue().rindex("reading the files")
        screen.wait_for("comparing the plans", after=inner)
    texts = _texts(screen, "comparing the plans|reading the files")
    assert texts == ["comparing the plans", "reading the files", "comparing the plans"]


def _texts(screen, pattern):
    """Return the texts that the line showed, in order, each once for the time that it lasted."""
    return [text for text, _ in groupby(re.findall(pattern, screen.getvalue()))]


def test_an_error_ends_it_too(screen):
    with pytest.raises(ValueError, match="no"):
        _fail_after("placing", screen)
    left = screen.getvalue()
    assert left.endswith(CLEAR)
    time.sleep(0.05)
    assert screen.getvalue() == left


def _fail_after(words, screen):
    with progress_line("placing the pods"):
        screen.wait_for(words)
        raise ValueError("no")


def test_what_is_soon_done_says_nothing(screen, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    with progress_line("placing the pods"):
        pass
    assert screen.getvalue() == ""


def test_nothing_is_said_where_nobody_looks(screen, monkeypatch):
    """Neither in a pipe nor on a terminal that cannot take a line back."""
    monkeypatch.setenv("TERM", "dumb")
    with progress_line("placing the pods"):
        time.sleep(0.05)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(screen, "isatty", lambda: False)
    with progress_line("placing the pods"):
        time.sleep(0.05)
    assert screen.getvalue() == ""


def test_what_is_fetched_is_named_while_it_takes_long(screen, monkeypatch):
    """It takes the place of what the command does, and leaves no trace either."""
    monkeypatch.setattr(fetching, "sys", SimpleNamespace(stderr=screen))
    with progress_line("reading the files"), fetching.show_fetch("fetching chart lamp"):
        screen.wait_for("fetching chart lamp, ")
    assert screen.getvalue().endswith(CLEAR)


@pytest.mark.parametrize(
    ("seconds", "part", "at_most", "left"),
    [
        (30.0, 0.25, False, "about 90 s left"),
        (600.0, 0.5, False, "about 10 min left"),
        (600.0, 0.5, True, "at most 10 min left"),
        (5.0, 0.01, False, ""),
        (5.0, 1.0, False, ""),
        (5.0, 0.0, False, ""),
    ],
)
def test_what_is_left_is_told_from_what_is_done(seconds, part, at_most, left):
    """Not at once, and not of work without a known end, which is never in part done."""
    assert time_left(seconds, part, at_most=at_most) == left


def test_the_line_says_how_long_the_rest_takes(screen):
    """The part is asked for at each update, and that of another text takes its place."""
    with progress_line("simulating", lambda: 0.5) as say:
        screen.wait_for("simulating, 0 s, about 0 s left")
        say("1 of 4 runs", 0.25)
        screen.wait_for("1 of 4 runs, 0 s, about 0 s left")
        say("reading")
        screen.wait_for("reading, 0 s\r")
    assert _texts(screen, "simulating|1 of 4 runs|reading") == ["simulating", "1 of 4 runs", "reading"]
    assert "left" not in screen.getvalue().rpartition("reading")[2]
    assert screen.getvalue().endswith(CLEAR)


def test_a_simulation_says_which_part_of_it_is_over():
    """From its beginning to its end, in time of the run."""
    parts: list[float] = []

    def watch(part):
        parts.append(part())
        watched.append(part)

    watched: list = []
    simulate(read_inputs([str(POOLS), str(WORKLOADS)], region="us-west-2"), days=0.1, watch=watch)
    assert (parts, [part() for part in watched]) == ([0.0], [1.0])


def test_work_within_work_has_a_time_of_its_own(screen):
    """What cannot say how much of it is done leaves the time of the work around it; what can tells its own."""
    with progress_line("planning 2 environments", lambda: 0.5):
        with progress_line("reading the files"):
            screen.wait_for("reading the files, 0 s, about 0 s left")
        with progress_line("planning today's NodePools") as say:
            say("9 of at most 300 candidates", 0.1, at_most=True)
            screen.wait_for("9 of at most 300 candidates, 0 s, at most ")
        inner = screen.getvalue().rindex("300 candidates")
        screen.wait_for("planning 2 environments, 0 s, about ", after=inner)
    shown = _texts(screen, "planning 2 environments|reading the files|9 of at most 300 candidates")
    assert shown[-3:] == ["reading the files", "9 of at most 300 candidates", "planning 2 environments"]
    assert screen.getvalue().endswith(CLEAR)


@pytest.mark.parametrize(
    ("seconds", "what", "said"),
    [
        (None, CANDIDATES, ("30 of at most 300 candidates are planned", 0.1, True)),
        (None, RESTRICTIONS, ("30 of 300 NodePools without a restriction are planned", None, False)),
        (10, RESTRICTIONS, ("30 of 300 NodePools without a restriction are planned", 0.5, False)),
    ],
)
def test_the_time_that_a_search_takes_is_by_candidates_or_by_its_limit(seconds, what, said):
    heard: list = []
    time_given = WorkTime(time.monotonic() - 5, seconds, [])
    say_progress(
        lambda text, part, *, at_most: heard.append((text, part() if callable(part) else part, at_most)),
        time_given,
        SearchProgress(what, 30, 300),
    )
    ((text, part, at_most),) = heard
    assert (text, part and round(part, 2), at_most) == said


def test_the_line_counts_the_charts_that_helm_has_rendered(screen):
    with progress_line("reading the files"), show_rendering() as rendered:
        rendered(12, 48)
        screen.wait_for("rendering charts: 12 of 48 are done, 0 s, about 0 s left")
    assert screen.getvalue().endswith(CLEAR)


def test_regions_are_counted_and_the_second_one_knows_how_much_of_it_is_done():
    """Each asks about as much as the one before it; a single region has no known end."""
    heard: list[tuple[str, float | None]] = []

    def say(text, part=None, /, *, at_most=False):
        assert not at_most
        heard.append((text, part))

    of_two = LineWatcher(say, ("us-west-2", "eu-west-1"))
    for region in ("us-west-2", "eu-west-1"):
        of_two.asking(region, "ec2:DescribeInstanceTypes")
        of_two.answered(1200)
        of_two.asking(region, "pricing:GetProducts")
    LineWatcher(say, ("us-west-2",)).asking("us-west-2", "pricing:GetProducts")
    assert heard == [
        ("us-west-2 (1 of 2): ec2:DescribeInstanceTypes", 0.0),
        ("us-west-2 (1 of 2): ec2:DescribeInstanceTypes 1,200", 0.0),
        ("us-west-2 (1 of 2): pricing:GetProducts", 0.0),
        ("eu-west-1 (2 of 2): ec2:DescribeInstanceTypes", 0.5),
        ("eu-west-1 (2 of 2): ec2:DescribeInstanceTypes 1,200", 0.5),
        ("eu-west-1 (2 of 2): pricing:GetProducts", 0.75),
        ("us-west-2: pricing:GetProducts", None),
    ]
