"""What is packed in a text is found whether it was asked before or not."""

from __future__ import annotations

import gzip
from base64 import b64encode
from itertools import product

from cutlist.policy.rules.expansion import packed_texts
from cutlist.policy.rules.expansion.packed_texts import Budget, unpacked

OBJECT = "apiVersion: v1\nkind: Pod\n"
LONG = "a long text of words " * 60


def test_a_text_holds_the_same_each_time():
    inside = (OBJECT, "", "a", "{}", LONG)
    packed = (str, lambda text: b64encode(text.encode()).decode(), lambda text: text.encode().hex(), _zipped, _escaped)
    texts = [
        around.format(pack(text)) for text, pack, around in product(inside, packed, ("{}", "echo {} | sh", f"{{}} {LONG}"))
    ]
    once = [list(packed_texts._unpacked(text)) for text in texts]
    assert [list(unpacked(text, Budget())) for text in texts * 2] == once * 2
    assert 0 < sum(map(bool, once)) < len(once)


def test_a_text_that_holds_something_takes_from_the_budget_each_time():
    budget = Budget(left=100)
    text = b64encode(OBJECT.encode()).decode()
    said = [inner.why for _ in range(6) for inner in unpacked(text, budget)]
    assert said[:3] == ["", "", ""]
    assert all(why.startswith("unpacked it has more than") for why in said[100 // len(OBJECT) :])


def _zipped(text: str) -> str:
    return b64encode(gzip.compress(text.encode())).decode()


def _escaped(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())
