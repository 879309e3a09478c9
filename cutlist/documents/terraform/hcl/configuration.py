"""Objects of Kubernetes and node groups that a configuration of Terraform or OpenTofu writes, and what of it stays open."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.core.installing import install_command
from cutlist.core.ledger import Ledger, OpenInput
from cutlist.core.notes import Notes
from cutlist.core.unknown import LATE, UNKNOWN
from cutlist.documents.account.placeholders import needed_and_unknown, with_known
from cutlist.documents.document import Document, Origin
from cutlist.documents.folders import CONFIGURATIONS, FILES_OF_CONFIGURATIONS
from cutlist.documents.terraform.hcl.blueprints import CALLS, releases_of, unknown_charts
from cutlist.documents.terraform.hcl.json_syntax import searchable
from cutlist.documents.terraform.hcl.modules import Module, Resource
from cutlist.documents.terraform.hcl.node_groups import is_cluster, makes_node_groups, node_group_documents
from cutlist.documents.terraform.hcl.parsing import EXTRA, is_installed
from cutlist.documents.terraform.hcl.releases import RELEASE, installed_by
from cutlist.documents.terraform.hcl.variable_files import given_in
from cutlist.documents.terraform.installed import FORM, Installed
from cutlist.documents.terraform.opentofu import MANIFEST_RESOURCES, is_own_chart, manifests_in, object_of
from cutlist.documents.terraform.partly_known import as_text, has_unknown, is_partly_unknown, with_unknown_texts
from cutlist.documents.terraform.provisioned import without_keys

_MAKES: Final = re.compile(
    r'^\s*resource\s+"(kubectl_manifest|kubernetes_\w+|helm_release|kustomization_resource|local_(sensitive_)?file)"',
    re.MULTILINE,
)
_CALLS: Final = re.compile(r'^\s*source\s*=\s*"\.\.?/', re.MULTILINE)
"""A module of the same checkout, which may lie outside the folders that are read."""
_TYPED: Final = re.compile(r"\A(?=.*^apiVersion:)(?=.*^kind: *[A-Z])", re.MULTILINE | re.DOTALL)
_READ: Final = re.compile(r'^\s*resource\s+"(kubectl_manifest|kubernetes_\w+)"', re.MULTILINE)
_IDLE: Final = re.compile(
    r"kubernetes_(namespace|secret|config_map|service|service_account|storage_class|annotations|labels|ingress|cluster_role"
    r"|cluster_role_binding|role|role_binding|network_policy|env|node_taint|token_request|certificate_signing_request)\w*"
)
"""Types of resources on whose objects no plan depends."""
_CONFIG_MAP: Final = re.compile(r"kubernetes_config_map(_v1)?(_data)?")
_FILES: Final = ("local_file", "local_sensitive_file")
_SWITCHED_OFF: Final = (
    "switched-off",
    "not made, because the variables' values here ask for 0 of it; a .tfvars file beside it sets others: {who}",
)
_FOR_OTHERS: Final = "modules"
"""The folder for modules that others call, perhaps from other repositories."""
_SHOW: Final = "terraform -chdir={} plan -out plan.out && terraform -chdir={} show -json plan.out | cutlist plan -f -"


@dataclass(slots=True)
class Configuration:
    """Reads the configurations among files.

    `chosen` are the real paths of the files of variables that were named; `read` has the files that configurations consist of,
    and those that they read.
    """

    problems: Problems
    notes: Notes
    chosen: frozenset[str] = frozenset()
    read: set[str] = field(default_factory=set)
    made: dict[str, tuple[Document, ...]] = field(default_factory=dict)
    """The objects of each root module that writes some, or leaves some open, by its folder."""
    clusters: dict[str, tuple[Document, ...]] = field(default_factory=dict)
    """The clusters that each root module makes, of those that make some, by its folder."""
    config_maps: list[Document] = field(default_factory=list)
    """The ConfigMaps of the configurations, with UNKNOWN for what only an apply knows, which is a mark in a name."""
    releases: list[Installed] = field(default_factory=list)
    """The releases of charts that they install, Karpenter's own aside."""

    @property
    def ledger(self) -> Ledger:
        """Return the account that what is open is added to."""
        return self.notes.ledger

    def documents(self, files: Sequence[str]) -> tuple[Document, ...]:
        """Return the objects that the configurations write; what is not known before an apply is open."""
        sources = [path for path in files if path.endswith(CONFIGURATIONS)]
        for path in (path for path in files if path.endswith(FILES_OF_CONFIGURATIONS)):
            self.ledger.is_passed_over(os.path.realpath(path), FORM)
        making = [path for path in sources if _MAKES.search(searchable(path)) or CALLS.search(searchable(path))]
        calls = any(_CALLS.search(searchable(path)) for path in sources)
        if not making and not calls and not any(makes_node_groups(searchable(path)) for path in sources):
            return ()
        if not is_installed():
            self._report_missing(making)
            return ()
        # Without objects of Kubernetes in it, a configuration is not one to check.
        roots = tuple(self._roots(sources, self.problems if making else Problems()))
        for root in roots if making or calls else ():
            before = len(self.ledger.open), len(self.releases)
            documents = tuple(self._objects(root))
            if root.effort.exceeded:
                self.problems.add(Place(root.folder or "."), root.effort.exceeded, root.effort.allowed)
            if documents or before != (len(self.ledger.open), len(self.releases)):
                self.made[root.folder] = documents
        objects = [document for documents in self.made.values() for document in documents]
        groups = {root.folder: tuple(node_group_documents(root, self.ledger)) for root in roots}
        made = {folder: tuple(filter(is_cluster, documents)) for folder, documents in groups.items()}
        self.clusters |= {folder: clusters for folder, clusters in made.items() if clusters}
        return (*objects, *(document for documents in groups.values() for document in documents))

    def _report_missing(self, making: Sequence[str]) -> None:
        first = next((path for path in making if _READ.search(searchable(path))), "")
        if first:
            text = "has objects of Kubernetes in HCL, which an optional part of Cutlist reads"
            folder = os.path.dirname(first) or "."
            self.problems.add(Place(first), text, f"{install_command(EXTRA)}, or {_SHOW.format(folder, folder)}")
        for path in making:
            self._leave_open(path, OpenInput(path, FORM, "a configuration whose charts only an apply renders"))

    def _roots(self, sources: Sequence[str], problems: Problems) -> Iterator[Module]:
        """Yield the modules that no other one of the folders calls; those in `modules` only where there are no others."""
        folders = list(dict.fromkeys(os.path.dirname(path) for path in sources))
        modules = [Module(folder, given_in(folder, self.chosen, problems), problems, self.read).load() for folder in folders]
        called = {os.path.realpath(folder) for module in modules for folder in module.local_sources()}
        roots = [module for module in modules if os.path.realpath(module.folder) not in called]
        applied = [module for module in roots if _FOR_OTHERS not in module.folder.split(os.sep)]
        yield from applied or roots

    def _objects(self, root: Module) -> Iterator[Document]:
        for resource in root.resources():
            if _CONFIG_MAP.fullmatch(resource.type):
                self._take_config_map(resource)
            elif resource.type == RELEASE:
                self._take_release(resource)
            elif _is_written_file(resource) or _is_object(resource.type):
                yield from self._manifests(resource, root.folder or ".")
        for call in root.remote_calls():
            for release in releases_of(call):
                self._take_release(release)
            if addons := unknown_charts(call):
                folder = root.folder or "."
                self._open(call, f"a module from elsewhere that installs charts: {addons}", _SHOW.format(folder, folder))
        for resource in root.switched_off():
            if _is_object(resource.type) and not _IDLE.fullmatch(resource.type):
                self.notes.add(*_SWITCHED_OFF, f"{resource.address} ({resource.file}:{resource.line})")

    def _take_release(self, resource: Resource) -> None:
        if not is_own_chart(str(resource.values.get("chart"))):
            self.releases.append(installed_by(resource))

    def _take_config_map(self, resource: Resource) -> None:
        metadata = resource.values.get("metadata")
        named = metadata[0] if isinstance(metadata, list) and metadata else {}
        names = {key: named[key] for key in ("name", "namespace") if isinstance(named.get(key), str)}
        if "name" in names:
            written = resource.values.get("data")
            texts = _as_texts(written) if isinstance(written, dict) else written
            data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": names, "data": with_unknown_texts(texts)}
            place = Place(resource.file, line=resource.line, address=resource.address)
            self.config_maps.append(Document(place, data, {}))

    def _manifests(self, resource: Resource, folder: str) -> Iterator[Document]:
        from cutlist.documents.terraform.typed import typed_manifest

        show = _SHOW.format(folder, folder)
        if resource.unknown:
            if not _IDLE.fullmatch(resource.type):
                self._open(resource, f"not known: {resource.unknown}", show)
            return
        where = Place(resource.file, line=resource.line, address=resource.address)
        member = MANIFEST_RESOURCES.get(resource.type) or ("content" if resource.type in _FILES else None)
        values = with_unknown_texts(dict(resource.values))
        origin = Origin(resource.address, resource.type, values, urn=without_keys(resource.address))
        if member is None:
            if _IDLE.fullmatch(resource.type):
                return
            typed = None if has_unknown(values) else typed_manifest(resource.type, values)
            manifests = [] if typed is None else [typed]
        else:
            manifests = [with_unknown_texts(manifest) for manifest in self._written(resource, member, where)]
        if not manifests:
            self._open(resource, "not known before an apply", show)
        for manifest in manifests:
            yield from self._object(manifest, where, origin, resource, show)

    def _written(self, resource: Resource, member: str, where: Place) -> list[dict[str, Any]]:
        """Return the objects that a member has. A text of which only an apply knows a part may be no YAML before that."""
        written, own = resource.values.get(member), Problems()
        if written is UNKNOWN:
            return []
        manifests = manifests_in(resource.values, member, where, own)
        if own and is_partly_unknown(written):
            return []
        self.problems.extend(own.found)
        return manifests

    def _object(
        self, manifest: dict[str, object], where: Place, origin: Origin, resource: Resource, show: str
    ) -> Iterator[Document]:
        document = object_of(manifest, where, origin)
        unknown = needed_and_unknown(document)
        if unknown:
            named = f"{document.kind} {document.name}".strip()
            self._open(resource, f"not planned: {unknown[0]} of {named} {LATE}", show)
            return
        self.ledger.is_read(os.path.realpath(resource.file))
        yield with_known(document)

    def _open(self, resource: Resource, why: str, command: str) -> None:
        what = f"{resource.address} ({resource.file}:{resource.line})"
        self._leave_open(resource.file, OpenInput(what, FORM, why, command))

    def _leave_open(self, path: str, what: OpenInput) -> None:
        self.ledger.is_open(os.path.realpath(path), FORM)
        self.ledger.leave_open(what)


def _is_object(type_: str) -> bool:
    """Tell whether resources of a type are objects of Kubernetes."""
    return type_.startswith("kubernetes_") or type_ in (*MANIFEST_RESOURCES, "kustomization_resource")


def _is_written_file(resource: Resource) -> bool:
    """Tell whether a resource writes a file with objects, for kubectl to apply."""
    content = resource.values.get("content")
    return resource.type in _FILES and isinstance(content, str) and _TYPED.search(content) is not None


def _as_texts(values: dict[str, Any]) -> dict[str, Any]:
    """Return values as the provider sends them: numbers and truth values of a mapping of texts become texts."""
    return {key: as_text(value) if isinstance(value, int | float) else value for key, value in values.items()}
