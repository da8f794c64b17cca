"""A poker table of wood, cards and chips, and a dealer who errs: what really lies on the felt.

Nothing here knows the firmware. Cards are names, places are words, and the controller is met only
through its plugs: the shoe's and the terminal's line, bet spots and key switches. Of `felt` it
uses the links' framing alone; the rules are read again, by `tools.prove.oracle`.
"""
