"""Every setting, declared once: of every plan in `planning`, of verbs in modules of their names.

Options of the command line, keys of `cutlist.yaml`, fleet files and stacks, inputs of NodePlan and the tools of assistants
follow from the declarations.
"""
