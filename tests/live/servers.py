"""The servers of a live cluster: etcd, the API server, its controllers and scheduler, the stand-in for kubelets, Karpenter."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2
import yaml

from tests.live.api import Api, ApiError
from tests.live.certificates import write_certificates, write_kubeconfigs
from tests.live.processes import Processes, StartError, wait_for
from tests.live.scenario import GATES
from tests.recorded import PROJECT

_PROGRAMS: Final = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
_PORTS: Final = ("etcd", "peer", "api", "metrics", "health")
BATCH: Final = {"BATCH_IDLE_DURATION": "1s", "BATCH_MAX_DURATION": "10s"}
"""Karpenter's batch window, where a scenario says nothing: upstream's own."""


@dataclass(frozen=True, slots=True)
class Karpenter:
    """Which Karpenter runs, and how it is set."""

    version: str
    gates: Mapping[str, bool] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    instance_types: str = ""
    """The file of the instance types on offer, in the form of the KWOK provider; empty for the provider's own."""

    def environment(self) -> dict[str, str]:
        """Return Karpenter's settings as the variables it reads."""
        gates = ",".join(f"{gate}={str(is_on).lower()}" for gate, is_on in {**GATES, **self.gates}.items())
        types = {"INSTANCE_TYPES_FILE_PATH": self.instance_types} if self.instance_types else {}
        return {**BATCH, **self.settings, **types, "FEATURE_GATES": gates}


class Servers:
    """The servers of a folder, made of the programs of another: `bin/` and `crds/VERSION/`."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder.resolve() / "run"
        self.programs = programs.resolve()
        self.processes = Processes(self.folder)
        self._karpenter: Karpenter | None = None
        self._crds = ""

    @property
    def ports(self) -> dict[str, int]:
        """Return the ports of the servers that run, by name."""
        ports: dict[str, int] = json.loads((self.folder / "ports.json").read_text())
        return ports

    @property
    def url(self) -> str:
        """Return where the API server listens."""
        return f"https://127.0.0.1:{self.ports['api']}"

    @property
    def authority(self) -> Path:
        """Return the certificate of the authority that signed the API server's."""
        return self.folder / "pki" / "ca.crt"

    @property
    def karpenter_log(self) -> Path:
        """Return Karpenter's log."""
        return self.processes.log("karpenter")

    def api(self, user: str = "admin") -> Api:
        """Return a client of the API server with a user's token."""
        return Api(self.url, self.authority, f"{user}-token")

    def kubeconfig(self, user: str = "admin") -> Path:
        """Return a user's kubeconfig."""
        return self.folder / f"{user}.kubeconfig"

    def is_up(self) -> bool:
        """Tell whether the API server runs."""
        return self.processes.running("kube-apiserver") is not None

    def up(self) -> None:
        """Start everything but Karpenter, from nothing. What ran before in this folder is stopped.

        Raises StartError where a program is missing or does not start.
        """
        missing = [name for name in _PROGRAMS if not self._program(name).exists()]
        if missing:
            raise StartError(f"{self.programs / 'bin'} has no {', '.join(missing)}; build first: python -m tests.live build")
        self.processes.stop_all()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "ports.json").write_text(json.dumps(dict(zip(_PORTS, free_ports(len(_PORTS)), strict=True))))
        write_certificates(self.folder / "pki")
        write_kubeconfigs(self.folder, self.url, self.authority)
        self._start_etcd()
        self._start_api_server()
        self._start_controllers()
        self._start_stand_in("kubelet")

    def down(self) -> None:
        """Stop everything, and start nothing more."""
        self.processes.close()

    def run_karpenter(self, karpenter: Karpenter) -> None:
        """Let this Karpenter run with these settings: one that does is left alone, another is stopped first."""
        if karpenter == self._karpenter and self.processes.running("karpenter"):
            return
        self.stop_karpenter()
        if self._crds != karpenter.version:
            self._apply_crds(karpenter.version)
            self._crds = karpenter.version
        environment = {
            **karpenter.environment(),
            "KUBECONFIG": str(self.kubeconfig("karpenter")),
            "DISABLE_LEADER_ELECTION": "true",
            "LOG_LEVEL": "debug",
            "SYSTEM_NAMESPACE": "karpenter",
            "METRICS_PORT": str(self.ports["metrics"]),
            "HEALTH_PROBE_PORT": str(self.ports["health"]),
        }
        self.processes.start("karpenter", [self.programs / "bin" / f"karpenter-{karpenter.version}"], environment)
        ready = f"http://127.0.0.1:{self.ports['health']}/readyz"
        self.processes.wait_until("karpenter", "Karpenter to be ready", lambda: _answers(ready))
        if karpenter.instance_types:
            self._start_stand_in("driver", karpenter.instance_types)
        self._karpenter = karpenter

    def stop_karpenter(self) -> None:
        """Stop Karpenter."""
        self.processes.stop("driver")
        self.processes.stop("karpenter")
        self._karpenter = None

    def hold_karpenter(self) -> None:
        """Stop Karpenter in its tracks."""
        self.processes.signal("karpenter", signal.SIGSTOP)

    def resume_karpenter(self) -> None:
        """Let a Karpenter go on that was stopped in its tracks."""
        self.processes.signal("karpenter", signal.SIGCONT)

    def _start_stand_in(self, name: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"tests.live.{name}", self.url, self.authority, "kubelet-token", *arguments]
        self.processes.start(name, command, {"PYTHONPATH": str(PROJECT)})

    def _program(self, name: str) -> Path:
        return self.programs / "bin" / name

    def _start_etcd(self) -> None:
        client, peer = (f"http://127.0.0.1:{self.ports[name]}" for name in ("etcd", "peer"))
        self.processes.start(
            "etcd",
            [
                self._program("etcd"),
                f"--data-dir={self.folder / 'etcd'}",
                f"--listen-client-urls={client}",
                f"--advertise-client-urls={client}",
                f"--listen-peer-urls={peer}",
                f"--initial-advertise-peer-urls={peer}",
                f"--initial-cluster=default={peer}",
                "--unsafe-no-fsync",
            ],
        )

    def _start_api_server(self) -> None:
        keys = self.folder / "pki"
        self.processes.start(
            "kube-apiserver",
            [
                self._program("kube-apiserver"),
                f"--etcd-servers=http://127.0.0.1:{self.ports['etcd']}",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                f"--secure-port={self.ports['api']}",
                f"--tls-cert-file={keys / 'api.crt'}",
                f"--tls-private-key-file={keys / 'api.key'}",
                f"--client-ca-file={keys / 'ca.crt'}",
                f"--token-auth-file={keys / 'tokens.csv'}",
                "--authorization-mode=RBAC",
                f"--service-account-key-file={keys / 'accounts.key'}",
                f"--service-account-signing-key-file={keys / 'accounts.key'}",
                f"--service-account-issuer={self.url}",
                "--service-cluster-ip-range=10.96.0.0/24",
                "--allow-privileged=true",
                "--endpoint-reconciler-type=none",
            ],
        )
        self.processes.wait_until("kube-apiserver", "the API server to be ready", self._is_ready, 300)

    def _start_controllers(self) -> None:
        api = self.api()
        rights = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
        # Without a service account for each controller, the one user needs all their rights.
        subject = {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "system:kube-controller-manager"}
        binding = {"metadata": {"name": "live-controllers"}, "roleRef": rights, "subjects": [subject]}
        api.create({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", **binding})
        api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "karpenter"}})
        common = ["--leader-elect=false", "--secure-port=0", "--kube-api-qps=200", "--kube-api-burst=300"]
        self.processes.start(
            "kube-controller-manager",
            [
                self._program("kube-controller-manager"),
                f"--kubeconfig={self.kubeconfig('controllers')}",
                f"--service-account-private-key-file={self.folder / 'pki' / 'accounts.key'}",
                f"--root-ca-file={self.authority}",
                "--node-monitor-grace-period=24h",  # nobody sends heartbeats
                "--node-startup-grace-period=24h",
                "--use-service-account-credentials=false",
                *common,
            ],
        )
        self.processes.start(
            "kube-scheduler", [self._program("kube-scheduler"), f"--kubeconfig={self.kubeconfig('scheduler')}", *common]
        )
        accounts = "the service account of the namespace default"
        self.processes.wait_until("kube-controller-manager", accounts, lambda: _has_account(api), 120)

    def _is_ready(self) -> bool:
        api = self.api()
        try:
            return bool(api.call("GET", "/readyz") == "ok")
        except (ApiError, httpx2.TransportError):
            return False
        finally:
            api.close()

    def _apply_crds(self, version: str) -> None:
        api = self.api()
        names = []
        for file in sorted((self.programs / "crds" / version).glob("*.yaml")):
            for manifest in filter(None, yaml.safe_load_all(file.read_text())):
                api.apply(manifest)
                names.append(manifest["metadata"]["name"])
        wait_for("Karpenter's CRDs", lambda: all(_is_established(api, name) for name in names), 60)


def free_ports(count: int) -> list[int]:
    """Return ports of this machine's loopback that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=2, trust_env=False).text == "ok"
    except httpx2.TransportError:
        return False


def _has_account(api: Api) -> bool:
    return any(account["metadata"]["namespace"] == "default" for account in api.items("ServiceAccount"))


def _is_established(api: Api, name: str) -> bool:
    conditions = api.get("CustomResourceDefinition", name).get("status", {}).get("conditions") or []
    return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions)
