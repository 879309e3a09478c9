"""PyYAML is imported without compiling its patterns, and nothing else changes."""

from __future__ import annotations

import re
import subprocess
import sys
from threading import Thread

import pytest
import yaml

import cutlist.documents._pyyaml
from cutlist.documents._pyyaml import patterns_compiled_late


def test_a_pattern_is_compiled_when_it_is_used():
    with patterns_compiled_late():
        digits, broken = re.compile(r"\d+", re.ASCII), re.compile("(")
    assert (digits.fullmatch("12")[0], digits.search("a7")[0], digits.flags) == ("12", "7", re.ASCII)
    with pytest.raises(re.error, match="unterminated"):
        broken.match("")
    assert isinstance(re.compile("a"), re.Pattern)


def test_other_threads_are_left_alone():
    made = []
    with patterns_compiled_late():
        thread = Thread(target=lambda: made.append(re.compile("of another thread")))
        thread.start()
        thread.join()
    assert isinstance(made[0], re.Pattern)


def test_reading_a_file_compiles_none_of_yamls_patterns():
    code = (
        "from cutlist.core.errors import Problems\nfrom cutlist.documents._yaml import parse\nimport yaml.resolver\n"
        "text = 'a: 1.5\\nb: 2025-01-02\\nc: yes\\nd: [0o7, ~]\\n'\n"
        "values = [parsed.value for parsed in parse(text, 'file', Problems())]\n"
        "late = {p._compiled for all in yaml.resolver.Resolver.yaml_implicit_resolvers.values() for _, p in all}\n"
        "print(values, late)\n"
        "print(yaml.safe_load(text))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[{'a': 1.5, 'b': '2025-01-02', 'c': 'yes', 'd': [7, None]}] {None}",
        "{'a': 1.5, 'b': datetime.date(2025, 1, 2), 'c': True, 'd': ['0o7', None]}",
    ]


def test_it_is_pyyaml():
    assert cutlist.documents._pyyaml.yaml is yaml
