"""A definition of an SDK as its stub has it: signatures and fields without bodies, and the symbols that they name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tools.stubs.sdk_source import Source, Symbol, exists, source_of

_TYPING_NAMES: Final = {
    "Any",
    "Literal",
    "Mapping",
    "NotRequired",
    "Optional",
    "Sequence",
    "Union",
    "bool",
    "float",
    "int",
    "str",
}
_RESOURCES: Final = {"ComponentResource", "CustomResource", "ProviderResource"}
_ARGUMENTS: Final = re.compile(r"get_resource_args_opts\((\w+),")


def _values(symbol: Symbol) -> list[str]:
    """Return the values of an enumeration, which an SDK takes as well as its members; none for anything else."""
    definition = source_of(symbol).parse(symbol.name)
    if isinstance(definition, ast.FunctionDef) or not any("Enum" in ast.unparse(base) for base in definition.bases):
        return []
    return [ast.unparse(node.value) for node in definition.body if isinstance(node, ast.Assign)]


class Annotations(ast.NodeTransformer):
    """Writes the annotations of one definition as the stub of its module has them, and notes the symbols that they name."""

    def __init__(self, module: str, source: Source) -> None:
        self.module, self.source = module, source
        self.takes_any_text = False
        self.symbols: set[Symbol] = set()
        self.modules: set[str] = set()

    def text(self, annotation: ast.expr | None) -> str:
        """Return an annotation as text."""
        return "Any" if annotation is None else ast.unparse(self.visit(annotation))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Write a quoted name without quotes."""
        if not isinstance(node.value, str):
            return node
        expression: ast.expr = self.visit(ast.parse(node.value, mode="eval").body)
        return expression

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Write one form for nested inputs: the dictionary."""
        head = ast.unparse(node.value)
        if head == "Literal":
            return node
        if head == "pulumi.InputType":
            inner: ast.expr = self.visit(node.slice)
            return inner
        if head == "Union":
            self.takes_any_text = "_builtins.str" in ast.unparse(node)
            members = dict.fromkeys(ast.unparse(member) for member in self._members(node))
            if any(member.endswith("ArgsDict") for member in members):
                members = {member: None for member in members if not member.startswith("outputs.")}
            self.takes_any_text = False
            return ast.parse(f"Union[{', '.join(members)}]", mode="eval").body
        return ast.Subscript(self.visit(node.value), self.visit(node.slice), node.ctx)

    def _members(self, node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Union" and isinstance(node.slice, ast.Tuple):
            for member in node.slice.elts:
                yield from self._members(member)
        else:
            yield self.visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Write a name of the same package."""
        return node if node.id in _TYPING_NAMES else self._written([node.id])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Write a qualified name."""
        parts = ast.unparse(node).split(".")
        if parts[0] == "pulumi":
            return node
        return ast.Name(parts[1]) if parts[0] == "_builtins" else self._written(parts)

    def _written(self, parts: list[str]) -> ast.expr:
        symbol = self._as_dictionary(self._resolve(parts))
        if not exists(symbol):  # SDKs name types of other packages without an import
            return ast.Name("Any")
        self.symbols.add(symbol)
        values = [] if self.takes_any_text else _values(symbol)
        written = self._qualified(symbol)
        return ast.parse(f"Union[{written}, Literal[{', '.join(values)}]]" if values else written, mode="eval").body

    def _qualified(self, symbol: Symbol) -> str:
        if symbol.module == self.module:
            return symbol.name
        if symbol.module == f"{self.module}.outputs":
            return f"outputs.{symbol.name}"
        self.modules.add(symbol.module)
        return f"{symbol.module}.{symbol.name}"

    def _resolve(self, parts: list[str]) -> Symbol:
        package = self.source.package
        if parts[0] == "outputs":
            return Symbol(f"{package}.outputs", parts[-1])
        if parts[0] in self.source.packages:
            return Symbol(".".join([self.source.packages[parts[0]], *parts[1:-1]]), parts[-1])
        return Symbol(package, parts[-1])

    @staticmethod
    def _as_dictionary(symbol: Symbol) -> Symbol:
        dictionary = Symbol(symbol.module, f"{symbol.name}Dict")
        return dictionary if symbol.name.endswith("Args") and exists(dictionary) else symbol


def definition_text(symbol: Symbol, source: Source, annotations: Annotations, *, constructed: bool) -> str:
    """Return the stub of a class or function; of a resource that is constructed, and of a provider, which programs of users
    construct, with its `__init__`."""
    definition = source.parse(symbol.name)
    if isinstance(definition, ast.FunctionDef):
        result = ((definition.returns and ast.unparse(definition.returns)) or "Any").replace("Awaitable", "")
        returned = annotations.text(ast.parse(result, mode="eval").body)
        return f"def {definition.name}({_parameters(definition, annotations)}) -> {returned}: ...\n"
    bases = {ast.unparse(base).rpartition(".")[2] for base in definition.bases}
    if "TypedDict" in bases:
        return _class(definition.name, "TypedDict", _fields(definition, annotations))
    if "Enum" in bases:
        members = [ast.unparse(node) for node in definition.body if isinstance(node, ast.Assign)]
        return _class(
            definition.name, ", ".join(ast.unparse(base).removeprefix("_builtins.") for base in definition.bases), members
        )
    if symbol.name.endswith("Args"):
        return _class(definition.name, "", [f"def __init__(self, {_parameters(_init(definition), annotations)}) -> None: ..."])
    attributes = [f"{name}: {annotations.text(returns)}" for name, returns in _properties(definition)]
    if not bases & _RESOURCES:
        return _class(definition.name, "", attributes)
    base = f"pulumi.{next(iter(bases))}"
    has_constructor = constructed or "ProviderResource" in bases
    constructor = [_constructor(definition, source, annotations)] if has_constructor else []
    return _class(definition.name, base, [*attributes, *constructor])


def _class(name: str, base: str, body: list[str]) -> str:
    indented = "\n".join(f"    {line}" for line in body) or "    ..."
    return f"class {name}{f'({base})' if base else ''}:\n{indented}\n"


def _fields(definition: ast.ClassDef, annotations: Annotations) -> list[str]:
    return [
        f"{ast.unparse(n.target)}: {annotations.text(n.annotation)}" for n in definition.body if isinstance(n, ast.AnnAssign)
    ]


def _properties(definition: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    for node in definition.body:
        if isinstance(node, ast.FunctionDef) and any("pulumi.getter" in ast.unparse(d) for d in node.decorator_list):
            yield node.name, node.returns


def _constructor(definition: ast.ClassDef, source: Source, annotations: Annotations) -> str:
    """Return `__init__` with the resource's inputs as keywords, needed where its class of inputs needs them."""
    arguments = _ARGUMENTS.search(source.text[slice(*source.spans[definition.name])])
    if arguments is None:
        return f"def __init__(self, {_parameters(_init(definition), annotations)}) -> None: ..."
    inputs = source.parse(arguments[1])
    assert isinstance(inputs, ast.ClassDef)  # noqa: S101 - the class of inputs
    named = _parameters(_init(inputs), annotations).replace(" resource_name:", " resource_name_:")  # as the SDK has it
    return f"def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., {named}) -> None: ..."


def _init(definition: ast.ClassDef) -> ast.FunctionDef:
    return next(n for n in definition.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")


def _parameters(function: ast.FunctionDef, annotations: Annotations) -> str:
    positional, named = function.args.args, function.args.kwonlyargs
    needed = len(positional) - len(function.args.defaults)
    texts = [
        f"{parameter.arg}: {annotations.text(parameter.annotation)}{'' if index < needed else ' = ...'}"
        for index, parameter in enumerate(positional)
        if parameter.arg not in {"self", "__self__"} and not parameter.arg.startswith("__")
    ]
    named_texts = [
        f"{parameter.arg}: {annotations.text(parameter.annotation)}{'' if default is None else ' = ...'}"
        for parameter, default in zip(named, function.args.kw_defaults, strict=True)
    ]
    return ",\n        ".join([", ".join([*texts, *(["*"] if named_texts else [])]), *named_texts])
