"""The app, started as a user starts it, and a first-time user's way through it."""

import html
import http.client
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMMAND = "from dpspin.cli.main import run; run()"
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/\?key=([0-9a-f]+)")
PATIENCE = 120_000  # milliseconds: a busy machine is no finding


@dataclass
class App:
    """A started app: where it is reached, and its process."""

    process: subprocess.Popen
    port: int
    key: str
    log: Path

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        return f"{self.origin}/?key={self.key}"


FORM_KEY = re.compile(r'name="form_key" value="([0-9a-f]+)"')


class Visitor:
    """A browser without a screen: it keeps its cookie, sends forms with their key, and follows redirects."""

    def __init__(self, app: App) -> None:
        self.app, self.cookie, self.form_key, self.url, self.text = app, "", "", "/", ""
        self.seen = []  # every address, answer and header that came by
        self.get(f"/?key={app.key}")

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> http.client.HTTPResponse:
        """Send one request as it is told."""
        connection = http.client.HTTPConnection("127.0.0.1", self.app.port, timeout=PATIENCE / 1000)
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        known = {"Cookie": self.cookie} if self.cookie else {}
        connection.request(method, path, body, {**known, **form, **headers})
        answer = connection.getresponse()
        answer.page = answer.read().decode()
        self.seen += [path, answer.page, str(answer.headers)]
        connection.close()
        return answer

    def get(self, path: str) -> int:
        """Open a page, and follow where it leads."""
        return self._follow(self.ask("GET", path), path)

    def post(self, path: str, **fields: object) -> int:
        """Send a form, with the key of the page before."""
        body = urlencode({"form_key": self.form_key, **fields}, doseq=True)
        return self._follow(self.ask("POST", path, body), path)

    def _follow(self, answer: http.client.HTTPResponse, path: str) -> int:
        if given := answer.getheader("set-cookie"):
            self.cookie = given.partition(";")[0]
        if answer.status == 303:
            return self.get(answer.getheader("location"))
        self.url, self.text = path, html.unescape(answer.page)
        self.form_key = found[1] if (found := FORM_KEY.search(answer.page)) else self.form_key
        return answer.status

    def wait_while(self, words: str) -> None:
        """Load the page again for as long as it says something."""
        end = time.monotonic() + PATIENCE / 1000
        while words in self.text:
            assert time.monotonic() < end, self.text
            time.sleep(0.2)
            self.get(self.url)


def digest_on(text: str) -> str:
    """Return the digest of the request that a page shows."""
    return re.search(r'name="digest" value="([^"]+)"', text)[1]


STEPS = (
    ("data", {"text": "0", "user": "1"}),
    ("question", {"atoms": "file:atoms.txt", "title": "Parcels of May"}),
    ("protection", {"unit": "user", "denominator": "400", "epsilon": "5"}),
)


def asked_for(visitor: Visitor, file: str = "records.csv") -> str:
    """Go from a file to the page Request; return the report's address."""
    assert visitor.post("/reports", file=file) == 200
    report = visitor.url.rpartition("/")[0]
    for step, fields in STEPS:
        assert visitor.post(f"{report}/{step}", **fields) == 200, visitor.text
    assert visitor.url == f"{report}/request", visitor.text
    return report


@contextmanager
def running_app(folder: Path, log: Path, port: int = 0) -> Iterator[App]:
    """Start ``dpspin app`` in a process of its own, and stop it."""
    with log.open("w") as out:
        command = [sys.executable, "-c", COMMAND, "app", str(folder), "--port", str(port)]
        process = subprocess.Popen(command, stdout=out, stderr=out, env=dict(os.environ))
        try:
            while (found := LINK.search(log.read_text())) is None:
                assert process.poll() is None, log.read_text()
                time.sleep(0.05)
            yield App(process, int(found[1]), found[2], log)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(PATIENCE / 1000)


def through_the_app(page: "Page", file: str, number: str, pack: str, before: "Callable[[], None] | None" = None) -> int:
    """Go from a file to the published report as a first-time user does; return how often something was done.

    ``before`` is called before every act.
    """
    page.set_default_timeout(PATIENCE)
    done = 0
    for act in (
        lambda: page.get_by_role("button", name=file).click(),
        lambda: page.get_by_role("button", name="Look at the records").click(),
        lambda: page.get_by_role("link", name=re.compile("^Go on")).click(),
        lambda: page.locator(f"input[name=atoms][value='{pack}']").check(),
        lambda: page.get_by_role("button", name="Go on").click(),
        lambda: page.locator("input[name=unit][value=user]").check(),
        lambda: page.get_by_label("About how many there are").fill(number),
        lambda: page.get_by_role("button", name="Go on").click(),
        lambda: page.get_by_role("button", name="Release the report").click(),
    ):
        if before is not None:
            before()
        act()
        done += 1
    page.wait_for_url("**/report")
    return done
