"""The first command on a large repository of Flux: `python -m tools.benchmarks repository`, with helm and git on the PATH.

The repository has files with an object of a cluster each, in folders for apps, and releases of charts from a repository of
charts, which a first call fetches into a cache. Measured are calls that take them from there: the processor time of Cutlist
itself, and that of the programs that it starts.
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FILES: Final = 10_000
CHARTS: Final = 100
LIMIT: Final = 10.0
"""Seconds of processor time beyond the renderers'."""
_APPS: Final = 200
_COMMANDS: Final = ("plan", "validate")
_MEASURED: Final = (
    "import resource, sys\n"
    "from cutlist_cli import main\n"
    "code = 0\n"
    "try:\n    main(sys.argv[1:])\n"
    "except SystemExit as end:\n    code = end.code\n"
    "own, others = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))\n"
    "sys.stdout.flush()\n"
    "print(code, *(of.ru_utime + of.ru_stime for of in (own, others)), file=sys.stderr)\n"
)
"""Runs a command, then writes its exit code and the two processor times as the last line of standard error."""
_TEMPLATE: Final = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers: [{name: app, image: "registry.example.com/app:1", resources: {requests: {cpu: 250m, memory: 512Mi}}}]
"""


def report(files: int = FILES, charts: int = CHARTS) -> int:
    """Print the processor time of commands on the repository; return 1 if one takes more than the limit, 2 without helm."""
    if shutil.which("helm") is None or shutil.which("git") is None:
        print("helm and git have to be on the PATH", file=sys.stderr)
        return 2
    print("| input | command | in the answer | processor time | of its renderers |\n|---|---|---|---|---|")
    slow = False
    with tempfile.TemporaryDirectory() as folder, _repository_of_charts(charts) as address:
        root = Path(folder, "repository")
        _write(root, files, charts, address)
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "HOME": folder}
        _run(root, environment, "plan", "--fetch")
        for command in _COMMANDS:
            found, own, others = _run(root, environment, command, "--offline")
            slow = slow or own > LIMIT
            name = f"{files:,} files, {charts:,} charts"
            print(f"| {name} | {command} | {found} | {own:.1f} s | {others:.1f} s |", flush=True)
    return 1 if slow else 0


def _run(root: Path, environment: dict[str, str], command: str, how: str) -> tuple[str, float, float]:
    """Run a command in the repository; return what its answer has, and the processor time of Cutlist and of others."""
    words = (command, "-f", ".", "-R", "--helm", how, "-o", "json", *(("--region", "us-west-2") if command == "plan" else ()))
    done = subprocess.run(
        (sys.executable, "-c", _MEASURED, *words), cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    code, own, others = done.stderr.strip().splitlines()[-1].split()
    if code not in ("0", "None"):
        raise SystemExit(f"cutlist {' '.join(words)} ends with {code}: {done.stderr[:2000]}")
    answer = json.loads(done.stdout)
    found = f"{answer['totals']['pods']:,} pods" if command == "plan" else f"{answer['checked']['Deployment']:,} Deployments"
    return found, float(own), float(others)


def _write(root: Path, files: int, charts: int, address: str) -> None:
    """Write the repository: a NodePool, files of apps, and the releases of charts."""
    for number in range(files - charts - 2):
        path = root / f"apps/app-{number % _APPS}/{number}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_object(number))
    (root / "releases").mkdir(parents=True)
    source = {"url": address, "interval": "10m"}
    (root / "pools.yaml").write_text(_POOLS)
    (root / "releases/charts.yaml").write_text(
        json.dumps(_flux("source.toolkit.fluxcd.io/v1", "HelmRepository", "charts", source))
    )
    for number in range(charts):
        reference = {"chart": f"chart-{number}", "version": "1.x", "sourceRef": {"kind": "HelmRepository", "name": "charts"}}
        spec = {"chart": {"spec": reference}, "interval": "10m", "values": {"replicas": number % 5 + 1}}
        release = _flux("helm.toolkit.fluxcd.io/v2", "HelmRelease", f"release-{number}", spec)
        (root / f"releases/{number}.yaml").write_text(json.dumps(release))
    subprocess.run(("git", "init", "--quiet"), cwd=root, check=True)


def _object(number: int) -> str:
    """Return an object: of ten files one has a Deployment, the others what lies beside it."""
    name = f"app-{number}"
    if number % 10:
        return (
            f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: apps}}\ndata: {{port: '80', level: info}}\n"
        )
    container = 'name: app, image: "registry.example.com/app:1", resources: {requests: {cpu: 100m, memory: 256Mi}}'
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: apps}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{containers: [{{{container}}}]}}
"""


def _flux(api_version: str, kind: str, name: str, spec: dict[str, object]) -> dict[str, object]:
    """Return an object of Flux."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "apps"}, "spec": spec}


_POOLS: Final = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: node
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: demo}}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
"""


@contextmanager
def _repository_of_charts(charts: int) -> Iterator[str]:
    """Serve a repository of charts on this machine, and yield its address."""
    answers: dict[str, bytes] = {}
    entries: dict[str, list[dict[str, object]]] = {}
    for number in range(charts):
        name = f"chart-{number}"
        data = _packed(name)
        answers[f"/{name}-1.0.0.tgz"] = data
        digest = hashlib.sha256(data).hexdigest()
        entries[name] = [
            {"apiVersion": "v2", "name": name, "version": "1.0.0", "digest": digest, "urls": [f"{name}-1.0.0.tgz"]}
        ]
    answers["/index.yaml"] = json.dumps({"apiVersion": "v1", "entries": entries}).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = answers.get(self.path)
            self.send_response(200 if data is not None else 404)
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _packed(name: str) -> bytes:
    """Return the archive of a chart with one Deployment."""
    raw = io.BytesIO()
    contents = {
        "Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n",
        "values.yaml": "replicas: 1\n",
        "templates/app.yaml": _TEMPLATE,
    }
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for path, text in contents.items():
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(raw.getvalue(), mtime=0)
