"""The pictures of the documentation: what they show are commands of today, and they load nothing."""

from __future__ import annotations

import re
import shlex
from xml.etree import ElementTree

from cutlist_cli.commands import COMMANDS
from tests.browser.pictures import PAGE_COMMAND, PICTURES, PROJECT, readme_command, terminal_picture
from tests.sample import SHOP


def test_a_terminal_is_a_picture_with_the_command_and_its_colours():
    drawn = terminal_picture("plan -f a.yaml", "\x1b[1mAt least $5\x1b[0m a month\n")
    root = ElementTree.fromstring(drawn)  # noqa: S314 - our own text
    words = " ".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "cutlist" in words
    assert "At" in words
    assert not re.search(r"url\([\"']?https?:|@import|<script|href", drawn)
    assert float(root.get("width", 0)) > float(root.get("height", 0)) > 0


def test_pictures_are_of_commands_that_exist_and_are_there():
    for command, folder in ((readme_command(), SHOP), (PAGE_COMMAND, PROJECT)):
        name, *arguments = shlex.split(command)
        assert name in COMMANDS
        files = [arguments[at + 1] for at, option in enumerate(arguments) if option == "-f"]
        assert [file for file in files if not (folder / file).exists()] == []
    assert (PICTURES / "page.png").read_bytes().startswith(b"\x89PNG")
    assert not re.search(r"url\([\"']?https?:", (PICTURES / "terminal.svg").read_text())
