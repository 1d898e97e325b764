"""Schemas of everything that we hand to a cluster; a field that no schema knows is a fault.

Kubernetes' own kinds by the schemas inside `kubernetes-validate`, as `--strict` applies them;
KEDA's by what its documentation says of ScaledObject, TriggerAuthentication and the scaler `redis`
(keda.sh/docs, reference and "Redis Lists"), as far as we use it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import jsonschema
from kubernetes_validate import utils
from referencing import Registry, Resource

Object = dict[str, Any]

VERSIONS = ("1.31", "1.37")
"""The oldest Kubernetes that we name, and the newest that the package has."""

WORD = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}


def _closed(required: dict[str, Any], **optional: Any) -> Object:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def _kind(kind: str, spec: Object) -> Object:
    metadata = _closed(
        {"name": WORD},
        namespace=WORD,
        labels={"type": "object", "additionalProperties": WORD},
    )
    named = {"apiVersion": {"const": "keda.sh/v1alpha1"}, "kind": {"const": kind}}
    return _closed(named | {"metadata": metadata, "spec": spec})


DIGITS = {"type": "string", "pattern": r"^\d+$"}
SWITCH = {"enum": ["true", "false"]}

REDIS_LIST = _closed(
    {"listName": WORD, "listLength": {"type": "string", "pattern": r"^[1-9]\d*$"}},
    activationListLength=DIGITS,
    address={"type": "string", "pattern": r"^[^:]+:\d+$"},
    addressFromEnv=WORD,
    host=WORD,
    port=DIGITS,
    usernameFromEnv=WORD,
    passwordFromEnv=WORD,
    databaseIndex=DIGITS,
    enableTLS=SWITCH,
    unsafeSsl=SWITCH,
)
"""What the trigger of the scaler `redis` takes; every value is a string."""

REDIS_PARAMETERS = {
    *("address", "host", "port", "username", "password"),
    *("tls", "ca", "cert", "key", "keyPassword"),
}
"""What a TriggerAuthentication may hand to it."""

KEDA: dict[str, Object] = {
    "ScaledObject": _kind(
        "ScaledObject",
        _closed(
            {
                "scaleTargetRef": _closed(
                    {"name": WORD}, apiVersion=WORD, kind=WORD, envSourceContainerName=WORD
                ),
                "triggers": {
                    "type": "array",
                    "minItems": 1,
                    "items": _closed(
                        {"type": {"const": "redis"}, "metadata": REDIS_LIST},
                        name=WORD,
                        useCachedMetrics={"type": "boolean"},
                        metricType={"enum": ["AverageValue", "Value", "Utilization"]},
                        authenticationRef=_closed(
                            {"name": WORD},
                            kind={
                                "enum": ["TriggerAuthentication", "ClusterTriggerAuthentication"]
                            },
                        ),
                    ),
                },
            },
            pollingInterval=COUNT,
            cooldownPeriod=COUNT,
            initialCooldownPeriod=COUNT,
            idleReplicaCount=COUNT,
            minReplicaCount=COUNT,
            maxReplicaCount=COUNT,
            fallback=_closed({"failureThreshold": COUNT, "replicas": COUNT}),
        ),
    ),
    "TriggerAuthentication": _kind(
        "TriggerAuthentication",
        _closed(
            {
                "secretTargetRef": {
                    "type": "array",
                    "minItems": 1,
                    "items": _closed(
                        {
                            "parameter": {"enum": sorted(REDIS_PARAMETERS)},
                            "name": WORD,
                            "key": WORD,
                        }
                    ),
                }
            }
        ),
    ),
}


def faults(found: Object, version: str = VERSIONS[-1]) -> list[str]:
    """What the schema of an object's kind says against it."""
    kind, api = str(found.get("kind")), str(found.get("apiVersion"))
    validator = _validator(kind, api, version)
    if validator is None:
        return [f"there is no schema for {kind} of {api}"]
    return [
        f"{kind} {found.get('metadata', {}).get('name')}: {error.json_path}: {error.message}"
        for error in validator.iter_errors(found)
    ]


@cache
def _validator(kind: str, api: str, version: str) -> jsonschema.Draft202012Validator | None:
    if api.startswith("keda.sh/"):
        return jsonschema.Draft202012Validator(KEDA[kind]) if kind in KEDA else None
    folder = f"kubernetes-json-schema/v{version}.0-local-strict"
    group = re.sub(r"^([^./]*)(?:\.[^/]*)?/", r"\1-", api)
    try:
        schema = utils.schema_contents(f"{folder}/{kind.lower()}-{group}.json", version)
    except FileNotFoundError:
        return None
    return jsonschema.Draft202012Validator(
        schema, registry=_definitions(version).with_resource("", Resource.from_contents(schema))
    )


@cache
def _definitions(version: str) -> Registry[Any]:
    path = f"kubernetes-json-schema/v{version}.0-local-strict/_definitions.json"
    resource = Resource.from_contents(utils.schema_contents(path, version))
    return resource @ Registry()
