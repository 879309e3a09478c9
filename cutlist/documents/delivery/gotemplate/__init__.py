"""Templates of Go with the functions of Sprig, as ApplicationSets use them."""

from cutlist.documents.delivery.gotemplate.evaluation import execute
from cutlist.documents.delivery.gotemplate.values import TemplateError, UnknownFunction

__all__ = ["TemplateError", "UnknownFunction", "execute"]
