"""A language host: what an engine starts to run a program. The real ones come with Pulumi; not every module proxy has theirs.

It runs a program as the real host does, in its own process that it tells the monitor's address: Python by the script that
Pulumi's real host runs, TypeScript by Pulumi's package for Node.js, Go as the compiled program. A program in YAML is read by
`yaml_program`, which has the part of that language that the tests use. Plugins that are folders with a program in Python run
with this Python; a real host makes them a virtual environment.

    python -m tests.engine.language_host LANGUAGE ENGINE
"""

# ruff: noqa: N802 - the methods are called what the protocol calls them

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2

from tests.engine.policy_host import KIND, PolicyHost
from tests.engine.serving import serve

MADE: Final = Path(__file__).resolve().parents[2] / ".engine"
PYTHON_RUNNER: Final = MADE / "python" / "pulumi-language-python-exec"
NODE_RUNNER: Final = MADE / "typescript" / "node_modules" / "@pulumi" / "pulumi" / "cmd" / "run"
GENERATORS: Final = {"nodejs": MADE / "bin" / "typescript-sdk", "go": MADE / "bin" / "go-sdk"}
"""Pulumi's own generators of a package's sources, as programs; a program in YAML needs no sources."""
GO_PROGRAM: Final = "program"
"""The name of a compiled program in Go, in its folder."""
_SAID_WHY: Final = 32  # the status of a program that has reported its mistakes


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """Runs programs of one language."""

    def __init__(self, language: str, engine: str) -> None:
        self._language = language
        self._engine = engine

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="0.0.0")

    def Cancel(self, request, context):
        return empty_pb2.Empty()

    def GetRequiredPackages(self, request, context):
        return language_pb2.GetRequiredPackagesResponse()

    def InstallDependencies(self, request, context):
        return iter(())

    def GeneratePackage(self, request, context):
        """Write the sources of a package for programs of this language."""
        if self._language in GENERATORS:
            command = [GENERATORS[self._language], request.directory]
            subprocess.run(command, input=request.schema, text=True, check=True, stdout=subprocess.DEVNULL)
        return language_pb2.GeneratePackageResponse()

    def Link(self, request, context):
        """Change no program's dependencies: the real hosts write them into package.json or go.mod."""
        return language_pb2.LinkResponse()

    def Run(self, request, context):
        """Run a program until it ends."""
        config = {"PULUMI_CONFIG": json.dumps(dict(request.config))}
        config["PULUMI_CONFIG_SECRET_KEYS"] = json.dumps(list(request.configSecretKeys))
        process = subprocess.run(
            self._command(request),
            cwd=request.info.program_directory,
            env={**os.environ, **config, **self._own(request)},
            check=False,
        )
        if process.returncode == _SAID_WHY:
            return language_pb2.RunResponse(bail=True)
        return language_pb2.RunResponse(error=f"the program ended with {process.returncode}" if process.returncode else "")

    def _own(self, request: Any) -> dict[str, str]:
        if self._language == "go":  # a program in Go reads from variables what others are given as options
            return {
                "PULUMI_MONITOR": request.monitor_address,
                "PULUMI_ENGINE": self._engine,
                "PULUMI_PROJECT": request.project,
                "PULUMI_STACK": request.stack,
                "PULUMI_ORGANIZATION": request.organization,
                "PULUMI_PARALLEL": str(request.parallel),
                "PULUMI_DRY_RUN": str(request.dryRun).lower(),
            }
        return {"PULUMI_NODEJS_TYPESCRIPT": "true"} if self._language == "nodejs" else {}

    def _command(self, request: Any) -> list[str]:
        node = self._language == "nodejs"
        options = {
            "monitor": request.monitor_address,
            "engine": self._engine,
            "project": request.project,
            "stack": request.stack,
            "organization": request.organization,
            "pwd": request.pwd,
            "parallel": str(request.parallel),
            "dry-run" if node else "dry_run": str(request.dryRun).lower(),
            "root-directory" if node else "root_directory": request.info.root_directory,
        }
        reported = [f"--{name}={value}" for name, value in options.items() if value]
        if self._language == "go":
            return [str(Path(request.info.program_directory) / GO_PROGRAM)]
        if node:
            return ["node", str(NODE_RUNNER), *reported, request.info.entry_point]
        program = Path(__file__).with_name("yaml_program.py") if self._language == "yaml" else request.info.entry_point
        return [sys.executable, "-u", str(PYTHON_RUNNER), *reported, str(program)]

    def RunPlugin(self, request, context) -> Iterator[language_pb2.RunPluginResponse]:
        """Run a plugin until the engine ends the call; what it prints is the engine's."""
        if request.kind == KIND:
            yield from PolicyHost(request).run(context)
            return
        command = [sys.executable, "-u", request.info.program_directory, *request.args]
        environment = dict(pair.split("=", 1) for pair in request.env) or None
        with subprocess.Popen(command, cwd=request.pwd, env=environment, stdout=subprocess.PIPE) as process:
            context.add_callback(process.terminate)
            for line in process.stdout or ():
                yield language_pb2.RunPluginResponse(stdout=line)
            yield language_pb2.RunPluginResponse(exitcode=process.wait())


def main(language: str, engine: str) -> None:
    """Serve until the engine ends the process."""
    serve(partial(language_pb2_grpc.add_LanguageRuntimeServicer_to_server, LanguageHost(language, engine)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[-1])
