"""The pages of Python: each public name, by its docstring and annotations, which mkdocstrings reads without an import."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

FOLDER: Final = "python-api"
_CONVERSION: Final = "cutlist.api.convert"
_COMPONENTS: Final = {
    "aws": ("pulumi_cutlist.aws", "Components on AWS"),
    "azure": ("pulumi_cutlist.azure", "Components on Azure"),
    "kubernetes": ("pulumi_cutlist.kubernetes", "Components in a cluster"),
    "node-plan": ("pulumi_cutlist.plan", "The plan as a component"),
}


def name_pages(root: Path) -> Mapping[str, str]:
    """Return the pages of all public names, by their place on the site."""
    sources = _sources(root / "cutlist" / "__init__.py")
    functions = [name for name in sources if not name[0].isupper()]
    objects = [name for name, module in sources.items() if module.startswith("cutlist.api.") and module != _CONVERSION]
    others = [name for name in sources if name not in functions and name not in objects]
    pages = {
        "functions": _page("Functions", "cutlist", "A function for each command that needs no network.", functions),
        "objects": _page("Karpenter's objects", "cutlist", "NodePools, node classes and what they consist of.", objects),
        "values": _page("Inputs, answers and errors", "cutlist", "What functions take, return and raise.", others),
    }
    for page, (module, title) in _COMPONENTS.items():
        text = "Each component with its outputs, and the inputs that it takes."
        pages[page] = _page(title, module, text, exported(root, module))
    return {f"{FOLDER}/{page}.md": text for page, text in pages.items()}


def exported(root: Path, module: str) -> list[str]:
    """Return the public names of a module of components: those of its `__all__`, else its own classes."""
    path = root / "components" / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    body = ast.parse(file.read_text("utf-8")).body
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return list(ast.literal_eval(value))
    return [statement.name for statement in body if isinstance(statement, ast.ClassDef)]


def _sources(file: Path) -> dict[str, str]:
    """Return the module of each name that a package imports for type checkers, which is where its lazy names come from."""
    imports = (node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom))
    names = {alias.name: str(node.module) for node in imports for alias in node.names}
    return {name: names[name] for name in sorted(names, key=str.lower) if str(names[name]).startswith("cutlist.")}


def _page(title: str, module: str, text: str, names: Iterable[str]) -> str:
    """Return a page that mkdocstrings fills."""
    listed = "".join(f"\n::: {module}.{name}\n" for name in names)
    return f"# {title}\n\n{text} Import them from `{module}`.\n{listed}"
