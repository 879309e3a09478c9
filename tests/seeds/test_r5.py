"""R5: the objects of Node Auto Provisioning on AKS, converted."""

from __future__ import annotations

import yaml

from cutlist.convert import convert
from cutlist.documents import read_documents
from tests.seeds.steps import Seed
from tests.shared import needs_shared

pytestmark = needs_shared

R5 = Seed("r5-aks-nap", "japaneast", "123")


def written_by_people(manifest):
    """An object without what a cluster writes into its metadata."""
    return {**manifest, "metadata": {"name": manifest["metadata"]["name"]}}


# K-70, K-73, K-97, K-129
def test_pools_and_classes_of_azure_become_the_expected_objects():
    """References by name alone mean the AKSNodeClass of the input."""
    step = R5.step("6-conversion")
    found = convert(read_documents([R5.folder / file for file in step["inputs"]]))
    made = [written_by_people(one) for converted in found.converted for one in converted.objects]
    expected = [yaml.safe_load((R5.folder / file).read_text()) for file in step["expect"]["files"]]

    def by_name(one):
        return one["kind"], one["metadata"]["name"]

    assert sorted(made, key=by_name) == sorted(expected, key=by_name)
