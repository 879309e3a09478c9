"""What sizes hold and what is kept of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.aksnodeclass_fields import AksKubelet
from cutlist.core.quantity import MEBI, MILLI, NANO
from cutlist.providers.azure.capacity import capacity, memory, overhead
from cutlist.providers.azure.os_disk import ephemeral_room
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.settings import AzureSettings
from tests.unit.providers.azure.sizes import node_class, size, types

PROFILE = NodeProfile.of(node_class(), AzureSettings())

# name, vCPUs, GiB, memory of the node in bytes, kube-reserved cpu and MiB, allocatable cpu and memory in bytes
WORKED = [
    ("B2s", 2, 4, 3972844748, 100, 1024, 1900, 2112670924),
    ("F2s_v2", 2, 4, 3972844748, 100, 1024, 1900, 2112670924),
    ("D2ls_v5", 2, 4, 3972844748, 100, 1024, 1900, 2112670924),
    ("DS2_v2", 2, 7, 6952478310, 100, 1638, 1900, 4448478822),
    ("D2_v4", 2, 8, 7945689497, 100, 1843, 1900, 5226731929),
    ("E2as_v5", 2, 16, 15891378995, 100, 2662, 1900, 12313637683),
    ("D4_v4", 4, 16, 15891378995, 140, 2662, 3860, 12313637683),
    ("F8s_v2", 8, 16, 15891378995, 180, 2662, 7820, 12313637683),
    ("D8_v4", 8, 32, 31782757990, 180, 3645, 7820, 27174266470),
    ("D16_v4", 16, 64, 63565515980, 260, 5611, 15740, 56895524044),
    ("E16as_v5", 16, 128, 127131031961, 260, 9543, 15740, 116338039193),
    ("D32_v4", 32, 128, 127131031961, 420, 9543, 31580, 116338039193),
    ("D64_v4", 64, 256, 254262063923, 740, 12165, 63260, 240719704883),
    ("NC16as_T4_v3", 16, 110, 109253230592, 260, 8437, 15740, 99619962880),
    ("NC24ads_A100_v4", 24, 220, 218506461184, 340, 11427, 23660, 205737951232),
    ("M8ms", 8, 218.75, 216520038809, 180, 11402, 7820, 203777743257),
    ("M128ms", 128, 3892, 3865577940582, 1380, 86630, 126620, 3773953369702),
]


@pytest.mark.parametrize(("name", "vcpus", "gib", "node", "cpu", "mib", "usable_cpu", "usable"), WORKED)
def test_amounts_of_a_size_to_the_byte(name, vcpus, gib, node, cpu, mib, usable_cpu, usable):
    """Memory counts in whole GiB and loses 7.5%; then kube-reserved and 750Mi go."""  # Z-37 Z-31
    found = size(name)
    has, keeps = capacity(found, PROFILE), overhead(found.vcpus, found.memory_gib)
    assert (found.vcpus, found.memory_gib) == (vcpus, gib)
    assert (has["cpu"], has["memory"]) == (vcpus * NANO, node * NANO)
    assert keeps == {"cpu": cpu * MILLI, "memory": (mib + 750) * MEBI}
    assert (has["cpu"] - keeps["cpu"], has["memory"] - keeps["memory"]) == (usable_cpu * MILLI, usable * NANO)


@pytest.mark.parametrize(
    ("vcpus", "gib", "cpu", "mib"),
    [
        (4, 7, 140, 1638),
        (2, 8, 100, 1843),
        (3, 64, 120, 5611),
        (101, 4, 1109, 1024),
        (120, 4, 1299, 1024),
        (176, 4, 1859, 1024),
    ],
)
def test_what_is_reserved_is_cut_off_and_not_rounded(vcpus, gib, cpu, mib):
    """Doubles are added bracket by bracket, so some numbers of vCPUs come out a millicore lower."""  # Z-38
    assert overhead(vcpus, gib) == {"cpu": cpu * MILLI, "memory": (mib + 750) * MEBI}


def test_the_share_that_is_kept_is_rounded_up():
    """Without a share all whole GiB count."""  # Z-39
    assert memory(218.75, 0.0) == 218 * 2**30 * NANO
    assert memory(3.5, 0.0) == 3 * 2**30 * NANO
    assert memory(4, 0.075) == (4 * 2**30 - 322122548) * NANO  # 322122547.2


@given(st.floats(1, 12000), st.floats(0, 0.5))
def test_memory_is_never_more_than_there_is(gib, kept):
    """And is a whole number of bytes."""  # Z-39
    found = memory(gib, kept)
    assert 0 <= found <= gib * 2**30 * NANO
    assert found % NANO == 0


@given(st.integers(1, 400), st.floats(1, 4000))
def test_larger_machines_keep_more(vcpus, gib):
    """Never less than a smaller one."""  # Z-38
    small, large = overhead(vcpus, gib), overhead(vcpus + 1, gib + 1)
    assert small["cpu"] <= large["cpu"]
    assert small["memory"] <= large["memory"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plugin", "mode", "pods"), [("azure", "overlay", 250), ("azure", "", 30), ("none", "", 250), ("none", "overlay", 250)]
)
def test_pods_follow_from_the_network(plugin, mode, pods):
    """Unless the class has a number."""  # Z-40
    settings = AzureSettings(network_plugin=plugin, network_plugin_mode=mode)
    assert types(settings=settings)["D8_v4"].capacity["pods"] == pods * NANO
    assert types(node_class(max_pods=110), settings=settings)["D8_v4"].capacity["pods"] == 110 * NANO


def test_an_unknown_network_has_110_pods():
    """What the kubelet has by default."""  # Z-40
    assert AzureSettings(network_plugin="kubenet", network_plugin_mode="").default_max_pods == 110


def test_kubelet_settings_change_nothing():
    """Other than on AWS."""  # Z-40
    kubelet = AksKubelet(cpu_manager_policy="static", pod_pids_limit=100)
    assert types(node_class(kubelet=kubelet))["D8_v4"] == types()["D8_v4"]


def test_the_disk_counts_as_large_as_it_is_asked_for():
    """In decimal gigabytes, all of it for pods."""  # Z-41
    d8 = types(node_class(os_disk_size_gb=200))["D8_v4"]
    assert d8.capacity["ephemeral-storage"] == d8.allocatable()["ephemeral-storage"] == 200 * 10**9 * NANO


@pytest.mark.parametrize(
    ("name", "gb"),
    [
        ("B20ms", 32),
        ("D2_v4", 0),
        ("D2as_v6", 0),
        ("D16plds_v5", 429),
        ("D64s_v3", 1717),
        ("NC24ads_A100_v4", 274),
        ("D128ds_v6", 7559),
    ],
)
def test_the_largest_ephemeral_disk(name, gb):
    """NVMe where a disk may be there, else the cache, else the temporary disk: the first there is, not the largest.

    So a disk of 128 GB is a managed one on a B20ms, and in the cache of a D16plds_v5.
    """  # Z-42
    assert ephemeral_room(size(name)).gb == gb


def test_gpus_are_resources_of_every_size():
    """0 where there are none."""  # Z-43
    pool_types = types()
    assert (pool_types["NC16as_T4_v3"].capacity["nvidia.com/gpu"], pool_types["NC16as_T4_v3"].capacity["amd.com/gpu"]) == (
        NANO,
        0,
    )
    assert (pool_types["D8_v4"].capacity["nvidia.com/gpu"], pool_types["D8_v4"].capacity["amd.com/gpu"]) == (0, 0)
