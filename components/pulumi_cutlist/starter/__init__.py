"""A first project: the files of a Pulumi project with stacks, written from a few choices or from a cluster that runs."""
