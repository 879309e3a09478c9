"""What may not be shown, and messages without it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.secrecy import HIDDEN, Secrets, is_secret_name, secret_texts
from tests.examples import examples

USER_DATA = """#!/bin/bash
export API_TOKEN=abcd-1234
curl --password zzzz-1 https://example.com
cat <<X
{"clientSecret": "kkkk", "level": "info"}
X
"""


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "DB_PASSWORD",
        "adminPassword",
        "clientSecret",
        "private_key",
        "apiKey",
        "KUBELET_BOOTSTRAP_TOKEN",
        "tokenValue",
    ],
)
def test_names_say_that_a_value_is_secret(name: str):
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["httpTokens", "pullSecrets", "key", "tokenExpiration", "name", "keyName", "secretName", ""])
def test_other_names_do_not(name: str):
    """They stand for settings and references that findings have to name."""
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        ({"kind": "Secret", "data": {"a": "QUJD"}, "stringData": {"b": "plain"}}, {"QUJD", "plain"}),
        ({"env": [{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "LOG", "value": "info"}]}, {"hunter2"}),
        ({"grafana": {"adminPassword": "pw-123", "token": 987654}}, {"pw-123", "987654"}),
        ({"userData": USER_DATA}, {"abcd-1234", "zzzz-1", "kkkk"}),
        ({"password": {"valueFrom": {"secretKeyRef": {"name": "general", "key": "main"}}}}, set()),
        ({"volumes": [{"secret": {"secretName": "general"}}]}, set()),
        ({"metadataOptions": {"httpTokens": "required"}, "automountServiceAccountToken": False}, set()),
    ],
)
def test_secret_texts_are_those_under_such_names(data: object, texts: set[str]):
    assert set(secret_texts(data)) == texts


def test_a_message_hides_a_secret_in_each_form_and_where_it_is_cut():
    secrets = Secrets.of(["hunter2", "a long text that\nhas two lines", "abc"])
    assert secrets.hidden("is 'hunter2'") == "is '[secret]'"
    assert secrets.hidden(repr({"a": "a long text that\nhas two lines"})) == "{'a': '[secret]'}"
    assert secrets.hidden("is 'a long text tha...'") == "is '[secret]...'"
    assert secrets.hidden("abc, abcd") == "[secret], abcd"


def test_ordinary_words_stay():
    assert Secrets.of(["required", "true", "", "  ", "a"]) == Secrets()


@examples(1)
@given(st.text("ab:=\"'\\\n password", min_size=3, max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_no_secret_is_left_in_a_message(secret: str, before: str, after: str):
    secrets = Secrets.of([secret])
    if secrets.texts and len(secret) >= 6 and secret not in HIDDEN:
        assert secret not in secrets.hidden(f"{before}{secret}{after}").replace(HIDDEN, "\0")


def test_long_texts_are_read_in_time():
    started = time.process_time()
    for text in ("a" * 300_000, "a=" * 150_000, "--a " * 70_000, "a.-" * 100_000, 'password="' * 30_000):
        list(secret_texts({"userData": text}))
    assert time.process_time() - started < 2


def test_mistakes_show_nothing_secret_of_what_they_are_about():
    problems = Problems()
    problems.inputs.append({"password": "hunter2"})
    problems.add(Place("a.yaml"), "is 'hunter2'", "no 'hunter2'", "hunter2")
    with pytest.raises(InputError) as error:
        problems.raise_if_any()
    assert "hunter2" not in str(error.value)
    assert str(error.value).count(HIDDEN) == 3
