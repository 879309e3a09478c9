"""`cutlist new NAME --like STACK`: copies a stack under a new name, and previews the copy before it is kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.wording import counted
from cutlist.infrastructure.aks.names import is_subscription
from cutlist.infrastructure.name_checks import check_region_of_any_cloud, wrong_account
from cutlist.settings.new import ACCOUNT, REGION
from cutlist_cli import terminal
from cutlist_cli.files import require_within

if TYPE_CHECKING:
    from pulumi_cutlist.stack.likeness import Likeness
    from pulumi_cutlist.stack.preview import Preview

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", re.ASCII)


def copy_stack(project_dir: Path, name: str, like: str, account: str, region: str, time_limit: float | None) -> None:
    """Write the files of a new stack, preview it, and say what is left to do. Everything is removed again if that fails.

    Raises InputError with all mistakes in the words of the call, and for files that exist already.
    """
    from pulumi_cutlist.stack import stack_file  # needs Pulumi's SDK, an extra

    with stack_file.working_in(project_dir):
        copy = _plan_copy(name, like, account, region)
        terminal.write(_summary(copy, _write_and_preview(copy, time_limit)))


@dataclass(frozen=True, slots=True)
class _StackCopy:
    """The files of a new stack, by path, none of them written yet."""

    likeness: Likeness
    files: Mapping[Path, bytes]

    def undo(self) -> None:
        """Remove the written files: none of them existed before."""
        for path in self.files:
            path.unlink(missing_ok=True)
        shutil.rmtree(self.likeness.new.folder, ignore_errors=True)


def _plan_copy(name: str, like: str, account: str, region: str) -> _StackCopy:
    """Return what is to be written. Raises InputError with all problems of the request."""
    from pulumi_cutlist.stack import stack_file  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.likeness import Identity, Likeness

    problems = Problems()
    _check_words(name, account, region, problems)
    try:
        file = stack_file.load(Path(), like)
    except InputError as error:
        problems.extend(error.problems)
        raise InputError(problems.ordered()) from error
    problems.raise_if_any()
    stack_path = Path(file.at().source)
    old = Identity.of(file, stack_path.with_name(like).as_posix())
    likeness = Likeness(old, old.renamed(name, stack_path.with_name(name).as_posix(), account, region))
    target = stack_path.with_name(f"Pulumi.{name}.yaml")
    for path in (target, Path(likeness.new.folder)):
        if path.exists():
            problems.add(Place(str(path)), "exists already", "a name that no stack has")
    problems.raise_if_any()
    return _StackCopy(likeness, dict(_files(likeness, stack_path, target)))


def _check_words(name: str, account: str, region: str, problems: Problems) -> None:
    """Add the problems of the typed names."""
    if not _NAME.fullmatch(name):
        allowed = "at most 100 letters, digits, - and _, the first a letter or digit"
        problems.add(Place(path="NAME"), f"{name!r} cannot be the name of a stack", allowed)
    if account and not is_subscription(account) and (wrong := wrong_account(account)):
        problems.add(Place.of(ACCOUNT), wrong, "twelve digits, or the id of a subscription")
    if region:
        check_region_of_any_cloud(region, REGION, problems)


def _files(likeness: Likeness, stack_path: Path, target: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and the contents of every file of the new stack."""
    yield target, _copied_content(likeness, stack_path)
    old, new = Path(likeness.old.folder), Path(likeness.new.folder)
    for path in sorted(old.rglob("*")):
        if path.is_file():
            yield new / path.relative_to(old), _copied_content(likeness, path)


def _copied_content(likeness: Likeness, path: Path) -> bytes:
    """Return a file's contents for the new stack; a file that is not text is copied unchanged."""
    content = path.read_bytes()
    try:
        return likeness.text(content.decode()).encode()
    except UnicodeDecodeError:
        return content


def _write_and_preview(copy: _StackCopy, time_limit: float | None) -> Preview:
    """Write the files and preview the stack. If that fails for any reason, the files are removed."""
    from pulumi_cutlist.stack.likeness import kept_by_program  # needs Pulumi's SDK, an extra
    from pulumi_cutlist.stack.preview import preview

    try:
        for path, content in copy.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            require_within([str(path)])
            path.write_bytes(content)
        previewed = preview(Path(), copy.likeness.new.stack, time_limit)
        if kept := list(kept_by_program(copy.likeness, previewed.recording)):
            raise InputError(kept)
        return previewed
    except BaseException:
        copy.undo()
        raise


def _summary(copy: _StackCopy, stack_preview: Preview) -> str:
    """Return what was written, what the stack would cost, and which lines the user still has to check."""
    from pulumi_cutlist.plan import price  # needs Pulumi's SDK, an extra

    old, new = copy.likeness.old, copy.likeness.new
    lines = [f"Stack {new.stack}, made after {old.stack}", "", *(f"  {path}" for path in copy.files), ""]
    for what in ("cluster", "account", "region"):
        before, after = getattr(old, what), getattr(new, what)
        if after:
            lines.append(f"  {what}  {after}" + (f", was {before}" if before != after else f", as {old.stack} has it"))
    plans = "; ".join(f"{counted(plan.totals.nodes, 'node')}, {price(plan.totals)}" for plan in stack_preview.plans)
    lines += ["", f"It previews: {plans}"]
    to_edit = [(path, number) for path, content in copy.files.items() for number in _lines_to_edit(content)]
    if to_edit:
        lines += ["", f"These lines name what was made for {old.stack}. Put in what {new.stack} has:"]
        lines += [f"  {path}:{number}" for path, number in to_edit]
    lines += ["", f"Next: cutlist preview --stack {new.stack}"]
    return "".join(f"{terminal.safe(line)}\n" for line in lines)


def _lines_to_edit(content: bytes) -> list[int]:
    """Return the numbers of the lines that name resources of other stacks."""
    from pulumi_cutlist.stack.likeness import lines_of_others  # needs Pulumi's SDK, an extra

    return lines_of_others(content.decode(errors="replace"))
