"""What an installation has, as Markdown to put into a bug report."""

from __future__ import annotations

from collections.abc import Iterator

from cutlist.core.wording import counted
from cutlist.report.markup import code, table, words
from cutlist.verbs.doctor.answer import Diagnosis
from cutlist.verbs.doctor.text import karpenter_in_words, prices_in_words, services_in_words


def doctor_markdown(diagnosis: Diagnosis) -> str:
    """Return what is installed and how old the figures are, what is wrong first. Ends in a newline."""
    installation, count = diagnosis.installation, len(diagnosis.problems)
    lines = [f"### Cutlist {words(installation.version)}\n", f"**{counted(count, 'problem') if count else 'no problems'}**", ""]
    lines += [f"- {words(text)}" for text in (*diagnosis.problems, *diagnosis.advice)]
    lines += ["", *table(["", "installed"], [[what, words(value)] for what, value in _installed(diagnosis)]), ""]
    rows = [[code(extra.name), str(extra.state), words(extra.purpose)] for extra in diagnosis.extras]
    lines += table(["extra", "state", "what it is for"], rows)
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _installed(diagnosis: Diagnosis) -> Iterator[tuple[str, str]]:
    installation = diagnosis.installation
    yield "python", f"{installation.python} on {installation.platform}"
    yield "requires", ", ".join(f"{one.name} {one.installed or '(missing)'}" for one in diagnosis.requirements)
    yield "karpenter", karpenter_in_words(diagnosis)
    yield "services", services_in_words(diagnosis)
    yield "kubernetes", f"{diagnosis.kubernetes[0]} to {diagnosis.kubernetes[-1]}"
    for figures in diagnosis.figures:
        yield f"{figures.vendor} prices", prices_in_words(figures)
    yield "programs", ", ".join(name for name, path in installation.programs.items() if path) or "none on PATH"
