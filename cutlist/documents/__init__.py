"""The user's files as documents that know their lines: YAML and JSON, files, folders and standard input.

Read as kubectl reads them, except that `yes`, `no`, `on` and `off` stay text. Several documents in a file, anchors and merge
keys are fine, `kind: List` is taken apart, empty documents are passed over. What is refused: a key that is written twice,
aliases that grow without bound or refer to themselves, binary files, text that is not UTF-8, files over 128 MiB, endless
lists and mappings, pipes, devices and files of the system.

`collecting` is the way in. `contents` lists the files (`input_files`, `folders`), turns them into objects (`collector`,
`parsing`) and tells environments apart. Then `delivery` replaces objects that stand for others, those of `terraform` and
`cloudformation` are added, and `account` has every file. `text` has the formats themselves.
"""

from __future__ import annotations

from cutlist.documents.account.forms import TEMPLATE
from cutlist.documents.collecting import (
    collect_documents,
    collect_texts,
    files_behind,
    note_empty_inputs,
    read_documents,
    read_mapping,
)
from cutlist.documents.contents import environments_in
from cutlist.documents.delivery.fetching import Fetcher
from cutlist.documents.document import Document, Origin, laid_over, merged, note_unknown
from cutlist.documents.files import (
    FILE_SUFFIXES,
    MAX_BYTES,
    STDIN,
    STDIN_NAME,
    SourceText,
    file_text,
    is_stream,
    sources,
    special_file,
    stdin_text,
    unreadable,
)
from cutlist.documents.folders import PLAIN, Charts, Reading
from cutlist.documents.parsing import given_documents, parse_documents, parse_values
from cutlist.documents.regions import NamedRegion
from cutlist.documents.terraform.configurations import configured_regions
from cutlist.documents.terraform.opentofu import EKS_MODULE, TERRAFORM, resource_of
from cutlist.documents.terraform.opentofu import GROUP as OPENTOFU
from cutlist.documents.terraform.opentofu import MANIFESTS as MANIFEST_RESOURCES
from cutlist.documents.text.writing import Style, block_lines
from cutlist.documents.text.yaml import parse as parse_yaml

__all__ = [
    "EKS_MODULE",
    "FILE_SUFFIXES",
    "MANIFEST_RESOURCES",
    "MAX_BYTES",
    "OPENTOFU",
    "PLAIN",
    "STDIN",
    "STDIN_NAME",
    "TEMPLATE",
    "TERRAFORM",
    "Charts",
    "Document",
    "Fetcher",
    "NamedRegion",
    "Origin",
    "Reading",
    "SourceText",
    "Style",
    "block_lines",
    "collect_documents",
    "collect_texts",
    "configured_regions",
    "environments_in",
    "file_text",
    "files_behind",
    "given_documents",
    "is_stream",
    "laid_over",
    "merged",
    "note_empty_inputs",
    "note_unknown",
    "parse_documents",
    "parse_values",
    "parse_yaml",
    "read_documents",
    "read_mapping",
    "resource_of",
    "sources",
    "special_file",
    "stdin_text",
    "unreadable",
]
