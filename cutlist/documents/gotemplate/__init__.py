"""Templates of Go with the functions of Sprig, as ApplicationSets use them."""

from cutlist.documents.gotemplate.evaluation import execute
from cutlist.documents.gotemplate.values import TemplateError, UnknownFunction

__all__ = ["TemplateError", "UnknownFunction", "execute"]
