"""Digit Duel in the browser and over HTTP: thin routes over one service and one store.

app.py       the application: routes, guards, start and end
api.py       JSON under /api            pages.py   HTML; both call the service
service.py   what can be done to a game, for whoever asks
commands.py  a request in, a change out, or the reason why not
duel.py      a match as the sum of its changes
store/       the changes on disk: SQLite or PostgreSQL
hub.py       who watches what, and the newest version for each
computer.py  the computer's replies      thinking.py  long work, in processes of its own
guard.py     sizes, origins, headers     limits.py    how often
rights.py    tokens and cookies
"""
