"""The laws of the contract, each a function that raises `AssertionError` where a game breaks it.

They take a match that was played at random; `test_laws` runs them over every game, `test_teeth`
shows on planted defects that each law bites. Law 5 lies in `exchange`, law 8 in `digest`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from shared.errors import IllegalMove
from shared.game import Move, Seat, is_listed
from tests.laws.match import Match, MixedChance, Step, code, sample, secret, union
from tests.laws.strange import strange_moves

POSITIONS = 12
"""How many positions of a match a costly law looks at."""
LISTED = 6
"""How many listed moves of a position it tries."""


def law_1_folding(match: Match) -> None:
    """Folding the stored events gives the state, and all values survive the codec unchanged."""
    game = match.game
    stored = through_codec(match.states[0], game.state_type)
    for step, expected in zip(match.steps, match.states[1:], strict=True):
        if step.move is not None:
            through_codec(step.move, union(game.move_types))
        for event in step.events:
            stored = game.evolve(stored, through_codec(event, union(game.event_types)))
        assert stored == expected, "folding stored events gives another state"
        stored = through_codec(expected, game.state_type)
    for _, state in match.positions("law 1", POSITIONS):
        for seat in match.observers:
            through_codec(game.view(state, seat), game.view_type)
        for seat in range(match.seats):
            listed = game.legal_moves(state, seat)
            through_codec(listed, tuple[union(game.move_types + game.template_types), ...])
            for entry in listed[:LISTED]:
                facts = game.preview(game.view(state, seat), sample(entry, match.dice("law 1")))
                assert not any(floats(msgspec.to_builtins(facts))), f"{facts} holds a float"
    for step, event in match.log:
        for seat in match.observers:
            seen = game.redact(event, seat)
            through_codec(seen, union((*game.event_types, None)))
            assert seen is None or type(seen) is type(event), f"{step} is redacted to another type"


def law_1_something_to_store(match: Match) -> None:
    """The opening, every move and every time-out give an event: without one nothing is stored."""
    game = match.game
    for step in match.steps:
        assert step.events, f"{step} is a command without an event"
    for _, state in match.positions("law 1 events", POSITIONS):
        for seat in sorted(game.active_seats(state)):
            assert game.time_out(state, seat, secret(match.seed)), "a time-out without an event"


def through_codec(value: Any, as_type: Any) -> Any:
    stored = code(value)
    try:
        again = msgspec.json.decode(stored, type=as_type)
    except msgspec.ValidationError as error:
        raise AssertionError(f"{value} cannot be read back: {error}") from error
    assert again == value, f"{value} comes back as {again}"
    assert code(again) == stored, f"{value} is not encoded the same way again"
    assert not any(floats(msgspec.to_builtins(value))), f"{value} holds a float"
    return again


def floats(value: Any) -> Iterator[bool]:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        yield isinstance(value, float)
        return
    for inner in value:
        yield from floats(inner)


def law_2_legality(match: Match) -> None:
    """What is listed is accepted; a well-typed move that is not is refused and changes nothing."""
    game, dice = match.game, match.dice("law 2")
    for after, state in match.positions("law 2", POSITIONS):
        strange = strange_moves(match, after, dice)
        before = code(state)
        for seat in range(match.seats):
            listed = game.legal_moves(state, seat)
            assert listed == game.legal_moves(state, seat), "the order of moves is not stable"
            assert len(set(listed)) == len(listed), "a move is listed twice"
            for entry in dice.sample(listed, min(LISTED, len(listed))):
                move = sample(entry, dice)
                assert is_listed(listed, move), f"{entry} does not hold its own sample {move}"
                assert_accepted(match, state, seat, move)
            for move in strange:
                if is_listed(listed, move):
                    assert_accepted(match, state, seat, move)
                else:
                    assert_refused(match, state, seat, move)
        assert code(state) == before, "deciding changed the state"


def assert_accepted(match: Match, state: Any, seat: Seat, move: Move) -> None:
    game = match.game
    refusal = refusal_of(match, state, seat, move)
    assert refusal is None, f"{move} of seat {seat} is listed, but check refuses it: {refusal}"
    try:
        events = game.decide(state, seat, move, secret(match.seed))
    except IllegalMove as refused:
        raise AssertionError(f"{move} is listed and checked, but decide refuses it") from refused
    assert events, f"{move} decides nothing"


def assert_refused(match: Match, state: Any, seat: Seat, move: Move) -> None:
    refusal = refusal_of(match, state, seat, move)
    assert refusal is not None, f"{move} of seat {seat} is not listed, but check allows it"
    chance = secret(match.seed)
    try:
        match.game.decide(state, seat, move, chance)
    except IllegalMove as refused:
        same = (refused.code, refused.rule, refused.detail)
        assert same == refusal, f"{move}: check and decide give different reasons"
    else:
        raise AssertionError(f"check refuses {move} ({refusal}), but decide allows it")
    assert not chance.draws, f"{move} is refused after a draw"
    assert refusal[0] in match.game.texts, f"{refusal[0]} has no title"


def refusal_of(match: Match, state: Any, seat: Seat, move: Move) -> tuple[Any, ...] | None:
    try:
        match.game.check(state, seat, move)
    except IllegalMove as refused:
        return refused.code, refused.rule, refused.detail
    return None


def law_3_somebody_can_act(match: Match) -> None:
    """Until there is an outcome somebody must act, and who must act has a move."""
    game = match.game
    for state in match.states[1:]:
        active = game.active_seats(state)
        assert bool(active) == (game.outcome(state) is None), "nobody can act and nobody has won"
        assert active <= set(range(match.seats)), f"there is no such seat: {active}"
        for seat in range(match.seats):
            listed = game.legal_moves(state, seat)
            assert bool(listed) == (seat in active), f"seat {seat} of {active} has moves {listed}"


def law_4_resample(match: Match) -> None:
    """A resampled state looks the same to the seat, asks it the same, and can be played on."""
    game, dice = match.game, match.dice("law 4")
    for _, state in match.positions("law 4", POSITIONS):
        for seat in range(match.seats):
            view = game.view(state, seat)
            guess = game.resample(view, secret(dice.getrandbits(32)))
            through_codec(guess, game.state_type)
            assert code(game.view(guess, seat)) == code(view), f"seat {seat} can tell the guess"
            listed = game.legal_moves(guess, seat)
            assert listed == game.legal_moves(state, seat), f"seat {seat} has other moves"
            assert game.active_seats(guess) == game.active_seats(state), "others must act"
            assert game.conserved(guess) == game.conserved(state), "something is lost or made"
            for entry in dice.sample(listed, min(LISTED, len(listed))):
                assert_accepted(match, guess, seat, sample(entry, dice))


def law_4_equal_logs(match: Match) -> int:
    """Where two continuations look the same in seat i's log, its views are the same.

    Gives the number of pairs that differ in what really happened.
    """
    game, dice, pairs = match.game, match.dice("law 4 logs"), 0
    before_secrets = [n for n in match.secrets if n > 0]
    chosen = dice.sample(before_secrets, min(POSITIONS, len(before_secrets)))
    states = [match.states[n] for n in sorted(chosen)]
    states += [state for _, state in match.positions("law 4 logs", POSITIONS)]
    for state in states:
        futures = list(continuations(match, state, dice))
        for seat in match.observers:
            seen: dict[bytes, tuple[bytes, Step]] = {}
            for step, future in futures:
                if game.outcome(future) is not None:
                    continue
                log = code(envelopes(match, [(step, event) for event in step.events], seat))
                looks = code((game.view(future, seat), sorted(game.active_seats(future))))
                same, other = seen.setdefault(log, (looks, step))
                assert same == looks, f"seat {seat} can tell {step} from {other} without its log"
                pairs += step.events != other.events
    return pairs


def continuations(match: Match, state: Any, dice: Any) -> Iterator[tuple[Step, Any]]:
    """What may follow: some moves of each seat, with different outcomes of chance.

    The last outcome has the dice of the first and other cards: dice are mostly seen by all, and
    hide that the cards behind them differ.
    """
    game = match.game
    for seat in sorted(game.active_seats(state)):
        listed = game.legal_moves(state, seat)
        for entry in dice.sample(listed, min(LISTED, len(listed))):
            move = sample(entry, dice)
            for chance in (secret(1), secret(2), MixedChance(1, 2)):
                future = state
                events = tuple(game.decide(state, seat, move, chance))
                for event in events:
                    future = game.evolve(future, event)
                yield Step(seat, move, events, tuple(chance.draws)), future


def envelopes(match: Match, log: Iterable[tuple[Step, Any]], seat: Seat | None) -> list[Any]:
    """The log as a seat may see it: its own moves, events redacted, draws never."""
    return [
        (
            step.move if seat is not None and step.seat == seat else None,
            match.game.redact(event, seat) or "hidden",
        )
        for step, event in log
    ]


def law_6_conserved(match: Match) -> None:
    """The sums of the game are the same after every event."""
    sums = match.game.conserved(match.prefixes[0])
    assert sums, "the game conserves nothing"
    for (_, event), state in zip(match.log, match.prefixes[1:], strict=True):
        now = match.game.conserved(state)
        assert now == sums, f"{event} turns {sums} into {now}"


def law_7_ends(match: Match) -> None:
    """The match is over within the game's bound; its outcome places every seat once."""
    game = match.game
    outcome = game.outcome(match.states[-1])
    bound = game.max_moves(match.options, match.seats)
    assert outcome is not None, f"no outcome after {len(match.steps) - 1} moves"
    assert len(match.steps) - 1 <= bound, "more moves than the bound"
    placed = [seat for group in outcome.ranking for seat in group]
    assert sorted(placed) == list(range(match.seats)), f"not a ranking: {outcome.ranking}"
    assert len(outcome.scores) == match.seats, "not one score a seat"
    assert outcome.reason in game.outcome_reasons, f"undeclared reason {outcome.reason}"
    through_codec(outcome, type(outcome))


def law_9_labels(match: Match) -> None:
    """No label is used twice, and each draw is of a form that the game declares."""
    forms = match.game.draws(match.options, match.seats)
    used: set[str] = set()
    for step in match.steps:
        for label, n, result in step.draws:
            assert label not in used, f"the label {label} is used twice"
            used.add(label)
            form = next((form for form in forms if form.names(label)), None)
            assert form is not None, f"{label} is no declared draw"
            if form.form == "pick":
                assert 0 <= result < n <= len(form.of), f"{label} cannot give {result} of {n}"
            else:
                assert form.allows(result), f"{label} cannot give {result}"
                assert n == (form.n or len(form.of)), f"{label} is drawn from {n}"
