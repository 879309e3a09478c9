"""Engines whose Kubernetes is real: by Pulumi's own provider where this machine has it, else by the stand-in that applies."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tests.engine.engine import Engine, copied
from tests.engine.serving import serving
from tests.live.api import Api, ApiError
from tests.live.applying import PACKAGE, applying
from tests.live.kubelet import now
from tests.live.provider_modules import AWS_1_15
from tests.live.servers import Servers

PROGRAM: Final = "pulumi-resource-kubernetes"
OTHERS: Final = ("aws", "eks", "pulumi-python")
"""Packages that stand-ins play."""
_CREDENTIAL: Final = {"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential"}


def provider() -> Path | None:
    """Return Pulumi's provider for Kubernetes: of $KUBERNETES_PROVIDER, on PATH, or installed by `pulumi plugin install`."""
    home = Path(os.environ.get("PULUMI_HOME", "~/.pulumi")).expanduser()
    named = (os.environ.get("KUBERNETES_PROVIDER"), shutil.which(PROGRAM))
    installed = sorted(home.glob(f"plugins/resource-{PACKAGE}-v*/{PROGRAM}"))
    return next((Path(path) for path in (*named, *installed[-1:]) if path and Path(path).is_file()), None)


@contextlib.contextmanager
def engine_on(servers: Servers, folder: Path, program: Path | None) -> Iterator[Engine]:
    """Give an engine whose objects are in the cluster, by the provider's program or, without one, by the stand-in."""
    engine = Engine.made(folder)
    pinned = version("pulumi-kubernetes")
    if program is not None:
        plugin = engine.home / "plugins" / f"resource-{PACKAGE}-v{pinned}" / PROGRAM
        plugin.unlink()
        plugin.symlink_to(program)
    with engine.attached(OTHERS) as attached, contextlib.ExitStack() as stack:
        if program is None:
            api = stack.enter_context(contextlib.closing(servers.api()))
            port = stack.enter_context(serving(applying(pinned, engine.journal, api)))[1]
            attached = Engine(attached.folder, {**attached.ports, PACKAGE: port})
        yield attached


def staging(servers: Servers, project: Path, charts: Path) -> Path:
    """Return the project whose stack `staging` has this cluster as that of another team, and charts that were pulled before."""
    file = copied(project) / "stacks/Pulumi.staging.yaml"
    authority = base64.b64encode(servers.authority.read_bytes()).decode()
    text = re.sub(r"(?<=  endpoint: )\S+", servers.url, file.read_text("utf-8"))
    text = re.sub(r"(?<=certificateAuthority: )\S+", authority, text)
    AWS_1_15.write_charts(charts)
    registry = f"    charts: {{registry: {{repository: {charts}}}}}\n    adoptedCluster:"
    file.write_text(text.replace("    adoptedCluster:", registry), "utf-8")
    return project


def write_aws(folder: Path, user: str) -> None:
    """Write a program `aws` that prints a user's token, as `aws eks get-token` does."""
    folder.mkdir(exist_ok=True)
    program = folder / "aws"
    credential = {**_CREDENTIAL, "status": {"token": f"{user}-token"}}
    program.write_text(f"#!/bin/sh\necho '{json.dumps(credential)}'\n")
    program.chmod(0o755)


@contextlib.contextmanager
def ready_objects(servers: Servers) -> Iterator[None]:
    """Let NodePools and their classes become ready, as Karpenter does, for some time."""
    over, api = threading.Event(), servers.api()

    def work() -> None:
        while not over.wait(0.2):
            for kind in ("EC2NodeClass", "NodePool"):
                with contextlib.suppress(ApiError):  # there is no such kind yet, or the object was deleted meanwhile
                    for manifest in api.items(kind):
                        _make_ready(api, manifest)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        api.close()


def _make_ready(api: Api, manifest: dict[str, Any]) -> None:
    conditions = (manifest.get("status") or {}).get("conditions") or []
    if any(condition["type"] == "Ready" for condition in conditions):
        return
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "message": "", "lastTransitionTime": now()}
    api.patch(manifest["kind"], manifest["metadata"]["name"], {"status": {"conditions": [ready]}}, subresource="status")
