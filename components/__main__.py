"""The components for programs in other languages: what `pulumi package add` starts."""

from pulumi_cutlist.plugin import main

if __name__ == "__main__":
    main()
