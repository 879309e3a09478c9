"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# How long an example takes depends on what else the machine does; that is no property of the code.
settings.register_profile("steady", deadline=None, suppress_health_check=(HealthCheck.too_slow,))
settings.load_profile("steady")
