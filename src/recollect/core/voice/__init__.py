"""Voice rotation: which of the legal sentences is said this time.

Read in this order: state (what is remembered), resets (when it is forgotten), select (what is chosen), contract
and legality (what may be said at all), fallback, turn and speak (one turn from end to end). `drift` looks at kept
decisions afterwards; nothing that chooses can see it.

Never: reads a user's words, a clock or a random number.
"""
