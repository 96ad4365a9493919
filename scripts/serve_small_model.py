"""Serves the small offline model on loopback, speaking the ordinary protocol. Run with a Python that has `xllamacpp`.

`python serve_small_model.py PATH_OF_GGUF` prints the base URL, then serves until its standard input ends.
"""

from __future__ import annotations

import sys

import xllamacpp


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.port = 0
    params.n_ctx = 8_192
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    try:
        sys.stdin.read()
    except KeyboardInterrupt:
        print("ended", file=sys.stderr)


if __name__ == "__main__":
    main()
