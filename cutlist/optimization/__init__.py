"""How cheap a plan could be: what pods need, what NodePools may buy, and the least price at which the one covers the other.

The quick bound is plain Python. Modules that solve linear programmes need the extra `optimize`; they are imported when needed.
"""
