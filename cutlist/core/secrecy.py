"""Texts that no message may show: values that are marked as secret, and values whose names say so.

The last words of a name decide (`db_password`, `apiKey`, `TOKEN`), whether it is a member of a mapping, a variable, an option,
or in front of `=` or `:` inside a text such as user data or JSON. Passwords in addresses, HTTP credentials and private keys are
recognized by their form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

HIDDEN: Final = "[secret]"
"""The word in place of a hidden text."""

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET: Final = frozenset(
    {"password", "passwd", "pwd", "passphrase", "secret", "token", "credential", "credentials", "apikey"}
)
_KEYS: Final = frozenset({"api", "private", "secret", "access", "encryption", "signing", "ssh", "client", "tls"})
_NAMING: Final = frozenset({"existing", "pull", "from", "use"})  # before `secret`: the name of an object, as in charts' values
_MATERIAL: Final = frozenset({"data", "material", "value", "string"})  # after such a word: `key_data`, `connection string`
_REFERENCES: Final = frozenset({"name", "namespace", "kind", "apiversion", "key", "path", "mode", "optional", "id"})
_ORDINARY: Final = frozenset(
    {
        "true",
        "false",
        "none",
        "null",
        "required",
        "optional",
        "enabled",
        "disabled",
        "default",
        "auto",
        "always",
        "never",
        "string",
    }
)
_PAIRS: Final = {"value": ("name", "key"), "Value": ("Name", "Key"), "ParameterValue": ("ParameterKey",)}
"""The members that name an item's value, by the member that holds the value."""
_VALUE: Final = r"""("[^"\n]*"|'[^'\n]*'|[^\s"',;}\]]++(?!(?<=:)[ \t]+\S))"""
"""A value. A word with a colon before another one is the next name: `error: password: abc`."""
_OPTION: Final = r"-{1,2}[A-Za-z][\w.-]{0,60}"
_ASSIGNED: Final = re.compile(
    rf"""(?<![\w.-])(?:({_OPTION})(?:=|[ \t]+(?![-\s]))|([A-Za-z][\w.-]{{0,60}})\\?["']?[ \t]*[:=])[ \t]*{_VALUE}"""
)
_SET: Final = re.compile(rf"""(?<![\w.-])(-{{0,2}}[A-Za-z][\w.-]{{0,60}})={_VALUE}""")
"""An assignment in a sentence. There, a colon ends a name, and an option may precede any word."""
_IN_ADDRESS: Final = re.compile(r"://(?:[^\s/@:]{0,99}:([^\s/@]{1,200})|([^\s/@:]{16,200}))@")
"""The password in an address, or a user name that is as long as a token."""
_AUTHORIZED: Final = re.compile(
    r"""authorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:bearer|basic|token)[ \t]+([\w.~+/=-]+)""", re.IGNORECASE
)
_KEY_BLOCK: Final = "PRIVATE KEY-----"
_IS_OPTION: Final = re.compile(_OPTION).fullmatch
_SHORTEST: Final = 3
_SHORT: Final = 6  # shorter ones are only found as whole words
_CUT: Final = 12  # characters that identify a text that a message cuts off


@lru_cache(maxsize=8192)
def is_secret_name(name: str) -> bool:
    """Tell whether a name says that its value is secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if len(words) > 1 and words[-1] in _MATERIAL:
        words = words[:-1] if words[-2] in (*_SECRET, "key") else words
    if not words or any(word in _NAMING and then == "secret" for word, then in pairwise(words)):
        return False
    return words[-1] in _SECRET or (words[-1] == "key" and len(words) > 1 and words[-2] in _KEYS)


def is_secret_member(data: Mapping[Any, Any], key: Any) -> bool:
    """Tell whether a member of a mapping is secret: by its name, or as the value of an item whose name says so."""
    if isinstance(key, str) and is_secret_name(key):
        return True
    if key not in _PAIRS:
        return False
    return any(isinstance(name := data.get(member), str) and is_secret_name(name) for member in _PAIRS[key])


def secret_texts(data: Any) -> Iterator[str]:
    """Yield the texts in data whose names say that they are secret; numbers as they are written."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if _is_of_secret(data, key):
                yield from leaf_texts(value)
            elif is_secret_member(data, key):
                yield from _values(value)
            elif not isinstance(value, str) or _may_assign(value):
                yield from secret_texts(value)
    elif isinstance(data, list | tuple):
        for item, is_secret in _arguments(data):
            yield from leaf_texts(item) if is_secret else secret_texts(item)
    elif isinstance(data, str) and _may_assign(data):
        yield from _assigned(data)


def _may_assign(text: str) -> bool:
    return "=" in text or ":" in text or "--" in text


def masked(data: Any, private: Container[str] = (), word: str = HIDDEN) -> Any:
    """Return data with a word in place of secrets: by name, inside a text, or as one of the `private` members."""
    if isinstance(data, Mapping):
        return {
            key: _replaced_by(word, value)
            if key in private or _is_of_secret(data, key) or is_secret_member(data, key)
            else masked(value, private, word)
            for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [word if is_secret else masked(item, private, word) for item, is_secret in _arguments(data)]
    return Secrets.of(secret_texts(data)).hidden(data) if isinstance(data, str) else data


def masked_sentence(text: str) -> str:
    """Return a sentence with secrets that it repeats hidden: `password=...`, or the password of an address."""
    if "=" not in text and "://" not in text:
        return text
    assigned = (value.strip("\\\"'") for name, value in _SET.findall(text) if is_secret_name(name))
    return Secrets.of((*assigned, *_carried(text))).hidden(text)


def _is_of_secret(data: Mapping[Any, Any], key: Any) -> bool:
    return key in ("data", "stringData") and data.get("kind") == "Secret"


def _replaced_by(word: str, value: Any) -> str | None:
    return None if value is None else word


def _arguments(items: Iterable[Any]) -> Iterator[tuple[Any, bool]]:
    """Yield the items of a list, each with whether it is the value of a secret option before it: `--password`, then this."""
    is_secret = False
    for item in items:
        yield item, is_secret and not (isinstance(item, str) and item.startswith("-"))
        is_secret = isinstance(item, str) and _IS_OPTION(item) is not None and is_secret_name(item)


def leaf_texts(data: Any) -> Iterator[str]:
    """Yield every text and every number in data, except keys of mappings."""
    if isinstance(data, Mapping):
        for value in data.values():
            yield from leaf_texts(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from leaf_texts(item)
    elif isinstance(data, str):
        yield data
        yield from (line.strip() for line in data.splitlines() if "\n" in data)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield str(data)


def _values(data: Any) -> Iterator[str]:
    """Yield the texts of a secret member, except those that only refer to a secret, such as its name."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            words = [word.lower() for word in _WORDS.findall(str(key))] or [""]
            if words[-1] not in _REFERENCES:
                yield from _values(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _values(item)
    else:
        yield from leaf_texts(data)


def _assigned(text: str) -> Iterator[str]:
    for option, name, value in _ASSIGNED.findall(text):
        if is_secret_name(option or name):
            yield value.strip("\\\"'")
    yield from _carried(text)


def _carried(text: str) -> Iterator[str]:
    """Yield secrets by their form: passwords in addresses, HTTP credentials, the lines of private keys."""
    if "://" in text:
        yield from (password or token for password, token in _IN_ADDRESS.findall(text))
    if "uthorization" in text or "UTHORIZATION" in text:  # ignoring case would double the time
        yield from _AUTHORIZED.findall(text)
    for body in text.split(_KEY_BLOCK)[1::2]:
        yield from (line.strip() for line in body.replace("\\n", "\n").splitlines() if not line.startswith("-----"))


@dataclass(frozen=True, slots=True)
class Secrets:
    """Texts to hide, the longest first."""

    texts: tuple[str, ...] = ()

    @staticmethod
    def of(texts: Iterable[str]) -> Secrets:
        """Return the texts that are worth hiding: neither ordinary words nor texts that are too short."""
        kept = {
            text
            for text in texts
            if len(text) >= _SHORTEST and text.lower() not in _ORDINARY and text not in HIDDEN and not text.isspace()
        }
        forms = {form for text in kept for form in (text, repr(text)[1:-1], json.dumps(text)[1:-1])}
        return Secrets(tuple(sorted(forms, key=lambda text: (-len(text), text))))

    def among(self, messages: Iterable[str]) -> Secrets:
        """Return those that may be in one of the messages, so that each message is searched for few."""
        together = "\n".join(messages)
        return Secrets(tuple(text for text in self.texts if text[:_CUT] in together))

    def hidden(self, message: str) -> str:
        """Return a message with secrets replaced, including one that the message cuts off."""
        for text in self.texts:
            if len(text) < _SHORT:
                message = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", HIDDEN, message)
            else:
                message = message.replace(text, HIDDEN)
        for text in self.texts:  # after all whole ones: two may begin alike
            if len(text) > _CUT and text[:_CUT] in message:
                message = _replaced(message, text)
        return message


def _replaced(message: str, text: str) -> str:
    begin, at, parts = text[:_CUT], 0, []
    while (start := message.find(begin, at)) >= 0:
        end = start + len(begin)
        while end < len(message) and end - start < len(text) and message[end] == text[end - start]:
            end += 1
        parts += [message[at:start], HIDDEN]
        at = end
    return "".join([*parts, message[at:]])
