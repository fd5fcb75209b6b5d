"""Ask a site as a server would, without one."""

from urllib.parse import unquote

from own_loop import run_apart

HOST = "reading.example"


class Got:
    def __init__(self, messages):
        self.status = messages[0]["status"]
        self.headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
        self.text = b"".join(message.get("body", b"") for message in messages[1:]).decode()


def get(site, path, *, host=HOST, method="GET", body=b"", headers=()):
    """Ask the application as a server would, without one."""
    address, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(address),
        "query_string": query.encode(),
        "headers": [(b"host", host.encode()), *headers],
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    run_apart(site(scope, receive, send))
    return Got(sent)
