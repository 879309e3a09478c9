"""Cases of `resource.k8s.io` by statement of docs/spec/workloads.md, in the form of `cases`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.unit.workloads.validation.device_objects import REQUEST, SELECTOR

Rows = Mapping[str, tuple[str, Mapping[str, Any]]]
Table = Mapping[str, Rows]

K, M, X, S = "ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice"
R: Final = "spec/devices/requests/0"
E: Final = f"{R}/exactly"
D: Final = "spec/devices/0"
GPU: Final = "gpu.example.com"
ALTERNATIVE: Final = {"name": "big", "deviceClassName": GPU}
SETS: Final = [{"name": "all", "counters": {"memory": {"value": "80Gi"}}}]
DRAWN: Final = {"counterSet": "all", "counters": {"memory": {"value": "40Gi"}}}
TAINT: Final = {"key": "example.com/broken", "effect": "NoSchedule"}
TERM: Final = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}


def _first(*alternatives: Mapping[str, Any]) -> Mapping[str, Any]:
    return {R: {"name": "gpu", "firstAvailable": [*alternatives]}}


def _many(count: int, **request: Any) -> list[Any]:
    return [{**REQUEST, "name": f"gpu-{number}", **request} for number in range(count)]


def _constraint(*constraints: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"spec/devices/constraints": [*constraints]}


def _config(**config: Any) -> Mapping[str, Any]:
    return {"spec/devices/config": [config]}


def _cel(expression: str) -> Mapping[str, Any]:
    return {f"{E}/selectors": [{"cel": {"expression": expression}}]}


def _devices(count: int, **device: Any) -> Mapping[str, Any]:
    return {"spec/devices": [{"name": f"gpu-{number}", **device} for number in range(count)]}


def _attribute(name: str = "model", **value: Any) -> Mapping[str, Any]:
    return {f"{D}/attributes": {name: value}}


def _policy(value: str = "16Gi", **policy: Any) -> Mapping[str, Any]:
    return {f"{D}/allowMultipleAllocations": True, f"{D}/capacity": {"memory": {"value": value, "requestPolicy": policy}}}


def _values(*values: str, default: str = "1Gi") -> Mapping[str, Any]:
    return _policy(default=default, validValues=[*values])


def _range(default: str = "1Gi", **valid: Any) -> Mapping[str, Any]:
    return _policy(default=default, validRange=valid)


def _counted(*sets: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"spec/devices": ..., "spec/sharedCounters": [*sets]}


def _toleration(**toleration: Any) -> Mapping[str, Any]:
    return {f"{E}/tolerations": [toleration]}


DEVICES: Final[Table] = {
    "W-84": {
        "claim as it is": (K, {}),
        "template as it is": (M, {}),
        "class as it is": (X, {}),
        "slice as it is": (S, {}),
        "unknown field of a claim": (K, {"spec/device": {}}),
        "class of a device beside exactly": (K, {f"{R}/deviceClassName": GPU}),
        "text as a count": (K, {f"{E}/count": "2"}),
        "number as an attribute": (S, _attribute(string=5)),
        "text as a capacity": (S, {f"{D}/capacity": {"memory": {"value": "much"}}}),
        "capacity without a value": (S, {f"{D}/capacity": {"memory": {}}}),
        "lists as attributes": (S, _attribute(strings=["a"])),
        "empty spec of a claim": (K, {"spec": {}}),
        "no spec of a claim": (K, {"spec": ...}),
        "no requests": (K, {"spec/devices/requests": []}),
        "status of a claim": (K, {"status": {"reservedFor": []}}),
        "counters before they count": (S, _counted()),
    },
    "W-85": {
        "device class in upper case": (X, {"metadata/name": "GPU"}),
        "class with a domain": (X, {"metadata/name": "gpu.example.com"}),
        "claim with a dot": (K, {"metadata/name": "my.claim"}),
        "claim in upper case": (K, {"metadata/name": "Claim"}),
        "template in upper case": (M, {"metadata/name": "Claim"}),
        "slice in upper case": (S, {"metadata/name": "Slice"}),
        "no driver": (S, {"spec/driver": ""}),
        "driver in upper case": (S, {"spec/driver": "GPU.example.com"}),
        "driver with an underscore": (S, {"spec/driver": "gpu_example"}),
        "driver of 64 characters": (S, {"spec/driver": "x" * 64}),
        "driver of 63 characters": (S, {"spec/driver": "x" * 63}),
        "pool with a slash": (S, {"spec/pool/name": "node/a"}),
        "pool in upper case": (S, {"spec/pool/name": "Node"}),
        "pool with an empty part": (S, {"spec/pool/name": "node//a"}),
        "no pool": (S, {"spec/pool/name": ""}),
        "pool of 254 characters": (S, {"spec/pool/name": "x" * 254}),
        "attribute with a domain": (S, _attribute(f"{GPU}/model", string="a")),
        "attribute with an empty domain": (S, _attribute("/model", string="a")),
        "attribute with an empty name": (S, _attribute(f"{GPU}/", string="a")),
        "attribute with a dash": (S, _attribute("my-model", string="a")),
        "attribute that begins with a digit": (S, _attribute("2model", string="a")),
        "attribute of 33 characters": (S, _attribute("x" * 33, string="a")),
        "attribute of 150 characters": (S, _attribute("x" * 150, string="x" * 65)),
        "attribute with two slashes": (S, _attribute("a/b/c", string="a")),
        "attribute with a wrong domain": (S, _attribute("a_b/c", string="a")),
        "attribute without a name": (S, _attribute("", string="a")),
    },
    "W-86": {
        "request without a form": (K, {R: {"name": "gpu"}}),
        "request in both forms": (K, {f"{R}/firstAvailable": [ALTERNATIVE]}),
        "request with an empty form": (K, {E: {}}),
        "request with no alternatives": (K, _first()),
        "request without a name": (K, {f"{R}/name": ""}),
        "request in upper case": (K, {f"{R}/name": "GPU"}),
        "request named twice": (K, {"spec/devices/requests/1": REQUEST}),
        "32 requests": (K, {"spec/devices/requests": _many(32)}),
        "33 requests": (K, {"spec/devices/requests": _many(33)}),
        "null as a request": (K, {"spec/devices/requests": [None]}),
        "request of a template": (M, {"spec/spec/devices/requests/0": {"name": "gpu"}}),
        "no class": (K, {f"{E}/deviceClassName": ""}),
        "class of a request in upper case": (K, {f"{E}/deviceClassName": "GPU"}),
        "all devices": (K, {f"{E}/allocationMode": "All"}),
        "all devices with a count": (K, {f"{E}/allocationMode": "All", f"{E}/count": 2}),
        "unknown allocation mode": (K, {f"{E}/allocationMode": "Some"}),
        "count of zero": (K, {f"{E}/count": 0}),
        "count below zero": (K, {f"{E}/count": -1}),
        "count of 1000": (K, {f"{E}/count": 1000}),
        "admin access": (K, {f"{E}/adminAccess": True}),
        "amounts of a request": (K, {f"{E}/capacity": {"requests": {"memory": "1Gi"}}}),
        "amount with a wrong name": (K, {f"{E}/capacity": {"requests": {"my memory": "1Gi"}}}),
        "amount below zero": (K, {f"{E}/capacity": {"requests": {"memory": "-1"}}}),
        "alternatives": (K, _first(ALTERNATIVE, {**ALTERNATIVE, "name": "small"})),
        "alternative without a name": (K, _first({"deviceClassName": GPU})),
        "alternative without a class": (K, _first({"name": "big"})),
        "alternative named twice": (K, _first(ALTERNATIVE, ALTERNATIVE)),
        "alternative with a wrong mode": (K, _first({**ALTERNATIVE, "allocationMode": "Any"})),
        "alternative with a count below zero": (K, _first({**ALTERNATIVE, "count": -2})),
        "eight alternatives": (K, _first(*({**ALTERNATIVE, "name": f"a{n}"} for n in range(8)))),
        "nine alternatives": (K, _first(*({**ALTERNATIVE, "name": f"a{n}"} for n in range(9)))),
    },
    "W-87": {
        "selector without an expression": (K, {f"{E}/selectors": [{}]}),
        "empty expression": (K, _cel("")),
        "class with a selector without an expression": (X, {"spec/selectors": [{}]}),
        "32 selectors": (K, {f"{E}/selectors": [SELECTOR] * 32}),
        "33 selectors": (K, {f"{E}/selectors": [SELECTOR] * 33}),
        "33 selectors of a class": (X, {"spec/selectors": [SELECTOR] * 33}),
        "expression of 10 KiB": (K, _cel("true" + " " * (10 * 1024 - 4))),
        "longer expression": (K, _cel("true" + " " * (10 * 1024 - 3))),
        "attribute by a domain": (K, _cel(f'device.attributes["{GPU}"].model == "a100"')),
        "attribute by a member": (K, _cel(f"device.attributes['{GPU}'].memory > 5")),
        "capacity against a quantity": (K, _cel(f"device.capacity['{GPU}'].memory.compareTo(quantity('10Gi')) >= 0")),
        "version": (K, _cel(f"device.attributes['{GPU}'].driverVersion.isGreaterThan(semver('1.2.3'))")),
        "shared device": (K, _cel("device.allowMultipleAllocations")),
        "is set": (K, _cel(f"has(device.attributes['{GPU}'].model)")),
        "in a list": (K, _cel(f"device.attributes['{GPU}'].model in ['a', 'b']")),
        "whether a domain is known": (K, _cel(f"'{GPU}' in device.attributes")),
        "bind": (K, _cel(f"cel.bind(d, device.attributes['{GPU}'], d.model == 'a' && d.numa == 1)")),
        "text functions": (K, _cel(f"device.attributes['{GPU}'].model.lowerAscii().startsWith('a')")),
        "matches": (K, _cel(f"device.attributes['{GPU}'].model.matches('^a[0-9]+')")),
        "optional": (K, _cel(f"device.attributes['{GPU}'].?model.orValue('') == 'a'")),
        "exists": (K, _cel(f"['a','b'].exists(m, device.attributes['{GPU}'].model == m)")),
        "wrong quantity": (K, _cel(f"device.capacity['{GPU}'].memory.compareTo(quantity('much')) >= 0")),
        "expression that breaks off": (K, _cel("device.attributes[")),
        "expression that is no truth": (K, _cel("device.driver")),
        "expression that is a number": (K, _cel("1 + 1")),
        "expression that may be a truth": (K, _cel(f"device.attributes['{GPU}'].model")),
        "unknown variable": (K, _cel("devices.driver == 'a'")),
        "unknown member": (K, _cel("device.name == 'a'")),
        "unknown function": (K, _cel("device.driver.beginsWith('a')")),
        "texts and numbers": (K, _cel("device.driver == 5")),
        "quantity and text": (K, _cel(f"device.capacity['{GPU}'].memory == '1Gi'")),
        "broken expression of a class": (X, {"spec/selectors": [{"cel": {"expression": "device."}}]}),
        "broken expression of an alternative": (K, _first({**ALTERNATIVE, "selectors": [{"cel": {"expression": "("}}]})),
        "costly expression": (K, _cel("[1,2,3,4,5,6,7,8,9,10].all(a, " * 6 + "a > 0" + ")" * 6)),
        "loops of 100000 steps": (K, _cel("[1,2,3,4,5,6,7,8,9,10].all(a, " * 5 + "a > 0" + ")" * 5)),
        "loops over attributes of attributes": (K, _cel(f"device.attributes['{GPU}'].all(d, " * 4 + "d == 'a'" + ")" * 4)),
        "loops over capacities": (K, _cel("device.capacity.exists(d, " * 4 + "d == 'a'" + ")" * 4)),
        "loops over a bound list": (K, _cel(f"cel.bind(l, [{','.join('1234567890')}], " + "l.all(a, " * 6 + "a > 0" + ")" * 7)),
        "costly branch": (K, _cel("true ? true : " + "[1,2,3,4,5,6,7,8,9,10].all(a, " * 6 + "a > 0" + ")" * 6)),
        "costly map of a map": (K, _cel("{'a': 1, 'b': 2}.all(k, {'c': 3}.all(m, k != m))")),
        "costly in texts": (K, _cel("device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, d == e)))")),
    },
    "W-88": {
        "toleration of all": (K, _toleration(operator="Exists")),
        "toleration of a key": (K, _toleration(key="example.com/broken", operator="Exists", effect="NoExecute")),
        "toleration with a value": (K, _toleration(key="a", value="b")),
        "toleration without a key": (K, _toleration(value="b")),
        "toleration that exists with a value": (K, _toleration(key="a", operator="Exists", value="b")),
        "unknown operator of a toleration": (K, _toleration(key="a", operator="Near")),
        "unknown effect of a toleration": (K, _toleration(key="a", effect="PreferNoSchedule")),
        "wrong key of a toleration": (K, _toleration(key="a/b/c", operator="Exists")),
        "wrong value of a toleration": (K, _toleration(key="a", value="b c")),
        "effect None of a toleration": (K, _toleration(key="a", operator="Exists", effect="None")),
        "17 tolerations": (K, {f"{E}/tolerations": [{"key": f"k{n}", "operator": "Exists"} for n in range(17)]}),
        "toleration of an alternative": (K, _first({**ALTERNATIVE, "tolerations": [{"operator": "Near"}]})),
    },
    "W-89": {
        "constraint on all requests": (K, _constraint({"matchAttribute": f"{GPU}/numa"})),
        "constraint on a request": (K, _constraint({"requests": ["gpu"], "matchAttribute": f"{GPU}/numa"})),
        "constraint on another request": (K, _constraint({"requests": ["nic"], "matchAttribute": f"{GPU}/numa"})),
        "constraint on a request twice": (K, _constraint({"requests": ["gpu", "gpu"], "matchAttribute": f"{GPU}/numa"})),
        "constraint on a wrong name": (K, _constraint({"requests": ["GPU"], "matchAttribute": f"{GPU}/numa"})),
        "constraint on an alternative": (
            K,
            {**_first(ALTERNATIVE), **_constraint({"requests": ["gpu/big"], "matchAttribute": f"{GPU}/numa"})},
        ),
        "constraint on no alternative": (
            K,
            {**_first(ALTERNATIVE), **_constraint({"requests": ["gpu/small"], "matchAttribute": f"{GPU}/numa"})},
        ),
        "constraint on three parts": (K, _constraint({"requests": ["a/b/c"], "matchAttribute": f"{GPU}/numa"})),
        "constraint without an attribute": (K, _constraint({"requests": ["gpu"]})),
        "constraint without a domain": (K, _constraint({"matchAttribute": "numa"})),
        "constraint with a wrong domain": (K, _constraint({"matchAttribute": "gpu_x/numa"})),
        "constraint with a wrong name": (K, _constraint({"matchAttribute": f"{GPU}/nu ma"})),
        "constraint with an empty name": (K, _constraint({"matchAttribute": ""})),
        "distinct values": (K, _constraint({"distinctAttribute": f"{GPU}/numa"})),
        "distinct values without a domain": (K, _constraint({"distinctAttribute": "numa"})),
        "equal and distinct": (K, _constraint({"matchAttribute": f"{GPU}/numa", "distinctAttribute": f"{GPU}/numa"})),
        "32 constraints": (K, _constraint(*({"matchAttribute": f"{GPU}/a{n}"} for n in range(32)))),
        "33 constraints": (K, _constraint(*({"matchAttribute": f"{GPU}/a{n}"} for n in range(33)))),
    },
    "W-90": {
        "configuration": (K, _config(opaque={"driver": GPU, "parameters": {"a": 1}})),
        "configuration of a class": (X, {"spec/config": [{"opaque": {"driver": GPU, "parameters": {"a": 1}}}]}),
        "configuration without content": (K, _config()),
        "configuration of a class without content": (X, {"spec/config": [{}]}),
        "configuration without a driver": (K, _config(opaque={"parameters": {"a": 1}})),
        "configuration with a wrong driver": (K, _config(opaque={"driver": "a_b", "parameters": {"a": 1}})),
        "configuration with a long driver": (K, _config(opaque={"driver": "x" * 64, "parameters": {"a": 1}})),
        "configuration without parameters": (K, _config(opaque={"driver": GPU})),
        "null as parameters": (K, _config(opaque={"driver": GPU, "parameters": None})),
        "list as parameters": (K, _config(opaque={"driver": GPU, "parameters": [1]})),
        "text as parameters": (K, _config(opaque={"driver": GPU, "parameters": "a"})),
        "long parameters": (K, _config(opaque={"driver": GPU, "parameters": {"a": "x" * 10_240}})),
        "configuration of another request": (K, _config(requests=["nic"], opaque={"driver": GPU, "parameters": {}})),
        "33 configurations": (K, {"spec/devices/config": [{"opaque": {"driver": GPU, "parameters": {}}}] * 33}),
        "33 configurations of a class": (X, {"spec/config": [{"opaque": {"driver": GPU, "parameters": {}}}] * 33}),
        "extended resource": (X, {"spec/extendedResourceName": "example.com/gpu"}),
        "extended resource without a domain": (X, {"spec/extendedResourceName": "gpu"}),
        "extended resource of Kubernetes": (X, {"spec/extendedResourceName": "kubernetes.io/gpu"}),
        "extended resource of a quota": (X, {"spec/extendedResourceName": "requests.example.com/gpu"}),
        "extended resource with two slashes": (X, {"spec/extendedResourceName": "a.b/c/d"}),
        "empty extended resource": (X, {"spec/extendedResourceName": ""}),
        "labels of a template": (M, {"spec/metadata": {"labels": {"a": "b"}}}),
        "wrong labels of a template": (M, {"spec/metadata": {"labels": {"a": "b c"}}}),
        "wrong annotations of a template": (M, {"spec/metadata": {"annotations": {"a b": "c"}}}),
        "name in a template": (M, {"spec/metadata": {"name": "claim"}}),
        "finalizers in a template": (M, {"spec/metadata": {"finalizers": ["a.b/c"]}}),
    },
    "W-91": {
        "slice of no node": (S, {"spec/nodeName": ...}),
        "slice of an empty node": (S, {"spec/nodeName": ""}),
        "slice of a wrong node": (S, {"spec/nodeName": "Node A"}),
        "slice of all nodes": (S, {"spec/nodeName": ..., "spec/allNodes": True}),
        "slice of not all nodes": (S, {"spec/nodeName": ..., "spec/allNodes": False}),
        "slice of a node and not all": (S, {"spec/allNodes": False}),
        "slice of a node and of all": (S, {"spec/allNodes": True}),
        "slice of some nodes": (S, {"spec/nodeName": ..., "spec/nodeSelector": {"nodeSelectorTerms": [TERM]}}),
        "slice of two terms": (S, {"spec/nodeName": ..., "spec/nodeSelector": {"nodeSelectorTerms": [TERM, TERM]}}),
        "slice of no terms": (S, {"spec/nodeName": ..., "spec/nodeSelector": {"nodeSelectorTerms": []}}),
        "slice of a wrong term": (
            S,
            {
                "spec/nodeName": ...,
                "spec/nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a b", "operator": "In"}]}]},
            },
        ),
        "nodes by device": (S, {"spec/nodeName": ..., "spec/perDeviceNodeSelection": True, f"{D}/nodeName": "node-a"}),
        "nodes not by device": (S, {"spec/perDeviceNodeSelection": False}),
        "nodes of no device": (S, {"spec/nodeName": ..., "spec/perDeviceNodeSelection": True}),
        "empty node of a device": (S, {"spec/nodeName": ..., "spec/perDeviceNodeSelection": True, f"{D}/nodeName": ""}),
        "not all nodes of a device": (S, {"spec/nodeName": ..., "spec/perDeviceNodeSelection": True, f"{D}/allNodes": False}),
        "two forms of a device": (
            S,
            {"spec/nodeName": ..., "spec/perDeviceNodeSelection": True, f"{D}/nodeName": "node-a", f"{D}/allNodes": True},
        ),
        "node of a device of a node": (S, {f"{D}/nodeName": "node-a"}),
        "selector of a device": (
            S,
            {
                "spec/nodeName": ...,
                "spec/perDeviceNodeSelection": True,
                f"{D}/nodeSelector": {"nodeSelectorTerms": [TERM, TERM]},
            },
        ),
        "pool of no slices": (S, {"spec/pool/resourceSliceCount": 0}),
        "generation below zero": (S, {"spec/pool/generation": -1}),
        "no pool at all": (S, {"spec/pool": ...}),
    },
    "W-92": {
        "no devices": (S, {"spec/devices": ...}),
        "128 devices": (S, _devices(128)),
        "129 devices": (S, _devices(129)),
        "64 devices with taints": (S, _devices(64, taints=[TAINT])),
        "65 devices with taints": (S, _devices(65, taints=[TAINT])),
        "65 devices that draw on counters": (S, _devices(65, consumesCounters=[DRAWN])),
        "device named twice": (S, {"spec/devices/1": {"name": "gpu-0"}}),
        "device without a name": (S, {f"{D}/name": ""}),
        "device in upper case": (S, {f"{D}/name": "GPU"}),
        "device with a dot": (S, {f"{D}/name": "gpu.0"}),
        "32 attributes": (S, {f"{D}/attributes": {f"a{n}": {"int": n} for n in range(32)}}),
        "33 attributes": (S, {f"{D}/attributes": {f"a{n}": {"int": n} for n in range(33)}}),
        "32 attributes and a capacity": (
            S,
            {f"{D}/attributes": {f"a{n}": {"int": n} for n in range(32)}, f"{D}/capacity": {"memory": {"value": "1"}}},
        ),
        "attributes of each kind": (
            S,
            {f"{D}/attributes": {"a": {"int": -5}, "b": {"bool": False}, "c": {"string": ""}, "d": {"version": "1.2.3-a.1+b"}}},
        ),
        "attribute without a value": (S, _attribute()),
        "attribute with two values": (S, _attribute(int=5, string="a")),
        "attribute of 64 characters": (S, _attribute(string="x" * 64)),
        "attribute of 65 characters": (S, _attribute(string="x" * 65)),
        "attribute of 33 umlauts": (S, _attribute(string="ä" * 33)),
        "version with two parts": (S, _attribute(version="1.2")),
        "version with a v": (S, _attribute(version="v1.2.3")),
        "version with leading zeros": (S, _attribute(version="1.02.3")),
        "version of 65 characters": (S, _attribute(version=f"1.2.3-{'x' * 59}")),
        "empty version": (S, _attribute(version="")),
    },
    "W-93": {
        "counters": (S, _counted(*SETS)),
        "counters and devices": (S, {"spec/sharedCounters": SETS}),
        "counters and no devices": (S, {"spec/sharedCounters": SETS, "spec/devices": []}),
        "counters without a name": (S, _counted({"counters": {"a": {"value": "1"}}})),
        "counters with a wrong name": (S, _counted({"name": "A_b", "counters": {"a": {"value": "1"}}})),
        "set without counters": (S, _counted({"name": "all"})),
        "counter with a wrong name": (S, _counted({"name": "all", "counters": {"my_memory": {"value": "1"}}})),
        "counters named twice": (S, _counted(*SETS, *SETS)),
        "eight sets": (S, _counted(*({"name": f"s{n}", "counters": {"a": {"value": "1"}}} for n in range(8)))),
        "nine sets": (S, _counted(*({"name": f"s{n}", "counters": {"a": {"value": "1"}}} for n in range(9)))),
        "33 counters": (S, _counted({"name": "all", "counters": {f"c{n}": {"value": "1"} for n in range(33)}})),
        "device that draws": (S, {f"{D}/consumesCounters": [DRAWN]}),
        "device that draws twice": (S, {f"{D}/consumesCounters": [DRAWN, DRAWN]}),
        "device that draws on three": (S, {f"{D}/consumesCounters": [{**DRAWN, "counterSet": f"s{n}"} for n in range(3)]}),
        "device that draws on no set": (S, {f"{D}/consumesCounters": [{"counters": DRAWN["counters"]}]}),
        "device that draws nothing": (S, {f"{D}/consumesCounters": [{"counterSet": "all"}]}),
        "device that draws on a wrong set": (S, {f"{D}/consumesCounters": [{**DRAWN, "counterSet": "A b"}]}),
        "device that draws on 33": (
            S,
            {f"{D}/consumesCounters": [{"counterSet": "all", "counters": {f"c{n}": {"value": "1"} for n in range(33)}}]},
        ),
    },
    "W-94": {
        "capacity": (S, {f"{D}/capacity": {"memory": {"value": "16Gi"}}}),
        "capacity below zero": (S, {f"{D}/capacity": {"memory": {"value": "-1"}}}),
        "capacity with a wrong name": (S, {f"{D}/capacity": {"my memory": {"value": "1"}}}),
        "policy of a device of one claim": (
            S,
            {f"{D}/capacity": {"memory": {"value": "16Gi", "requestPolicy": {"default": "1Gi"}}}},
        ),
        "policy with a default alone": (S, _policy(default="1Gi")),
        "default above the capacity": (S, _policy(default="32Gi")),
        "policy in both forms": (S, _policy(default="1Gi", validValues=["1Gi"], validRange={"min": "1Gi"})),
        "values": (S, _values("1Gi", "2Gi")),
        "values without a default": (S, _policy(validValues=["1Gi"])),
        "values without the default": (S, _values("2Gi", "4Gi")),
        "values out of order": (S, _values("2Gi", "1Gi")),
        "value above the capacity": (S, _values("1Gi", "32Gi")),
        "value given twice": (S, _values("1Gi", "1Gi")),
        "value given twice in other words": (S, _values("1Gi", "1024Mi")),
        "ten values": (S, _values(*(f"{n}Gi" for n in range(1, 11)))),
        "eleven values": (S, _values(*(f"{n}Gi" for n in range(1, 12)))),
        "values of half": (S, _values("0.1", "0.2", default="0.1")),
        "range": (S, _range(min="1Gi", max="8Gi", step="1Gi")),
        "range without a default": (S, _policy(validRange={"min": "1Gi"})),
        "range without min": (S, _range(max="8Gi")),
        "range of min alone": (S, _range(min="1Gi")),
        "min above the capacity": (S, _range("32Gi", min="32Gi")),
        "default below min": (S, _range("1Gi", min="2Gi")),
        "default above the range": (S, _range("9Gi", min="1Gi", max="8Gi")),
        "max below min": (S, _range("4Gi", min="4Gi", max="2Gi")),
        "max above the capacity": (S, _range(min="1Gi", max="32Gi")),
        "step of zero": (S, _range(min="1Gi", step="0")),
        "step below zero": (S, _range(min="1Gi", step="-1Gi")),
        "step beyond the capacity": (S, _range(min="1Gi", step="16Gi")),
        "default between steps": (S, _range("2Gi", min="1Gi", step="3Gi")),
        "max between steps": (S, _range(min="1Gi", max="6Gi", step="3Gi")),
        "range of thousandths": (S, _range("100m", min="100m", max="1", step="100m")),
        "range of millionths": (S, _range("100u", min="100u", max="1", step="100u")),
        "default between steps of thousandths": (S, _range("150m", min="100m", max="1", step="100m")),
        "fraction as default of whole steps": (S, _range("1500m", min="1", max="4", step="1")),
        "range from below zero": (S, _range("1", min="-1", step="1")),
        "huge step": (
            S,
            _policy("20E", default="1", validRange={"min": "1", "step": "18446744073709551616"}),
        ),
    },
    "W-95": {
        "taint": (S, {f"{D}/taints": [TAINT]}),
        "taint without an effect": (S, {f"{D}/taints": [{"key": "a"}]}),
        "taint with an unknown effect": (S, {f"{D}/taints": [{"key": "a", "effect": "PreferNoSchedule"}]}),
        "taint without a key": (S, {f"{D}/taints": [{"effect": "NoExecute"}]}),
        "taint with a wrong key": (S, {f"{D}/taints": [{"key": "a/b/c", "effect": "NoExecute"}]}),
        "taint with a wrong value": (S, {f"{D}/taints": [{**TAINT, "value": "a b"}]}),
        "taint with effect None": (S, {f"{D}/taints": [{"key": "a", "effect": "None"}]}),
        "16 taints": (S, {f"{D}/taints": [{"key": f"t{n}", "effect": "NoExecute"} for n in range(16)]}),
        "17 taints": (S, {f"{D}/taints": [{"key": f"t{n}", "effect": "NoExecute"} for n in range(17)]}),
        "conditions": (S, {f"{D}/bindingConditions": ["a.b/up"], f"{D}/bindingFailureConditions": ["a.b/down"]}),
        "conditions without failures": (S, {f"{D}/bindingConditions": ["a.b/up"]}),
        "failures without conditions": (S, {f"{D}/bindingFailureConditions": ["a.b/down"]}),
        "condition that is a failure": (S, {f"{D}/bindingConditions": ["up"], f"{D}/bindingFailureConditions": ["up"]}),
        "condition given twice": (S, {f"{D}/bindingConditions": ["up", "up"], f"{D}/bindingFailureConditions": ["no"]}),
        "condition with a space": (S, {f"{D}/bindingConditions": ["is up"], f"{D}/bindingFailureConditions": ["no"]}),
        "five conditions": (
            S,
            {f"{D}/bindingConditions": [f"c{n}" for n in range(5)], f"{D}/bindingFailureConditions": ["no"]},
        ),
        "binds to a node": (S, {f"{D}/bindsToNode": True}),
    },
}
