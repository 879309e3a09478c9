"""The documentation site, as mkdocs builds it from docs/: links between pages and files, and the pages that are generated."""
