"""All that Spark's UI shows of an application: the pages that lead from one to another, and what programs are told."""

import json
import re
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

LINK = re.compile(rb'href="([^"#]+)"')
TOLD = ("jobs", "stages?details=true&withSummaries=true", "executors", "allexecutors", "environment", "storage/rdd")
OF_PLANS = "sql?details=true&planDescription=true&length=1000"
OTHERS = (".css", ".js", ".svg", ".png", ".ico", "/kill/")  # the same in every application; and no page


def pages_of(ui: str) -> dict[str, bytes]:
    """Fetch them by their addresses; ``ui`` is the first page's."""
    found = _walked(urljoin(ui, "/jobs/"))
    [application] = json.loads(_fetched(urljoin(ui, "/api/v1/applications")))
    base = urljoin(ui, f"/api/v1/applications/{application['id']}/")
    stages = json.loads(_fetched(base + "stages"))
    tasks = [f"stages/{each['stageId']}/{each['attemptId']}/taskList?length=1000" for each in stages]
    return found | {base + name: _fetched(base + name) for name in (*TOLD, OF_PLANS, *tasks)}


def _walked(first: str) -> dict[str, bytes]:
    """Follow all links that stay at the same server."""
    found, ahead = {}, [first]
    for address in ahead:
        found[address] = _fetched(address)
        links = (urljoin(address, link.decode().replace("&amp;", "&")) for link in LINK.findall(found[address]))
        ahead += [link for link in dict.fromkeys(links) if link not in ahead and _is_page(link, first)]
    return found


def _is_page(link: str, first: str) -> bool:
    there = urlsplit(link)
    return there.netloc == urlsplit(first).netloc and not any(part in there.path for part in OTHERS)


def _fetched(address: str) -> bytes:
    try:
        with urlopen(address, timeout=60) as answer:
            return answer.read()
    except HTTPError as refused:
        return refused.read()
