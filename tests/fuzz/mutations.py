"""Texts with something wrong in them: bytes, lines, values, and documents that are bombs. Equal seeds make equal texts."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import yaml

from tests.mutations import REMOVED, member_paths, mutated

_TOKENS: Final = (
    *(
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc3\x28",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\xe2\x80\xae",
        b"\xc2\x85",
        b"\x1b[2J",
    ),
    *(b"\t", b"\r", b"\r\n", b"\n\n", b" ", b"\xe2\x80\xa8", b"---\n", b"...\n", b"%YAML 9.9\n", b"{{ .Values.x }}", b"# "),
    *(
        b"&a ",
        b"*a",
        b"<<: ",
        b"? ",
        b"- ",
        b": ",
        b"| ",
        b">-\n",
        b"!!binary ",
        b"!!python/object:os.system ",
        b"!!set ",
        b"!x ",
    ),
    *(b"[", b"]", b"{", b"}", b'"', b"'", b",", b"\\", b"\\ud800", b"$(x)", b"~", b"null", b".nan", b"-.inf", b"1e999999"),
    *(
        b"9" * 400,
        b"0x" + b"f" * 300,
        b"12:30:45",
        b"2026-13-45",
        b"-1",
        b"0",
        b"true",
        b"yes",
        b"1_000",
        b"0o777",
        b"a" * 5000,
    ),
)
_NUMBERS: Final = (
    0,
    -1,
    1,
    2**31,
    2**63,
    2**64,
    10**30,
    -(10**30),
    0.1,
    1e308,
    -1e-320,
    float("inf"),
    float("nan"),
    True,
    False,
)
_TEXTS: Final = (
    *(
        "",
        " ",
        "\n",
        "\0",
        "\u202e",
        "a" * 10_000,
        "é",
        "\U0001f600",
        "\t=1+1",
        "../../etc/passwd",
        "/dev/zero",
        "~",
        "-",
        "*",
        "/",
    ),
    *(
        "1e400",
        "9" * 30 + "Ei",
        "-1",
        "0.0000000001n",
        "1m",
        "1e-400",
        "0x10",
        "+5",
        "100%",
        "-5%",
        "1000000%",
        "NaN",
        "Infinity",
    ),
    *("9999999999h", "-5s", "1d", "0s", "1h1h", "Never", "* * 31 2 *", "@every 1s", "60 25 * * *", "TZ=Mars/Base * * * * *"),
    *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01", "10.0.0.0/99", "::/0", "300.1.1.1"),
    *(
        "v1",
        "karpenter.sh/v9",
        "a/b/c",
        "kubernetes.io/hostname",
        "karpenter.sh/nodepool",
        "In",
        "Exists",
        "Gt",
        "arn:aws:iam::*",
    ),
    *(
        "${aws:username}",
        "{" * 50,
        "[" * 50,
        "(a+)+$",
        "1.34",
        "99.99.99",
        "us-west-2a",
        "spot",
        "1024Mi",
        "m5.large",
        "=cmd|'x'!A1",
    ),
)
_LONGEST: Final = 10_000_000  # bytes of all repetitions of a line together
_DEPTH: Final = 150


def junk(random: Random) -> Any:
    """Return a value that seldom fits where it is put."""
    kind = random.randrange(10)
    if kind < 3:
        return random.choice(_NUMBERS)
    if kind < 7:
        return random.choice(_TEXTS)
    nested: Any = random.choice(
        (None, [], {}, [None], [[]], {"": None}, {"a": {"b": []}}, [{}, "x", 1], {2: 2, None: 3, True: 4})
    )
    if random.random() < 0.1:
        for _ in range(random.choice((3, _DEPTH, _DEPTH * 3))):
            nested = [nested] if random.random() < 0.5 else {"spec": nested}
    return copy.deepcopy(nested)


def mutant(seeds: tuple[bytes, ...], random: Random) -> bytes:
    """Return one of the texts with one to four things wrong, in its bytes or its values."""
    text = random.choice(seeds)
    share = random.random()
    if _is_table(text) and share < 0.8:
        return _of_cells(text, random)
    mutate = _of_values if share < 0.7 else _of_bytes
    try:
        return mutate(text, random)
    except (yaml.YAMLError, ValueError, RecursionError):  # a text that is not a YAML, or a value that YAML has no words for
        return _of_bytes(text, random)


def _of_values(text: bytes, random: Random) -> bytes:
    is_json = text.lstrip()[:1] in (b"{", b"[")
    documents = [json.loads(text)] if is_json else list(yaml.load_all(text, Loader=yaml.CSafeLoader))
    change = random.choice((_with_mistake, _with_change, _with_change))
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        documents = change(documents, random)
    if is_json:
        return json.dumps(documents[0] if documents else None).encode()
    return yaml.dump_all(documents, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True).encode(
        "utf-8", "surrogatepass"
    )


def _with_mistake(documents: list[Any], random: Random) -> list[Any]:
    paths = list(member_paths(documents))[1:]
    if not paths:
        return [junk(random)]
    path, other = random.choice(paths), random.choice(paths)
    at_path = value_at(documents, path)
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: junk(random),
        lambda: junk(random),
        lambda: REMOVED,
        lambda: [at_path],
        lambda: {"value": at_path},
        lambda: str(at_path),
        lambda: copy.deepcopy(value_at(documents, other)),
        lambda: [copy.deepcopy(at_path) for _ in range(random.choice((2, 60)))],
        lambda: {**at_path, random.choice(_TEXTS): junk(random)} if isinstance(at_path, dict) else junk(random),
    )
    return list(mutated(documents, path, random.choice(kinds)()))


def _with_change(documents: list[Any], random: Random) -> list[Any]:
    """Return documents with another value of the same kind at one place, which is often right in form."""
    paths = list(member_paths(documents))[2:]
    if not paths:
        return [junk(random)]
    path = random.choice(paths)
    at_path = value_at(documents, path)
    alike = [value for value in (value_at(documents, other) for other in paths) if type(value) is type(at_path)]
    kinds: list[Any] = [copy.deepcopy(random.choice(alike))]
    if isinstance(at_path, str):
        kinds += [random.choice(_TEXTS), at_path + random.choice(("-x", "0", "Gi", "m", "*")), at_path[: len(at_path) // 2]]
    elif isinstance(at_path, bool):
        kinds = [not at_path]
    elif isinstance(at_path, int | float):
        kinds += [0, -at_path, at_path + 1, at_path * 1000, at_path * 10**9, at_path / 3]
    elif isinstance(at_path, list):
        kinds += [at_path * 2, at_path[::-1], at_path[:1], at_path + copy.deepcopy(random.choice(alike)), []]
    else:
        kinds += [REMOVED, {**at_path, **copy.deepcopy(random.choice(alike))} if isinstance(at_path, dict) else None]
    return list(mutated(documents, path, random.choice(kinds)))


def _is_table(text: bytes) -> bool:
    return text.startswith(b"# cutlist catalogue")


def _of_cells(text: bytes, random: Random) -> bytes:
    """Return a table with other words in some of its cells, or in its header."""
    lines = text.decode().splitlines()
    for _ in range(random.choice((1, 1, 2, 5))):
        number = random.randrange(len(lines))
        mark = "\t" if "\t" in lines[number] else " "
        cells = lines[number].split(mark)
        other = random.choice(lines).split(mark)
        cells[random.randrange(len(cells))] = random.choice((*(str(n) for n in _NUMBERS), *_TEXTS, *other, *other)).strip("\n")
        lines[number] = mark.join(cells)
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def value_at(data: Any, path: tuple[Any, ...]) -> Any:
    """Return the value at a path."""
    for key in path:
        data = data[key]
    return data


def _of_bytes(text: bytes, random: Random) -> bytes:
    for _ in range(random.choice((1, 1, 2, 4))):
        text = _with_wrong_bytes(text, random)
    return text


def _with_wrong_bytes(text: bytes, random: Random) -> bytes:
    at, end = sorted(random.randrange(len(text) + 1) for _ in range(2))
    lines = text.splitlines(keepends=True) or [b""]
    line = random.randrange(len(lines))
    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: text[:at] + random.choice(_TOKENS) + text[at:],
        lambda: text[:at] + random.choice(_TOKENS) + text[end:],
        lambda: text[:at],
        lambda: text[at:],
        lambda: text[:at] + bytes([random.randrange(256)]) + text[at + 1 :],
        lambda: b"".join([*lines[:line], *_repeated(lines[line], random.choice((2, 500))), *lines[line + 1 :]]),
        lambda: b"".join([*lines[:line], b" " * random.randrange(9) + lines[line], *lines[line + 1 :]]),
        lambda: b"".join([*lines[:line], *lines[line + 1 :]]),
        lambda: random.choice(_TOKENS) + text,
        lambda: text + random.choice(_TOKENS),
        lambda: text.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n"))),
        lambda: text.decode("utf-8", "replace").encode(random.choice(("utf-16", "utf-32", "utf-16-le"))),
    )
    return random.choice(kinds)()


def _repeated(line: bytes, times: int) -> list[bytes]:
    """Return a line several times, of a long one fewer: what is tried are readers, not the memory of a machine."""
    return [line] * min(times, 1 + _LONGEST // (len(line) + 1))


def bombs(*, size: int = 10_000_000) -> Iterator[tuple[str, bytes]]:
    """Yield texts that are small or plain and grow, nest or repeat, each with its name; the long ones have this many bytes."""
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    merges = "".join(f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}'] * 9)}], k{n}: 1}}\n" for n in range(1, 30))
    yield "aliases of aliases", f"a0: &a0 [x, x]\n{levels}".encode()
    yield "merges of merges", f"b0: &b0 {{x: 1}}\n{merges}".encode()
    yield "an alias of itself", b"apiVersion: v1\nkind: Pod\nspec: &a {containers: [*a]}\n"
    yield "deep flow", b"[" * 100_000
    yield "deep flow that ends", b"[" * 100_000 + b"]" * 100_000
    yield "deep mappings", b'{"a":' * 50_000 + b"1" + b"}" * 50_000
    yield "deep block", "".join(f"{' ' * n}a:\n" for n in range(3000)).encode()
    yield "deep lists", b"- " * 5000 + b"x"
    yield "one long word", b"a" * size
    yield "one long value", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: " + b"x" * size + b"}\n"
    yield "one long line of JSON", b"[" + b"1," * (size // 2) + b"1]"
    yield "many keys", b"{" + b",".join(b'"k%d":%d' % (n, n) for n in range(size // 14)) + b"}"
    yield "many documents", b"---\n" * (size // 40)
    yield "many objects", b"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" * (size // 600)
    yield "many comments", b"#\n" * (size // 2)
    yield "a huge number", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + b"9" * 100_000 + b"}\n"
    yield "a huge exponent", b'{"apiVersion":"v1","kind":"Pod","spec":{"priority":1e99999}}'
    yield "a huge number of JSON", b'{"apiVersion":"v1","kind":"Pod","spec":{"priority":' + b"9" * 10_000 + b"}}"
    yield "a key written often", b"a: 1\n" * (size // 500)
    yield "keys that are not words", b"? [a, b]\n: c\n? {d: e}\n: f\n1: 2\nnull: 3\ntrue: 4\n1.5: 6\n"
    yield "tabs", b"a:\n\t- b\n\t- c\n"
    yield "nothing", b""
    yield "a byte order mark", b"\xef\xbb\xbf"
    yield "zeros", b"\0" * 10_000
    yield "no UTF-8", bytes(range(256)) * 40
    yield "UTF-16", "apiVersion: v1\nkind: Pod\n".encode("utf-16")
    yield "an open quote", b'a: "' + b"b\n" * 20_000
    yield "an open block", b"a: |\n" + b"  b\n" * 20_000
    yield "tags", b"!!python/object/apply:os.system ['true']"
    yield "brackets of templates", b"{{ " * 20_000
