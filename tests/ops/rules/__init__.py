"""The house rules of rendered manifests: what a schema can't know. Each rule yields sentences."""

from __future__ import annotations

from tests.ops.rules import programs, safety, stores, wiring, words
from tests.ops.rules.reading import Object, Rule

RULES: tuple[Rule, ...] = (
    wiring.selectors_match,
    wiring.named_for_what_they_concern,
    wiring.ports_exist,
    wiring.config_maps_exist,
    wiring.volumes_match,
    wiring.one_counts,
    wiring.one_address,
    wiring.ingress_leads_to_routes,
    wiring.ingress_lets_imports_in,
    programs.settings_exist,
    programs.secrets_are_files,
    programs.commands_are_ours,
    programs.queues_are_served,
    programs.tasks_end_before_they_come_again,
    programs.probes_fit,
    programs.listens_where_it_is_asked,
    safety.pods_are_restricted,
    safety.resources_are_bounded,
    safety.images_are_pinned,
    safety.everything_is_denied_first,
    safety.pods_may_be_moved,
    safety.everything_is_in_one_namespace,
    stores.stores_keep_what_they_have,
    stores.stores_are_found,
    stores.queues_are_counted,
    words.words_are_known,
    words.labels_are_ours,
)


def faults(objects: list[Object]) -> list[str]:
    """Everything that is wrong with an overlay's objects."""
    return [f"{rule.__name__}: {fault}" for rule in RULES for fault in rule(objects)]
