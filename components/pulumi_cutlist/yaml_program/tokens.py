"""Types and functions by the names that a program in YAML gives them, found in the SDKs that are installed (spec: pulumi 4.8).

An engine asks the plugins of the packages, which are not here; the SDKs for Python are made of the same schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pulumi

from cutlist.core.errors import nearest
from pulumi_cutlist.private_names import input_names, output_names, result_shape

_FQN: Final = re.compile(r'"fqn": "([\w.]+)"|"([a-z0-9-]+:[^":]*:[A-Za-z0-9]+)": "(\w+)"')
_LARGE: Final = ("aws", "azure-native", "kubernetes")
"""Packages without components of their own but those named below; their modules take long to import."""
_COMPONENTS: Final = (
    "kubernetes:helm.sh/v4:Chart",
    "kubernetes:kustomize/v2:Directory",
    "kubernetes:yaml/v2:ConfigFile",
    "kubernetes:yaml/v2:ConfigGroup",
)
_NOT_IN_YAML: Final = {
    "kubernetes:apiextensions.k8s.io:CustomResource": "kubernetes:yaml/v2:ConfigGroup with objs",
    "kubernetes:helm.sh/v2:Chart": "kubernetes:helm.sh/v4:Chart",
    "kubernetes:helm.sh/v3:Chart": "kubernetes:helm.sh/v4:Chart",
    "kubernetes:kustomize:Directory": "kubernetes:kustomize/v2:Directory",
    "kubernetes:yaml:ConfigFile": "kubernetes:yaml/v2:ConfigFile",
    "kubernetes:yaml:ConfigGroup": "kubernetes:yaml/v2:ConfigGroup",
}
"""Types that programs in YAML cannot have, since an SDK and not a plugin makes them, with what to write."""
_KUBERNETES: Final = "kubernetes"
_OBJECTS: Final = "for kinds of a CRD kubernetes:yaml/v2:ConfigGroup with objs; for Karpenter's own also cutlist:NodePool"
_PROVIDERS: Final = "pulumi:providers:"
_VERSIONED: Final = re.compile(r"^azure-native:[a-z]+/v[0-9]{8}")
"""Types of a version of an API, which packages of their own have."""
_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class ResourceType:
    """A type of resource: its canonical token, and whether another process makes it as a component. `inputs` and
    `outputs` are the names of its properties, None where they are not known."""

    token: str
    is_component: bool = False
    inputs: frozenset[str] | None = None
    outputs: frozenset[str] | None = None

    @property
    def package(self) -> str:
        """Return the package that provides it."""
        return package_of(self.token)


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A provider's function: its canonical token and the shape of its result."""

    token: str
    shape: Any = "any"


class UnknownType(Exception):
    """A name that no type or function of an installed package has. `nearest` is one that it has, `allowed` what to write."""

    def __init__(self, message: str, near: str, allowed: str = "") -> None:
        super().__init__(message)
        self.nearest = near
        self.allowed = allowed


def package_of(token: str) -> str:
    """Return the package of a type; of a provider, that which it provides."""
    return token.removeprefix(_PROVIDERS) if token.startswith(_PROVIDERS) else token.partition(":")[0]


def resource_type(written: str) -> ResourceType:
    """Return the type that a program names. Raises UnknownType where its package is installed and has no such type."""
    if written.startswith(_PROVIDERS):
        return ResourceType(written)
    if written in _NOT_IN_YAML:
        raise UnknownType(f"{written} cannot be used in YAML", "", _NOT_IN_YAML[written])
    classes = _classes(package_of(written))
    if not classes:
        return ResourceType(_guessed(written))
    found = next((token for token in _spellings(written) if token in classes), None)
    if found is None and _VERSIONED.search(written):
        return ResourceType(written)
    if found is None:
        package, near = package_of(written), _near(written, classes)
        own = _OBJECTS if package == _KUBERNETES and not near else ""
        raise UnknownType(f"no type {written!r} in package {package}", near, own)
    if found in _COMPONENTS:
        return ResourceType(found, is_component=True)
    module, name = classes[found]
    if package_of(found) not in _LARGE:
        made = getattr(import_module(module), name, None)
        is_component = isinstance(made, type) and issubclass(made, pulumi.ComponentResource)
        return ResourceType(found, is_component, *_properties(module, name))
    return ResourceType(found, False, *((None, None) if found.startswith("kubernetes:") else _properties(module, name)))


def function_type(written: str) -> FunctionType:
    """Return the function that a program names. Raises UnknownType where its package is installed and has no such function."""
    package = package_of(written)
    root = _package_folder(package)
    if root is None:
        return FunctionType(_guessed(written))
    module, name = _parts(written)[1].partition("/")[0], _parts(written)[2]
    snake = _WORD.sub("_", name).lower()
    folder = root / ("" if module == "index" else module)
    if not (folder / f"{snake}.py").is_file():
        near = nearest(snake, sorted(path.stem for path in folder.glob("get_*.py")))
        camel = "".join(part.title() if number else part for number, part in enumerate(near.split("_")))
        raise UnknownType(
            f"no function {written!r} in package {package}", f"{written.rpartition(':')[0]}:{camel}" if near else ""
        )
    dotted = ".".join(filter(None, (root.name, "" if module == "index" else module, snake)))
    result = getattr(import_module(dotted), f"{name[:1].upper()}{name[1:]}Result", None)
    source = (folder / f"{snake}.py").read_text()
    token = re.search(rf"invoke\('({re.escape(package)}:[^']+)'", source)
    return FunctionType(token[1] if token is not None else _guessed(written), result_shape(result))


def _parts(written: str) -> tuple[str, str, str]:
    package, _, rest = written.partition(":")
    module, _, name = rest.rpartition(":")
    return package, module or "index", name


def _spellings(written: str) -> Iterator[str]:
    """Yield the tokens that a name may mean, in the order in which Pulumi tries them."""
    package, module, name = _parts(written)
    yield written
    yield f"{package}:{module}:{name}"
    yield f"{package}:{module}/{name[:1].lower()}{name[1:]}:{name}"


def _guessed(written: str) -> str:
    return ":".join(_parts(written))


def _near(written: str, tokens: Iterable[str]) -> str:
    package = written.partition(":")[0]
    short = {f"{package}:{_parts(token)[1].partition('/')[0]}:{_parts(token)[2]}" for token in tokens}
    return nearest(written, sorted(short))


def _package_folder(package: str) -> Path | None:
    spec = find_spec(f"pulumi_{package.replace('-', '_')}") if package != "pulumi" else None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


@lru_cache(maxsize=8)
def _classes(package: str) -> Mapping[str, tuple[str, str]]:
    """Return the classes of an installed SDK, by token: the module and the name. None without the SDK."""
    root = _package_folder(package)
    if root is None:
        return {}
    classes, module = {}, ""
    for found in _FQN.finditer((root / "__init__.py").read_text()):
        if found[1]:
            module = found[1]
        else:
            classes[found[2]] = module, found[3]
    return classes


def _properties(module: str, name: str) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """Return the names of the inputs and outputs of a class; None where its SDK has no class of its inputs."""
    imported = import_module(module)
    args, made = getattr(imported, f"{name}Args", None), getattr(imported, name, None)
    if not isinstance(args, type) or not isinstance(made, type):
        return None, None
    return frozenset(input_names(args)), frozenset(output_names(made))
