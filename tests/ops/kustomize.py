"""Renders an overlay of `k8s/`: by `kubectl kustomize`, or by the small reader below.

The reader knows only what our overlays use, and refuses everything else, so that an overlay can't
say something that it passes over. Where kubectl is at hand, a test compares the two.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]

K8S = Path(__file__).parents[2] / "k8s"
OVERLAYS = ("dev", "prod", "keda")

KNOWN = {
    "apiVersion",
    "kind",
    "namespace",
    "resources",
    "configMapGenerator",
    "images",
    "replicas",
    "patches",
}
CLUSTER_WIDE = {"Namespace"}


def rendered(overlay: str) -> list[Object]:
    """All objects of an overlay, by kubectl where it is there."""
    folder = K8S / "overlays" / overlay
    return by_kubectl(folder) if shutil.which("kubectl") else by_reader(folder)


def by_kubectl(folder: Path) -> list[Object]:
    done = subprocess.run(
        ["kubectl", "kustomize", str(folder)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def by_reader(folder: Path) -> list[Object]:
    """All objects of a kustomization, in no order that matters."""
    objects = _layer(folder)
    renamed = {
        found["metadata"]["name"]: f"{found['metadata']['name']}-{config_map_hash(found)}"
        for found in objects
        if found.pop("_generated", False)
    }
    for found in objects:
        if found["kind"] == "ConfigMap" and found["metadata"]["name"] in renamed:
            found["metadata"]["name"] = renamed[found["metadata"]["name"]]
        for place in _config_map_names(found):
            place["name"] = renamed.get(place["name"], place["name"])
    return objects


def _layer(folder: Path) -> list[Object]:
    told = yaml.safe_load((folder / "kustomization.yaml").read_text())
    if unknown := set(told) - KNOWN:
        raise ValueError(f"{folder}: the reader does not know {sorted(unknown)}")
    objects: list[Object] = []
    for name in told.get("resources", ()):
        path = folder / name
        found = _layer(path.resolve()) if path.is_dir() else yaml.safe_load_all(path.read_text())
        objects += found
    for generator in told.get("configMapGenerator", ()):
        _generate(folder, generator, objects)
    for patch in told.get("patches", ()):
        _patch(patch, objects)
    for counted in told.get("replicas", ()):
        for found in _named(objects, counted["name"]):
            found["spec"]["replicas"] = counted["count"]
    for image in told.get("images", ()):
        _set_image(image, objects)
    for found in objects if "namespace" in told else ():
        if found["kind"] not in CLUSTER_WIDE:
            found["metadata"]["namespace"] = told["namespace"]
    return objects


def _named(objects: list[Object], name: str) -> list[Object]:
    kinds = ("Deployment", "StatefulSet")
    found = [o for o in objects if o["kind"] in kinds and o["metadata"]["name"] == name]
    if not found:
        raise ValueError(f"there is no {name}")
    return found


def _generate(folder: Path, generator: Object, objects: list[Object]) -> None:
    name = generator["name"]
    data = dict(pair.split("=", 1) for pair in generator.get("literals", ()))
    data |= {file: (folder / file).read_text() for file in generator.get("files", ())}
    if unknown := set(generator) - {"name", "behavior", "literals", "files"}:
        raise ValueError(f"{folder}: the reader does not know {sorted(unknown)}")
    if generator.get("behavior") == "merge":
        (earlier,) = (o for o in objects if o.get("_generated") and o["metadata"]["name"] == name)
        earlier["data"] |= data
        return
    objects.append(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name},
            "data": data,
            "_generated": True,
        }
    )


def _patch(patch: Object, objects: list[Object]) -> None:
    target = patch["target"]
    if set(patch) != {"target", "patch"} or set(target) != {"kind", "name"}:
        raise ValueError(f"the reader does not know this form of patch: {patch}")
    hit = [
        found
        for found in objects
        if found["kind"] == target["kind"]
        and re.fullmatch(target["name"], found["metadata"]["name"])
    ]
    if not hit:
        raise ValueError(f"nothing is patched by {target}")
    for found in hit:
        for step in yaml.safe_load(patch["patch"]):
            _apply(step, found)


def _apply(step: Object, found: Object) -> None:
    """One step of a JSON patch (RFC 6902): add, replace or remove."""
    *way, last = step["path"].removeprefix("/").split("/")
    at: Any = found
    for part in way:
        at = at[int(part)] if isinstance(at, list) else at[part]
    if step["op"] == "add" and isinstance(at, list):
        assert last == "-", step
        at.append(copy.deepcopy(step["value"]))
    elif step["op"] == "add":
        at[last] = copy.deepcopy(step["value"])
    elif step["op"] == "replace":
        assert last in at, step
        at[last] = copy.deepcopy(step["value"])
    elif step["op"] == "remove":
        del at[last]
    else:
        raise ValueError(f"the reader does not know {step}")


def _set_image(image: Object, objects: list[Object]) -> None:
    if unknown := set(image) - {"name", "newName", "newTag"}:
        raise ValueError(f"the reader does not know {sorted(unknown)}")
    for found in objects:
        template = found.get("spec", {}).get("template", {})
        for container in template.get("spec", {}).get("containers", ()):
            name, _, tag = container["image"].partition(":")
            if name == image["name"]:
                container["image"] = f"{image.get('newName', name)}:{image.get('newTag', tag)}"


def _config_map_names(found: Object) -> list[Object]:
    """The places where a pod names a config map."""
    pod = found.get("spec", {}).get("template", {}).get("spec", {})
    volumes = [v["configMap"] for v in pod.get("volumes", ()) if "configMap" in v]
    sources = [s for c in pod.get("containers", ()) for s in c.get("envFrom", ())]
    return volumes + [s["configMapRef"] for s in sources if "configMapRef" in s]


def config_map_hash(found: Object) -> str:
    """The ten letters that kustomize appends, so that pods start anew when a config map changes."""
    # The name stays empty, as kustomize leaves it. As Go writes JSON: keys in order, and some
    # characters escaped for HTML's sake.
    told = {"kind": "ConfigMap", "name": "", "data": found["data"]}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    digest = hashlib.sha256(text.encode()).hexdigest()[:10]
    return digest.translate(str.maketrans("013ae", "ghkmt"))
