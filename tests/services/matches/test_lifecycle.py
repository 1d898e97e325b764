"""The life of a match: every way to begin, to go on, and to end."""

import pytest

from services.matches.access import NOBODY, Caller
from services.matches.lifecycle import ABSENT_AFTER
from shared import ids
from shared.errors import Conflict, Forbidden, NotFound, Refused, Unauthenticated, Unprocessable
from shared.settings import SettingsError
from shared.store import Person
from tests.services.world import OPEN, OWNER, PERSON, SERVER_KEY, World, bot

SOMEBODY = Caller("key", "somebody-else")


@pytest.fixture
def world() -> World:
    return World()


def join(world: World, match: str, seat: int | None = None, caller: Caller = OWNER, **more):
    given = {"code": None, "kind": "person", "person": Person(), "client_seed": None, "key": None}
    return world.tycoon.commands.join(match, caller, seat=seat, **{**given, **more})


def refused(code: str, kind: type[Refused] = Refused):
    class Check:
        def __enter__(self):
            self.raised = pytest.raises(kind)
            self.info = self.raised.__enter__()
            return self.info

        def __exit__(self, *what):
            done = self.raised.__exit__(*what)
            assert self.info.value.code == code
            return done

    return Check()


# -- beginning --------------------------------------------------------------------------------


def test_a_match_without_open_seats_starts_at_once(world):
    match = world.create(bot(), bot())
    assert world.log(match) == ["match.created", "match.started", "tictactoe.seat_chosen"]


def test_a_match_with_an_open_seat_waits(world):
    match = world.create(PERSON, OPEN)
    assert world.log(match) == ["match.created"]
    assert world.match(match).status == "waiting"


def test_start_false_waits_for_client_seeds(world):
    match = world.create(PERSON, bot(), start=False)
    world.tycoon.commands.give_client_seed(match, world.holder(match, 0), "ab" * 32, None)
    world.tycoon.commands.start(match, OWNER, None, None)
    assert world.match(match).seats[0].client_seed == "ab" * 32
    with refused("match.already-started", Conflict):
        world.tycoon.commands.give_client_seed(match, world.holder(match, 0), "cd" * 32, None)


@pytest.mark.parametrize(
    ("seats", "more", "code"),
    [
        ((bot(),), {}, "match.seat-count"),
        ((bot(), bot("grandmaster")), {}, "match.unknown-level"),
        ((bot(), bot()), {"game": "chess"}, "match.unknown-game"),
        ((bot(), OPEN), {"start": True}, "match.start-with-open-seats"),
        ((bot(), bot()), {"options": {"size": 99}}, "request.invalid"),
        ((bot(), bot()), {"options": {"colour": "red"}}, "request.invalid"),
        ((bot(), bot()), {"chance": {"second": 1}}, "match.unknown-draw"),
        ((bot(), bot()), {"chance": {"first": 2}}, "match.impossible-draw"),
    ],
)
def test_a_match_that_cannot_be_is_refused(world, seats, more, code):
    with refused(code):
        world.created(*seats, **more)


def test_two_people_join_by_link(world):
    match = world.create(OPEN, OPEN)
    for seat in (0, 1):
        code = ids.join_code(SERVER_KEY.encode(), match, seat)
        done = join(world, match, caller=NOBODY, code=code, person=Person(f"P{seat}"))
        assert done.seat == seat
    with refused("match.seats-open", Conflict):
        world.tycoon.commands.start(world.create(OPEN, OPEN), OWNER, None, None)
    world.tycoon.commands.start(match, OWNER, None, None)
    assert world.match(match).status == "running"


def test_names_never_enter_the_log(world):
    match = world.create(OPEN, bot())
    join(world, match, 0, person=Person("Ingeborg", "user-7391"))
    raw = b"".join(world.stores.events.events(match))
    assert b"Ingeborg" not in raw
    assert b"user-7391" not in raw
    assert world.stores.events.people(match)[0] == Person("Ingeborg", "user-7391")


def test_joining_needs_a_code_unless_the_match_is_yours_or_public(world):
    match = world.create(OPEN, bot(), visibility="unlisted")
    with refused("seat.code-required", Forbidden):
        join(world, match, 0, caller=SOMEBODY)
    with refused("seat.bad-code", Forbidden):
        join(world, match, 0, caller=NOBODY, code="a" * 20)
    public = world.create(OPEN, bot(), visibility="public")
    assert join(world, public, caller=SOMEBODY).seat == 0


def test_a_taken_seat_cannot_be_joined(world):
    match = world.create(PERSON, OPEN)
    with refused("seat.taken", Conflict):
        join(world, match, 0)
    with refused("seat.unknown", NotFound):
        join(world, match, 2)
    join(world, match)
    with refused("seat.none-open", Conflict):
        join(world, match)


def test_who_leaves_loses_the_token_and_a_repeated_join_never_gets_a_later_holders(world):
    match = world.create(OPEN, OPEN)
    first = join(world, match, 0)
    mine = world.holder(match, 0, ids.epoch_at(first.first))
    world.tycoon.commands.leave(match, mine, None)
    assert world.match(match).seats[0].kind == "open"
    second = join(world, match, 0)
    assert ids.epoch_at(second.first) != ids.epoch_at(first.first)
    with refused("auth.bad-token", Unauthenticated):
        world.tycoon.queries.match(match, mine)
    with refused("auth.bad-token", Unauthenticated):
        world.tycoon.queries.match(match, world.holder(match, 0))


def test_the_host_renews_a_lost_token(world):
    match = world.create(PERSON, bot())
    token = world.tycoon.commands.renew_token(match, OWNER, 0)
    with refused("auth.bad-token", Unauthenticated):
        world.tycoon.queries.match(match, world.holder(match, 0))
    assert world.tycoon.queries.match(match, Caller("seat", token)).you == 0
    with refused("seat.nobody-there", Conflict):
        world.tycoon.commands.renew_token(match, OWNER, 1)


def test_seat_0_may_start_and_fill_open_seats(world):
    match = world.create(PERSON, OPEN)
    with refused("match.unknown-level", Unprocessable):
        world.tycoon.commands.start(match, world.holder(match, 0), "grandmaster", None)
    world.tycoon.commands.start(match, world.holder(match, 0), "random", None)
    assert world.match(match).seats[1].level == "random"
    assert world.log(match)[1:3] == ["match.seat_filled", "match.started"]


# -- going on ---------------------------------------------------------------------------------


def test_moves_are_refused_before_the_start_off_turn_and_after_the_end(world):
    waiting = world.create(PERSON, OPEN)
    with refused("match.not-started", Conflict):
        world.move(waiting, 0, {"type": "place", "at": 0})
    match = world.create(PERSON, PERSON, chance={"first": 0})
    with refused("move.not-your-turn", Conflict):
        world.move(match, 1, {"type": "place", "at": 0})
    world.tycoon.commands.cancel(match, OWNER, None)
    with refused("match.over", Conflict):
        world.move(match, 0, {"type": "place", "at": 0})


def test_an_illegal_move_changes_nothing(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    world.move(match, 0, {"type": "place", "at": 4})
    before = world.stores.events.events(match)
    with refused("tictactoe.taken", Unprocessable) as info:
        world.move(match, 1, {"type": "place", "at": 4})
    assert info.value.rule == "TTT-2"
    assert world.stores.events.events(match) == before


def test_a_person_plays_a_bot_to_the_end(world):
    match = world.create(PERSON, bot(), pace_ms=0)
    while world.match(match).status == "running":
        world.advance(match)
        if world.active(match) == [0]:
            world.play_first(match, 0)
    doc = world.tycoon.queries.match(match, OWNER)
    assert doc.result.reason == "completed"
    assert doc.result.outcome is not None


# -- the five ways to end ---------------------------------------------------------------------


def test_completed_reveals_the_seed_and_opens_everything(world):
    match = world.create(bot(), bot())
    world.advance(match)
    end = world.match(match)
    assert (end.status, end.result.reason) == ("ended", "completed")
    assert end.seed == world.stores.events.secret(match).seed


def test_resigned_in_a_two_seat_match_gives_it_to_the_other(world):
    match = world.create(PERSON, PERSON)
    world.tycoon.commands.resign(match, world.holder(match, 1), None)
    result = world.match(match).result
    assert result.reason == "resigned"
    assert result.outcome.ranking == ((0,), (1,))


def test_with_three_seats_a_stand_in_plays_on_and_the_result_says_so(world):
    match = world.create(PERSON, PERSON, bot(), bot(), game="daifugo", options={"rounds": 1})
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    assert world.match(match).status == "running"
    assert world.match(match).seats[0].level == "greedy"
    with refused("seat.resigned", Conflict):
        world.tycoon.commands.resign(match, world.holder(match, 0), None)
    while world.match(match).status == "running":
        world.now += 1_000
        world.advance(match)
        if world.active(match) == [1]:
            world.play_first(match, 1)
    assert world.tycoon.queries.match(match, OWNER).result.resigned == (0,)


def test_abandoned_when_no_person_is_left(world):
    match = world.create(PERSON, bot(), bot(), PERSON, game="daifugo")
    world.tycoon.commands.resign(match, world.holder(match, 0), None)
    world.tycoon.commands.resign(match, world.holder(match, 3), None)
    assert world.match(match).result.reason == "abandoned"


def test_expired_when_not_started_in_time(world):
    match = world.create(PERSON, OPEN)
    world.now += 24 * 3_600_000 - 1
    assert not world.tycoon.timekeeper.time_out(match)
    world.now += 1
    assert world.tycoon.timekeeper.time_out(match)
    assert world.match(match).result.reason == "expired"
    assert not world.tycoon.timekeeper.time_out(match)


def test_expired_when_nobody_moves_for_long(world):
    match = world.create(PERSON, PERSON)
    world.now += 30 * 86_400_000
    assert world.tycoon.timekeeper.time_out(match)
    assert world.match(match).result.reason == "expired"


def test_expired_when_the_log_is_full():
    world = World(events_limit=8)
    match = world.create(PERSON, PERSON, options={"size": 3}, clock_ms=1_000)
    while world.match(match).status == "running":
        world.now += 1_000
        seat = world.active(match)[0]
        world.play_first(match, seat)
    assert world.match(match).result.reason == "expired"
    assert len(world.log(match)) == 9


def test_cancelled_by_its_api_key_alone(world):
    match = world.create(PERSON, bot(), visibility="public")
    with refused("auth.not-owner", Forbidden):
        world.tycoon.commands.cancel(match, SOMEBODY, None)
    with refused("auth.not-owner", Forbidden):
        world.tycoon.commands.cancel(match, world.holder(match, 0), None)
    with refused("auth.required", Unauthenticated):
        world.tycoon.commands.cancel(match, NOBODY, None)
    world.tycoon.commands.cancel(match, OWNER, None)
    assert world.match(match).result.reason == "cancelled"
    with refused("match.over", Conflict):
        world.tycoon.commands.cancel(match, OWNER, None)


# -- the clock --------------------------------------------------------------------------------


def test_a_time_out_plays_what_the_rules_name_and_loses_against_a_move(world):
    match = world.create(PERSON, PERSON, clock_ms=5_000, chance={"first": 0})
    world.now += 4_999
    assert not world.tycoon.timekeeper.time_out(match)
    world.move(match, 0, {"type": "place", "at": 8})
    world.now += 4_999
    assert not world.tycoon.timekeeper.time_out(match), "the move began a new deadline"
    world.now += 1
    assert world.tycoon.timekeeper.time_out(match)
    assert world.log(match)[-2:] == ["match.timed_out", "tictactoe.placed"]
    assert match in world.woken


def test_a_deadline_that_a_wrong_clock_looked_away_from_is_kept(world):
    match = world.create(PERSON, PERSON, clock_ms=5_000, chance={"first": 0})
    hours, work = 3 * 3_600_000, world.stores.work
    here = [ids.partition(match)]
    assert work.overdue(here, world.now + hours, limit=9, lease_ms=1) == [[match]]
    assert not world.tycoon.timekeeper.time_out(match), "by the right clock it is not due"
    world.now += 5_000
    assert work.overdue(here, world.now, limit=9, lease_ms=1) == [[match]]
    assert world.tycoon.timekeeper.time_out(match)


def test_a_setting_says_which_level_stands_in():
    world = World(stand_in_level="random")
    match = world.create(PERSON, PERSON, PERSON, bot(), game="daifugo", clock_ms=1_000)
    world.tycoon.commands.resign(match, world.holder(match, 2), None)
    for _ in range(200):
        if world.match(match).seats[0].resigned:
            break
        world.now += 1_000
        world.tycoon.timekeeper.time_out(match)
        world.advance(match)
        if 1 in world.active(match):
            world.play_first(match, 1)
    assert [holder.level for holder in world.match(match).seats] == [
        *("random", None, "random", "greedy")
    ]


@pytest.mark.parametrize(
    ("setting", "level"),
    [
        ("stand_in_level", "slow"),  # one game has it, another has not
        ("stand_in_level", "search-0"),
        ("stand_in_level", ""),
        ("hint_level", "greedy"),
        ("hint_level", "search-6000ms"),
        ("hint_level", "search-99999"),
    ],
)
def test_a_level_that_a_setting_names_and_a_game_has_not_is_refused_at_the_start(setting, level):
    with pytest.raises(SettingsError, match=f"TYCOON_{setting.upper()} can't be used"):
        World(**{setting: level})


def test_after_a_longer_absence_a_stand_in_takes_the_seat(world):
    match = world.create(PERSON, PERSON, bot(), bot(), game="daifugo", clock_ms=1_000)
    for _ in range(200):
        if world.match(match).seats[0].resigned:
            break
        world.now += 1_000
        world.tycoon.timekeeper.time_out(match)
        world.advance(match)
        if 1 in world.active(match):
            world.play_first(match, 1)
    assert world.match(match).seats[0].resigned
    assert world.match(match).seats[0].missed == ABSENT_AFTER
    assert "match.seat_resigned" in world.log(match)


def test_at_never_runs_backwards(world):
    match = world.create(PERSON, PERSON, chance={"first": 0})
    world.now -= 60_000
    world.move(match, 0, {"type": "place", "at": 8})
    before, after = world.match(match).created_at, world.match(match).last_at
    assert after == before


# -- who may see ------------------------------------------------------------------------------


def test_private_and_unknown_matches_answer_the_same(world):
    match = world.create(PERSON, bot(), visibility="private")
    answers = []
    for asked in (match, "m_" + "a" * 26):
        for caller in (NOBODY, SOMEBODY):
            with pytest.raises(NotFound) as info:
                world.tycoon.queries.match(asked, caller)
            answers.append((info.value.code, info.value.detail))
    assert len(set(answers)) == 1
    assert world.tycoon.queries.match(match, OWNER).you is None
    assert world.tycoon.queries.match(match, world.holder(match, 0)).you == 0


def test_a_token_of_another_match_is_no_token(world):
    mine, other = world.create(PERSON, bot()), world.create(PERSON, bot())
    with refused("auth.bad-token", Unauthenticated):
        world.tycoon.queries.match(mine, world.holder(other, 0))


def test_another_seats_view_is_open_after_the_end_only(world):
    match = world.create(PERSON, PERSON)
    me = world.holder(match, 0)
    with refused("seat.not-yours", Forbidden):
        world.tycoon.queries.match(match, me, view_as=1)
    assert world.tycoon.queries.match(match, me, view_as=0).view.seat == 0
    world.tycoon.commands.cancel(match, OWNER, None)
    assert world.tycoon.queries.match(match, me, view_as=1).view.seat == 1


def test_any_earlier_version_can_be_asked_for(world):
    match = world.create(bot(), bot())
    world.advance(match)
    head = world.match(match).version
    for version in range(1, head + 1):
        assert world.tycoon.queries.match(match, OWNER, version=version).version == version
    with refused("match.version-not-reached", Conflict):
        world.tycoon.queries.match(match, OWNER, version=head + 1)
    with refused("match.version-not-reached", Conflict):
        world.tycoon.queries.match(match, OWNER, min_version=head + 1)
