"""A scheduled workflow for GitHub that proposes today's public prices: one pull request, with what differs and what it does to
the plans."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from cutlist.documents.text.writing import flow_text
from cutlist_cli.pipelines import CHECKOUT, PLACEHOLDER, PYTHON, Judged, Source

FOLDER: Final = "cutlist-catalog"
_BRANCH: Final = "cutlist-prices"
_BEFORE: Final = '"$RUNNER_TEMP/before"'
_PLAN, _WHY, _BODY = (f'"$RUNNER_TEMP/{name}"' for name in ("plan.json", "why.txt", "body.md"))
_TITLE: Final = "Take in current prices"
_AUTHOR: Final = "-c user.name='github-actions[bot]' -c user.email=41898282+github-actions[bot]@users.noreply.github.com"


def price_workflow(judged: Judged, source: Source | None, folder: str = FOLDER) -> str:
    """Return the workflow of a repository whose catalogue is in a folder of the project; without a source, a line of it is to
    be filled in."""
    return "".join(f"{line}\n" for line in _lines(judged, source, folder))


def _lines(judged: Judged, source: Source | None, folder: str) -> Iterator[str]:
    yield "# Reads public prices once a week, and proposes them with what differs and what that does to the plans."
    yield from ("name: Cutlist prices", "on:", "  schedule: [{cron: '23 4 * * 1'}]", "  workflow_dispatch:")
    yield "permissions: {contents: read}"
    yield "concurrency: {group: cutlist-prices}"
    yield from ("jobs:", "  prices:", "    runs-on: ubuntu-latest", "    timeout-minutes: 60")
    yield "    permissions: {contents: write, pull-requests: write}  # the branch with the prices, and its pull request"
    if judged.folder != ".":
        yield f"    defaults: {{run: {{working-directory: {flow_text(judged.folder)}}}}}"
    yield from ("    steps:", f"      - uses: {CHECKOUT}", f"      - uses: {PYTHON}", "        with: {python-version: '3.13'}")
    yield f"      - run: pip install {shlex.quote(_requirement(source))}"
    yield from _step("Read the prices", _update(folder), "continue-on-error: true", "id: update")
    yield from _step("Say what differs", _difference(judged, folder))
    yield from _step("Propose it", _proposal(folder), "env: {GH_TOKEN: '${{ github.token }}'}")
    yield from ("      - if: steps.update.outcome == 'failure'", "        run: exit 1  # some prices could not be read")


def _step(name: str, script: list[str], *members: str) -> Iterator[str]:
    yield f"      - name: {name}"
    yield from (f"        {member}" for member in members)
    yield from ("        run: |", *(f"          {line}" for line in script))


def _requirement(source: Source | None) -> str:
    return f"cutlist @ git+{source.address}@{source.revision}" if source else f"cutlist @ git+https://github.com/{PLACEHOLDER}"


def _update(folder: str) -> list[str]:
    return [
        f"cp -r {folder} {_BEFORE}",
        f'cutlist catalog update --public --to {folder} > "$RUNNER_TEMP/update.txt" 2> "$RUNNER_TEMP/problems.txt"',
    ]


def _difference(judged: Judged, folder: str) -> list[str]:
    """Return what writes the text of the pull request: the answer of the update, the differences, and each plan before and
    after. A plan that cannot be made says so, and hides no other."""
    return [
        "{",
        "echo '```'",
        'cat "$RUNNER_TEMP/update.txt" "$RUNNER_TEMP/problems.txt"',
        "echo '```'",
        f"cutlist catalog diff {_BEFORE} {folder} -o markdown",
        *(line for words in _plans(judged) for line in _effect(words, folder)),
        f"}} > {_BODY}",
        f"cat {_BODY}",
    ]


def _plans(judged: Judged) -> list[str]:
    if judged.stacks:
        return [f"preview --stack {shlex.quote(stack)}" for stack in judged.stacks]
    if judged.environments:
        return [f"plan --environment {shlex.quote(name)}" for name in judged.environments]
    return ["plan -f . --recursive"]


def _effect(words: str, folder: str) -> Iterator[str]:
    failed = f"|| {{ echo {shlex.quote(f'`cutlist {words}` gives no answer:')}; cat {_WHY}; }}"
    yield f"echo {shlex.quote(f'#### cutlist {words}')}"
    if words.startswith("preview"):
        for title, catalog in (("before", _BEFORE), ("with these prices", folder)):
            yield f"echo {shlex.quote(f'##### {title}')}"
            yield f"cutlist {words} --catalog {catalog} -o markdown 2> {_WHY} {failed}"
        return
    yield f"cutlist {words} --catalog {_BEFORE} -o json > {_PLAN} 2> {_WHY} &&"
    yield f"  cutlist {words} --catalog {folder} --before {_PLAN} -o markdown 2> {_WHY} {failed}"


def _proposal(folder: str) -> list[str]:
    body = f"--body-file {_BODY}"
    return [
        f"git add -- {folder}",
        "git diff --cached --quiet && exit 0",
        f"git switch -q -C {_BRANCH}",
        f"git {_AUTHOR} commit -q -m {shlex.quote(_TITLE)}",
        f"git push -q -f origin {_BRANCH}",
        f"number=$(gh pr list --head {_BRANCH} --state open --json number --jq '.[].number')",
        f'if [ -n "$number" ]; then gh pr edit "$number" {body}',
        f"else gh pr create --head {_BRANCH} --title {shlex.quote(_TITLE)} {body}; fi",
    ]
