"""What the modules of Karpenter's cloud providers hold: CRDs and charts, read from the archives of Go's module cache."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from tests.live.processes import StartError

_CRDS: Final = "pkg/apis/crds/"
_CHARTS: Final = "charts/"


@dataclass(frozen=True, slots=True)
class ProviderModule:
    """A release of a provider as a Go module."""

    path: str
    version: str

    def archive(self) -> Path:
        """Return the module's archive, downloaded where it is not there yet. A Go that is older than the module asks for gets
        it anyway, since nothing is built. Raises StartError where it cannot be had."""
        command = ["go", "mod", "download", "-json", f"{self.path}@{self.version}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise StartError("Go is missing: CRDs of Karpenter's providers come from their Go modules") from error
        answer = json.loads(done.stdout or "{}")
        if "Zip" not in answer:
            raise StartError(f"{self.path}@{self.version} cannot be downloaded: {answer.get('Error') or done.stderr.strip()}")
        return Path(answer["Zip"])

    def crds(self) -> list[dict[str, Any]]:
        """Return the provider's CRDs."""
        manifests = (manifest for _, text in self._files(_CRDS) for manifest in yaml.safe_load_all(text))
        return [manifest for manifest in manifests if manifest and manifest["kind"] == "CustomResourceDefinition"]

    def write_charts(self, folder: Path) -> None:
        """Write the charts into a folder, each in one of its own."""
        for name, text in self._files(_CHARTS):
            if "/" in name.removeprefix(_CHARTS):
                file = folder / name.removeprefix(_CHARTS)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text)

    def _files(self, folder: str) -> Iterator[tuple[str, bytes]]:
        root = f"{self.path}@{self.version}/"
        with zipfile.ZipFile(self.archive()) as archive:
            for name in sorted(archive.namelist()):
                if name.startswith(root + folder) and not name.endswith("/"):
                    yield name.removeprefix(root), archive.read(name)


_AWS_PATH: Final = "github.com/aws/karpenter-provider-aws"
AWS: Final = ProviderModule(_AWS_PATH, "v1.14.1")
AWS_1_15: Final = ProviderModule(_AWS_PATH, "v1.15.1")
AZURE: Final = ProviderModule("github.com/Azure/karpenter-provider-azure", "v1.14.0")
