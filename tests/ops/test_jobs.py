"""`k8s/jobs`: what is run by hand beside the overlays."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from api.cli import main
from tests.ops import schemas
from tests.ops.kustomize import K8S, rendered
from tests.ops.rules import programs, safety, wiring
from tests.ops.rules.reading import name, of_kind, pod

JOBS = sorted((K8S / "jobs").glob("*.yaml"))
RULES = (
    programs.settings_exist,
    programs.secrets_are_files,
    safety.pods_are_restricted,
    safety.resources_are_bounded,
    wiring.volumes_match,
)


@pytest.fixture(params=JOBS, ids=lambda path: path.stem)
def job(request: pytest.FixtureRequest) -> Any:
    return yaml.safe_load(request.param.read_text())


def test_there_are_jobs() -> None:
    assert [path.stem for path in JOBS] == ["refold"]


def test_a_job_is_known_to_the_oldest_and_the_newest_cluster(job: Any) -> None:
    assert [f for version in schemas.VERSIONS for f in schemas.faults(job, version)] == []


def faults(job: Any) -> list[str]:
    """The rules know Deployments: a job's pod is held against them as if it were one's."""
    namespaced = {**job, "metadata": {**job["metadata"], "namespace": "tycoon"}}
    objects = [*rendered("prod"), {**namespaced, "kind": "Deployment"}]
    return [fault for rule in RULES for fault in rule(objects)]


def test_a_job_keeps_the_house_rules(job: Any) -> None:
    assert faults(job) == []


@pytest.mark.parametrize("part", ["resources", "securityContext", "volumeMounts"])
def test_a_job_that_breaks_one_is_caught(job: Any, part: str) -> None:
    (container,) = job["spec"]["template"]["spec"]["containers"]
    container[part] = type(container[part])()
    assert faults(job)


def test_a_job_runs_a_command_that_there_is(job: Any) -> None:
    (container,) = pod(job)["containers"]
    program, command, *options = container["command"]
    assert program == "tycoon"
    told = CliRunner().invoke(main, [command, "--help"])
    assert told.exit_code == 0
    assert [option for option in options if option not in told.output] == []


def test_a_job_may_do_what_the_workers_of_ops_may(job: Any) -> None:
    (worker,) = (o for o in of_kind(rendered("prod"), "Deployment") if name(o) == "worker-ops")
    template = job["spec"]["template"]
    assert template["metadata"]["labels"] == worker["spec"]["template"]["metadata"]["labels"]
    ours, theirs = pod(job), pod(worker)
    assert ours["securityContext"] == theirs["securityContext"]
    (container,), (its,) = ours["containers"], theirs["containers"]
    assert container["securityContext"] == its["securityContext"]
    files = {each["name"]: each for each in its["env"]}
    own = [each for each in container["env"] if each["name"] != "TYCOON_ARCHIVE_URL"]
    assert [each for each in own if files.get(each["name"]) != each] == []
    assert container["image"] == its["image"]
