"""A share of the mutants; `python -m tests.fuzz` reads all of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.fuzz import mutations, readers, seeds
from tests.fuzz.mutations import bombs
from tests.fuzz.readers import READERS, Reader, run, text_of

QUICK = ("pods", "Karpenter's log", "gates", "a stack's file", "a project's file", "a document of IAM")


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("reader", [r for r in READERS if r.name in QUICK], ids=lambda reader: reader.name)
def test_no_mutant_ends_in_an_unexpected_exception(reader: Reader):
    tally = run(reader, 1, 3)
    assert (tally.count, tally.failures) == (3, [])


def test_equal_numbers_make_equal_mutants_and_others_others():
    """A failure is found again by its number."""
    reader = next(reader for reader in READERS if reader.name == "gates")
    assert text_of(reader, 7) == text_of(reader, 7)
    assert len({text_of(reader, number) for number in range(20)}) > 15


def test_a_mutant_is_no_larger_than_what_a_machine_holds(monkeypatch: pytest.MonkeyPatch):
    """Long lines are repeated fewer times: in turn they would grow to gigabytes."""
    monkeypatch.setattr(mutations, "_LONGEST", 2_000)
    long = (b"x" * 1_500 + b"\n",)
    mutants = (mutations.mutant(long, Random(number)) for number in range(200))  # noqa: S311 - reproducible on purpose
    assert max(map(len, mutants)) < 200_000


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("name", [name for name, _ in bombs(size=50_000)])
def test_bombs_are_refused(name: str, tmp_path: Path):
    """None is a manifest, so none may be an answer; the small ones stand for those of 10 MB."""
    text = dict(bombs(size=50_000))[name]
    if name not in ("one long value", "many objects"):  # right objects, of which nothing is to be said
        path = tmp_path / "bomb.yaml"
        path.write_bytes(text)
        result = CliRunner().invoke(main, ["validate", "-f", str(path)])
        assert (result.exit_code, "Traceback" in result.output) in ((1, False), (2, False))
        assert result.output


def test_a_reader_that_raises_is_reported_with_the_place():
    def read(*_: object) -> None:
        raise KeyError("spec")

    tally = run(Reader("broken", lambda: (b"a: 1",), read, takes_bombs=False), 1, 2)
    assert [number for number, _ in tally.failures] == ["1", "2"]
    assert tally.failures[0][1].startswith("KeyError: 'spec'")


def test_a_reader_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readers, "SECONDS", 0.05)

    def read(*_: object) -> None:
        while True:
            pass

    tally = run(Reader("endless", lambda: (b"a: 1",), read, takes_bombs=False), 1, 1)
    assert tally.failures[0][1].startswith("takes longer than 0.05 s")


@pytest.mark.parametrize("name", ["overlays and buffers", "a kustomization"])
def test_the_texts_that_mutants_are_made_of_are_right(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A text that is refused as it is would hide the code behind its first mistake."""
    (reader,) = (reader for reader in READERS if reader.name == name)
    codes: list[int] = []
    invoke = CliRunner.invoke

    def recorded(*args: object, **options: object) -> object:
        result = invoke(*args, **options)  # type: ignore[arg-type]
        codes.append(result.exit_code)
        return result

    monkeypatch.setattr(CliRunner, "invoke", recorded)
    reader.read(reader.seeds()[0], tmp_path, Random(2))  # noqa: S311 - reproducible on purpose
    assert codes
    assert max(codes) <= 1


def test_a_catalogue_is_read_beyond_its_checksum():
    """Otherwise every mutant of it would be refused for the same reason."""
    name = f"regions/{seeds.REGION}.tsv"
    text = seeds.catalogue()[name].replace(b"0.096", b"0.097")
    assert readers._sealed(text, always=True) != text
    assert readers._sealed(text, always=False) == text
