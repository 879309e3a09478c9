"""What `make release` checks and `make test` does not: each installs what users install, which takes minutes."""
