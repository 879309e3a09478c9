"""The program of every stack: read its file, build its environment, export the plan of its nodes, show what it costs."""

import pulumi
from pulumi_cutlist.engine_bill import log_bill
from pulumi_cutlist.environment import build_environment

from cutlist.core.errors import InputError


def main() -> None:
    """Register the stack's resources. Mistakes in its files end the run with all of them listed."""
    log_bill()
    try:
        environment = build_environment()
    except InputError as error:
        raise pulumi.RunError(str(error)) from error
    for name, value in environment.outputs.items():
        pulumi.export(name, value)


if __name__ == "__main__":
    main()
