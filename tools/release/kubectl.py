"""The archive and the manifest by which krew installs `kubectl cutlist`."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import tarfile
from pathlib import Path
from typing import Final

from tools.release.project import Project

FOLDER: Final = "tools/integrations/kubectl"
_MEMBERS: Final = {"kubectl-cutlist": f"{FOLDER}/kubectl-cutlist", "LICENSE": "LICENSE"}


def archive(project: Project, target: Path) -> Path:
    """Write the archive, the same bytes for the same commit, and return its file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as files:
        for name, path in _MEMBERS.items():
            content = (project.root / path).read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), project.commit_time()
            member.mode = 0o755 if name == "kubectl-cutlist" else 0o644
            files.addfile(member, io.BytesIO(content))
    file = target / "kubectl-cutlist.tar.gz"
    file.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return file


def manifest(project: Project, packed: Path) -> str:
    """Return the manifest of the release, with the checksum of its archive."""
    text = (project.root / FOLDER / "cutlist.yaml").read_text("utf-8").partition("\n")[2]  # without the comment
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    return re.sub(r'sha256: "0{64}"', f'sha256: "{digest}"', text)
