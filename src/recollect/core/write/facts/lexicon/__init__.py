"""The closed word lists the fact grammar leans on, one file per field of life.

Never: grammar. A word in a list is a word that may be read, nothing more; each list is split on first use, so that
importing the package costs nothing.
"""
