"""The sights that are compared. No numpy is needed."""

# How many plies a player sees ahead; whoever comes after them is optimal.
SIGHTS = range(7)
OPTIMAL = len(SIGHTS)
