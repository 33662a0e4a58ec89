"""The HTTP face: mounts the operation table, says who asks, turns errors into bodies, serves the document.

`app.build` gives the ASGI application, `server.serve` runs it. A request goes through `surface` (routing,
caller,
limits), `exchange` (what was sent), `running` (the use-case) and `answers` (what is sent back).
"""
