"""Programs run in-process: what the recording holds, in preview and in update."""

from __future__ import annotations

import gc
import os
import py_compile
import sys
from pathlib import Path
from textwrap import dedent

import pulumi
import pytest
from pulumi_cutlist.errors import DuplicateUrnError, OfflineError
from pulumi_cutlist.program.offline import Echo, Mode, Program

from tests.infrastructure.unknowns import has_unknowns

HEADER = """
import pulumi

class Bucket(pulumi.CustomResource):
    arn: pulumi.Output[str]
    def __init__(self, name, opts=None, **props):
        super().__init__("test:index:Bucket", name, {"arn": None, **props}, opts)

class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("test:index:Group", name, {}, opts)
"""


@pytest.fixture
def program(tmp_path: Path):
    def make(body: str, **config: str) -> Program:
        (tmp_path / "__main__.py").write_text(HEADER + dedent(body))
        qualified = {key if ":" in key else f"shop:{key}": value for key, value in config.items()}
        return Program(tmp_path, tmp_path, "shop", "dev", qualified, secrets=["shop:word"])

    return make


def test_identities_of_azure_come_back_as_a_map(program):  # Z-9
    """They go in as a list; a map's values are Azure's alone."""
    body = """
        made = Bucket("b", identity={"type": "UserAssigned", "userAssignedIdentities": ["/one"]}, tags={"a": "b"})
        pulumi.export("identity", pulumi.Output.from_input(made.identity))
        pulumi.export("tags", made.tags)
    """
    recording = program(body).run(Mode.PREVIEW)
    assert recording.exports == {"identity": {"type": "UserAssigned", "userAssignedIdentities": {}}, "tags": {"a": "b"}}


def test_urns_are_the_engines(program):
    """A URN holds the types of all parents but the stack."""
    body = """
        outer = Group("outer")
        inner = Group("inner", pulumi.ResourceOptions(parent=outer))
        Bucket("b", pulumi.ResourceOptions(parent=inner))
        Bucket("top")
    """
    recording = program(body).run(Mode.PREVIEW)
    assert sorted(recording.resources) == [
        "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
        "urn:pulumi:dev::shop::test:index:Bucket::top",
        "urn:pulumi:dev::shop::test:index:Group$test:index:Group$test:index:Bucket::b",
        "urn:pulumi:dev::shop::test:index:Group$test:index:Group::inner",
        "urn:pulumi:dev::shop::test:index:Group::outer",
    ]


def test_the_stack_is_parent_of_what_has_none(program):
    """Resources without a parent belong to the stack."""
    recording = program('Bucket("b")').run(Mode.PREVIEW)
    [bucket] = recording.of_type("test:index:Bucket")
    assert recording.resources[bucket.parent].type == "pulumi:pulumi:Stack"
    assert [r.name for r in recording.children(bucket.parent)] == ["b"]


def test_a_duplicate_urn_ends_the_run(program):
    """Two resources of one type, parent and name are refused as an engine would."""
    with pytest.raises(DuplicateUrnError, match="test:index:Bucket::b"):
        program('Bucket("b"); Bucket("b")').run(Mode.PREVIEW)


def test_one_name_under_two_parents_is_fine(program):
    """Parents of different types make URNs different."""
    recording = program('Bucket("b"); Bucket("b", pulumi.ResourceOptions(parent=Group("g")))').run(Mode.PREVIEW)
    assert len(recording.of_type("test:index:Bucket")) == 2


def test_computed_outputs_are_unknown_in_a_preview(program):
    """What a provider computes reaches other inputs as an unknown in a preview and as a value in an update."""
    body = 'first = Bucket("first"); Bucket("second", source=first.arn)'
    made = program(body)
    [_, second] = made.run(Mode.PREVIEW).of_type("test:index:Bucket")
    assert has_unknowns(second)
    computed = {"test:index:Bucket": {"arn": "arn:1"}}
    [_, second] = made.run(Mode.UPDATE, Echo(Mode.UPDATE, computed)).of_type("test:index:Bucket")
    assert not has_unknowns(second)
    assert second.inputs["source"] == "arn:1"


def test_exports_are_recorded(program):
    """What a program exports is the stack's output."""
    assert program('pulumi.export("plan", {"nodes": 3})').run(Mode.PREVIEW).exports == {"plan": {"nodes": 3}}


def test_configuration_reaches_the_program(program):
    """Values arrive as text under the project's name and under others."""
    body = 'pulumi.export("seen", [pulumi.Config().require("size"), pulumi.Config("aws").require("region")])'
    recording = program(body, **{"size": "3", "aws:region": "us-west-2"}).run(Mode.PREVIEW)
    assert recording.exports == {"seen": ["3", "us-west-2"]}


def test_secrets_stay_secret(program):
    """A secret key's value is marked in what it reaches."""
    body = 'Bucket("b", password=pulumi.Config().require_secret("word"))'
    [bucket] = program(body, word="hush").run(Mode.PREVIEW).of_type("test:index:Bucket")
    assert pulumi.runtime.rpc.is_rpc_secret(bucket.inputs["password"])


def test_messages_are_recorded_but_for_debug_ones(program):
    """What a program tells people is kept with its severity."""
    body = 'pulumi.log.info("hello"); pulumi.log.warn("careful"); pulumi.log.debug("never mind")'
    logs = program(body).run(Mode.PREVIEW).logs
    assert sorted((log.severity, log.message) for log in logs) == [("info", "hello"), ("warning", "careful")]


def test_a_message_about_a_resource_names_it(program):
    """A message carries the URN of its resource."""
    [log] = program('pulumi.log.info("hello", resource=Bucket("b"))').run(Mode.PREVIEW).logs
    assert log.urn == "urn:pulumi:dev::shop::test:index:Bucket::b"


def test_hooks_are_recorded(program):
    """A resource hook is written down and never fired."""
    body = """
        hook = pulumi.ResourceHook("ready", lambda args: 1 / 0)
        Bucket("b", pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(after_create=[hook])))
    """
    recording = program(body).run(Mode.UPDATE)
    assert [hook.name for hook in recording.hooks] == ["ready"]


def test_what_a_program_raises_comes_out(program):
    """An error of the program is the error of the run."""
    with pytest.raises(ZeroDivisionError):
        program("1 / 0").run(Mode.PREVIEW)


def test_a_failed_run_prints_nothing_later(program, caplog):
    """Outputs that waited for a failed resource do not report the failure again when they are collected."""
    with pytest.raises(DuplicateUrnError):
        program('b = Bucket("b"); Bucket("b", source=b.arn); Bucket("c", source=b.arn)').run(Mode.PREVIEW)
    gc.collect()
    assert caplog.records == []


def test_a_lookup_is_refused_by_name(program):
    """What only an account can answer is an error that names the lookup, not an invented answer."""
    with pytest.raises(OfflineError, match="aws:index/getCallerIdentity:getCallerIdentity"):
        program('pulumi.runtime.invoke("aws:index/getCallerIdentity:getCallerIdentity", {}).value').run(Mode.PREVIEW)


def test_runs_do_not_see_each_other(program):
    """Configuration, stack and resources of one run do not reach the next, even after an error."""
    made = program('Bucket("b")', size="3")
    first = made.run(Mode.PREVIEW)
    with pytest.raises(ZeroDivisionError):
        program("1 / 0").run(Mode.PREVIEW)
    again = program('pulumi.export("size", pulumi.Config().get("size", "none"))').run(Mode.PREVIEW)
    assert again.exports == {"size": "none"}
    assert len(again.resources) == 1
    assert first.exports == {}


def test_a_program_runs_in_its_own_folder(program, tmp_path):
    """Relative paths in a program are relative to it, and the caller's working directory comes back."""
    before = Path.cwd()
    body = 'import os; pulumi.export("here", os.getcwd())'
    assert program(body).run(Mode.PREVIEW).exports == {"here": str(tmp_path.resolve())}
    assert Path.cwd() == before


def test_a_program_leaves_no_bytecode_beside_it(tmp_path, monkeypatch):
    """So that an edit to the same length within the same second is never run from the bytecode of before."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    (tmp_path / "inner.py").write_text("VALUE = 1\n")
    (tmp_path / "__main__.py").write_text("import pulumi\nfrom inner import VALUE\npulumi.export('value', VALUE)\n")
    assert Program(tmp_path, tmp_path, "shop", "dev", {}).run(Mode.PREVIEW).exports == {"value": 1}
    assert list(tmp_path.rglob("*.pyc")) == []


def test_a_program_is_run_from_its_source(tmp_path, monkeypatch):
    """Bytecode that lies beside a module and claims to be of the same second and length is not run."""
    edited = tmp_path / "edited.py"
    edited.write_text("VALUE = 1\n")
    py_compile.compile(str(edited))
    changed = edited.stat()
    edited.write_text("VALUE = 2\n")
    os.utime(edited, ns=(changed.st_atime_ns, changed.st_mtime_ns))
    (tmp_path / "__main__.py").write_text("import pulumi\nfrom edited import VALUE\npulumi.export('value', VALUE)\n")
    assert Program(tmp_path, tmp_path, "shop", "dev", {}).run(Mode.PREVIEW).exports == {"value": 2}


def test_what_a_program_imports_of_installed_packages_is_compiled_once(tmp_path, monkeypatch):
    """Bytecode of an installed package is written, since compiling an SDK takes longer than running a program."""
    packages = tmp_path / "site-packages"
    (packages / "some_sdk").mkdir(parents=True)
    (packages / "some_sdk" / "__init__.py").write_text("VALUE = 1\n")
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.syspath_prepend(packages)
    main = tmp_path / "__main__.py"
    main.write_text("import pulumi\nfrom some_sdk import VALUE\npulumi.export('value', VALUE)\n")
    try:
        assert Program(main, tmp_path, "shop", "dev", {}).run(Mode.PREVIEW).exports == {"value": 1}
    finally:
        sys.modules.pop("some_sdk", None)
    assert len(list(packages.rglob("*.pyc"))) == 1
