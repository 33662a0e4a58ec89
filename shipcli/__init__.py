"""One terminal command, one SQLite file and one REST API for many shipping carriers."""

__version__ = "0.1.0"

try:
    from shipcli.start_up import guard_program

    guard_program()
except KeyboardInterrupt:
    raise SystemExit(130) from None
