"""The server: lists the tools, and runs each call as a command in its own process, behind a fence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from cutlist.core.errors import InputError
from cutlist.report.problems import render_problems
from cutlist.settings.calendar import DAY
from cutlist.settings.planning import PLAN
from cutlist_cli import terminal
from cutlist_cli.assistants.fence import SEPARATOR
from cutlist_cli.assistants.roots import Roots
from cutlist_cli.assistants.tools import Tool, tools

_AT_ONCE: Final = 2
"""How many calls run at the same time; others wait."""
_ANSWERED: Final = (0, 1)
"""Exit codes of commands that have answered; the gates that stop a change have, too."""
_PASSED_ON: Final = frozenset(
    (
        *(variable for setting in (*PLAN, DAY) for variable in setting.variables),
        *("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ"),
        *("LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE"),
    )
)
"""The variables of the environment that commands see. Credentials are not among them."""
_SAFELY: Final = ("-P", "-X", "utf8")
"""Options of Python: it imports nothing from the working folder, which is a root, and writes UTF-8."""
_INSTRUCTIONS: Final = (
    "Cutlist says which nodes Karpenter will launch for Kubernetes workloads, at what price, and why, from manifests and "
    "without an account. Paths are files or folders below {folders}; relative ones count from the first. Nothing is changed. "
    "Prices are in USD unless an answer names another currency. An answer is the JSON that `cutlist TOOL -o json` writes."
)


async def serve(roots: Roots, version: str) -> None:
    """Answer calls over standard input and output until the client closes them."""
    server = assistant_server(roots, version)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def assistant_server(roots: Roots, version: str) -> Server[Any]:
    """Return the server, whose tools read nothing but the roots."""
    by_name = {tool.name: tool for tool in tools()}
    limit = anyio.CapacityLimiter(_AT_ONCE)

    async def list_tools(_: object, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in by_name.values()])

    async def call_tool(_: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = by_name.get(params.name)
        if tool is None:
            return _refusal(f"error: there is no tool {params.name!r}, but {', '.join(by_name)}")
        try:
            words = tool.words(params.arguments or {}, roots)
        except InputError as error:
            return _refusal(render_problems(error.problems, terminal.DEFAULT_WIDTH, colour=False))
        async with limit:
            return await _answer(words, roots)

    instructions = _INSTRUCTIONS.format(folders=", ".join(roots.folders))
    return Server("cutlist", version=version, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool)


def _described(tool: Tool) -> types.Tool:
    annotations = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return types.Tool(name=tool.name, description=tool.description, input_schema=tool.schema(), annotations=annotations)


async def _answer(words: list[str], roots: Roots) -> types.CallToolResult:
    """Return what a command answers or refuses; if the call is cancelled, the process ends."""
    fenced = [sys.executable, *_SAFELY, "-m", "cutlist_cli.assistants.fence", *roots.folders, SEPARATOR, *words]
    process = await anyio.run_process(
        fenced, check=False, stdin=subprocess.DEVNULL, cwd=roots.first, env=environment(os.environ)
    )
    answer, messages = process.stdout.decode(), process.stderr.decode(errors="replace")
    if process.returncode not in _ANSWERED or not answer:
        return _refusal(messages or f"error: the command ended with code {process.returncode}", answer)
    return types.CallToolResult(content=_contents(answer, messages), structured_content=json.loads(answer))


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that a command sees."""
    return {name: value for name, value in variables.items() if name in _PASSED_ON}


def _refusal(message: str, answer: str = "") -> types.CallToolResult:
    """Return the text of an error, with the answer if the command still gives one."""
    return types.CallToolResult(content=_contents(message, answer), is_error=True)


def _contents(*texts: str) -> list[types.ContentBlock]:
    return [types.TextContent(type="text", text=text) for text in texts if text]
