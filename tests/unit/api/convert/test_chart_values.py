"""Settings of old ConfigMaps as values of the chart."""

from __future__ import annotations

import pytest

from cutlist.api.convert.chart_values import without_comments
from tests.unit.api.convert.manifests import conversion, refused, said


def config_map(data, name="karpenter-global-settings"):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "karpenter"}, "data": data}


def logging(data):
    return config_map(data, "config-logging")


# V-130, K-44, K-45, K-46, K-47, K-48
@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("batchMaxDuration", "batchMaxDuration"),
        ("batchIdleDuration", "batchIdleDuration"),
        ("aws.clusterName", "clusterName"),
        ("aws.clusterEndpoint", "clusterEndpoint"),
        ("aws.clusterCABundle", "clusterCABundle"),
        ("aws.vmMemoryOverheadPercent", "vmMemoryOverheadPercent"),
        ("aws.interruptionQueueName", "interruptionQueue"),
        ("aws.reservedENIs", "reservedENIs"),
    ],
)
def test_settings_have_a_place_in_the_chart(key, name):
    """The text is carried over as it is."""
    converted = conversion(config_map({key: "0.1"}))
    assert converted.values == {"settings": {name: "0.1"}}
    assert [one.change.new for one in converted.changes] == [f"settings.{name}"]


# V-130
def test_a_switch_is_true_or_false():
    """The chart has a boolean where the ConfigMap had text."""
    assert conversion(config_map({"aws.isolatedVPC": "true"})).values == {"settings": {"isolatedVPC": True}}


# V-130
@pytest.mark.parametrize(
    "key",
    [
        "aws.assumeRoleARN",
        "aws.assumeRoleDuration",
        "aws.defaultInstanceProfile",
        "aws.enablePodENI",
        "aws.enableENILimitedPodDensity",
        "aws.tags",
        "aws.nodeNameConvention",
    ],
)
def test_settings_without_successor_are_reported(key):
    """No value, and a word on what takes its place."""
    converted = conversion(config_map({key: "x"}))
    assert converted.values == {}
    assert [one.change.old for one in said(converted, "lost")] == [f"data.{key}"]


# V-130
def test_drift_that_was_off_is_on():
    """The gate was removed, which matters only where it was closed."""
    assert said(conversion(config_map({"featureGates.driftEnabled": "false"})), "changes meaning")
    assert said(conversion(config_map({"featureGates.driftEnabled": "true"})), "lost")


# V-130
def test_an_unknown_key_is_reported_with_the_nearest():
    """It stands in no value, and not silently."""
    converted = conversion(config_map({"aws.clusterNames": "x"}))
    (one,) = said(converted, "needs a decision")
    assert (converted.values, one.change.advice) == ({}, "did you mean aws.clusterName?")


# V-130, K-49
def test_the_zap_config_gives_level_and_paths():
    """The rest is named as dropped, and comments are passed over with a word."""
    text = '{"level": "info", # quiet\n "outputPaths": ["a#b"], "errorOutputPaths": ["stderr"], "encoding": "console"}'
    converted = conversion(logging({"zap-logger-config": text}))
    assert converted.values == {"logLevel": "info", "logOutputPaths": ["a#b"], "logErrorOutputPaths": ["stderr"]}
    assert [one.change.text.partition(" ")[0] for one in said(converted, "lost")] == ["zap-logger-config", "encoding"]


# V-130, K-50, K-51
def test_the_level_of_the_controller_wins():
    """Over that of the zap config; the webhook's is dropped."""
    converted = conversion(
        logging({"zap-logger-config": '{"level": "info"}', "loglevel.controller": "debug", "loglevel.webhook": "error"})
    )
    assert converted.values == {"logLevel": "debug"}
    assert [one.change.old for one in said(converted, "lost")] == ["data.loglevel.webhook"]


@pytest.mark.parametrize("text", ["{", "[]", "[" * 5000, '{"level": NaN'])
def test_a_config_that_is_no_json_object_is_refused(text):
    """Its place is reported, and nothing is written."""
    assert "data.zap-logger-config" in refused(logging({"zap-logger-config": text}))[0]


def test_settings_that_are_no_text_are_refused():
    """A ConfigMap holds text only."""
    assert 'did you mean "1"?' in refused(config_map({"aws.reservedENIs": 1}))[0]


def test_the_same_config_map_twice_is_refused():
    """Which of the two holds would be undetermined."""
    assert "appears twice" in refused(config_map({}), config_map({}))[0]


# K-43
def test_both_config_maps_make_one_set_of_values():
    """Settings and logging stand side by side."""
    converted = conversion(config_map({"aws.clusterName": "c"}), logging({"loglevel.controller": "debug"}))
    assert converted.values == {"settings": {"clusterName": "c"}, "logLevel": "debug"}


def test_other_config_maps_are_left_alone():
    """Only the two names mean settings of Karpenter."""
    assert conversion(config_map({"aws.clusterName": "c"}, "mine")).converted == ()


def test_a_hash_inside_quotes_is_no_comment():
    """Not even behind a quote that is escaped."""
    text = '{"a": "x \\" # y"} # z'
    assert without_comments(text) == '{"a": "x \\" # y"} '
