"""An input that holds only objects of operators says which kinds there are, and why none of their pods is planned."""

from __future__ import annotations

import pytest

from cutlist import plan
from cutlist.core.errors import InputError, Problem
from cutlist.planning.absences import require_workloads
from cutlist.planning.read_inputs import read_inputs
from tests.unit.planning.manifests import NODE_CLASS, deployment, pool

POOLS = f"{NODE_CLASS}\n---\n{pool()}"
KAFKA = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: events}\nspec: {kafka: {}}\n"
PROMETHEUS = "apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nmetadata: {name: main}\nspec: {replicas: 2}\n"
CASSANDRA = "apiVersion: cassandra.datastax.com/v1beta1\nkind: CassandraDatacenter\nmetadata: {name: dc1}\nspec: {size: 3}\n"
CONNECT = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaConnect\nmetadata: {name: sink}\nspec: {replicas: 0}\n"


def absence(*texts: str) -> Problem:
    with pytest.raises(InputError) as raised:
        require_workloads(read_inputs(["-"], stdin="\n---\n".join(texts), region="us-west-2"))
    (problem,) = raised.value.problems
    return problem


def test_pods_that_are_known_need_a_node_pool():
    problem = absence(PROMETHEUS)
    assert problem.message == "no NodePool is in the input, only 1 Prometheus"
    need = "pods of operators need a NodePool as all others do: Prometheus (monitoring.coreos.com) with 2 pods"
    assert problem.details == (need,)


@pytest.mark.parametrize(("texts", "before"), [((KAFKA,), ""), ((POOLS, KAFKA), "not read: ")])
def test_an_object_whose_pods_are_not_counted_says_why(texts, before):
    """With NodePools and without."""
    (detail,) = absence(*texts).details
    assert detail.startswith(f"{before}Kafka events (")
    assert "not counted: the brokers of KafkaNodePools are counted with these" in detail


@pytest.mark.parametrize("texts", [(CASSANDRA,), (POOLS, CASSANDRA)])
def test_kinds_that_are_not_known_are_named_with_what_may_be_done(texts):
    problem = absence(*texts)
    assert problem.message.startswith("no ")
    assert problem.details == (
        "which pods an operator makes of these, if any, is not known: 1 CassandraDatacenter (cassandra.datastax.com); a "
        "document of kind PodKinds says how many there are, and `cutlist snapshot` has those that run",
    )


def test_no_pod_of_an_operator_is_no_answer():
    """What its object writes may not be what it runs, so a plan of nothing would look like a success."""
    problem = absence(POOLS, CONNECT, CASSANDRA)
    assert problem.message.startswith("no pod of an operator is planned, only 1 EC2NodeClass, 1 NodePool, ")
    zero, unknown = problem.details
    assert zero.startswith("every workload of the input has 0 pods: kafkaconnect/sink; --replicas kafkaconnect/sink=N")
    assert "1 CassandraDatacenter (cassandra.datastax.com)" in unknown


@pytest.mark.parametrize("texts", [(POOLS, PROMETHEUS), (POOLS, deployment("parked", 0), CONNECT)])
def test_other_inputs_are_planned(texts):
    """Pods of an operator are, and so is a Deployment with 0 replicas that somebody wrote."""
    inputs = read_inputs(["-"], stdin="\n---\n".join(texts), region="us-west-2")
    require_workloads(inputs)  # which would raise InputError
    assert plan(inputs).pending == ()
    assert inputs.has_workloads


def test_beside_workloads_the_operators_are_not_blamed():
    assert absence(deployment(), CASSANDRA).details == ()


def test_many_objects_are_not_listed_at_length():
    many = [KAFKA.replace("events", f"k{number}") for number in range(7)]
    *named, rest = absence(*many).details
    assert len(named) == 5
    assert rest == "and 2 more whose pods are not counted"
