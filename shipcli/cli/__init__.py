"""The terminal face: `shipcli NOUN VERB`, one module per noun.

How to write a noun:

1. Add its row to `command_table.NOUNS`: name, what it is about, and a `Verb` for every command. Nothing is
   imported before a command of it runs: `--help` and completion know the row, and what `help_index.json`
   repeats of the docstrings (`python -m tests.cli.help_index` writes it).
2. Write `shipcli/cli/commands/<group>/<noun>.py`. Its commands are plain functions with typer annotations:

       verb = Verbs()

       @verb
       def cancel(ids: Ids) -> None:
           \"\"\"Cancel orders of which nothing was shipped.

           Examples:
           shipcli orders cancel 1042
           shipcli orders cancel 1042 1043 --dry-run
           \"\"\"
           run_each(select("order", ids), lambda id: ask(orders.cancel_order, id), show_cancelled)

   Two or three examples end the docstring, after a line `Examples:`, as they are typed; `# words` after
   one or on a line of their own say what it does. tests/cli/console/test_help_examples.py runs them in the
   sandbox that tests/cli/examples/files/prepare.txt prepares.
   A verb that is a Python word or hides one gets its name in brackets: `@verb("list")`.
   Import modules, not names, from below the faces (`from shipcli.features.orders import service as orders`,
   `from shipcli import models`): `late_imports` loads such a module when a command first uses it.
3. Use these for everything that is not about shipping:

   current_run `get_run()`: the run. `.app` opens the store when it is first read; `.options` are the global
               options.
   selectors   `select(kind, words)`: ids from ids, numbers, prefixes, `@last`, `-`; `remember(kind, id)`
               after making one.
   bodies      `read_body(flags, data, file)`: one object from file, `-d` and flags; `read_bodies(...)` if a
               file may hold many; `check_body(Model, body)` reads it, wrong fields become one line each.
   stored_noun_table a `StoredNoun`: `list`, `get` and `delete` of what is stored; the filters of the noun's
               room are the options of the list.
   listing     `show_page(kind, where, columns, paging)`: a list with `--limit --offset --all --sort`.
   output      `show(value)`, `show_list(rows, columns)`, `show_each(values, columns)`: data, in the form
               asked for. Rows may be stored JSON texts as `Raw`.
   stderr      `note`, `warn`, `warn_deprecated`: all that is not data, on standard error.
   prompts     `if would(what): return` in every command that writes; `ask(...)` for a value.
   for_each    `if is_agreed(what, amount):` before money is spent or anything is lost; `run_each(...)` for
               several objects.
   usage_errors raise what services raise, or `Usage`; a command catches nothing.

Global options (`global_options.GLOBALS`) work anywhere in the line; do not declare them again. An option of
your own with the same name wins in your command. `raise typer.Exit(code)` ends with another exit code.
"""
