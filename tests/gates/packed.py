"""NodePools in texts that tools unpack, and texts that cannot be unpacked as a whole."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import quopri
import tarfile
import zipfile
import zlib
from base64 import a85encode, b32encode, b32hexencode, b64encode, b85encode, urlsafe_b64encode
from binascii import b2a_uu
from html import escape
from typing import Any
from urllib.parse import quote

import yaml

from cutlist.policy.rules import Resource
from tests.gates.trick import Trick, Wanted, registered

POOL = b"""apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: hidden}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
"""


PYTHONS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def zipped() -> bytes:
    """Return an archive of zip with a NodePool."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pool.yaml", POOL)
    return file.getvalue()


def tarred() -> bytes:
    """Return an archive of tar, in gzip, with a NodePool."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        info = tarfile.TarInfo("pool.yaml")
        info.size = len(POOL)
        archive.addfile(info, io.BytesIO(POOL))
    return file.getvalue()


def layers(data: bytes, number: int) -> bytes:
    """Return data in a number of layers of gzip and base64."""
    for _ in range(number):
        data = b64encode(gzip.compress(data))
    return data


def folded(text: str, width: int) -> str:
    """Return a text in lines of a width."""
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


READ = {
    "gzip after many lines": gzip.compress(b"\n" * 200_000 + POOL),
    "the second member of gzip": gzip.compress(b"a: 1\n---\n") + gzip.compress(POOL),
    "zlib": zlib.compress(POOL),
    "bzip2": bz2.compress(POOL),
    "xz": lzma.compress(POOL),
    "lzma": lzma.compress(POOL, format=lzma.FORMAT_ALONE),
    "gzip of bzip2": gzip.compress(bz2.compress(POOL)),
    "UTF-16": POOL.decode().encode("utf-16"),
    "UTF-16 without a mark": POOL.decode().encode("utf-16-le"),
    "UTF-16 of the other order": POOL.decode().encode("utf-16-be"),
    "an archive of zip": zipped(),
    "an archive of tar": tarred(),
    "UTF-32": POOL.decode().encode("utf-32"),
    "UTF-32 without a mark": POOL.decode().encode("utf-32-be"),
    "deflated without a header": zlib.compress(POOL)[2:-4],
    "a file of NULs and texts": b"pool.yaml\0" + POOL,
}
WRITTEN = {
    "six layers": layers(POOL, 6).decode(),
    "hexadecimal digits": POOL.hex(),
    "base64 for addresses": urlsafe_b64encode(gzip.compress(POOL, mtime=0)).decode().rstrip("="),
    "base32": b32encode(POOL).decode(),
    "short lines": folded(b64encode(POOL).decode(), 24),
    "escapes of a shell": "printf '" + "".join(f"\\x{byte:02x}" for byte in POOL) + "'",
    "digits after a prefix": f"0x{POOL.hex()}",
    "pairs of digits": ":".join(f"{byte:02X}" for byte in POOL),
    "escapes of JSON": "".join(f"\\u{byte:04x}" for byte in POOL),
    "escapes of an address": quote(POOL.decode()),
    "an address with data": f"data:text/yaml,{quote(POOL.decode())}",
    "escapes of a page": escape(POOL.decode()).replace(":", "&#58;").replace(",", "&#44;"),
    "JSON in a text of JSON": json.dumps(json.dumps(json.dumps(yaml.safe_load(POOL)))),
    "octal escapes of a shell": "printf '" + "".join(f"\\{byte:03o}" for byte in POOL) + "'",
    "base32 of the other alphabet": b32hexencode(POOL).decode(),
    "base85": b85encode(POOL).decode(),
    "base85 of gzip, in a command": f"python -c 'apply(\"{b85encode(gzip.compress(POOL, mtime=0)).decode()}\")'".replace(
        '"', " "
    ),
    "Ascii85": folded(a85encode(POOL, adobe=True).decode(), 76),
    "base85 of ZeroMQ": b85encode(POOL).decode().translate(str.maketrans(PYTHONS, Z85)),
    "uuencode": "begin 644 a\n" + "".join(b2a_uu(POOL[at : at + 45]).decode() for at in range(0, len(POOL), 45)) + "`\nend\n",
    "quoted-printable": quopri.encodestring(POOL, quotetabs=True).decode(),
    "every letter of it escaped": "".join(f"%{byte:02X}" for byte in POOL),
    "every letter of it an entity": "".join(f"&#{byte};" for byte in POOL),
    "a dump of bytes": "".join(f"{at:08x}: {POOL[at : at + 16].hex(' ', 2)}  ....\n" for at in range(0, len(POOL), 16)),
}
SEALED = {
    "gzip after megabytes of lines": b64encode(gzip.compress(b"\n" * 2_000_000 + POOL)).decode(),
    "gzip of more than is read": b64encode(gzip.compress(b"\n" * 9_000_000 + POOL)).decode(),
    "a second member that is more than is read": b64encode(
        gzip.compress(b"a: 1\n") + gzip.compress(b"\n" * 9_000_000)
    ).decode(),
    "bzip2 of more than is read": b64encode(bz2.compress(b"\n" * 9_000_000 + POOL)).decode(),
    "base85 of more than is read": a85encode(b"\n" * 100 + POOL + bytes(range(1, 128)) * 9000).decode(),
    "a manifest in letters of a mainframe": b64encode(POOL.decode().encode("cp037")).decode(),
    "compress": b64encode(b"\x1f\x9d\x90" + bytes(60)).decode(),
    "zstd": b64encode(b"\x28\xb5\x2f\xfd" + bytes(60)).decode(),
    "an archive of 7z": b64encode(b"7z\xbc\xaf\x27\x1c" + bytes(60)).decode(),
    "more layers than are read": layers(POOL, 9).decode(),
    "a manifest among other bytes": b64encode(bytes(range(128, 200)) + POOL).decode(),
}
PLAIN = {
    "a picture": b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20).decode(),
    "notes in gzip": b64encode(gzip.compress(b"nothing to see\n" * 2000)).decode(),
    "a line of a minified script": 'function(a,b){return(a*b)%7?{k:"v",x:[a,b]}:null};var_c=(x)=>{if(x<3&&x>1)throw"no";}' * 3,
    "an address with a query": "https://example.com/search?q=%7B%22a%22%3A1%7D&from=2026-01-01&to=2026-02-01&sort=asc&page=12",
    "a digest": "sha256:" + "0123456789abcdef" * 4,
    "a token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ",
}


def config_map(**members: Any) -> Resource:
    """Return a ConfigMap as a program registers it."""
    return registered("kubernetes:core/v1:ConfigMap", **{"metadata": {"name": "x"}, **members})


TRICKS = (
    *(Trick(f"in {name}", (config_map(binaryData={"a": b64encode(d).decode()}),), "NP-01") for name, d in READ.items()),
    *(Trick(f"in {name}", (config_map(data={"a": text}),), "NP-01") for name, text in WRITTEN.items()),
    *(Trick(f"in {name}, not read", (config_map(data={"a": text}),), "OB-02") for name, text in SEALED.items()),
    *(Trick(name, (config_map(data={"a": text}),), "OB-02", Wanted.PASSES) for name, text in PLAIN.items()),
)
