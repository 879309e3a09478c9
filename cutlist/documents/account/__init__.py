"""The account of the inputs: what each file is, and what of it stays open with what renders it."""
