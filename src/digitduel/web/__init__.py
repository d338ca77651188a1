"""Digit Duel in the browser and over HTTP: thin routes over one service and one store.

server.py    one process, one socket       connections.py  places and times for visitors
app.py       routes, guards, start and end
api.py       JSON under /api               pages/      HTML; both call the service
service.py   what can be done to a game, for whoever asks
commands.py  a request in, a change out, or the reason why not
hosted.py    a match as the sum of its changes; versions.py shows it as models.py says
store/       the changes on disk: SQLite or PostgreSQL
hub.py       who watches what, and the newest version for each
health.py    whether the store does what players need
computer.py  the computer's replies        evaluations.py  long work, by workers.py
guard.py     sizes, origins, headers       limits.py    how often
rights.py    tokens and cookies            depends.py   what routes ask for
"""
