"""Settings of all tests."""

from hypothesis import settings

# How long an example takes depends on what else the machine does; that is no property of the code.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
