"""The rules of laying and of dividends written once more, slowly and word for word, as oracles.

Nothing of the game's own code for these rules is used, only its data and the state.
"""

from __future__ import annotations

from collections import deque
from itertools import permutations, product

from services.games.mint_rails.cards import COMPANIES, STANDARD
from services.games.mint_rails.state import State

BOARDS = [*product(permutations(STANDARD.north), permutations(STANDARD.south))]
"""The 576 orders of the cards (MR-3.1)."""


class Plain:
    """A map as a dictionary from hex to what is there: beige, a headquarters or a city."""

    def __init__(self, north, south):
        self.kind = {
            (col - (r - (r & 1)) // 2, r): "beige" for r in range(8) for col in range(12 - (r & 1))
        }
        slot = {card: (s, b) for b, row in enumerate((north, south)) for s, card in enumerate(row)}
        self.hq, self.city = {}, {}
        for hq in STANDARD.headquarters:
            self.hq[hq.company] = self.put(hq.at, *slot[hq.card], "hq")
        for city in STANDARD.cities:
            self.city[city.id] = self.put(city.at, *slot[city.card], "city")
        self.data = {city.id: city for city in STANDARD.cities}
        self.known = {}

    def put(self, local, s, b, kind):
        place = local[0] + 3 * s - 2 * b, local[1] + 4 * b
        assert self.kind[place] == "beige"
        self.kind[place] = kind
        return place

    def neighbours(self, hex_):
        q, r = hex_
        around = [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]
        return [place for place in around if place in self.kind]

    def distances(self, start):
        """Steps from a hex to every other when all hexes strictly between are beige (MR-6.4)."""
        if start in self.known:
            return self.known[start]
        steps, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            if here != start and self.kind[here] != "beige":
                continue
            for there in self.neighbours(here):
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        self.known[start] = steps
        return steps

    def lays(self, state: State):
        """All sets of cubes that may be laid, by MR-6.3 a to f: (company, city, path)."""
        found = set()
        track = dict(zip(COMPANIES, state.track, strict=True))
        for company, cubes in track.items():
            most = state.asset[COMPANIES.index(company)]
            for start in {self.hq[company], *cubes}:
                steps = self.distances(start)
                for city, place in self.city.items():
                    inside = sum(place in other for other in track.values())
                    if place in cubes or inside >= self.data[city].capacity:
                        continue
                    length = steps.get(place, most + 1)
                    if length <= most:
                        for way in self.ways(start, place, length, set(cubes)):
                            found.add((company, city, way))
        return found

    def ways(self, here, goal, length, taken, gone=()):
        """Every walk of so many steps from hex to hex, its inner hexes beige and without cubes."""
        if length == 1:
            if goal in self.neighbours(here):
                yield gone
            return
        for there in self.neighbours(here):
            if self.distances(goal).get(there, length) >= length:
                continue  # too far to arrive in time: only saves time
            if self.kind[there] == "beige" and there not in taken and there not in gone:
                yield from self.ways(there, goal, length - 1, taken, (*gone, there))


def dividends(worth, holders):
    """MR-8.2 cube by cube for one company.

    `holders` maps a player to (fund, shares). Gives what each takes, and the cubes thrown away.
    """
    pile = worth
    takes = dict.fromkeys(holders, 0)
    queue = sorted({pair for pair in holders.values() if pair[1] > 0}, reverse=True)
    while pile > 0 and queue:
        for fund, shares in queue:
            equals = [p for p, pair in holders.items() if pair == (fund, shares)]
            if pile >= shares * len(equals):
                for player in equals:
                    takes[player] += shares
                    pile -= shares
                continue
            while pile >= len(equals):
                for player in equals:
                    takes[player] += 1
                    pile -= 1
            return takes, pile
    return takes, pile if queue else 0
