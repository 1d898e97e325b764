"""Two checks, kept apart: refolding may never change, deciding again only with a rules number."""

import msgspec
import pytest

from services.hosted import SNAPSHOT_SCHEMA
from services.matches.events import MATCH_EVENTS
from services.matches.state import fold
from services.matches.transcript import read
from services.matches.verify import verify
from services.registry import GAMES
from shared.errors import Malformed
from tests.golden.library import (
    FOLDER,
    HALL,
    SHAPES,
    as_exported,
    event_path,
    load,
    name_of,
    path_of,
    paths,
    unpacked,
)

FILES = paths()
EVENTS = sorted((FOLDER / "events").glob("*.json"))


def name(path):
    return f"{path.parent.name}/{name_of(path)}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_golden_match_refolds_to_its_recorded_end(path):
    transcript = load(path)
    hosted = HALL[transcript.header.game]
    match = transcript.match
    if match.result.reason == "completed":
        assert hosted.game.outcome(match.table) == match.result.outcome
    assert as_exported(transcript, unpacked(path))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_golden_match_refolds_from_snapshots_at_every_version(path):
    transcript = load(path)
    hosted = HALL[transcript.header.game]
    match = None
    for envelope in transcript.envelopes:
        match = fold(hosted.game, match, [envelope])
        match = hosted.read_snapshot(hosted.write_snapshot(match))
    assert match == transcript.match


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_golden_match_is_decided_again_in_the_same_way(path):
    transcript = load(path)
    proof = verify(HALL[transcript.header.game], transcript)
    assert proof.holds, proof
    assert proof.draws + proof.scripted > 0 or transcript.match.table is None


def test_a_state_of_another_shape_has_another_schema():
    """Two builds that run at once know by that number whose projections are the newer ones."""
    recorded = msgspec.json.decode(SHAPES.read_bytes())
    assert recorded == {str(SNAPSHOT_SCHEMA): {slug: HALL[slug].shape for slug in GAMES}}, (
        "raise SNAPSHOT_SCHEMA in services/hosted.py, then: make golden"
    )


@pytest.mark.parametrize("path", EVENTS, ids=lambda p: p.stem)
def test_a_golden_event_is_read_for_ever(path):
    raw = path.read_bytes().strip()
    tag, _, v = path.stem.rpartition(".v")
    scope = tag.partition(".")[0]
    slug = next((game for game in GAMES if game.replace("-", "_") == scope), "daifugo")
    envelope = HALL[slug].codec.decode(raw)
    assert str(type(envelope.event).__struct_config__.tag) == tag
    if envelope.event.v == int(v):
        assert HALL[slug].codec.encode(envelope) == raw


def test_every_event_type_and_every_old_schema_has_a_golden_event():
    kinds = {(t.__struct_config__.tag, t.v) for t in MATCH_EVENTS}
    for game in GAMES.values():
        kinds |= {(t.__struct_config__.tag, t.v) for t in game.event_types}
        kinds |= set(game.upcasters)
    missing = [kind for kind in sorted(kinds) if not event_path(*kind).exists()]
    assert missing == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda lines: lines[:-1], "line "),
        (lambda lines: [*lines[:-2], lines[-1]], "match.ended"),
        (lambda lines: [*lines[:5], *lines[6:]], "must come here"),
        (lambda lines: [lines[0], *lines[2:]], "must come here"),
        (lambda lines: [lines[0].replace(b'ment":"', b'ment":"00'), *lines[1:]], "header"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'seed":"', b'seed":"00')], "last line"),
        (lambda lines: [b"{}", *lines[1:]], "line 1"),
        (lambda lines: [b"[" * 100_000], "header, events"),
        (lambda lines: [lines[0], b"[" * 100_000, *lines[2:]], "line 2"),
    ],
)
def test_a_file_that_was_changed_is_no_transcript(change, found):
    lines = unpacked(path_of("daifugo", "completed-one-round")).splitlines()
    with pytest.raises(Malformed) as info:
        read(HALL, b"\n".join(change(lines)))
    assert found in info.value.detail


def test_a_changed_draw_or_move_is_found_by_verify():
    transcript = load(path_of("daifugo", "completed-one-round"))
    hosted = HALL["daifugo"]

    def changed(pick, change):
        envelopes = list(transcript.envelopes)
        index = next(i for i, e in enumerate(envelopes) if pick(e))
        envelopes[index] = change(envelopes[index])
        return verify(hosted, msgspec.structs.replace(transcript, envelopes=tuple(envelopes)))

    def other_dealer(envelope):
        draws = msgspec.json.decode(envelope.draws)
        draws[0][2] = (draws[0][2] + 1) % draws[0][1]
        return msgspec.structs.replace(envelope, draws=msgspec.Raw(msgspec.json.encode(draws)))

    proof = changed(lambda e: isinstance(e.draws, msgspec.Raw), other_dealer)
    assert len(proof.draw_faults) == 1
    passed = msgspec.Raw(b'{"type":"pass"}')
    proof = changed(
        lambda e: e.move and b"play_cards" in msgspec.json.encode(e.move),
        lambda e: msgspec.structs.replace(e, move=passed),
    )
    assert proof.decision_faults
