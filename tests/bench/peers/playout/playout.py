"""Random-playout speed of peer game engines.
python playout.py [seconds] [runs] [name...]   names: OpenSpiel short names, 'rlcard:doudizhu', 'pz:connect_four_v3', 'chess'
Policy is uniform over legal actions; chance nodes are sampled from chance_outcomes. One 'move' = one player decision;
chance events are counted apart. A game is capped at 2000 steps."""
import sys, time, random, statistics as st

SECS = float(sys.argv[1]) if len(sys.argv) > 1 else 2
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
NAMES = sys.argv[3:]


def spiel(name):
    import pyspiel
    from open_spiel.python import games  # noqa: registers the Python games
    game = pyspiel.load_game(name)
    rnd = random.Random(1)

    def one():
        s = game.new_initial_state(); m = c = 0
        while not s.is_terminal() and m + c < 2000:
            if s.is_chance_node():
                if name.startswith("python_"):
                    o = s.chance_outcomes(); a = rnd.choices([x[0] for x in o], [x[1] for x in o])[0]
                else:
                    o = s.chance_outcomes(); a = o[rnd.randrange(len(o))][0] if o[0][1] == o[-1][1] else rnd.choices([x[0] for x in o], [x[1] for x in o])[0]
                s.apply_action(a); c += 1
            elif s.is_simultaneous_node():
                s.apply_actions([rnd.choice(s.legal_actions(p)) for p in range(game.num_players())]); m += 1
            else:
                s.apply_action(rnd.choice(s.legal_actions())); m += 1
        return m, c
    return one


def rlc(name):
    import rlcard
    env = rlcard.make(name, config={"seed": 1})
    rnd = random.Random(1)

    def one():
        state, pid = env.reset(); m = 0
        while not env.is_over():
            state, pid = env.step(rnd.choice(list(state["legal_actions"]))); m += 1
        return m, 0
    return one


def rlc_game(name):
    """RLCard's bare game object, without the observation encoding of the env"""
    import rlcard
    g = rlcard.make(name, config={"seed": 1}).game
    rnd = random.Random(1)

    def one():
        state, pid = g.init_game(); m = 0
        while not g.is_over():
            la = state["actions"] if isinstance(state, dict) and "actions" in state else g.get_legal_actions()
            state, pid = g.step(rnd.choice(list(la))); m += 1
        return m, 0
    return one


def pz(name):
    import importlib, numpy as np
    env = importlib.import_module("pettingzoo.classic." + name).env()
    rnd = random.Random(1)

    def one():
        env.reset(seed=rnd.randrange(1 << 30)); m = 0
        for _ in env.agent_iter():
            obs, r, term, trunc, info = env.last()
            if term or trunc:
                env.step(None); continue
            mask = obs["action_mask"] if isinstance(obs, dict) else info["action_mask"]
            env.step(int(rnd.choice(np.flatnonzero(mask)))); m += 1
        return m, 0
    return one


def pychess(_):
    import chess
    rnd = random.Random(1)

    def one():
        b = chess.Board(); m = 0
        while m < 300:
            l = list(b.legal_moves)
            if not l: break
            b.push(rnd.choice(l)); m += 1
        return m, 0
    return one


def run(name):
    try:
        mk = pychess if name == "chess" and True else rlc if name.startswith("rlcard:") else rlc_game if name.startswith("rlgame:") else pz if name.startswith("pz:") else spiel
        one = mk(name.split(":", 1)[-1] if ":" in name else name)
        one()
    except Exception as e:  # noqa
        print(f"{name:32s} FAILED {type(e).__name__} {str(e)[:100]}"); return
    rows = []
    for _ in range(RUNS):
        g = m = c = 0; t = time.perf_counter()
        while time.perf_counter() - t < SECS:
            a, b = one(); g += 1; m += a; c += b
        d = time.perf_counter() - t; rows.append((m / d, g / d, (m + c) / d, m / g))
    k = lambda i: [r[i] for r in rows]
    print(f"{name:32s} moves/s med={st.median(k(0)):>10.0f} min={min(k(0)):>10.0f} max={max(k(0)):>10.0f} games/s={st.median(k(1)):>9.1f} steps(incl.chance)/s={st.median(k(2)):>10.0f} moves/game={st.median(k(3)):.1f}", flush=True)


ALL = ("tiny_hanabi leduc_poker kuhn_poker liars_dice hearts gin_rummy bridge oh_hell blackjack tic_tac_toe connect_four "
       "python_tic_tac_toe python_kuhn_poker python_liars_poker python_team_dominoes bridge(use_double_dummy_result=false) dou_dizhu crazy_eights go_fish cribbage euchre spades "
       "rlcard:leduc-holdem rlcard:limit-holdem rlcard:doudizhu rlcard:uno rlcard:gin-rummy rlcard:blackjack rlgame:doudizhu rlgame:uno "
       "pz:connect_four_v3 pz:tictactoe_v3 pz:leduc_holdem_v4 chess").split()
for n in NAMES or ALL:
    run(n)
