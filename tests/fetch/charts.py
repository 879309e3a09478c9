"""Charts as archives, good and hostile."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}-web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: web, resources: {requests: {cpu: 100m, memory: 64Mi}}}]
"""


def files_of(name: str, version: str, **metadata: object) -> dict[str, str]:
    """Return the files of a chart with one Deployment, by their paths."""
    chart = {"apiVersion": "v2", "name": name, "version": version, **metadata}
    return {
        "Chart.yaml": json.dumps(chart),
        "values.yaml": "replicas: 2\n",
        "templates/web.yaml": DEPLOYMENT,
        "templates/version.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}-{version}}}\n",
    }


def packed(folder: str, files: Mapping[str, str]) -> bytes:
    """Return an archive with files below a folder."""
    return archive([_file(f"{folder}/{path}" if folder else path, text.encode()) for path, text in files.items()])


def archive(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    """Return a compressed archive of members."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
    return gzip.compress(raw.getvalue(), mtime=0)


def _file(path: str, data: bytes) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(path)
    info.size = len(data)
    return info, data


def member(path: str, kind: bytes = tarfile.REGTYPE, target: str = "", data: bytes = b"") -> tuple[tarfile.TarInfo, bytes]:
    """Return one member of an archive, of any kind and under any name."""
    info, _ = _file(path, data)
    info.type, info.linkname = kind, target
    return info, data


def sha256(data: bytes) -> str:
    """Return a digest as registries write it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
