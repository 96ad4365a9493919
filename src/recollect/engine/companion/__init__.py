"""Runs what a companion adds: laying out ledgers, the face of a session, upkeep.

Never: decides; `core/companion` does.
"""
