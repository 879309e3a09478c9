"""Quantities and resource lists (spec: scheduling 1.1 to 1.4)."""

from __future__ import annotations

import pytest

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import (
    NANO,
    Format,
    Quantity,
    amount_text,
    amounts,
    cores,
    fits,
    maximum,
    memory,
    merge,
    nanos,
    subtract,
    subtract_all,
)


def q(text: str) -> Quantity:
    return Quantity.parse(text)


# S-1
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0.5", "500m"),
        ("1000m", "1"),
        ("1000", "1k"),
        ("1024", "1024"),
        ("0.1m", "100u"),
        ("1.5e3", "1500"),
        ("5e-4", "500e-6"),
        ("1.5Gi", "1536Mi"),
        ("0.5Ki", "512"),
        ("1024Ki", "1Mi"),
        ("1000Ki", "1000Ki"),
        ("0.1Gi", "107374182400m"),
        ("0.9Gi", "966367641600m"),
        ("1.8G", "1800M"),
        ("0Gi", "0"),
    ],
)
def test_prints_the_canonical_text(text, printed):
    """Quantities print as the specification's table says."""
    assert str(q(text)) == printed


# S-1
def test_a_tenth_of_a_gibibyte_is_exact():
    """A tenth of 1Gi is not a whole number of bytes and is kept exactly."""
    assert q("0.1Gi") == q("107374182400m")


@pytest.mark.parametrize("text", ["+5", "1.", "007", "1E3", "1.001", "-1.e3"])
def test_texts_that_pass_for_canonical_survive(text):
    """Some texts print as they were written, until arithmetic is done on them."""
    assert str(q(text)) == text
    assert str(q(text) + q("0")) == q(text).canonical() != text


# S-2
@pytest.mark.parametrize(
    ("text", "units"), [("1E", 10**18), ("1E3", 1000), ("1e3", 1000), ("1Ei", 2**60), ("e3", 0), (".5k", 500)]
)
def test_exa_exponent_and_exbi_are_told_apart(text, units):
    """An E is exa, an exponent or part of Ei, by what follows."""
    assert q(text).nanos == units * NANO


# S-2
@pytest.mark.parametrize(
    "text",
    [
        "",
        "1e",
        "1K",
        "1mi",
        "1_000",
        "++1",
        "1.2.3",
        "1 Gi",
        "0x10",
        "1,5",
        "1i",
        "1gi",
        "1m5",
        "1e3m",
        "nan",
        "inf",
        "١",
        "G1",
    ],
)
def test_what_is_no_quantity_is_refused(text):
    """Anything but a number with a known suffix is an error that shows what was found."""
    with pytest.raises(QuantityError, match="is not a quantity"):
        Quantity.parse(text)


@pytest.mark.parametrize("value", [True, None, [], {}])
def test_other_types_are_refused(value):
    """A manifest's boolean, null, list or map is not a quantity."""
    with pytest.raises(QuantityError, match="is not a quantity"):
        Quantity.parse(value)


@pytest.mark.parametrize("text", ["1e99999999999", "9" * 5000, "1e-99999999999"])
def test_absurd_sizes_are_refused(text):
    """Numbers that would take forever to work out are errors, with a short message."""
    with pytest.raises(QuantityError) as error:
        Quantity.parse(text)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(("value", "same"), [(2, "2"), (0.5, "500m"), (1e-05, "10u"), (" 1Gi ", "1Gi")])
def test_numbers_and_padded_texts_are_read(value, same):
    """A number in a manifest needs no quotes, and surrounding spaces do not matter."""
    assert Quantity.parse(value) == q(same)


# S-3
@pytest.mark.parametrize(
    ("text", "amount"), [("0.5n", 1), ("-0.5n", -1), ("1.1n", 2), ("1n", 1), ("0.0000000001", 1), ("1e-30", 1)]
)
def test_what_is_finer_than_a_nano_is_rounded_away_from_zero(text, amount):
    """The limit is a nano, and rounding never makes nothing of something."""
    assert q(text).nanos == amount


@pytest.mark.parametrize(
    ("text", "nanos_"), [("9Ei", (2**63 - 1) * NANO), ("-16Ei", -(2**63 - 1) * NANO), ("12E", 12 * 10**27)]
)
def test_binary_amounts_are_capped(text, nanos_):
    """Amounts with a binary suffix end at 64 bits; decimal ones do not."""
    assert q(text).nanos == nanos_


def test_a_binary_fraction_of_a_unit_becomes_decimal():
    """Less than one unit, written with a binary suffix, is held as a decimal."""
    assert q("0.0001Ki").format is Format.DECIMAL_SI
    assert q("0.5Ki").format is Format.BINARY_SI


# S-4
def test_comparison_ignores_format():
    """Only the number counts."""
    assert q("1000m") == q("1")
    assert hash(q("1000m")) == hash(q("1"))
    assert q("1Gi") > q("1G")
    assert q("1G") < q("1Gi")
    assert q("1k") >= q("1e3") >= q("1k")
    assert q("1k") <= q("1e3") <= q("1k")


def test_a_quantity_is_not_equal_to_other_things():
    """A quantity equals no text and no number."""
    assert q("1") != "1"
    assert q("1") != NANO


@pytest.mark.parametrize(("a", "b", "total"), [("1Gi", "1G", "2073741824"), ("0", "1Gi", "1Gi"), ("1G", "1Gi", "2073741824")])
def test_a_sum_keeps_the_left_format(a, b, total):
    """A sum has the format of its left side, unless that is zero."""
    assert str(q(a) + q(b)) == total
    assert (q(a) + q(b)).format is (q(a).format if q(a) else q(b).format)


def test_a_difference_of_binary_amounts():
    """Subtraction is exact and keeps the unit."""
    assert str(q("4Gi") - q("110Mi")) == "3986Mi"


def test_whole_units_are_rounded_up():
    """`value` is a ceiling."""
    assert (q("1500m").value(), q("2").value()) == (2, 2)


def test_beyond_exa_the_number_grows():
    """There is no suffix beyond E."""
    assert str(q("1000E")) == "1000E"
    assert str(q("1e22")) == "10e21"


def test_nanos_reads_texts_and_numbers():
    """The short way to an amount in the core's unit."""
    assert nanos("250m") == NANO // 4
    assert nanos(2) == nanos(2.0) == 2 * NANO
    assert amounts({"cpu": "1", "memory": "1Ki"}) == {"cpu": NANO, "memory": 1024 * NANO}


def test_nanos_tells_one_from_true():
    """A boolean is refused even after its number was read."""
    nanos(1.0)
    with pytest.raises(QuantityError):
        nanos(True)


def test_merge_adds_and_unites():
    """The sum of lists has every resource of any."""
    assert merge({"cpu": 1}, {"cpu": 2, "pods": 1}, {}) == {"cpu": 3, "pods": 1}
    assert merge() == {}


def test_merge_ends_the_life_of_a_text():
    """A list of one is summed from nothing, so its amounts print in the canonical way."""
    assert str(merge({"cpu": q("007")})["cpu"]) == "7"


def test_subtract_ignores_what_is_only_on_the_right():
    """Resources of the left side remain, no others come."""
    assert subtract({"cpu": 3, "pods": 1}, {"cpu": 5, "memory": 1}) == {"cpu": -2, "pods": 1}


def test_subtract_all_goes_below_zero():
    """The kind that subtracts every resource makes negative entries."""
    assert subtract_all({"cpu": 3, "pods": 1}, {"cpu": 5, "memory": 1}) == {"cpu": -2, "pods": 1, "memory": -1}


def test_the_maximum_unites():
    """The largest of any list."""
    lists = ({"cpu": 1, "memory": 5}, {"cpu": 2}, {"cpu": 0, "pods": 3})
    assert maximum(*lists) == {"cpu": 2, "memory": 5, "pods": 3}
    assert maximum() == {}


# S-5
def test_a_negative_total_fits_nothing():
    """One negative resource refuses every candidate, even an empty one."""
    assert not fits({}, {"cpu": 5, "memory": -1})
    assert not fits({"cpu": q("1")}, {"cpu": q("5"), "memory": q("-1")})


# S-6
def test_a_zero_request_fits_where_the_resource_is_missing():
    """A missing total counts as zero."""
    assert fits({"gpu": 0, "cpu": 2}, {"cpu": 2})
    assert not fits({"gpu": 1}, {"cpu": 2})
    assert not fits({"cpu": 3}, {"cpu": 2})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1930m", "1930m"),
        ("4", "4"),
        ("1000", "1000"),
        ("1.0005", "1"),
        ("1u", "1u"),
        ("0", "0"),
        ("-500m", "-500m"),
        ("-2", "-2"),
    ],
)
def test_cores(text, shown):
    """Cpu is shown in whole cores or thousandths."""
    assert cores(nanos(text)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("6903Mi", "6903Mi"),
        ("17Gi", "17Gi"),
        ("7238394Ki", "7068Mi"),
        ("512Ki", "512Ki"),
        ("1k", "1k"),
        ("0", "0"),
        ("-3000Ki", "-2Mi"),
    ],
)
def test_memory(text, shown):
    """Bytes are shown in whole mebibytes or larger."""
    assert memory(nanos(text)) == shown


@pytest.mark.parametrize(
    ("resource", "text", "shown"),
    [
        ("cpu", "1930m", "1930m"),
        ("memory", "6903Mi", "6903Mi"),
        ("ephemeral-storage", "17Gi", "17Gi"),
        ("hugepages-2Mi", "4Mi", "4Mi"),
        ("pods", "1000", "1000"),
        ("example.com/part", "1500m", "1500m"),
    ],
)
def test_amounts_are_shown_in_their_customary_unit(resource, text, shown):
    """Each resource has a unit that people expect."""
    assert amount_text(resource, nanos(text)) == shown
