"""The finite graph of a rule set: which moves there are, how digits are counted, where play leads.

Everything here is arithmetic on remainders, for one number and for arrays of them alike.
"""
