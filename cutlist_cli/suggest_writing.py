"""Write an option into the files that NodePools were read from, and show what that changes: in manifests, and in the values of
charts that make NodePools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from cutlist import NodePool
from cutlist.core.errors import InputError, Problems
from cutlist.documents.collecting import collect_texts
from cutlist.documents.document import Document
from cutlist.documents.files import SourceText, file_text
from cutlist.optimization.first_pools import first_name
from cutlist.verbs.edited_texts import EditedText
from cutlist.verbs.suggest.chart_edits import rendered, value_edits, values_files
from cutlist.verbs.suggest.edits import NodePoolSources, labels_in, unwritten, written
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
from cutlist.verbs.suggest.yaml_diff import diff_of
from cutlist_cli import terminal
from cutlist_cli.files import write_file
from cutlist_cli.input_options import InputOptions
from cutlist_cli.stdin import stdin_of


@dataclass(frozen=True, slots=True)
class _Edits:
    """What writes an option: the texts as they were read, those of manifests as they become, and the ways to change values of
    charts, of which one has to be right; empty without such NodePools. `obstacles` say which objects no text can have."""

    before: dict[str, SourceText]
    manifests: tuple[EditedText, ...]
    ways: tuple[tuple[EditedText, ...], ...] = ()
    obstacles: tuple[str, ...] = ()

    @property
    def choices(self) -> Iterator[tuple[EditedText, ...]]:
        """Return the texts that change, in each way."""
        for way in self.ways or ((),):
            yield (*self.manifests, *way)


def with_diffs(answer: Suggestions, options: InputOptions) -> Suggestions:
    """Return the answer with what its recommended option changes in the files that were read. Of several ways to change the
    values of charts none is shown: only rendering tells which is right."""
    if not answer.best.written:
        return answer
    edits = _edits(answer.best, options)
    shown = next(edits.choices) if len(edits.ways) < 2 else edits.manifests
    return replace(answer, diffs=tuple(diff_of(edits.before[after.source], after) for after in shown))


def write_option(chosen: Suggestion, options: InputOptions) -> None:
    """Write an option into its files, and say which. Nothing is written if the files do not read as the option afterwards.
    Raises ClickException."""
    edits = _edits(chosen, options)
    if edits.obstacles:
        raise click.ClickException(f"nothing is written: {terminal.safe('; '.join(edits.obstacles))}")
    pools = {pool.name: pool for pool in options.read().node_pools} | {pool.name: pool for pool in chosen.pools}
    others: list[str] = []
    for choice in edits.choices:
        others = _written_as_meant(choice, edits.before, pools, options)
        if not others:
            for after in choice:
                labels = ", ".join(labels_in(chosen.written, after))
                terminal.write_error(f"{terminal.safe(f'{after.source}: {labels} written')}\n")
            return
    names = terminal.safe(", ".join(others))
    text = f"nothing is written: something else, such as a patch, sets fields of {names} after the files that were edited"
    raise click.ClickException(text)


def _written_as_meant(
    texts: Sequence[EditedText], before: Mapping[str, SourceText], pools: dict[str, NodePool], options: InputOptions
) -> list[str]:
    """Write texts; return the NodePools that the files then do not have as they should be, after putting everything back."""
    others = list(pools)
    try:
        for after in texts:
            write_file(after.source, after.text)
        others = _read_otherwise(pools, options)
    finally:  # also after Ctrl-C
        for after in texts if others else ():
            write_file(after.source, before[after.source].text)
    return others


def _edits(chosen: Suggestion, options: InputOptions) -> _Edits:
    texts = _texts(options)
    sources = NodePoolSources.of(texts)
    edited = [written(chosen.written, text, sources) for text in texts]
    missing = unwritten(chosen.written, edited)
    manifests = tuple(text for text in edited if text.edited)
    before = {text.source: text for text in texts}
    if not missing:
        return _Edits(before, manifests)
    made = {} if options.reading.charts is None else rendered(options.read().documents)
    before |= {text.source: text for text in _values(made.values(), options)}
    own = [pool for pool in chosen.pools if pool.name in made]
    ways = tuple(value_edits(own, made, list(before.values()))) if own else ()
    return _Edits(before, manifests, ways, tuple(_obstacles(missing, made, has_ways=bool(ways))))


def _obstacles(missing: Iterable[str], made: Mapping[str, Document], *, has_ways: bool) -> Iterator[str]:
    """Yield why objects, given by kind and name, cannot be written."""
    own = {f"{NodePool.KIND} {name}": document for name, document in made.items()}
    copies = {f"{NodePool.KIND} {first_name(name)}": document for name, document in made.items()}
    for label in missing:
        if label in copies:
            yield f"{label} would be new beside what {copies[label].place.source} makes"
        elif label not in own:
            yield f"{label} cannot be edited where it was read"
        elif not has_ways:
            yield f"{label} is made by {own[label].place.source}, and no values have its requirements and limits as they are"


def _values(made: Iterable[Document], options: InputOptions) -> Iterator[SourceText]:
    charts = options.reading.charts
    for path in values_files(made, () if charts is None else charts.values):
        text = file_text(path, Problems())
        if text is not None:
            yield SourceText(path, text)


def _texts(options: InputOptions) -> Sequence[SourceText]:
    problems = Problems()
    texts = list(collect_texts(list(options.files), problems, stdin_of(options.files), options.reading))
    problems.raise_if_any()
    return texts


def _read_otherwise(pools: dict[str, NodePool], options: InputOptions) -> list[str]:
    """Return the NodePools that the files do not have as they should be."""
    try:
        read = {pool.name: pool for pool in options.read().node_pools}
    except InputError:
        return [f"{NodePool.KIND} {name}" for name in pools]
    return [f"{NodePool.KIND} {name}" for name in {**pools, **read} if not _is_alike(pools.get(name), read.get(name))]


def _is_alike(pool: NodePool | None, other: NodePool | None) -> bool:
    """Tell whether two states of a NodePool have the same requirements and limits."""
    if pool is None or other is None:
        return False
    return set(pool.requirements) == set(other.requirements) and pool.limits == other.limits
