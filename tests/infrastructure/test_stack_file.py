"""A stack's configuration: what the program receives, and what an engine would refuse (pulumi 1.2, 1.3)."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest
from pulumi_cutlist.stack.stack_file import StackFile, load

from cutlist.core.errors import InputError

PROJECT = """
name: shop
runtime: python
stackConfigDir: stacks
config:
  aws:region:
    value: eu-west-1
  size:
    type: integer
    default: 3
  fast:
    type: boolean
    default: true
  zones:
    type: array
    items: {type: string}
  fleet:
    type: object
  token:
    type: string
    secret: true
"""
STACK = """
encryptionsalt: v1:abc
config:
  shop:zones: [a, b]
  shop:fleet: {name: demo, pools: [{cpu: 4}]}
  shop:token: {secure: v1:xyz}
"""


@pytest.fixture
def read(tmp_path: Path):
    def make(stack: str = STACK, project: str = PROJECT, name: str = "dev") -> StackFile:
        (tmp_path / "stacks").mkdir(exist_ok=True)
        (tmp_path / "Pulumi.yaml").write_text(dedent(project))
        (tmp_path / "stacks/Pulumi.dev.yaml").write_text(dedent(stack))
        return load(tmp_path, name)

    return make


def messages(file: StackFile) -> list[str]:
    return [problem.message for problem in file.problems]


def test_every_value_is_text(read):
    """Objects and arrays arrive as JSON, numbers and booleans as their text, defaults like written values."""
    file = read()
    assert file.problems == ()
    assert file.config == {
        "aws:region": "eu-west-1",
        "shop:fast": "true",
        "shop:fleet": '{"name":"demo","pools":[{"cpu":4}]}',
        "shop:size": "3",
        "shop:token": "[secret]",
        "shop:zones": '["a","b"]',
    }


def test_the_stack_wins_over_the_project(read):
    """A value of the stack file takes the place of the project's."""
    file = read(STACK + "  shop:size: 5\n  aws:region: us-east-1\n  shop:fast: false\n")
    assert (file.config["shop:size"], file.config["aws:region"], file.config["shop:fast"]) == ("5", "us-east-1", "false")


def test_bare_keys_are_the_projects(read):
    """A key without a namespace belongs to the project."""
    assert read(STACK.replace("shop:zones", "zones")).config["shop:zones"] == '["a","b"]'


def test_values_of_other_namespaces_pass(read):
    """Provider settings need no declaration."""
    assert read(STACK + "  kubernetes:context: dev\n").config["kubernetes:context"] == "dev"


def test_all_missing_values_are_found(read):
    """Every declared key without default must be given; the words are the engine's."""
    assert messages(read("config: {}")) == [
        "Stack 'dev' is missing configuration value 'fleet'",
        "Stack 'dev' is missing configuration value 'token'",
        "Stack 'dev' is missing configuration value 'zones'",
    ]


def test_an_imported_environment_is_named_as_a_possible_source(read):
    """What only an engine can open may hold the missing value, and the message says so."""
    [first, *_] = messages(read("environment: [shop/dev]\nconfig: {}"))
    assert "imported environment" in first


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("shop:zones: [a, [b]]", "Stack 'dev' with configuration key 'zones' must be of type 'array<string>'"),
        ("shop:zones: a", "Stack 'dev' with configuration key 'zones' must be of type 'array<string>'"),
        ("shop:zones: [1]", "Stack 'dev' with configuration key 'zones' must be of type 'array<string>'"),
        ("shop:fleet: null", "Stack 'dev' with configuration key 'fleet' must be of type 'object'"),
        ("shop:zones: ~", "Stack 'dev' with configuration key 'zones' must be of type 'array<string>'"),
        ("shop:size: many", "Stack 'dev' with configuration key 'size' must be of type 'integer'"),
        ("shop:size: 1.5", "Stack 'dev' with configuration key 'size' must be of type 'integer'"),
        ("shop:fast: yes", "Stack 'dev' with configuration key 'fast' must be of type 'boolean'"),
        ("shop:fleet: [a]", "Stack 'dev' with configuration key 'fleet' must be of type 'object'"),
        ("shop:token: open", "Stack 'dev' with configuration key 'token' must be encrypted as it's secret"),
    ],
)
def test_a_wrong_value_is_refused_where_it_stands(read, written, message):
    """A value of another type than declared is named with its line."""
    key = written.partition(": ")[0]
    kept = "".join(line + "\n" for line in STACK.strip().splitlines() if key not in line)
    file = read(f"{kept}  {written}\n")
    [problem] = file.problems
    assert problem.message == message
    assert problem.place.source.endswith("Pulumi.dev.yaml")
    assert (problem.place.line, problem.place.path) == (len(kept.splitlines()) + 1, f"config.{key}")


@pytest.mark.parametrize("written", ["shop:size: 5", 'shop:size: "5"', "shop:size: -1", 'shop:fast: "false"'])
def test_scalars_may_be_written_as_text(read, written):
    """A quoted number is a number: the engine hands all of them over as text."""
    assert read(f"{STACK}  {written}\n").problems == ()


def test_encrypted_values_are_secret_and_never_shown(read):
    """A key with anything encrypted is secret, and a placeholder stands where the ciphertext was."""
    file = read(STACK.replace("{name: demo,", "{name: {secure: v1:qqq},"))
    assert file.secrets == {"shop:token", "shop:fleet"}
    assert "v1:" not in json.dumps(dict(file.config))
    assert json.loads(file.config["shop:fleet"])["name"] == "[secret]"


def test_a_wholly_encrypted_object_reads_as_an_empty_one(read):
    """The placeholder has the declared type, so that a program can parse it."""
    file = read(STACK.replace("{name: demo, pools: [{cpu: 4}]}", "{secure: v1:qqq}"))
    assert (file.config["shop:fleet"], file.problems) == ("{}", ())


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("size: {type: integr}", "'integr' is unknown"),
        ("zones: {type: array, items: {type: array, items: {type: text}}}", "'text' is unknown"),
        ("zones: {type: array, items: {}}", "is missing"),
        ("size: {type: integer, defalt: 3}", "is not a field here"),
        ("size: {type: integer, secret: 'true'}", "expected true or false, found 'true'"),
        ("size: {type: array, default: []}", "an array needs 'items' with the type of its members"),
        ("size: {type: integer, default: 1, value: 2}", "'default' and 'value' exclude each other"),
        ("aws:region: {type: string, value: x}", "a key of another namespace may carry only 'value'"),
        ("aws:region: {default: x}", "a key of another namespace may carry only 'value'"),
    ],
)
def test_a_wrong_declaration_is_refused(read, declared, message):
    """What an engine refuses in the project file is refused here."""
    assert message in messages(
        read("config: {}", f"name: shop\nruntime: python\nstackConfigDir: stacks\nconfig:\n  {declared}\n")
    )


def test_a_misspelt_member_of_the_stack_file_is_found(read):
    """The engine would pass over it silently."""
    [problem] = read(STACK + "confg: {}\n").problems
    assert (problem.place.path, problem.nearest) == ("confg", "config")


def test_arrays_may_hold_arrays(read):
    """The engine's word for the type has all levels."""
    items = "{type: array, items: {type: array, items: {type: integer}}}"
    project = f"name: shop\nruntime: python\nstackConfigDir: stacks\nconfig:\n  zones: {items}\n"
    assert messages(read("config: {zones: [[1], ['2']]}", project)) == []
    [refused] = messages(read("config: {zones: [[1], [x]]}", project))
    assert refused.endswith("must be of type 'array<array<integer>>'")


def test_an_unknown_stack_names_those_that_exist(read):
    """The message has the stacks of the project and the nearest one."""
    with pytest.raises(InputError) as error:
        read(name="dve")
    [problem] = error.value.problems
    assert (problem.allowed, problem.nearest) == ("dev", "dev")
    assert "Pulumi.dve.yaml" in problem.message


def test_a_folder_without_a_project_is_refused(tmp_path):
    """There is nothing to preview where no Pulumi.yaml is."""
    with pytest.raises(InputError, match=r"no Pulumi\.yaml here"):
        load(tmp_path, "dev")


def test_a_project_without_a_name_is_refused(read):
    """The name is the namespace of every key."""
    with pytest.raises(InputError, match=r"Pulumi\.yaml:1 name: is missing"):
        read(project="runtime: python\n")


def test_a_file_that_is_not_yaml_is_refused(read):
    """The message has the line."""
    with pytest.raises(InputError, match=r"Pulumi\.dev\.yaml:2"):
        read(stack="config: {\n")


def test_the_deprecated_name_of_the_folder_is_understood(read):
    """`config: stacks` says where stack files are, and declares nothing."""
    file = read(project="name: shop\nruntime: python\nconfig: stacks\n")
    assert (file.config["shop:zones"], file.problems) == ('["a","b"]', ())


def test_the_program_may_lie_elsewhere(read):
    """`main` leads to the program."""
    file = read(project=PROJECT + "main: programs/shop\n")
    assert file.program.parts[-2:] == ("programs", "shop")


def test_a_value_is_found_again(read):
    """A qualified key leads to its line, however the key was written."""
    file = read(STACK.replace("shop:zones", "zones"))
    assert (file.at("shop:zones").line, file.at("shop:fleet").line) == (4, 5)


@pytest.mark.parametrize("runtime", ["nodejs", "{name: dotnet}", "{}", "Python", "{name: go, options: {}}"])
def test_a_program_that_an_engine_would_not_run_with_python_is_not_run_here(read, runtime):
    """What is in `__main__.py` then is not what is deployed."""
    with pytest.raises(
        InputError, match=r"Pulumi.yaml:3 runtime: the program is one of .* only programs in Python and YAML can be run"
    ):
        read(project=PROJECT.replace("runtime: python", f"runtime: {runtime}"))


def test_options_of_the_runtime_are_the_hosts(read):
    assert (
        read(project=PROJECT.replace("runtime: python", "runtime: {name: python, options: {virtualenv: venv}}")).problems == ()
    )


@pytest.mark.parametrize("name", ["Pulumi.yml", "Pulumi.json"])
def test_a_second_project_file_is_refused(read, tmp_path, name):
    """An engine may take either."""
    (tmp_path / name).write_text("{name: shop, runtime: nodejs}")
    with pytest.raises(InputError, match=f"{name}: is a project beside Pulumi.yaml, and an engine may take it"):
        read()


@pytest.mark.parametrize("other", ["zones", "shop:config:zones"])
def test_a_key_in_two_spellings_is_refused(read, other):
    """Both are the same key for an engine, which takes either value."""
    [found] = read(STACK + f"  {other}: [c]\n").problems
    assert str(found).startswith(f"{found.place.source}:7 config.{other}: shop:zones is written twice, first in line 4")


def test_the_older_spelling_of_a_key_is_the_key(read):
    assert read(STACK.replace("shop:zones", "shop:config:zones")).config["shop:zones"] == '["a","b"]'


def test_a_second_document_is_refused(read):
    """An engine reads the first, and people read both."""
    with pytest.raises(InputError, match="has 2 documents, and an engine reads the first"):
        read(STACK + "---\nconfig: {}\n")
