"""People, personas and sessions: what a companion keeps beside facts and turns.

Everything here is made of items and events of the one model, in places of their own; see `ledger.py`.

Never: reads a store, a clock or a model.
Spec: state and memory model; rulings 20 to 30a.
"""
