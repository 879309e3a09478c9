"""Programs that render: run without a home, a cluster and the network, and for a limited time and size."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Timer
from typing import Final

from cutlist.core.secrecy import masked

_SECONDS: Final = 120
MAX_BYTES: Final = 32 * 2**20
"""How much a program prints at most: it is rendered text, which takes far longer to read than a snapshot."""
_ERROR_BYTES: Final = 2**16
_NOWHERE: Final = "http://127.0.0.1:9"
"""An address where nothing answers."""
NO_NETWORK: Final = {**dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), _NOWHERE), "NO_PROXY": ""}
"""Variables with which a program fetches nothing: also not what a schema of values names by its address."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: what it printed, what it said besides, and its exit code.

    `failure` says after the program's name what went wrong where it did not end by itself; then nothing of it counts.
    """

    text: str = ""
    said: str = ""
    code: int = 0
    failure: str = ""


def empty_home(home: str) -> dict[str, str]:
    """Return the variables with which a program that renders has an empty home, so that helm has no plugins, repositories and
    registries, and no cluster; nothing is fetched."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    own = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), home)
    own |= {f"HELM_{name}_HOME": os.path.join(home, name.lower()) for name in ("CACHE", "CONFIG", "DATA")}
    own |= {"HELM_PLUGINS": os.path.join(home, "plugins"), "KUBECONFIG": os.path.join(home, "no-cluster")}
    return {**kept, **own, **NO_NETWORK}


def run(command: Sequence[str], environment: Mapping[str, str], home: str, folder: str | None = None) -> Ended:
    """Return how a program ended that was run in a folder: one that takes too long or prints too much is stopped."""
    with tempfile.TemporaryFile(dir=home) as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - what was asked for
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder
            )
        except OSError as error:
            return Ended(failure=f"cannot be run: {error}")
        timer = Timer(_SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        with process:
            try:
                raw = process.stdout.read(MAX_BYTES + 1) if process.stdout is not None else b""
                if len(raw) <= MAX_BYTES:
                    process.wait()
                has_ended = timer.is_alive()
            finally:  # also when the user ends the run
                timer.cancel()
                process.kill()
        errors.seek(0)
        said = masked(errors.read(_ERROR_BYTES).decode(errors="replace"))
    if len(raw) > MAX_BYTES:
        return Ended(failure=f"renders more than {MAX_BYTES // 2**20} MiB of it")
    if not has_ended:
        return Ended(failure=f"takes longer than {_SECONDS} s")
    return Ended(raw.decode(errors="replace"), said, process.returncode)
