#!/bin/sh
# Makes .venv with the locked packages and recollect itself. Says clearly what is missing; changes nothing outside.
set -eu
python=${PYTHON:-}
if [ -z "$python" ]; then
    for name in python3.13 python3.12 python3.11 python3; do
        if command -v "$name" >/dev/null 2>&1 && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$name
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "recollect needs Python 3.11 or newer, and none was found. Install it, or name it: make PYTHON=/path/to/python3.11 run" >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "This Python cannot make virtual environments. On Debian or Ubuntu: apt-get install python3-venv" >&2
    exit 1
fi
[ -x .venv/bin/python ] || "$python" -m venv .venv
if ! .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock; then
    echo "The packages could not be installed. Is there a network, and does pip reach its package index?" >&2
    exit 1
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
