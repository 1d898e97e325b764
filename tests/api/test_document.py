"""The OpenAPI document: valid, complete, with examples that fit, by the rules of this house."""

from __future__ import annotations

import re

import msgspec
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from services.registry import GAMES
from tests.api.document import Document
from tests.api.record_examples import record
from tests.api.server import PERSON, Server, document

PLAIN = {"text/plain", "text/html", "text/markdown", "text/csv", "application/x-ndjson"}
OPERATIONS = document().operations()
IDS = [operation["operationId"] for _, _, operation in OPERATIONS]


def every_operation(test):
    return pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=IDS)(test)


def test_the_document_is_valid_openapi_3_1() -> None:
    content = document().content
    assert content["openapi"].startswith("3.1.")
    validate(content)


def test_every_schema_is_valid_json_schema() -> None:
    for name, schema in document().content["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert re.fullmatch("[A-Z][A-Za-z0-9]*", name)


def test_every_route_is_in_the_document(server: Server) -> None:
    served = {
        (re.sub("<(?:[a-z]+:)?([a-z_]+)>", r"{\1}", rule.rule), method)
        for rule in server.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.endpoint != "static"
    }
    assert served == {(path, method.upper()) for path, method, _ in OPERATIONS}


def test_operation_ids_are_unique_and_in_camel_case() -> None:
    assert len(set(IDS)) == len(IDS)
    assert all(re.fullmatch("[a-z]+([A-Z][a-z]+)*", name) for name in IDS)


def test_tags_are_described_and_used() -> None:
    described = {tag["name"] for tag in document().content["tags"] if tag["description"]}
    used = [tag for _, _, operation in OPERATIONS for tag in operation["tags"]]
    assert set(used) == described
    assert len(used) == len(OPERATIONS)  # one each


@every_operation
def test_an_operation_says_what_it_does_and_who_may(path, method, operation) -> None:
    assert operation["summary"]
    assert not operation["summary"].endswith(".")
    assert operation["description"].endswith(".")
    known = set(document().content["components"]["securitySchemes"])
    assert operation["security"]
    assert {name for one in operation["security"] for name in one} <= known


@every_operation
def test_an_operation_describes_its_parameters(path, method, operation) -> None:
    own = [document().resolve(one) for one in operation.get("parameters", [])]
    parameters = own + document().content["paths"][path].get("parameters", [])
    assert {p["name"] for p in parameters if p["in"] == "path"} == set(re.findall("{(.*?)}", path))
    for parameter in parameters:
        assert parameter["schema"]
        assert parameter["in"] == "path" or parameter["description"]


@every_operation
def test_an_operation_has_an_answer_and_its_problems(path, method, operation) -> None:
    statuses = {int(status) for status in operation["responses"]}
    assert any(status < 300 for status in statuses)
    wanted = {500}
    if operation["security"] != [{}]:
        wanted |= {401, 429, 503}
    if "{match_id}" in path or "{game}" in path:
        wanted |= {404}
    if operation.get("requestBody"):
        wanted |= {400, 413, 415}
    assert wanted <= statuses
    for status, response in operation["responses"].items():
        response = document().resolve(response)
        assert response["description"]
        if int(status) >= 400:
            assert set(response["content"]) == {"application/problem+json"}
        for media in response.get("content", {}).values():
            assert "$ref" in media["schema"]


@every_operation
def test_every_answer_and_body_has_an_example(path, method, operation) -> None:
    body = operation.get("requestBody")
    if body is not None and body["required"] and "application/json" in body["content"]:
        assert "example" in body["content"]["application/json"]
    if operation["operationId"] in ("getOpenapi", "getGame"):
        return  # as long as the document itself
    for response in operation["responses"].values():
        for kind, media in document().resolve(response).get("content", {}).items():
            assert kind in PLAIN or "example" in media or _is_500(response), kind


def _is_500(response) -> bool:
    return response.get("$ref", "").endswith("Problem500")  # a bug has no example


def test_every_example_fits_its_schema_strictly() -> None:
    """By plain JSON Schema: exactly one branch of each union fits."""
    strict = Document(document().content)
    strict.strict = True
    checked = 0
    for _, _, operation in OPERATIONS:
        places = [operation["requestBody"]] if "requestBody" in operation else []
        places += [strict.resolve(response) for response in operation["responses"].values()]
        for place in places:
            for media in place.get("content", {}).values():
                if "example" in media:
                    strict.check(media["schema"], media["example"], operation["operationId"])
                    checked += 1
    assert checked > 100


def test_a_server_without_the_toys_has_the_same_examples() -> None:
    content = Server(extra_games="").nobody.get("/openapi.json").json
    alone = Document(content)
    for _, _, operation in alone.operations():
        for response in operation["responses"].values():
            for media in alone.resolve(response).get("content", {}).values():
                if "example" in media:
                    alone.check(media["schema"], media["example"], operation["operationId"])


def test_the_recorded_examples_have_the_shape_of_todays_answers() -> None:
    """An answer that gained or lost a member must be recorded again."""

    def shape(value):
        if isinstance(value, dict):
            return {name: shape(held) for name, held in value.items() if name not in LOOSE}
        return type(value).__name__

    recorded = {
        f"{operation['operationId']} {status}": media["example"]
        for _, _, operation in OPERATIONS
        for status, response in operation["responses"].items()
        for media in document().resolve(response).get("content", {}).values()
        if "example" in media and int(status) < 400
    }
    today = {name: value for name, value in record().items() if not name.startswith("problem")}
    assert {name: set(value) for name, value in recorded.items()} == {
        name: set(value) for name, value in today.items()
    }
    assert shape(recorded["createMatch 201"]) == shape(today["createMatch 201"])
    assert shape(recorded["getMatch 200"]) == shape(today["getMatch 200"])


LOOSE = {"view", "asked"}


@pytest.mark.parametrize("game", list(GAMES))
def test_moves_events_and_options_of_a_game_are_exact(game: str) -> None:
    schemas = document().content["components"]["schemas"]
    hosted = GAMES[game]
    prefix = game.title().replace("-", "")
    moves = schemas[f"{prefix}Move"]["discriminator"]["mapping"]
    assert set(moves) == {kind.__struct_config__.tag for kind in hosted.move_types}
    for reference in moves.values():
        move = schemas[reference.rpartition("/")[2]]
        assert move["additionalProperties"] is False
    tags = {kind.__struct_config__.tag for kind in hosted.event_types}
    assert tags <= set(schemas["Event"]["discriminator"]["mapping"])
    options = schemas[f"New{prefix}Match"]["properties"]["options"]
    assert document().resolve(options)["additionalProperties"] is False


def test_templates_are_in_the_document() -> None:
    listed = document().content["components"]["schemas"]["SecretsListed"]
    assert "bid_range" in listed["discriminator"]["mapping"]


def test_a_redacted_event_and_a_whole_one_both_fit() -> None:
    server = Server()
    table = server.start(PERSON, PERSON, PERSON, PERSON, game="daifugo")
    dealt = [
        next(
            item for item in client.get(f"{table.at}/events").json["items"] if "hands" in str(item)
        )
        for client in (table.seats[0], server.nobody)
    ]
    assert isinstance(dealt[0]["event"]["hands"][0], list)
    assert isinstance(dealt[1]["event"]["hands"][0], int)
    wrong = msgspec.json.decode(msgspec.json.encode(dealt[0]))
    wrong["event"]["hands"][0] = "all"
    with pytest.raises(AssertionError, match="hands"):
        document().check({"$ref": "#/components/schemas/Event"}, wrong, "event")
