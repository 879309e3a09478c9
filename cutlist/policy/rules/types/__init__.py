"""The table of types: what each source calls what the rules are about, declared once."""
