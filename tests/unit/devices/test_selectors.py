"""Selectors on devices: what they say, and how they fail."""

from __future__ import annotations

import pytest

from cutlist.devices.device import Attribute, Capacity, Device
from cutlist.devices.selectors import SelectorError, compiled

DRIVER = "gpu.example.com"
A, C = f"device.attributes['{DRIVER}']", f"device.capacity['{DRIVER}']"
GIBI = 2**30 * 10**9
DEVICE = Device(
    "gpu-0",
    {
        "model": Attribute("string", "a10"),
        "cores": Attribute("int", 4),
        "version": Attribute("version", "1.10.0"),
        "ip": Attribute("string", "10.1.2.3"),
        f"{DRIVER}/ecc": Attribute("bool", True),
    },
    {"memory": Capacity(16 * GIBI)},
)


def chosen(text: str, device: Device = DEVICE) -> bool:
    return compiled(text).matches(device, DRIVER)


@pytest.mark.parametrize(
    "text",
    [
        f"{A}.model == 'a10' && {A}.cores > 3 && {A}.ecc",
        f"{A}.model in ['t4', 'a10'] && {A}.model.startsWith('a')",
        f"has({A}.model) && !has({A}.nothing) && {A}.?nothing.orValue(1) == 1",
        f"{A}.version.isGreaterThan(semver('1.9.0')) && {A}.version.minor() == 10",
        f"{C}.memory.compareTo(quantity('16Gi')) == 0 && {C}.memory == quantity('16384Mi')",
        f"sign({C}.memory.sub(quantity('17Gi'))) == -1",
        "!('x.example.com' in device.attributes) && device.attributes['x.example.com'] == {}",
        "device.attributes['other.example.com'] == {} && !has(device.attributes['other.example.com'].x)",
        f"sets.contains(['t4', 'a10'], [{A}.model]) && {A}.model.find('[0-9]+') == '10'",
        "[[1], [2]].flatten() == [1, 2] && [2, 1].sort().reverse() == [2, 1] && [1, 1].distinct() == [1]",
        "[1, 2, 3].slice(1, 2) == [2] && lists.range(2) == [0, 1] && [1, 2].sum() == 3",
        f"isIP({A}.ip) && ip({A}.ip).family() == 4 && ip({A}.ip).isGlobalUnicast()",
        f"cidr('10.0.0.0/8').containsIP({A}.ip) && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
        "cidr('10.1.2.3/8') != cidr('10.0.0.0/8') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
        "!isIP('010.1.2.3') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isCIDR('10.0.0.0/33')",
        "!cidr('::/0').containsIP('1.2.3.4') && ip('ff02::1').isLinkLocalMulticast() && !ip.isCanonical('::01')",
    ],
)
def test_a_selector_says_what_the_api_server_s_says(text):
    """And the opposite of it, the opposite."""
    assert chosen(text)
    assert not chosen(f"!({text})")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{A}.nothing == 1", "no such key: nothing"),
        (f"{A}.model > 3", "no such overload"),
        ("ip('x').family() == 4", "'x' does not appear to be an IPv4 or IPv6 address"),
    ],
)
def test_a_selector_fails_on_a_device(text, said):
    """With the reason (R-25, R-26)."""
    with pytest.raises(SelectorError, match=said):
        chosen(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("device.attributes[", "Syntax error"),
        ("node.name == 'x'", "undeclared reference to 'node'"),
        ("device.name == 'x'", "undefined field 'name'"),
        ("1", "must evaluate to bool or the unknown type, not int"),
        (f"{C}.memory.sign() > 0", "sign"),
    ],
)
def test_what_does_not_compile_is_refused(text, said):
    """Also what gives no bool (R-27)."""
    with pytest.raises(SelectorError, match=said):
        compiled(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [("isURL('x')", "isURL()"), ("format.named('uuid').hasValue()", "format()"), ("[1].sortBy(x, x) == [1]", "sortBy()")],
)
def test_what_cutlist_does_not_evaluate_is_named(text, name):
    """So that a report can tell it from a mistake."""
    with pytest.raises(SelectorError) as error:
        compiled(text)
    assert error.value.not_evaluated == name


def test_a_version_that_is_none_makes_every_selector_fail():
    """Even one that does not ask for it (R-125)."""
    device = Device("gpu-0", {"model": Attribute("string", "a10"), "version": Attribute("version", "v1")})
    with pytest.raises(SelectorError, match="attribute version"):
        chosen(f"{A}.model == 'a10'", device)
