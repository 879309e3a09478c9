"""The program `pulumi-resource-cutlist`, by which an engine finds the components of an installed Cutlist on PATH."""

import sys

_MISSING = "error: the components need Pulumi's SDKs: install cutlist[aws] or cutlist[azure] (no module {name!r})\n"


def run() -> None:
    """Serve the components until the engine ends the process; without Pulumi's SDKs say what to install."""
    try:
        from pulumi_cutlist.package.plugin import main  # imports all components
    except ModuleNotFoundError as error:
        sys.stderr.write(_MISSING.format(name=error.name))
        sys.exit(2)
    main()


if __name__ == "__main__":
    run()
