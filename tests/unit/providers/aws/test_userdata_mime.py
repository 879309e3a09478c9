"""Multipart archives of user data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import UserDataError
from cutlist.providers.aws.userdata.mime import SHELL_SCRIPT, Part, is_archive, read_archive, write_archive

HEAD = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n'
# Lines that cannot be taken for a boundary, and no carriage returns, which writing drops.
TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=("Cs",))).filter(lambda t: "--//" not in t)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_what_is_written_is_read_back(texts):
    """Reading undoes writing."""
    written = [Part.of(SHELL_SCRIPT, text) for text in texts]
    assert list(read_archive(write_archive(written))) == written


def test_all_header_fields_of_a_part_are_kept():
    """A file name or a merge type of the user's stays with its part, names in canonical spelling, in their order."""
    (part,) = read_archive(f"{HEAD}--B\nx-shellscript-name: a\ncontent-type: text/x-shellscript\n\necho\n--B--\n")
    assert part == Part((("X-Shellscript-Name", "a"), ("Content-Type", "text/x-shellscript")), "echo")
    assert "Content-Type: text/x-shellscript\nX-Shellscript-Name: a\n\necho" in write_archive([part])


def test_carriage_returns_are_dropped():
    """Archives with Windows line ends are read, and written without."""
    (part,) = read_archive((HEAD + "--B\nContent-Type: a/b\n\none\ntwo\n--B--\n").replace("\n", "\r\n"))
    assert part.text == "one\r\ntwo"
    assert "\r" not in write_archive([part])


def test_text_around_the_parts_is_passed_over():
    """What stands before the first and after the last boundary does not count."""
    assert len(read_archive(f"{HEAD}preamble\n--B\n\nx\n--B--\nepilogue\n")) == 1


def test_a_line_that_only_begins_like_a_boundary_is_text():
    """`--Bx` is not a boundary of `B`."""
    (part,) = read_archive(f"{HEAD}--B\n\n--Bx\n--B--\n")
    assert part.text == "--Bx"


def test_quoted_printable_parts_are_decoded():
    """A part in that encoding becomes plain, and no longer says that it is encoded."""
    (part,) = read_archive(f"{HEAD}--B\nContent-Type: a/b\nContent-Transfer-Encoding: quoted-printable\n\nx=3D1=\n2  \n--B--\n")
    assert part == Part((("Content-Type", "a/b"),), "x=12")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MIME-Version: 1.0\n\nno type", "no Content-Type"),
        ("\n" + HEAD, "no Content-Type"),
        ("Content-Type: text/plain\n\nx", "text/plain"),
        ("Content-Type: multipart/mixed\n\nx", "no boundary"),
        ("Content-Type: multipart/mixed; boundary=\n\nx", "cannot be read"),
        (f"{HEAD}--B\n\nnever closed\n", "not closed"),
        (f"{HEAD}--B\nno field\n\nx\n--B--\n", "no field"),
    ],
)
def test_what_is_no_archive_is_refused(text, said):
    """Karpenter fails to launch with such a text; the message says what is wrong with it."""
    assert is_archive(text)
    with pytest.raises(UserDataError, match=said):
        read_archive(text)


PIECES = st.sampled_from(("--B\n", "--B--\n", "--B", "\n", "\r\n", "a: b\n", "Content-Type: text/plain\n", ": ", " ", "echo"))


@given(st.text(max_size=200) | st.lists(PIECES, max_size=12).map("".join))
def test_any_text_is_read_or_refused(text):
    """Whatever follows the header, reading refuses it or finds parts that stand there one after the other."""
    try:
        parts = read_archive(HEAD + text)
    except UserDataError:
        parts = ()
    rest = text
    for part in parts:
        assert part.text in rest
        rest = rest[rest.index(part.text) + len(part.text) :]
