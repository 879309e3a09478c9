"""Mistakes in expressions, in the words of the library in Go that Karpenter uses; recorded from its own controller."""

from __future__ import annotations

import pytest

from cutlist.api.kubelet_expressions import ExpressionError, compiled


# VA15-10
@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ("min(vcpus)", 4, "found no matching overload for 'min' applied to '(int)'"),
        ("min(1,2,3)", 4, "found no matching overload for 'min' applied to '(int, int, int)'"),
        ("min()", 4, "found no matching overload for 'min' applied to '()'"),
        ("size()", 5, "found no matching overload for 'size' applied to '()'"),
        ("vcpus.min(1)", 10, "found no matching overload for 'min' applied to 'int.(int)'"),
        ("'a'.contains(1) ? 1 : 2", 13, "found no matching overload for 'contains' applied to 'string.(int)'"),
        (
            "[{'a': 1}].contains(1) ? 1 : 2",
            20,
            "found no matching overload for 'contains' applied to 'list(map(string, int)).(int)'",
        ),
        ("has(vcpus)", 5, "invalid argument to has() macro"),
        ("has(a.b)", 5, "undeclared reference to 'a' (in container '')"),
        ("a.b.c", 1, "undeclared reference to 'a' (in container '')"),
        ("vcpus.foo", 6, "type 'int' does not support field selection"),
        ("[1].map(1, 2)", 9, "argument is not an identifier"),
        ("[1].exists(1, true) ? 1 : 2", 12, "argument must be a simple name"),
        ("x.exists(y, y)", 1, "undeclared reference to 'x' (in container '')"),
        ("9.9e999", 1, "invalid double literal"),
        ("a.b + 1e400", 7, "invalid double literal"),
    ],
)
def test_a_mistake_has_the_words_and_the_place_of_the_controllers_library(expression, column, message):
    with pytest.raises(ExpressionError) as raised:
        compiled(expression)
    mark = "." * (column - 1)
    error = f"ERROR: <input>:1:{column}: {message}\n | {expression}\n | {mark}^"
    assert str(raised.value) == f"compiling expression, {error} (expression={expression})"


# VA15-10
def test_several_mistakes_are_in_the_order_of_their_places():
    with pytest.raises(ExpressionError) as raised:
        compiled("cel.bind(x, vcpus,\nx*2)")
    places = [line.split(": ")[1] for line in str(raised.value).split("\n") if "ERROR: " in line]
    assert places == ["<input>:1:1", "<input>:1:9", "<input>:1:10", "<input>:2:1"]


@pytest.mark.parametrize("expression", ["'1e309'.size()", "vcpus // 1e309", "int(1e308 / 1e307)", "min(1e9, vcpus)"])
def test_only_a_fraction_that_no_double_holds_is_refused(expression):
    """Neither in a text nor in a comment."""
    assert compiled(expression) is not None
