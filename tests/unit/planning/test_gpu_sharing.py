"""Shared GPUs: what configurations say, what nodes offer, and the NodeOverlays that tell Karpenter (GS-1 to GS-17)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from cutlist import InputError
from cutlist.core.quantity import NANO
from cutlist.planning.gpu_sharing.machines import model_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.pool_types import instance_types_by_pool
from cutlist.planning.traps.shared_gpus import BROKEN
from cutlist.providers.mig_profiles import BY_LABELS, MigModel, compute_slices, model_by_labels
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.shared_gpu_words import shared_gpus_line
from cutlist.verbs.plan.shared_gpus import missing_overlays, overlays_text, with_miscounted_gpus
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning import azure_manifests as azure
from tests.unit.planning.manifests import ON_DEMAND, TYPES, inputs_of, pool
from tests.unit.planning.test_remedies import requesting

G5 = f"[{ON_DEMAND}, {TYPES.format('g5.xlarge, g5.12xlarge')}]"
A100 = f"[{ON_DEMAND}, {TYPES.format('p4d.24xlarge')}]"
MODELS_OF_A100 = f"[{ON_DEMAND}, {TYPES.format('p4d.24xlarge, p4de.24xlarge')}]"


def config_map(text: str, name: str = "plugin", key: str = "any") -> str:
    lines = "\n".join(f"    {line}" for line in text.strip().splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  {key}: |\n{lines}\n"


def plugin(sharing: str = "", flags: str = "", **of: str) -> str:
    return config_map(f"version: v1\nflags: {{{flags}}}\nsharing: {{{sharing}}}", **of)


def sliced(replicas: int = 4, more: str = "", name: str = "nvidia.com/gpu", entry: str = "") -> str:
    return f"timeSlicing: {{{more} resources: [{{name: {name}, replicas: {replicas}{entry}}}]}}"


def mig(entries: str, name: str = "slices") -> str:
    return config_map(f"version: v1\nmig-configs:\n  {name}: [{entries}]", "mig", "config.yaml")


def policy(spec: str) -> str:
    return f"apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {{name: cluster-policy}}\nspec: {{{spec}}}"


def labelled(requirements: str, **labels: str) -> str:
    written = ", ".join(f"nvidia.com/{key.replace('_', '.')}: {value}" for key, value in labels.items())
    return pool(requirements=requirements).replace(
        "  template:\n", f"  template:\n    metadata: {{labels: {{{written.replace('device.plugin', 'device-plugin')}}}}}\n"
    )


MIXED = policy("mig: {strategy: mixed}")


@dataclass(frozen=True)
class Said:
    """What is said of some documents: what overlays give, by the number of GPUs or the model; and the mistakes."""

    overlays: dict[str, dict[str, int]]
    mistakes: list[str]


def said(*documents: str) -> Said:
    inputs = inputs_of(*documents)
    overlays = {
        "-".join(value for e in of.overlay.requirements[1:] for value in e.values): {
            resource: amount // NANO for resource, amount in of.overlay.capacity.items()
        }
        for of in missing_overlays(inputs)
    }
    return Said(overlays, [note.text for note in plan(inputs).warnings if note.code == BROKEN])


ASKING = requesting("nvidia.com/gpu: 1")


@pytest.mark.parametrize(
    ("sharing", "one", "four"),
    [
        (sliced(4), {"nvidia.com/gpu": 4}, {"nvidia.com/gpu": 16}),
        (sliced(4, name="gpu"), {"nvidia.com/gpu": 4}, {"nvidia.com/gpu": 16}),
        (
            sliced(2, "renameByDefault: true,"),
            {"nvidia.com/gpu": 0, "nvidia.com/gpu.shared": 2},
            {"nvidia.com/gpu": 0, "nvidia.com/gpu.shared": 8},
        ),
        (
            f"{sliced(4)}, {sliced(3).replace('timeSlicing', 'mps')}",
            {"nvidia.com/gpu": 3},
            {"nvidia.com/gpu": 12},
        ),
    ],
)
def test_nodes_offer_each_gpu_as_often_as_it_has_replicas(sharing: str, one: dict[str, int], four: dict[str, int]):
    """GS-1, GS-2, GS-4, GS-17."""
    assert said(pool(requirements=G5), ASKING, plugin(sharing)).overlays == {"1": one, "4": four}


def test_a_name_of_ones_own_and_chosen_devices_are_ignored():
    """GS-3."""
    found = said(pool(requirements=G5), ASKING, plugin(sliced(4, entry=", rename: nvidia.com/part, devices: [0]")))
    assert found.overlays["1"] == {"nvidia.com/gpu": 4}
    assert any("the device plugin ignores rename and devices" in text for text in found.mistakes)


@pytest.mark.parametrize(
    ("sharing", "refused"),
    [
        (sliced(4), False),
        (sliced(4, "failRequestsGreaterThanOne: true,"), True),
        (sliced(4).replace("timeSlicing", "mps"), True),
        (sliced(4, "failRequestsGreaterThanOne: false,").replace("timeSlicing", "mps"), False),
    ],
)
def test_pods_that_ask_for_more_than_one_share_are_refused(sharing: str, refused: bool):
    """GS-5."""
    found = said(pool(requirements=G5), requesting("nvidia.com/gpu: 2"), plugin(sharing))
    assert any("deployment/web requests nvidia.com/gpu: 2" in text for text in found.mistakes) is refused


BOTH = plugin(sliced(2), key="two"), plugin(sliced(5), name="other", key="five")
DAEMON = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin}
spec:
  selector: {matchLabels: {app: p}}
  template:
    metadata: {labels: {app: p}}
    spec:
      volumes: [{name: available-configs, configMap: {name: other}}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        env: [{name: MIG_STRATEGY, value: mixed}, {name: DEFAULT_CONFIG, value: %s}]
"""


@pytest.mark.parametrize(
    ("documents", "offered"),
    [
        ((pool(requirements=G5), *BOTH), 0),
        ((pool(requirements=G5), BOTH[0]), 2),
        ((pool(requirements=G5), BOTH[0], plugin(sliced(3), name="c", key="default")), 3),
        ((labelled(G5, device_plugin_config="five"), *BOTH), 5),
        ((pool(requirements=G5), *BOTH, policy("devicePlugin: {config: {name: other, default: five}}")), 5),
        ((pool(requirements=G5), *BOTH, policy("devicePlugin: {config: {name: other}}")), 0),
        ((labelled(G5, device_plugin_config="five"), *BOTH, policy("devicePlugin: {config: {name: other}}")), 5),
        ((pool(requirements=G5), *BOTH, DAEMON % "five"), 5),
        ((pool(requirements=G5), *BOTH, DAEMON % "''"), 5),
    ],
)
def test_the_label_counts_then_the_default_of_the_installation(documents: tuple[str, ...], offered: int):
    """GS-6."""
    overlays = said(*documents, ASKING).overlays
    assert overlays.get("1", {}).get("nvidia.com/gpu", 0) == offered


def test_a_configuration_that_is_not_there_is_named():
    """GS-7."""
    found = said(labelled(G5, device_plugin_config="six"), ASKING, *BOTH)
    assert not found.overlays
    (text,) = found.mistakes
    assert "no text of the device plugin's configuration is called six" in text


@pytest.mark.parametrize(
    ("entries", "offered"),
    [
        ('{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 7}}', {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 56}),
        (
            '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb+me": 1, "3g.20gb": 1}}',
            {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb.me": 8, "nvidia.com/mig-3g.20gb": 8},
        ),
        (
            '{devices: [0, 1], mig-enabled: true, mig-devices: {"3g.20gb": 2}}, {devices: [7], mig-enabled: false}',
            {"nvidia.com/gpu": 6, "nvidia.com/mig-3g.20gb": 4},
        ),
        (
            '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 7}}, {devices: [0], mig-enabled: false}',
            {"nvidia.com/gpu": 1, "nvidia.com/mig-1g.5gb": 49},
        ),
        (
            '{device-filter: "0x20B010DE", devices: all, mig-enabled: true, mig-devices: {"2g.10gb": 3}}',
            {"nvidia.com/gpu": 0, "nvidia.com/mig-2g.10gb": 24},
        ),
        ('{device-filter: ["0x233010DE"], devices: all, mig-enabled: true, mig-devices: {"1g.10gb": 7}}', {}),
    ],
)
def test_entries_split_the_gpus_that_they_are_for(entries: str, offered: dict[str, int]):
    """GS-8, GS-10: a p4d.24xlarge has eight A100 of 40 GB."""
    found = said(labelled(A100, mig_config="slices"), ASKING, mig(entries), MIXED)
    assert found.overlays.get("8", {}) == offered
    assert not found.mistakes


@pytest.mark.parametrize(
    ("installation", "flags", "offered"),
    [
        ((), "", {"nvidia.com/gpu": 56}),
        ((), "migStrategy: mixed", {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 56}),
        ((policy("mig: {strategy: single}"),), "migStrategy: mixed", {"nvidia.com/gpu": 56}),
        ((policy("mig: {}"),), "", {}),
        ((MIXED,), "", {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 56}),
        ((DAEMON % "''",), "", {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 56}),
    ],
)
def test_the_strategy_is_that_of_the_installation_before_that_of_the_text(
    installation: tuple[str, ...], flags: str, offered: dict[str, int]
):
    """GS-8, GS-9."""
    entries = '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 7}}'
    texts = (plugin("", flags),) if flags else ()
    found = said(labelled(A100, mig_config="slices"), ASKING, mig(entries), *texts, *installation)
    assert found.overlays.get("8", {}) == offered


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("all-1g.10gb", {"nvidia.com/mig-1g.10gb": 32}),
        ("all-1g.5gb.me", {"nvidia.com/mig-1g.5gb.me": 8}),
        ("all-balanced", {"nvidia.com/mig-1g.5gb": 16, "nvidia.com/mig-2g.10gb": 8, "nvidia.com/mig-3g.20gb": 8}),
        ("all-disabled", None),
    ],
)
def test_without_a_config_map_the_manager_makes_configurations(name: str, offered: dict[str, int] | None):
    """GS-11."""
    found = said(labelled(A100, mig_config=name), ASKING, MIXED)
    assert found.overlays == ({} if offered is None else {"8": {"nvidia.com/gpu": 0, **offered}})


def test_models_with_as_many_gpus_have_overlays_of_their_own():
    """GS-12, GS-17: A100 of 40 and of 80 GB."""
    found = said(labelled(MODELS_OF_A100, mig_config="all-1g.10gb"), ASKING, MIXED)
    assert found.overlays == {
        "8-a100-40960": {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.10gb": 32},
        "8-a100-81920": {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.10gb": 56},
    }


def test_machines_that_are_not_split_get_nothing_of_an_overlay_for_others():
    """GS-17: p5.4xlarge and g5.xlarge have one GPU each, an H100 and an A10G; on Azure types have no label of the memory."""
    mixed = f"[{ON_DEMAND}, {TYPES.format('p5.4xlarge, g5.xlarge')}]"
    found = said(labelled(mixed, mig_config="all-1g.10gb"), ASKING, MIXED)
    assert found.overlays == {"1-h100-81920": {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.10gb": 7}}
    wanted = "{key: karpenter.azure.com/sku-gpu-count, operator: In, values: ['1']}"
    sizes = azure.pool(wanted, labels="{nvidia.com/mig.config: all-1g.10gb}")
    of_azure = {of.overlay.requirements[2].values for of in missing_overlays(azure.inputs_of(sizes, ASKING, MIXED))}
    assert of_azure == {("Standard_NC24ads_A100_v4",)}


def test_partitions_may_be_time_sliced_but_not_shared_by_mps():
    """GS-13."""
    texts = labelled(A100, mig_config="all-1g.5gb"), ASKING, MIXED
    found = said(*texts, plugin(sliced(2, name="nvidia.com/mig-1g.5gb")))
    assert found.overlays["8"] == {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 112}
    found = said(*texts, plugin(sliced(2, name="nvidia.com/mig-1g.5gb").replace("timeSlicing", "mps")))
    assert not found.overlays
    assert any("shares no MIG partitions with MPS" in text for text in found.mistakes)


@pytest.mark.parametrize(
    ("entries", "strategy", "why"),
    [
        (
            '{devices: all, mig-enabled: true, mig-devices: {"1g.10gb": 7}}',
            "mixed",
            "has room for 4 of MIG profile 1g.10gb, not for 7",
        ),
        ('{devices: all, mig-enabled: true, mig-devices: {"1g.18gb": 7}}', "mixed", "an A100 40GB has no MIG profile 1g.18gb"),
        ('{devices: all, mig-enabled: true, mig-devices: {"3g.20gb": 2, "2g.10gb": 1}}', "mixed", "the partitions take 8"),
        (
            '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 2, "2g.10gb": 1}}',
            "single",
            "not into 1g.5gb and 2g.10gb",
        ),
        ('{devices: [0], mig-enabled: true, mig-devices: {"1g.5gb": 7}}', "single", "not into 1g.5gb and whole GPUs"),
    ],
)
def test_a_configuration_that_a_machine_cannot_have_is_named(entries: str, strategy: str, why: str):
    """GS-8, GS-12."""
    found = said(labelled(A100, mig_config="slices"), ASKING, mig(entries), policy(f"mig: {{strategy: {strategy}}}"))
    assert not found.overlays
    assert any("cannot be applied to p4d.24xlarge" in text and why in text for text in found.mistakes), found.mistakes


def test_an_unknown_name_of_a_mig_configuration_is_named():
    entries = '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 7}}'
    found = said(labelled(A100, mig_config="slicing"), ASKING, mig(entries), MIXED)
    assert any("ConfigMap mig has no configuration slicing, only slices" in text for text in found.mistakes)


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        (
            plugin("timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: four}]}"),
            "resources[0].replicas",
            "expected a whole",
        ),
        (plugin(sliced(1)), "resources[0].replicas", "1 is out of range"),
        (plugin("timeSlicing: {resources: []}"), "sharing.timeSlicing.resources", "is empty"),
        (plugin("timeSlicing: {}"), "sharing.timeSlicing.resources", "is missing"),
        (plugin("", "migStrategy: mixd"), "flags.migStrategy", "'mixd' is unknown"),
        (plugin(sliced(4)).replace("version: v1", "version: v2"), "version", "'v2' is unknown"),
        (mig("{devices: some, mig-enabled: true}"), "slices[0].devices", "expected all or a list"),
        (mig('{devices: all, mig-enabled: true, mig-devices: {"1g": 1}}'), "mig-devices['1g']", "is not a MIG profile"),
        (mig("{devices: all}"), "slices[0].mig-enabled", "is missing"),
    ],
)
def test_a_malformed_text_is_named_with_its_path_and_counts_for_nothing(text: str, path: str, why: str):
    """GS-1: the API server takes any text, so it is a warning."""
    found = said(labelled(A100, mig_config="slices"), ASKING, text, MIXED)
    assert any(path in message and why in message and "does not start with it" in message for message in found.mistakes), found


def priced(*documents: str) -> tuple[Plan, PlanInputs]:
    inputs = inputs_of(*documents)
    return with_miscounted_gpus(plan(inputs), inputs), inputs


def test_a_plan_says_what_it_is_with_the_overlays_that_are_missing():
    """GS-14, GS-15: four pods get four GPUs, and one would be enough."""
    one = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('g5.2xlarge')}]")
    documents = one, requesting("nvidia.com/gpu: 1, cpu: 1").replace("replicas: 1", "replicas: 4"), plugin(sliced(4))
    found, inputs = priced(*documents)
    miscounted = found.miscounted_gpus
    assert miscounted is not None
    assert (found.totals.nodes, miscounted.with_them.nodes, miscounted.with_them.pods) == (4, 1, 4)
    line = shared_gpus_line(found)
    assert line.startswith("1 NodeOverlay is missing (--overlays-to writes it); with it: 1 node for 4 pods, $")
    assert line in " ".join(render_plan(found).split())
    assert "1 node for 4 pods" in plan_markdown(found)
    assert line in plan_html(found)
    assert Plan.from_dict(found.to_dict()) == found
    corrected, again = priced(*documents, overlays_text(inputs))
    assert corrected.miscounted_gpus is None
    assert corrected.totals.nodes == 1
    assert corrected.as_scaled == miscounted.with_them
    with pytest.raises(InputError, match="there is no NodeOverlay to write"):
        overlays_text(again)


def test_pods_that_ask_for_a_renamed_resource_get_nodes_only_with_the_overlays():
    """GS-16."""
    documents = pool(requirements=G5), requesting("nvidia.com/gpu.shared: 3"), plugin(sliced(4, "renameByDefault: true,"))
    found, inputs = priced(*documents)
    assert found.totals.pending == 1
    corrected, _ = priced(*documents, overlays_text(inputs))
    assert not corrected.pending


def test_an_overlay_that_counts_otherwise_has_less_weight_than_the_new_one():
    """GS-17: two of the same weight would conflict."""
    other = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: mine}
spec:
  weight: 7
  requirements: [{key: karpenter.k8s.aws/instance-gpu-count, operator: In, values: ["1"]}]
  capacity: {nvidia.com/gpu: 2}
"""
    documents = pool(requirements=G5), ASKING, plugin(sliced(4)), other
    written = overlays_text(inputs_of(*documents))
    assert written.count("weight: 8") == 2
    corrected, _ = priced(*documents, written)
    assert not [note for note in corrected.warnings if note.code in ("overlay-rejected", "shared-gpus")]


def test_auto_mode_takes_no_overlays():
    """GS-14."""
    auto = pool(requirements=f"[{ON_DEMAND}]").replace(
        "karpenter.k8s.aws, kind: EC2NodeClass", "eks.amazonaws.com, kind: NodeClass"
    )
    assert not missing_overlays(inputs_of(auto, ASKING, plugin(sliced(4))))


def test_a_cluster_policy_of_another_group_is_none():
    kyverno = policy("mig: {strategy: none}").replace("nvidia.com/v1", "kyverno.io/v1")
    entries = '{devices: all, mig-enabled: true, mig-devices: {"1g.5gb": 7}}'
    assert said(labelled(A100, mig_config="slices"), ASKING, mig(entries), kyverno).overlays["8"] == {"nvidia.com/gpu": 56}


@pytest.mark.parametrize("model", BY_LABELS.values(), ids=lambda model: model.name)
def test_the_table_of_profiles_keeps_its_own_rules(model: MigModel):
    """GS-12: as many partitions of one profile as there are take no more slices than the GPU has."""
    assert all(compute_slices(profile) * most <= model.slices for profile, most in model.profiles.items())
    assert all(profile in model.profiles for profile in model.balanced)
    assert sum(compute_slices(profile) * count for profile, count in model.balanced.items()) <= model.slices


def test_every_type_of_the_catalogue_with_such_a_gpu_has_its_model():
    """GS-12: by the labels of the type; L4, L40S, A10G, T4 and V100 cannot be split."""
    inputs = inputs_of(pool())
    types = instance_types_by_pool(inputs.node_pools, inputs.node_classes, inputs.cloud)["general"]
    models = {t.name: model.name for t in types if (model := model_of(t)) is not None}
    assert models["p4d.24xlarge"] == "A100 40GB"
    assert models["p4de.24xlarge"] == "A100 80GB"
    assert models["p5.48xlarge"] == "H100 80GB"
    assert models["p5en.48xlarge"] == "H200"
    assert {name.partition(".")[0] for name in models}.isdisjoint({"g4dn", "g5", "g6", "g6e", "p3dn"})
    assert model_by_labels("a100", 1024) is None
