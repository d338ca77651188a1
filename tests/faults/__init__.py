"""Attacks as programs: each has a seed and a budget, and finds nothing or says where.

campaign.py        what all share: randomness, budget, counts
test_campaigns.py  some seconds of each, in CI
every other module is one campaign, with `run(campaign, folder)`

    python -m tests.faults                                  what there is
    python -m tests.faults web_kills --seconds 600 --seed 7
    make faults                                             all of them, long
"""
