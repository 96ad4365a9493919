"""Harnesses that try to make a memory lose or bend what it acknowledged: kills, power losses, failing disks, crowds.

Every harness runs the real store through the public face and asks the same questions of what is left
(`verdict.py`). Each is shown to catch a planted bug (`planted.py`) before its silence means anything.
"""
