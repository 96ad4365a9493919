#!/bin/sh
# Makes bench/peers/.venv with the systems that bench/quality.py and bench/speed.py measure beside recollect. Nothing of
# it is needed to use or test recollect; where something cannot be installed, the bench leaves it out and says so.
set -eu
cd "$(dirname "$0")/../bench/peers"
[ -x .venv/bin/python ] || "${PYTHON:-python3}" -m venv .venv
while read -r package; do
    case $package in ''|'#'*) continue ;; esac
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$package" || echo "left out: $package" >&2
done < requirements.txt
