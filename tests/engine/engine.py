"""A real engine on a file backend, with stand-in providers: where it is found, and how a stack of this repository runs on it.

Programs are inline programs of the Automation API: they run in this process and need the `pulumi` executable alone.
"""

from __future__ import annotations

import contextlib
import re
import runpy
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pulumi import automation
from pulumi_cutlist.package.version import semantic_version

from tests.engine.provider import stand_in
from tests.engine.serving import serving
from tests.engine.shared_file import lines

ROOT: Final = Path(__file__).resolve().parents[2]
MADE: Final = ROOT / ".engine"
PACKAGE_VERSION: Final = semantic_version(version("cutlist"))
MISSING: Final = "no engine: `pulumi` is not on PATH, and `make engine` was not run"
PROVIDERS: Final[Mapping[str, str]] = {
    "aws": "pulumi-aws",
    "azure-native": "pulumi-azure-native",
    "eks": "pulumi-eks",
    "kubernetes": "pulumi-kubernetes",
    "pulumi-python": "pulumi",
}
"""Packages that a stand-in plays, with the distribution whose version programs ask for. Resources that Python code provides are
of the last one: played like the others, they are in the journal and reach no cloud."""


def available() -> bool:
    """Tell whether this machine has an engine: on PATH, else in the folder that `make engine` fills."""
    return shutil.which("pulumi") is not None or (MADE / "bin" / "pulumi").exists()


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine with a home, a backend and a journal of its own, all under one folder."""

    folder: Path
    ports: Mapping[str, int] = field(default_factory=dict)
    """Where stand-ins listen that the engine is attached to, by package; it starts the others with each operation."""

    @classmethod
    def made(cls, folder: Path) -> Engine:
        """Set up an engine's folder: every provider's place is taken by a stand-in."""
        engine = cls(folder)
        for path in (engine.home, engine.backend):
            path.mkdir(parents=True)
        for package, distribution in PROVIDERS.items():
            pinned = version(distribution)
            engine.plug(package, pinned, f"-m tests.engine.provider {package} {pinned} '{engine.journal}'")
        engine.plug("cutlist", PACKAGE_VERSION, f"'{ROOT / 'components'}'" + ' "$@"')
        # An engine adds the options of a pack's runtime, which are for a language host: this Python is chosen already.
        engine.plug("policy-python", version("pulumi"), '-u -m pulumi.policy "$1" "$2"', kind="analyzer")
        return engine

    @contextlib.contextmanager
    def attached(self, packages: Collection[str] = PROVIDERS) -> Iterator[Engine]:
        """Give this engine attached to stand-ins that serve in this process: to start them would be half of each operation."""
        with contextlib.ExitStack() as servers:
            served = {package: stand_in(package, version(PROVIDERS[package]), self.journal) for package in packages}
            yield replace(self, ports={package: servers.enter_context(serving(add))[1] for package, add in served.items()})

    def plug(self, package: str, pinned: str, arguments: str, kind: str = "resource") -> None:
        """Install a plugin: this Python with some arguments, among which `"$@"` stands for those of the engine."""
        executable = self.home / "plugins" / f"{kind}-{package}-v{pinned}" / f"pulumi-{kind}-{package}"
        executable.parent.mkdir(parents=True, exist_ok=True)
        paths = f"{ROOT}:{ROOT / 'components'}"
        executable.write_text(f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" {arguments}\n')
        executable.chmod(0o755)

    def host(self, language: str) -> None:
        """Have the stand-in for a language's host."""
        self.plug(language, "0.0.0", f'-m tests.engine.language_host {language} "$@"', kind="language")

    def host_dynamic_resources(self) -> None:
        """Run the code of resources that Python code provides, in place of a stand-in."""
        self.plug("pulumi-python", version("pulumi"), '-u -m pulumi.dynamic "$@"')

    def runs_as(self, arn: str) -> None:
        """Let AWS see somebody else than the deployer of its first account behind what follows."""
        self.journal.with_name("caller").write_text(arn)

    @property
    def home(self) -> Path:
        """Return where plugins are."""
        return self.folder / "home"

    @property
    def backend(self) -> Path:
        """Return where state is."""
        return self.folder / "state"

    @property
    def journal(self) -> Path:
        """Return where the stand-ins write what they did."""
        return self.folder / "journal"

    @property
    def command(self) -> automation.PulumiCommand:
        """Return the `pulumi` command."""
        return automation.PulumiCommand(None if shutil.which("pulumi") else str(MADE))

    @property
    def environment(self) -> dict[str, str]:
        """Variables under which the command touches nothing outside the folder and asks the network for nothing."""
        attached = ",".join(f"{package}:{port}" for package, port in self.ports.items())
        return {
            "PULUMI_BACKEND_URL": f"file://{self.backend}",
            "PULUMI_CONFIG_PASSPHRASE": "stand-in",
            "PULUMI_DEBUG_PROVIDERS": attached,
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_HOME": str(self.home),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }

    def stack(self, name: str, project: Path, program: Callable[[], None]) -> automation.Stack:
        """Return a new stack of a project, whose file may already be there."""
        options = automation.LocalWorkspaceOptions(
            pulumi_command=self.command, pulumi_home=str(self.home), env_vars=self.environment, work_dir=str(project)
        )
        return automation.create_stack(name, project_name="cutlist", program=program, opts=options)

    def run(self, *arguments: str, folder: Path) -> automation.CommandResult:
        """Any other command of the engine, in a folder. Raises CommandError with what it printed when it fails."""
        return self.command.run([*arguments], str(folder), self.environment)

    def done(self) -> list[tuple[str, str]]:
        """Return what the stand-ins did since the last call, in order: the operation and the resource's URN."""
        done = lines(self.journal)
        self.journal.unlink(missing_ok=True)
        return [(line["operation"], line["urn"]) for line in done]


def copied(project: Path) -> Path:
    """Return a copy of this repository's project: the program, the project file, and every stack with its files."""
    shutil.copytree(ROOT / "stacks", project / "stacks")
    for name in ("Pulumi.yaml", "__main__.py"):
        shutil.copy(ROOT / name, project / name)
    return project


def program(project: Path) -> Callable[[], None]:
    """Return the program of a project, to be run in this process where the project is."""

    def run() -> None:
        with contextlib.chdir(project):
            runpy.run_path(str(project / "__main__.py"), run_name="__main__")

    return run


def deployer(project: Path, name: str) -> str:
    """Return who runs the updates of a stack: its role for that, in its account."""
    account = re.search(r'accountId: "(\d{12})"', (project / "stacks" / f"Pulumi.{name}.yaml").read_text())
    return f"arn:aws:sts::{account[1] if account else '111122223333'}:assumed-role/Deployer/ci"
