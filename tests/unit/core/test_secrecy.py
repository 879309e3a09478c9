"""What may not be shown, and messages without it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.notes import Notes
from cutlist.core.secrecy import HIDDEN, Secrets, is_secret_name, masked, masked_sentence, secret_texts
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


NAMING = ("existingSecret", "auth.existingSecret", "existingSecretKey", "imagePullSecret", "fromSecret", "useSecret")
"""Names whose values are names of Secrets in the values of charts."""


@pytest.mark.parametrize(
    "name", ["httpTokens", "pullSecrets", "key", "tokenExpiration", "name", "keyName", "secretName", *NAMING, ""]
)
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
        ({"args": ["--token", "abcd", "--verbose", "x", "--password=efgh", "-Ddb.password=ijkl"]}, {"abcd", "efgh", "ijkl"}),
        (["--token", "--verbose", "abc"], set()),
        ({"tags": [{"Key": "db_password", "Value": "abcd"}, {"Key": "team", "Value": "shop"}]}, {"abcd"}),
        ([{"ParameterKey": "DbPassword", "ParameterValue": "abcd"}, {"key": "apiKey", "value": 1234}], {"abcd", "1234"}),
        ("postgres://bob:abcd@db/x, ssh://git@host/x, https://0123456789abcdef@host", {"abcd", "0123456789abcdef"}),
        ('curl -H "Authorization: Bearer ab.cd" x', {"ab.cd"}),
        ("-----BEGIN RSA PRIVATE KEY-----\nab\ncd\n-----END RSA PRIVATE KEY-----\nlevel: info", {"", "ab", "cd"}),
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


@pytest.mark.parametrize("names", [("a-long-beginning-1", "a-long-beginning-2"), ("a-long-beginning", "a-long-beginning-2")])
def test_secrets_that_begin_alike_are_hidden_whole(names: tuple[str, str]):
    """The end of one is not left behind the beginning of another."""
    assert Secrets.of(names).hidden(" ".join(names)) == f"{HIDDEN} {HIDDEN}"


def test_data_is_masked_where_it_is_secret():
    data = {
        "kind": "Secret",
        "data": {"a": "QUJD"},
        "args": ["--token", "abcd", "-v"],
        "env": [{"name": "LEVEL", "value": "info"}, {"name": "TOKEN", "value": 1234}],
        "text": "level=info password=abcd",
        "password": None,
        "port": 8080,
    }
    assert masked(data) == {
        "kind": "Secret",
        "data": HIDDEN,
        "args": ["--token", HIDDEN, "-v"],
        "env": [{"name": "LEVEL", "value": "info"}, {"name": "TOKEN", "value": HIDDEN}],
        "text": f"level=info password={HIDDEN}",
        "password": None,
        "port": 8080,
    }
    assert masked({"env": [1], "a": "b"}, ("env",), "(not shown)") == {"env": "(not shown)", "a": "b"}


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("'password=abcd' is not a quantity", f"'password={HIDDEN}' is not a quantity"),
        ("https://bob:abcd@host/x lies elsewhere", f"https://bob:{HIDDEN}@host/x lies elsewhere"),
        ("spec.password: found the text 'a'", "spec.password: found the text 'a'"),
        ("give it with --token FILE, or a=b", "give it with --token FILE, or a=b"),
    ],
)
def test_a_sentence_hides_what_it_assigns_to_a_secret_name(sentence: str, shown: str):
    """A colon only ends a name in a sentence, and an option stands before any word."""
    notes = Notes()
    notes.add("a-note", sentence)
    assert masked_sentence(sentence) == notes.all()[0].text == InputError.one(Place("a"), sentence).problems[0].message == shown


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
    for text in (
        *("a" * 300_000, "a=" * 150_000, "--a " * 70_000, "a.-" * 100_000, 'password="' * 30_000),
        *(f"--token={' ' * 300_000}\n", f"--token{' ' * 300_000}\n", f"password{' ' * 300_000}\n", "://a:" * 60_000),
        *("authorization: bearer " * 10_000, "=-----BEGIN PRIVATE KEY-----\n" * 10_000, f"://{'a' * 300_000}"),
    ):
        list(secret_texts({"userData": text}))
        masked_sentence(text)
    assert time.process_time() - started < 2


def test_mistakes_show_nothing_secret_of_what_they_are_about():
    problems = Problems()
    problems.inputs.append({"password": "hunter2"})
    problems.add(Place("a.yaml"), "is 'hunter2'", "no 'hunter2'", "hunter2")
    with pytest.raises(InputError) as error:
        problems.raise_if_any()
    assert "hunter2" not in str(error.value)
    assert str(error.value).count(HIDDEN) == 3
