"""The overlays of `k8s/`: rendered, held against schemas and house rules, and misspelled."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ops import mutation, schemas
from tests.ops.kustomize import K8S, OVERLAYS, by_kubectl, by_reader, rendered
from tests.ops.rules import faults
from tests.ops.rules.programs import SECRET, SECRET_KEYS
from tests.ops.rules.reading import name, of_kind

Object = dict[str, Any]


def all_faults(objects: list[Object], changed: Object | None = None) -> list[str]:
    """Schemas first: the house rules read what has the right form."""
    asked = objects if changed is None else [changed]
    return [f for found in asked for f in schemas.faults(found)] or faults(objects)


@pytest.mark.parametrize("overlay", OVERLAYS)
class TestOverlays:
    def test_it_keeps_the_house_rules(self, overlay: str) -> None:
        assert faults(rendered(overlay)) == []

    def test_every_field_is_known_to_the_oldest_and_the_newest_cluster(self, overlay: str) -> None:
        objects = rendered(overlay)
        said = [f for v in schemas.VERSIONS for found in objects for f in schemas.faults(found, v)]
        assert said == []

    def test_the_validator_of_the_trade_accepts_it(self, overlay: str, tmp_path: Path) -> None:
        path = tmp_path / "all.yaml"
        path.write_text(yaml.safe_dump_all(rendered(overlay)))
        validate = Path(sys.executable).parent / "kubernetes-validate"
        done = subprocess.run(
            [validate, "--strict", path], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
        # It passes over what it has no schema for: that are KEDA's kinds, and no others.
        passed_over = set(re.findall(r"find schema for kind (\w+)", done.stdout + done.stderr))
        assert passed_over == (set(schemas.KEDA) if overlay == "keda" else set())

    def test_the_reader_gives_what_kubectl_gives(self, overlay: str) -> None:
        if shutil.which("kubectl") is None:
            pytest.skip("kubectl is not here; the reader renders the overlays alone")
        folder = K8S / "overlays" / overlay
        assert _by_name(by_reader(folder)) == _by_name(by_kubectl(folder))


def _by_name(objects: list[Object]) -> dict[tuple[str, str], Object]:
    return {(found["kind"], name(found)): found for found in objects}


FREE = {
    ("NetworkPolicy", "metadata/name"),
    ("Ingress", "metadata/name"),
    ("Ingress", "spec/tls/0/secretName"),
    ("ConfigMap", "data/TYCOON_ARCHIVE_URL"),
}
"""Words that nothing else refers to: an operator's own names, and where an object store is."""


@pytest.mark.parametrize("mutants", [mutation.misspelled_keys, mutation.misspelled_words])
def test_whatever_is_misspelled_is_caught(
    mutants: Callable[[Object], Iterator[mutation.Mutant]],
) -> None:
    """Every key and every word, but one that stands in the same place of two objects only once."""
    tried: set[tuple[str, ...]] = set()
    missed: set[tuple[str, str]] = set()
    for overlay in ("dev", "keda"):  # keda is prod and more
        objects = rendered(overlay)
        for index, found in enumerate(objects):
            for path, word, mutant in mutants(found):
                place = (found["kind"], path)
                if (*place, word) in tried:
                    continue
                tried.add((*place, word))
                if not all_faults([*objects[:index], mutant, *objects[index + 1 :]], mutant):
                    missed.add(place)
    assert len(tried) > 300
    assert missed <= (FREE if mutants is mutation.misspelled_words else set())


MISTAKES: dict[str, tuple[str, Callable[[Object], object]]] = {
    "a grace below the visibility timeout": (
        "Deployment/worker-advance",
        lambda o: o["spec"]["template"]["spec"].update(terminationGracePeriodSeconds=170),
    ),
    "an API that is killed while it drains": (
        "Deployment/api",
        lambda o: o["spec"]["template"]["spec"].update(terminationGracePeriodSeconds=20),
    ),
    "two workers for one queue and none for another": (
        "Deployment/worker-ops",
        lambda o: _container(o)["command"].__setitem__(4, "think"),
    ),
    "a writable root file system": (
        "Deployment/ticker",
        lambda o: _container(o)["securityContext"].update(readOnlyRootFilesystem=False),
    ),
    "a capability that is kept": (
        "StatefulSet/events",
        lambda o: _container(o)["securityContext"].update(capabilities={"drop": ["NET_RAW"]}),
    ),
    "root": (
        "Deployment/api",
        lambda o: o["spec"]["template"]["spec"]["securityContext"].update(runAsUser=0),
    ),
    "a secret as a value": (
        "Deployment/api",
        lambda o: _container(o)["env"].append({"name": "TYCOON_SERVER_KEY", "value": "k" * 40}),
    ),
    "a secret that a worker does not need": (
        "Deployment/worker-think",
        lambda o: o["spec"]["template"]["spec"]["volumes"][0]["secret"]["items"].append(
            {"key": "operator_key", "path": "operator_key"}
        ),
    ),
    "an API that asks the store whether it lives": (
        "Deployment/api",
        lambda o: _container(o)["livenessProbe"]["httpGet"].update(path="/readyz"),
    ),
    "a worker without a probe by progress": (
        "Deployment/worker-series",
        lambda o: _container(o).pop("livenessProbe"),
    ),
    "a budget that blocks": (
        "PodDisruptionBudget/api",
        lambda o: o["spec"].update(maxUnavailable=0),
    ),
    "a container without a limit": (
        "Deployment/worker-ops",
        lambda o: _container(o)["resources"].pop("limits"),
    ),
    "metrics for everyone": (
        "Ingress/api",
        lambda o: o["spec"]["rules"][0]["http"]["paths"][0].update(path="/"),
    ),
    "an import that the ingress refuses": (
        "Ingress/api",
        lambda o: o["metadata"].pop("annotations"),
    ),
    "an API that takes larger imports than its ingress": (
        "Deployment/api",
        lambda o: _container(o)["env"].append({"name": "TYCOON_IMPORT_LIMIT", "value": "16777216"}),
    ),
    "an image of no version": (
        "StatefulSet/broker",
        lambda o: _container(o).update(image="valkey/valkey:latest"),
    ),
    "a policy for everyone": (
        "NetworkPolicy/ingress-to-api",
        lambda o: o["spec"]["ingress"][0].pop("from"),
    ),
}


def _container(found: Object) -> Any:
    return found["spec"]["template"]["spec"]["containers"][0]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_is_spelled_right_is_caught(mistake: str) -> None:
    target, make = MISTAKES[mistake]
    objects = rendered("dev")
    (found,) = (o for o in objects if f"{o['kind']}/{name(o)}" == target)
    make(found)
    assert faults(objects)


COUNTING_MISTAKES: dict[str, Callable[[Object], object]] = {
    "another queue's list": lambda o: o["spec"]["triggers"][0]["metadata"].update(listName="think"),
    "a number for a text": lambda o: o["spec"]["triggers"][0]["metadata"].update(listLength=5),
    "down to nothing": lambda o: o["spec"].update(minReplicaCount=0),
    "a field of another kind": lambda o: o["spec"].update(minReplicas=1),
    "another scaler": lambda o: o["spec"]["triggers"][0].update(type="redis-streams"),
    "without a trigger": lambda o: o["spec"].update(triggers=[]),
}


def test_a_list_that_nobody_counts_is_caught() -> None:
    objects = rendered("keda")
    (think,) = (o for o in of_kind(objects, "ScaledObject") if name(o) == "worker-think")
    assert len(think["spec"]["triggers"]) == 2
    think["spec"]["triggers"].pop()
    assert "counts the lists ['think']" in str(faults(objects))


@pytest.mark.parametrize("mistake", COUNTING_MISTAKES)
def test_a_scaled_object_that_counts_wrongly_is_caught(mistake: str) -> None:
    objects = rendered("keda")
    found = of_kind(objects, "ScaledObject")[0]
    assert name(found) == "worker-advance"
    COUNTING_MISTAKES[mistake](found)
    assert all_faults(objects)


def test_production_keeps_three_apis_and_has_no_store_inside() -> None:
    for overlay in ("prod", "keda"):
        objects = rendered(overlay)
        (scaler,) = of_kind(objects, "HorizontalPodAutoscaler")
        assert scaler["spec"]["scaleTargetRef"]["name"] == "api"
        assert scaler["spec"]["minReplicas"] == 3
        assert of_kind(objects, "StatefulSet") == []


def test_the_template_has_every_secret_and_is_applied_by_no_overlay() -> None:
    template = yaml.safe_load((K8S / "secret-template.yaml").read_text())
    assert schemas.faults(template) == []
    assert name(template) == SECRET
    assert set(template["stringData"]) == SECRET_KEYS
    assert [o for overlay in OVERLAYS for o in of_kind(rendered(overlay), "Secret")] == []


class TestReader:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("namePrefix: a-\n", "does not know .'namePrefix'"),
            ("replicas: [{name: api, count: 2}]\n", "there is no api"),
            ("patches: [{path: a.yaml}]\n", "does not know this form|target"),
            (
                "patches: [{target: {kind: Deployment, name: api}, patch: '[]'}]\n",
                "nothing is patched",
            ),
            (
                "configMapGenerator: [{name: a, envs: [x]}]\n",
                "does not know .'envs'",
            ),
        ],
    )
    def test_it_refuses_what_it_does_not_know(
        self, tmp_path: Path, text: str, sentence: str
    ) -> None:
        (tmp_path / "kustomization.yaml").write_text(text)
        with pytest.raises((ValueError, KeyError), match=sentence):
            by_reader(tmp_path)
