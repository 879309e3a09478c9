"""Asks an account and other stacks what a program looks up, and writes the answers into a file that is read offline."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import yaml

from cutlist.core.errors import InputError, Place
from cutlist.core.secrecy import is_secret_member
from cutlist.settings.preview import RECORD_LOOKUPS
from pulumi_cutlist.errors import AccountError
from pulumi_cutlist.lookups.context import Context
from pulumi_cutlist.lookups.part import Part
from pulumi_cutlist.lookups.plugins import Plugins
from pulumi_cutlist.lookups.question import Kind, Question
from pulumi_cutlist.lookups.written import stack_state
from pulumi_cutlist.recorded.policy_resources import plain, unmarked

_PURE: Final = (
    "aws:iam/getPolicyDocument:getPolicyDocument",
    "aws:index/getArn:getArn",
    "aws:index/getDefaultTags:getDefaultTags",
)
"""Functions whose results follow from the arguments and the configuration, which therefore are not recorded."""
_SECRETS: Final = (
    "getSecretVersion",
    "getClusterAuth",
    "getSecrets",
    "getRandomPassword",
    "getClientToken",
    "getAuthorizationToken",
    "apigateway/getKey:getKey",
    "apigateway/getApiKeys:getApiKeys",
)
"""How the tokens of functions end whose results are secret in whole."""
_SECURE: Final = "SecureString"
"""The type of a parameter of SSM that is secret."""
_HEAD: Final = f"""# What a program found in an account and in other stacks, without secret values.
# Written by `cutlist preview {RECORD_LOOKUPS.flag}`; previews read it without an account.
"""
_MARK: Final = 30  # characters of it by which such a file is known
_SECONDS: Final = 120


@dataclass(slots=True)
class Account:
    """Asks providers and other stacks, and keeps the answers. `failures` say of each look-up why it has none."""

    context: Context
    folder: Path
    plugins: Plugins = field(default_factory=Plugins)
    functions: dict[str, dict[str, Any]] = field(default_factory=dict)
    resources: dict[str, dict[str, Any]] = field(default_factory=dict)
    stacks: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def ask(self, question: Question) -> Part | None:
        """Return the answer of whoever knows; None for what is computed without asking, and where nobody answers."""
        if question.kind is Kind.METHOD or question.token in _PURE or question.token.startswith("kubernetes:"):
            return None
        try:
            return _ASKED[question.kind](self, question)
        except AccountError as error:
            self.failures.append(f"{question.place}: {error}".removeprefix(": "))
            return None

    def _function(self, question: Question) -> Part:
        package = question.token.partition(":")[0]
        found = self.plugins.invoke(package, self._config(question, package), question.token, question.arguments)
        result = unmarked(found)
        entry = {"function": question.token, "arguments": dict(question.arguments), "result": result}
        if question.provider:
            entry["provider"] = question.provider.rpartition("::")[2]
        if not question.token.endswith(_SECRETS) and not _is_secret(result):
            self.functions[_key(entry, "function", "arguments", "provider")] = entry
        return Part(plain(found), "the account")

    def _resource(self, question: Question) -> Part:
        package, id_ = question.token.partition(":")[0], str(question.arguments["id"])
        inputs = {key: value for key, value in question.arguments.items() if key != "id"}
        found = self.plugins.read(package, self._config(question, package), question.token, id_, inputs)
        entry = {"type": question.token, "id": id_, "outputs": unmarked(found)}
        self.resources[_key(entry, "type", "id")] = entry
        return Part(plain(found), "the account")

    def _stack(self, question: Question) -> Part:
        name = str(question.arguments.get("name") or question.arguments["id"])
        outputs = stack_outputs(name, self.folder)
        self.stacks[name] = outputs
        return Part(stack_state(name, outputs), f"stack {name}")

    def _config(self, question: Question, package: str) -> Mapping[str, Any]:
        """Return the configuration of the provider that is asked."""
        if question.provider:
            return self.context.provider(question.provider)
        prefix = f"{package}:"
        return {key.removeprefix(prefix): value for key, value in self.context.config.items() if key.startswith(prefix)}

    @property
    def recorded(self) -> int:
        """Return how many answers there are to write."""
        return len(self.functions) + len(self.resources) + len(self.stacks)

    def write(self, path: Path, day: date) -> None:
        """Write the answers. Raises InputError for a file that is not one that was recorded."""
        if path.exists() and not path.read_text().startswith(_HEAD[:_MARK]):
            raise InputError.one(Place(str(path)), "exists and was not recorded", "the name of another file")
        data: dict[str, Any] = {"recorded": day.isoformat()}
        for name, entries in (("functions", self.functions), ("resources", self.resources)):
            if entries:
                data[name] = [entry for _, entry in sorted(entries.items())]
        if self.stacks:
            data["stacks"] = dict(sorted(self.stacks.items()))
        path.write_text(_HEAD + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120))


_ASKED: Final = {Kind.FUNCTION: Account._function, Kind.RESOURCE: Account._resource, Kind.STACK: Account._stack}


def stack_outputs(name: str, folder: Path) -> dict[str, Any]:
    """Return the outputs of another stack, secret ones hidden, as the command of Pulumi says them. Raises AccountError."""
    command = shutil.which("pulumi")
    if command is None:
        raise AccountError(f"the outputs of stack {name} need the command pulumi, which is not installed")
    asked = [command, "stack", "output", "--json", "--non-interactive", "--stack", name]
    try:
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603
        if done.returncode:
            raise AccountError(f"pulumi stack output of {name}: {' '.join(done.stderr.split())}")
        found = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
        raise AccountError(f"pulumi stack output of {name}: {error}") from error
    return found if isinstance(found, dict) else {}


def _is_secret(result: Any) -> bool:
    """Tell whether the result of a function has a secret value, which providers seldom mark: it is used and not written."""
    if isinstance(result, Mapping):
        if _SECURE in (result.get("type"), *(result.get("types") or ())):
            return True
        return any((inner and is_secret_member(result, key)) or _is_secret(inner) for key, inner in result.items())
    return isinstance(result, list) and any(map(_is_secret, result))


def _key(entry: Mapping[str, Any], *members: str) -> str:
    return json.dumps([entry.get(member) for member in members], sort_keys=True)
