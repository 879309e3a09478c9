"""What was meant by a value that no VM size has."""

from __future__ import annotations

import pytest

from cutlist.providers.lint.azure_hints import meant_on_azure

SERIES = "karpenter.azure.com/sku-series"
NAME = "karpenter.azure.com/sku-name"
VERSION = "karpenter.azure.com/sku-version"


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("sku-family", "Dsv5", f"D with {VERSION} 5, or {SERIES} Ds_v5"),
        ("sku-family", "Das_v5", f"D with {VERSION} 5, or {SERIES} Das_v5"),
        ("sku-family", "Dv5-series", f"D with {VERSION} 5, or {SERIES} D_v5"),
        ("sku-family", "Standard_D4s_v5", f"{NAME} Standard_D4s_v5"),
        ("sku-family", "NC", "N"),
        ("sku-family", "d", "D"),
        ("sku-series", "Dsv5", "Ds_v5"),
        ("sku-series", "D4s_v5", f"Ds_v5, or {NAME} Standard_D4s_v5"),
        ("sku-version", "v5", "5"),
        ("sku-version", "Ds_v5", f"5, or {SERIES} Ds_v5"),
        ("sku-name", "D4s_v5", "Standard_D4s_v5"),
        ("sku-name", "standard_d4s_v5", "Standard_D4s_v5"),
        ("sku-name", "Ds_v5", f"{SERIES} Ds_v5"),
        ("sku-cpu", "4.0", "4"),
        ("sku-cpu", "8 vCPUs", "8"),
        ("sku-memory", "16Gi", "16384"),
        ("sku-memory", "64GB", "65536"),
    ],
)
def test_another_form_or_another_label(key, value, meant):
    assert meant_on_azure(f"karpenter.azure.com/{key}", value) == meant  # Z-26


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sku-family", "general purpose"),
        ("sku-family", "Q"),
        ("sku-name", "m5.large"),
        ("sku-cpu", "many"),
        ("sku-gpu-name", "T4s"),
    ],
)
def test_of_other_values_nothing_is_guessed(key, value):
    assert meant_on_azure(f"karpenter.azure.com/{key}", value) == ""
