"""Manifests in texts are found wherever they stand, and no text takes long to search."""

from __future__ import annotations

import gzip
import json
import time
from base64 import b64encode
from textwrap import indent

import pytest

from cutlist.policy.rules.expansion.manifest_texts import manifests_in

POOL = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "a"}}
YAML = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: a\n"
JSON = json.dumps(POOL)
PACKED = b64encode(gzip.compress(YAML.encode())).decode()
TEXTS = {
    "whole": YAML,
    "an apostrophe before quotes": f"# don't\necho '{JSON}'",
    "an open brace before braces": f"if x {{ y\napply({JSON})",
    "a second here-document": f"cat <<A\nno\nA\ncat <<B\n{YAML}\nB\n",
    "a here-document after one that never ends": f"cat <<A\ncat <<B\n{YAML}\nB\n",
    "a block of lines": f"x = '''\n{indent(YAML, '    ')}\n'''",
    "a list of one": indent(YAML, "  ").replace("  apiVersion", "- apiVersion", 1),
    "layers": b64encode(b64encode(PACKED.encode())).decode(),
    "beside other words": f"echo {PACKED} | base64 -d | gunzip",
}
LONG = {
    "a quote that never ends": '"' + "apiVersion" * 5_000,
    "escaped quotes": 'apiVersion "' + '\\"' * 20_000,
    "here-documents that never end": "apiVersion\n" + "".join(f"<<A{number}\n" for number in range(3_000)),
    "open braces": "apiVersion" + "{" * 20_000,
    "nested braces": "{apiVersion" * 2_000 + "}" * 2_000,
    "lines": "x\n" + " apiVersion: 1\n" * 2_000,
    "base64": "A" * 100_000,
    "a bomb": b64encode(gzip.compress(b"A" * 50_000_000)).decode(),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_manifests_are_found(text: str):
    values = manifests_in(text)
    assert POOL in [inner for value in values for inner in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("text", ["", "kind: NodePool", "apiVersion", "A" * 50, "\x1f\x8b", "H4sI" + "A" * 60, "{" * 9])
def test_other_texts_hold_none(text: str):
    assert manifests_in(text) == []


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_no_text_takes_long(text: str):
    begin = time.process_time()
    assert manifests_in(text) == []
    assert time.process_time() - begin < 2
