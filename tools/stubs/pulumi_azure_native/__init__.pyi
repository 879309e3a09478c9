# Written by `python -m tools.stubs.generate`. Do not edit.
from . import authorization as authorization
from . import compute as compute
from . import containerservice as containerservice
from . import managedidentity as managedidentity
from . import monitor as monitor
from . import network as network
from . import resources as resources
