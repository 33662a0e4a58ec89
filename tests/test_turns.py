"""Work in turns: while one waits the next goes on, and nobody waits for ever."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from shipcli import turns
from shipcli.turns import Turns
from tests.turns import in_turns


def test_while_one_waits_for_another_thread_the_next_goes_on() -> None:
    said: list[str] = []
    gate = threading.Event()
    with ThreadPoolExecutor(1) as elsewhere:
        slow: Future[bool] = elsewhere.submit(gate.wait, 20)

        def waits() -> bool:
            said.append("asked")
            answer = turns.result_of(slow)
            said.append("answered")
            return answer

        def goes_on() -> None:
            said.append("went on")
            gate.set()

        assert in_turns(waits, goes_on) == [True, None]
    assert said == ["asked", "went on", "answered"]


def test_what_others_wait_for_is_brought_about_once_nothing_else_is_to_be_done() -> None:
    said: list[str] = []

    def waits(name: str) -> None:
        line = turns.here()
        assert line is not None
        line.wait(lambda: "over" in said, lambda: said.append("over"))
        said.append(name)

    in_turns(lambda: waits("first"), lambda: waits("second"), lambda: said.append("third"))
    assert said == ["third", "over", "first", "second"]


def test_a_rush_is_done_and_leaves_few_greenlets_behind() -> None:
    line = Turns(lambda: None)
    over: list[bool] = []
    done: list[int] = []
    idle: list[int] = []

    def waits(number: int) -> None:
        line.wait(lambda: bool(over), lambda: over.append(True))
        done.append(number)
        if len(done) == 100:
            line.put(lambda: idle.append(len(line._idle)))
            line.close()

    for number in range(100):
        line.put(partial(waits, number))
    line.run()
    assert done == list(range(100))
    assert idle == [turns.MOST_IDLE - 1]  # one is at work


def test_an_error_of_another_thread_reaches_the_one_who_waits() -> None:
    def fails() -> None:
        raise LookupError("there")

    with ThreadPoolExecutor(1) as elsewhere:
        found = in_turns(lambda: turns.result_of(elsewhere.submit(fails)), lambda: "goes on")
    assert [type(found[0]), found[1]] == [LookupError, "goes on"]


def test_a_pause_comes_before_what_is_waited_for_and_before_rest() -> None:
    said: list[str] = []
    line = Turns(lambda: said.append("pause"))

    def waits() -> None:
        line.wait(lambda: "over" in said, lambda: said.append("over"))
        said.append("done")

    line.put(waits)
    thread = threading.Thread(target=line.run)
    thread.start()
    while said[-2:] != ["done", "pause"]:
        threading.Event().wait(0.01)
    line.close()
    thread.join(20)
    assert said[:3] == ["pause", "over", "done"]


def test_inside_a_transaction_nobody_else_goes_on() -> None:
    def holds() -> bool:
        turns.hold()
        try:
            return turns.here() is None
        finally:
            turns.let_go()

    assert in_turns(holds, lambda: turns.here() is not None) == [True, True]
    assert turns.here() is None


def test_a_way_to_the_end_that_breaks_ends_no_other_work() -> None:
    tries: list[int] = []

    def breaks() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise ZeroDivisionError

    def waits() -> str:
        line = turns.here()
        assert line is not None
        line.wait(lambda: len(tries) > 1, breaks)
        return "over"

    line = Turns(lambda: None)
    done: list[str] = []
    line.put(lambda: done.append(waits()))
    thread = threading.Thread(target=line.run)
    thread.start()
    while not tries:
        threading.Event().wait(0.01)
    line.put(lambda: done.append("another"))
    line.close()
    thread.join(20)
    assert (done, thread.is_alive()) == (["another", "over"], False)
