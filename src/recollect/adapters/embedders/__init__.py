"""Embedders: the static table that ships with recollect, and others behind the same port."""
