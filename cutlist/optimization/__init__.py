"""How cheap a plan could be: what pods need, what NodePools may buy, and the least that covers the one by the other.

Needs the extra `optimize`; nothing else of Cutlist imports it before it is asked for.
"""
