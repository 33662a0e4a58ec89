"""The fault net: a line is killed at every write and run once more; then the carriers are asked.

    python -m tests.faults                     every scenario, killed before every statement that writes
    python -m tests.faults import-buy          these only
    python -m tests.faults --grain effect      quicker: commits, files and output only, as pytest runs it

A try is: a copy of a prepared home; the line, in a child that kills itself with SIGKILL right before its
write number N; the same line again, unharmed. Then the ledger of the simulated carriers says what was sold,
booked or closed, and the store what we know of it. N goes from 1 to the number of writes of the line and one
further, which is the line that nothing happened to and that is typed again. A killed process leaves behind
what it committed, wrote into files and printed: so to be killed before a write is to be killed after the one
before it.

`points.py` counts the writes and kills; `children.py` forks, which takes milliseconds, because the server
that forks has imported the program once; `scenario.py` runs the tries; `samples.py` has what they begin with,
`witness.py` compares ledger and store.

How to add a scenario:

1. Choose or make a module in `tests/faults/scenarios`; the list `SCENARIOS` of every module there is run.
2. Append to it:

       Scenario(
           name="void-ups",
           prepare=After(Parcels("ups"), (BUY,)),       # makes `folder / "home"` and files beside it
           act=Line("void", "SO-1", "-y"),              # is killed, and then runs again
           examine=_voided_once,                        # a function of a `Done`: figures as {"alive": 0}
           accepted=frozenset({"attention"}),           # the figures that may be above 0; no other may
       )

   `prepare` and `act` are functions of a folder that give an exit code. They run in children: functions of a
   module or frozen dataclasses, no lambdas. `Line` is a command line in the sandbox of `folder / "home"`,
   where `{folder}` stands for the folder; `Request` is a request to the API, by default with an
   Idempotency-Key, answered by a process of its own. `again` is the second run where it is not the same.
3. `examine` is given the folder as it is now and how both runs ended; `done.first.was_killed` is false in the
   last try. `with opened(done.folder) as app` opens its sandbox, `app.ledger.everything(kind)` is what the
   carriers remember. Never look at wording: exit codes, figures, files.

pytest runs every scenario at the grain of effects, for two homes that differ in nothing but statements of a
transaction that was never committed are the same home; of a long line it tries writes at even distances. The
command above takes all statements and leaves nothing out.
"""
