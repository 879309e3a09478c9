"""The pictures of the documentation, made again by `make pictures`: the terminal of the README and the page of a plan.

The terminal is what README's first command writes, with its colours, as SVG. The page is that of the plan of stack `prod` as
Chromium shows it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final
from unittest.mock import patch

from click.testing import CliRunner

from cutlist_cli import main
from tests.sample import SHOP

PROJECT: Final = Path(__file__).resolve().parents[2]
PICTURES: Final = PROJECT / "docs" / "pictures"
PAGE_COMMAND: Final = "plan -f stacks/prod --recursive --region eu-west-1 -o html"
_WIDTH: Final = 100
_SIZE: Final = {"width": 1280, "height": 1150}
_VIEW: Final = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_FONT: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # rich would have it loaded from another host


def readme_command() -> str:
    """Return the first command of the README, without `cutlist`; it is for the folder of the sample project."""
    match = re.search(r"^\$ cutlist (.*)$", (PROJECT / "README.md").read_text(), re.MULTILINE)
    if match is None:
        raise SystemExit("README.md has no command of cutlist")
    return match[1]


def answer(command: str, folder: Path) -> str:
    """Return what a command in a folder writes to a terminal with colours; raises SystemExit with its error."""
    with contextlib.chdir(folder), patch("cutlist_cli.terminal.has_colour", return_value=True):
        result = CliRunner().invoke(main, shlex.split(command), color=True)
    if result.exit_code:
        raise SystemExit(result.output)
    return result.stdout


def terminal_picture(command: str, text: str) -> str:
    """Return a terminal in which a command wrote this text, as SVG that loads nothing."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    console.print(Text("$ ", style="dim") + Text(f"cutlist {command}", style="bold"), soft_wrap=True)
    console.print(Text.from_ansi(text.rstrip()), soft_wrap=True)
    drawn = _FONT.sub("", console.export_svg(title="cutlist", unique_id="terminal"))
    drawn = _VIEW.sub(r'width="\1" height="\2" \g<0>', drawn, count=1)  # without a size of its own it shrinks in a table
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def page_picture(page: str, file: Path) -> None:
    """Write the first screen of a page as PNG."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("chromium is not installed: the picture of the page is not made again")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        source = Path(folder) / "plan.html"
        source.write_text(page)
        browser = driver.chromium.launch(executable_path=program)
        shown = browser.new_page(viewport=_SIZE, color_scheme="light")
        shown.goto(source.as_uri())
        shown.screenshot(path=file)
        browser.close()


def write() -> None:
    """Write both pictures."""
    PICTURES.mkdir(exist_ok=True)
    command = readme_command()
    text = answer(f"{command} --width {_WIDTH}", SHOP)
    (PICTURES / "terminal.svg").write_text(terminal_picture(command, text))
    page_picture(answer(PAGE_COMMAND, PROJECT), PICTURES / "page.png")
    sys.stdout.write(f"docs/pictures/terminal.svg and page.png are those of `cutlist {command}` and `cutlist {PAGE_COMMAND}`\n")


if __name__ == "__main__":
    write()
