"""The user's files as documents that know their lines: YAML and JSON, files, folders and standard input.

Read as kubectl reads them, except that `yes`, `no`, `on` and `off` stay text. Several documents in a file, anchors and merge
keys are fine, `kind: List` is taken apart, empty documents are passed over. What is refused: a key that is written twice,
aliases that grow without bound or refer to themselves, binary files, text that is not UTF-8, files over 128 MiB, endless
lists and mappings, pipes, devices and files of the system.

`collecting` is the way in. `contents` lists the files (`input_files`, `folders`), turns them into objects (`collector`,
`parsing`) and tells environments apart. Then `delivery` replaces objects that stand for others, those of `terraform` and
`cloudformation` are added, and `account` has every file. `text` has the formats themselves.
"""
