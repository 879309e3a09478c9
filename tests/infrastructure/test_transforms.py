"""Transforms of resources run as in an engine: what is recorded, and judged, is what they leave."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from pulumi_cutlist.program.offline import Mode, Program
from pulumi_cutlist.recorded.recording import Recording

HEADER = """
import pulumi

class Bucket(pulumi.CustomResource):
    word: pulumi.Output[str]
    def __init__(self, name, opts=None, **props):
        super().__init__("test:index:Bucket", name, props, opts)

class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("test:index:Group", name, {}, opts)

def plus(letter, **options):
    def transform(args):
        if args.type_ != "test:index:Bucket":
            return None
        opts = pulumi.ResourceOptions.merge(args.opts, pulumi.ResourceOptions(**options))
        return pulumi.ResourceTransformResult({**args.props, "word": args.props["word"] + letter}, opts)
    return transform
"""


def recorded(folder: Path, body: str, mode: Mode = Mode.PREVIEW) -> Recording:
    (folder / "__main__.py").write_text(HEADER + dedent(body))
    return Program(folder, folder, "shop", "dev").run(mode)


def test_own_ones_run_first_then_those_of_parents_and_of_the_stack(tmp_path: Path):  # pulumi 3.4
    body = """
        pulumi.runtime.register_stack_transform(plus("-stack"))
        outer = Group("outer", pulumi.ResourceOptions(transforms=[plus("-outer")]))
        inner = Group("inner", pulumi.ResourceOptions(parent=outer, transforms=[plus("-inner")]))
        Bucket("b", pulumi.ResourceOptions(parent=inner, transforms=[plus("-own")]), word="a")
    """
    [bucket] = recorded(tmp_path, body).of_type("test:index:Bucket")
    assert bucket.inputs == {"word": "a-own-inner-outer-stack"}


def test_they_change_options(tmp_path: Path):
    body = """
        transforms = [plus("", ignore_changes=["word"], protect=True, retain_on_delete=True)]
        Bucket("b", pulumi.ResourceOptions(transforms=transforms), word="a")
        Bucket("plain", word="a")
    """
    bucket, plain = recorded(tmp_path, body).of_type("test:index:Bucket")
    options = [(list(b.request.ignoreChanges), b.request.protect, b.request.retainOnDelete) for b in (bucket, plain)]
    assert options == [(["word"], True, True), ([], False, False)]


def test_outputs_are_what_they_leave(tmp_path: Path):
    body = """
        bucket = Bucket("b", pulumi.ResourceOptions(transforms=[plus("b")]), word="a")
        pulumi.export("word", bucket.word)
    """
    assert recorded(tmp_path, body, Mode.UPDATE).exports == {"word": "ab"}


def test_one_that_raises_ends_the_program_with_its_message(tmp_path: Path):
    body = """
        def refuse(args):
            raise ValueError("not with us")
        Bucket("b", pulumi.ResourceOptions(transforms=[refuse]), word="a")
    """
    with pytest.raises(Exception, match="not with us"):
        recorded(tmp_path, body)
