"""An S3-compatible server (moto) on a free port of this machine; it ends with its standard input."""

import logging
import sys

from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
_, port = server.get_host_and_port()
print(port, flush=True)  # noqa: T201
sys.stdin.read()
server.stop()
