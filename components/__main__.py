"""The components for programs in other languages: what `pulumi package add` starts."""

from pulumi_cutlist.__main__ import run

if __name__ == "__main__":
    run()
