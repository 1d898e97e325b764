"""Every command that a client can give."""

from __future__ import annotations

import secrets
from typing import Any, Literal

from services.bots.levels import policy_for
from services.hosted import Hall
from services.matches import access, lifecycle
from services.matches.access import Caller
from services.matches.committing import Change, Committer, Done, Key
from services.matches.creation import NewMatch, created_event
from services.matches.loading import Found
from services.matches.state import AnyMatch
from shared import ids
from shared.chance import Chance
from shared.errors import (
    Conflict,
    Forbidden,
    PreconditionRequired,
    Refused,
    Unauthenticated,
    Unprocessable,
)
from shared.game import Event
from shared.settings import Settings
from shared.store import EventStore, Person, Secret

JOIN_TRIES = 16
"""As many as there can be seats."""


class Commands:
    """Create, join, leave, start, move, resign, cancel."""

    def __init__(
        self, committer: Committer, store: EventStore, hall: Hall, settings: Settings
    ) -> None:
        self._committer = committer
        self._store = store
        self._hall = hall
        self._settings = settings
        self._key = settings.server_key.encode()

    # -- a match begins ---------------------------------------------------------------------

    def create(self, new: NewMatch, owner: str, key: Key | None) -> Done:
        """Creates a match, and starts it where nobody has to be waited for.

        Raises:
            Malformed, Unprocessable: what was asked for cannot be.
        """
        hosted = self._hall.chosen(new.game)
        match_id = ids.match_id(self._key, owner, key.given if key else None)
        secret = Secret(secrets.token_hex(32), dict(new.chance or {}))
        created = created_event(hosted, new, owner, secret, self._settings)
        draft = self._committer.new_draft(hosted, secret)
        draft.create(created, key.id if key else None)
        if new.starts_at_once():
            draft.add(lambda match, chance: lifecycle.start(hosted.game, match, chance, None))
        return self._committer.create(match_id, draft, key, new.people(), secret)

    # -- before the start -------------------------------------------------------------------

    def join(
        self,
        match_id: str,
        caller: Caller,
        *,
        seat: int | None,
        code: str | None,
        kind: Literal["person", "agent"],
        person: Person,
        client_seed: str | None,
        key: Key | None,
    ) -> Done:
        """Takes an open seat: by its link's code, by the match's API key, or at a public match."""
        for left in reversed(range(JOIN_TRIES)):
            found = self._committer.load(match_id, key)
            if found.record is not None:
                chosen = self._seat_of_record(found)
            else:
                chosen = self._open_seat(found, caller, seat, code)
            try:
                return self._join(found, chosen, kind, person, client_seed, key)
            except Conflict as taken:
                # Somebody was quicker at the seat that we chose: another may still be open.
                if not left or taken.code != "seat.taken" or seat is not None or code is not None:
                    raise
        raise AssertionError("the last try returns or raises")

    def _join(
        self,
        found: Found,
        chosen: int,
        kind: Literal["person", "agent"],
        person: Person,
        client_seed: str | None,
        key: Key | None,
    ) -> Done:
        def decide(match: AnyMatch, chance: Chance) -> list[Event]:
            return lifecycle.join(match, chosen, kind, client_seed)

        change = Change(
            decide=decide, seat=chosen, people={chosen: person}, new_holder=chosen, joins=True
        )
        return self._committer.carry_out(found, change, key=key)

    def _seat_of_record(self, found: Found) -> int:
        assert found.record is not None
        stored = self._store.events(found.id, after=found.record.first - 1, limit=1)
        seat = found.hosted.read(stored)[0].seat
        if seat is None:
            raise Unprocessable("request.key-reused", "This Idempotency-Key was used before.")
        return seat

    def _open_seat(self, found: Found, caller: Caller, seat: int | None, code: str | None) -> int:
        match = found.match
        if code is not None:
            return self._seat_by_code(found, caller, seat, code)
        access.may_see(caller, None, match)
        anyone = match.visibility == "public" and caller.kind == "key"
        if not (anyone or access.owns(caller, match)):
            raise Forbidden("seat.code-required", "Joining this match needs a join code.")
        if seat is not None:
            lifecycle.held(match, seat)
            return seat
        still_open = [s for s, holder in enumerate(match.seats) if holder.kind == "open"]
        if not still_open:
            raise Conflict("seat.none-open", "No seat is open.", version=match.version)
        return still_open[0]

    def _seat_by_code(self, found: Found, caller: Caller, seat: int | None, code: str) -> int:
        for number in range(len(found.match.seats)):
            fits = ids.same(code, ids.join_code(self._key, found.id, number))
            if fits and seat in (None, number):
                return number
        access.may_see(caller, None, found.match)
        raise Forbidden("seat.bad-code", "This join code fits no such seat of the match.")

    def leave(self, match_id: str, caller: Caller, key: Key | None) -> Done:
        """Gives the caller's seat back before the start; its token is void from then on."""
        found = self._committer.load(match_id, key)
        # A repeat's token is void by the very command that its id names; the id proves who asks.
        seat = self._held(found, caller) if found.record is None else self._seat_of_record(found)
        change = Change(
            decide=lambda match, chance: lifecycle.leave(match, seat),
            seat=seat,
            people={seat: Person()},
            new_holder=seat,
        )
        return self._committer.carry_out(found, change, key=key)

    def give_client_seed(
        self, match_id: str, caller: Caller, client_seed: str, key: Key | None
    ) -> Done:
        """Adds the caller's own seed to every draw of the match."""
        found, seat = self._at_seat(match_id, caller, key)
        change = Change(
            decide=lambda match, chance: lifecycle.give_client_seed(match, seat, client_seed),
            seat=seat,
        )
        return self._committer.carry_out(found, change, key=key)

    def start(self, match_id: str, caller: Caller, fill: str | None, key: Key | None) -> Done:
        """Begins the match; its API key or seat 0 may do so."""
        found = self._committer.load(match_id, key)
        seat = access.seat_of(caller, match_id, found.head, self._key)
        if seat != 0:
            access.must_own(caller, seat, found.match)
        game = found.hosted.game
        if fill is not None:
            policy_for(game, fill)
        change = Change(
            decide=lambda match, chance: lifecycle.start(game, match, chance, fill), seat=seat
        )
        return self._committer.carry_out(found, change, key=key)

    def renew_token(self, match_id: str, caller: Caller, seat: int) -> str:
        """Makes a seat's token void and gives its holder's new one to the match's API key."""
        found = self._committer.load(match_id)
        access.must_own(caller, None, found.match)
        if caller.kind == "operator":
            raise Forbidden("auth.not-owner", "Not even the operator gets a seat's token.")
        lifecycle.must_be_personal(found.match, seat)
        return ids.seat_token(self._key, match_id, seat, self._store.raise_epoch(match_id, seat))

    # -- while it runs ----------------------------------------------------------------------

    def move(
        self, match_id: str, caller: Caller, given: Any, *, expected: int | None, key: Key | None
    ) -> Done:
        """A seat's move.

        Raises:
            PreconditionRequired: neither a version nor a key was given.
            Conflict: over, not started, another version, not the seat's turn.
            IllegalMove: the game's rules forbid it.
        """
        if expected is None and key is None:
            self._at_seat(match_id, caller, key)
            raise PreconditionRequired(
                "request.version-required", "Send expected_version, an Idempotency-Key, or both."
            )
        found, seat = self._at_seat(match_id, caller, key, expected)
        try:
            return self._move(found, seat, given, expected=expected, key=key)
        except Refused:
            if found.fresh:
                raise
        # What is kept here may be old, its token void: nobody is refused on its account.
        found, seat = self._at_seat(match_id, caller, key)
        return self._move(found, seat, given, expected=expected, key=key)

    def _move(
        self, found: Found, seat: int, given: Any, *, expected: int | None, key: Key | None
    ) -> Done:
        game = found.hosted.game
        lifecycle.must_not_have_left(found.match, seat)
        move = found.hosted.read_move(given)

        def same_question(old: AnyMatch, new: AnyMatch) -> bool:
            return new.status == "running" and (
                game.legal_moves(old.table, seat) == game.legal_moves(new.table, seat)
            )

        change = Change(
            decide=lambda match, chance: lifecycle.move(game, match, seat, move, chance),
            seat=seat,
            move=move,
            again=same_question,
        )
        return self._committer.carry_out(found, change, key=key, expected=expected)

    def resign(self, match_id: str, caller: Caller, key: Key | None) -> Done:
        """The caller's seat leaves the running match for good."""
        found, seat = self._at_seat(match_id, caller, key)
        stand_in = self._settings.stand_in_level
        change = Change(
            decide=lambda match, chance: lifecycle.resign(match, seat, "resigned", stand_in),
            seat=seat,
        )
        return self._committer.carry_out(found, change, key=key)

    def cancel(self, match_id: str, caller: Caller, key: Key | None) -> Done:
        """The match's API key ends it; it counts in no result."""
        found = self._committer.load(match_id, key)
        seat = access.seat_of(caller, match_id, found.head, self._key)
        access.must_own(caller, seat, found.match)
        change = Change(decide=lambda match, chance: lifecycle.cancel(match))
        return self._committer.carry_out(found, change, key=key)

    def _at_seat(
        self, match_id: str, caller: Caller, key: Key | None, expected: int | None = None
    ) -> tuple[Found, int]:
        found = self._committer.load(match_id, key, expected=expected)
        try:
            return found, self._held(found, caller)
        except Unauthenticated:
            if found.fresh:
                raise
        return self._at_seat(match_id, caller, key)  # the token may be newer than what we kept

    def _held(self, found: Found, caller: Caller) -> int:
        seat = access.seat_of(caller, found.id, found.head, self._key)
        return access.must_hold(caller, seat, found.match)
