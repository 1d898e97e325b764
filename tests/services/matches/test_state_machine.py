"""The life of a match as Hypothesis sees it: any order of commands, every law kept."""

import random
import secrets

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from services.matches import lifecycle
from services.matches.access import Caller
from services.matches.state import fold
from shared.errors import Refused
from shared.store import Person
from tests.services.world import OPEN, OWNER, PERSON, World, bot

SEATS = st.sampled_from([OPEN, PERSON, bot("random"), bot("greedy")])


class MatchLife(RuleBasedStateMachine):
    """Whatever is asked in whatever order: allowed and written, or refused and nothing changed."""

    @initialize(
        entropy=st.integers(0, 2**32),
        game=st.sampled_from([("tictactoe", 2), ("daifugo", 4)]),
        kinds=st.lists(SEATS, min_size=4, max_size=4),
        clock=st.sampled_from([None, 5_000]),
        start=st.sampled_from([None, False]),
    )
    def begin(self, entropy, game, kinds, clock, start):
        # What is drawn must follow from what Hypothesis chose, or it can't repeat a failure.
        numbers = random.Random(entropy)
        self.token_hex, secrets.token_hex = secrets.token_hex, lambda n: numbers.randbytes(n).hex()
        slug, seats = game
        self.world = World()
        self.match = self.world.create(*kinds[:seats], game=slug, clock_ms=clock, start=start)
        self.seats = seats
        self.epochs = dict.fromkeys(range(seats), 0)

    def teardown(self):
        if hasattr(self, "token_hex"):
            secrets.token_hex = self.token_hex

    def ask(self, command):
        before = self.world.stores.events.events(self.match)
        done, no = None, None
        try:
            done = command()
        except Refused as refused:
            no = refused
        after = self.world.stores.events.events(self.match)
        assert after[: len(before)] == before
        if no is not None:
            assert after == before
            assert no.code
            assert no.detail.endswith(".")
        return done

    def holder(self, seat) -> Caller:
        head = self.world.stores.events.load(self.match).head
        return self.world.holder(self.match, seat, head.epochs.get(seat, 0))

    @rule(seat=st.integers(0, 3))
    def join(self, seat):
        self.ask(
            lambda: self.world.tycoon.commands.join(
                self.match,
                OWNER,
                seat=seat,
                code=None,
                kind="person",
                person=Person("N"),
                client_seed=None,
                key=None,
            )
        )

    @rule(seat=st.integers(0, 1))
    def leave(self, seat):
        self.ask(lambda: self.world.tycoon.commands.leave(self.match, self.holder(seat), None))

    @rule(seat=st.integers(0, 1))
    def seed(self, seat):
        self.ask(
            lambda: self.world.tycoon.commands.give_client_seed(
                self.match, self.holder(seat), "ef" * 32, None
            )
        )

    @rule(fill=st.sampled_from([None, "random"]))
    def start(self, fill):
        self.ask(lambda: self.world.tycoon.commands.start(self.match, OWNER, fill, None))

    @rule(data=st.data())
    def move(self, data):
        active = self.world.active(self.match)
        if not active:
            return
        seat = data.draw(st.sampled_from(active))
        if self.world.match(self.match).seats[seat].built_in:
            return
        doc = self.world.tycoon.queries.moves(self.match, self.holder(seat), preview=True)
        chosen = data.draw(st.sampled_from(doc.moves))
        done = self.ask(
            lambda: self.world.tycoon.commands.move(
                self.match,
                self.holder(seat),
                msgspec.to_builtins(chosen.move),
                expected=doc.version,
                key=None,
            )
        )
        assert done is not None, "a listed move was refused"

    @rule(seat=st.integers(0, 1), at=st.integers(-1, 30))
    def odd_move(self, seat, at):
        move = {"type": "place", "at": at}
        self.ask(
            lambda: self.world.tycoon.commands.move(
                self.match, self.holder(seat), move, expected=None, key=None
            )
        )

    @rule(seat=st.integers(0, 3))
    def resign(self, seat):
        if seat < self.seats:
            self.ask(lambda: self.world.tycoon.commands.resign(self.match, self.holder(seat), None))

    @rule(ms=st.sampled_from([0, 700, 5_000, 6_001, 86_400_000]))
    def pass_time(self, ms):
        self.world.now += ms
        self.world.tycoon.timekeeper.time_out(self.match)

    @rule()
    def work(self):
        self.world.advance(self.match)

    @rule()
    def other_process(self):
        self.world.tycoon = self.world.build()

    @invariant()
    def the_log_is_the_truth(self):
        if not hasattr(self, "match"):
            return
        store = self.world.stores.events
        loaded = store.load(self.match, snapshot=False)
        hosted = self.world.tycoon.hall[loaded.head.game]
        folded = fold(hosted.game, None, hosted.read(loaded.tail))
        assert folded.version == loaded.head.version == len(loaded.tail)
        assert folded == self.world.tycoon.queries.find(self.match, OWNER)[0].match
        assert loaded.head.status == folded.status
        snapshot = store.load(self.match).snapshot
        if snapshot is not None:
            at = fold(hosted.game, None, hosted.read(loaded.tail[: snapshot.version]))
            assert hosted.read_snapshot(snapshot.data) == at
        running = folded.status == "running"
        assert bool(lifecycle.asked(hosted.game, folded)) == running


MatchLife.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestMatchLife = MatchLife.TestCase
