"""The gate before every page, asked without a network: hosts, origins, keys, sizes, times, and what errors say."""

import asyncio
import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dpspin.errors import InputError
from dpspin.web import guard as guards
from dpspin.web.access import Everybody, OneBrowser
from dpspin.web.guard import HEADERS, LARGEST_BODY
from dpspin.web.server import build_server
from dpspin.web.site import Site, page, report_page, told
from own_loop import run_apart

PORT = 8931
HOST = f"127.0.0.1:{PORT}"
SECRET = "canary of record text"


def broken(request):
    raise ValueError(SECRET)


def refused(request):
    raise InputError("the column is not there: choose another")


def said(request):
    return PlainTextResponse(told(request, "word"))


def home(request):
    return page(request, "error.html.j2", title="Home", why=request.query_params.get("why", ""))


def report(request):
    return report_page("<style>p {color: red}</style><p>Report</p>")


ROUTES = [
    Route("/", home),
    Route("/broken", broken),
    Route("/refused", refused),
    Route("/report", report),
    Route("/say", said, methods=["POST"]),
]


@dataclass
class Answer:
    status: int = 0
    headers: dict = field(default_factory=dict)
    text: str = ""


def server(access):
    return build_server(ROUTES, Site("Test", "dpspin.app", access), [HOST])


def ask(app, path="/", method="GET", body=b"", more=(), **headers):
    """Send one request straight to the application; ``more`` are further parts of the body, or None for silence."""
    answer, parts = Answer(), [body, *more]
    path, _, query = path.partition("?")
    sent = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}

    async def receive():
        part = parts.pop(0) if parts else b""
        if part is None:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.text += message.get("body", b"").decode()

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
        "scheme": "http",
        "server": ("127.0.0.1", PORT),
    }
    run_apart(app(scope, receive, send))
    return answer


def post(app, access, cookie=None, key=None, **headers):
    body = urlencode({"form_key": access.form_key if key is None else key, "word": "hello"}).encode()
    known = {"cookie": f"{access.cookie}={access.session}" if cookie is None else cookie}
    form = {"content_type": "application/x-www-form-urlencoded"}
    return ask(app, "/say", "POST", body, **{**form, **known, **headers})


@pytest.fixture
def access():
    return OneBrowser(PORT)


@pytest.fixture
def app(access):
    return server(access)


def test_the_printed_link_becomes_a_cookie_once_and_leaves_the_address(app, access):
    link = access.url.removeprefix(f"http://{HOST}")
    first = ask(app, link)
    assert (first.status, first.headers["location"]) == (303, "/")
    assert "HttpOnly; SameSite=Strict" in first.headers["set-cookie"]
    assert access.link_key not in first.headers["set-cookie"]
    cookie = first.headers["set-cookie"].partition(";")[0]
    assert ask(app, "/", cookie=cookie).status == 200
    assert ask(app, link).status == 401  # stolen from a history, or from over the shoulder
    assert ask(app, link, cookie=cookie).status == 303  # the same browser opens it again


@pytest.mark.parametrize("cookie", ["", "dpspin-8931=", "dpspin-8931=0", "dpspin-8930={session}", "a;;=b\x80"])
def test_without_the_right_cookie_nobody_comes_in(app, access, cookie):
    assert ask(app, "/", cookie=cookie.replace("{session}", access.session)).status == 401
    assert post(app, access, cookie=cookie.replace("{session}", access.session)).status == 401


def test_two_starts_have_different_secrets():
    one, other = OneBrowser(PORT), OneBrowser(PORT)
    assert len({one.link_key, one.session, one.form_key, other.link_key, other.session, other.form_key}) == 6
    assert one.session not in repr(one)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8931", "127.0.0.1", "127.0.0.1:80", "localhost", ""])
def test_a_name_that_was_rebound_to_this_machine_gets_nothing(app, access, host):
    answer = ask(app, "/", cookie=f"{access.cookie}={access.session}", host=host)
    assert answer.status == 421
    assert access.form_key not in answer.text


def test_a_form_of_the_app_is_heard(app, access):
    assert post(app, access, origin=f"http://{HOST}", sec_fetch_site="same-origin").text == "hello"
    assert post(app, access).text == "hello"  # an old browser, which says nothing of origins


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999", "sec_fetch_site": "same-site"},  # another program on this machine
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "none"},
        {"origin": f"https://{HOST}"},
        {"content_type": "text/plain"},
        {"content_type": "application/json"},
    ],
)
def test_a_form_of_another_origin_is_refused_even_with_cookie_and_key(app, access, headers):
    assert post(app, access, **headers).status == 403


@pytest.mark.parametrize("key", ["", "0" * 64, OneBrowser(PORT).form_key], ids=["none", "noughts", "another"])
def test_a_form_without_this_starts_key_is_refused(app, access, key):
    assert post(app, access, key=key).status == 403


def test_every_answer_is_uncached_and_may_run_nothing_of_others(app, access):
    cookie = f"{access.cookie}={access.session}"
    answers = [ask(app, path, cookie=cookie) for path in ("/", "/broken", "/nowhere", "/assets/style.css")]
    for answer in (*answers, ask(app, "/")):
        assert answer.headers.items() >= HEADERS.items()
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<style|<script(?! src=\"/assets/)|style=|onclick", answers[0].text)


def test_a_published_page_is_shut_in(app, access):
    answer = ask(app, "/report", cookie=f"{access.cookie}={access.session}")
    assert answer.headers["content-security-policy"].startswith("sandbox allow-popups; default-src 'none'")
    assert "script-src" not in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"


def test_too_much_is_refused_before_it_is_held(app, access):
    parts = [b"x" * 65_536] * (LARGEST_BODY // 65_536 + 1)
    answer = ask(app, "/say", "POST", b"", more=parts, cookie=f"{access.cookie}={access.session}")
    assert answer.status == 413


def test_too_many_fields_are_refused(app, access):
    body = ("a=1&" * 2_000).encode()
    form = {"content_type": "application/x-www-form-urlencoded", "cookie": f"{access.cookie}={access.session}"}
    assert ask(app, "/say", "POST", body, **form).status == 413


def test_a_body_that_never_ends_is_given_up(access):
    site = Site("Test", "dpspin.app", access)
    app = guards.Guard(build_server(ROUTES, site, [HOST]).pages, site, frozenset([HOST]), body_seconds=0.05)
    answer = ask(app, "/say", "POST", b"word=", more=[None], cookie=f"{access.cookie}={access.session}")
    assert answer.status == 408


def test_an_error_that_nobody_foresaw_says_where_and_never_what(app, access, capsys):
    answer = ask(app, "/broken", cookie=f"{access.cookie}={access.session}")
    told_here = capsys.readouterr().err
    assert answer.status == 500
    assert SECRET not in answer.text + told_here
    assert "ValueError in" in told_here
    assert "test_guard.py" in told_here


def test_an_error_of_ours_is_said(app, access):
    answer = ask(app, "/refused", cookie=f"{access.cookie}={access.session}")
    assert answer.status == 400
    assert "the column is not there: choose another." in answer.text


@pytest.mark.parametrize(
    "path", ["/assets/../site.py", "/assets/..%2fsite.py", "/assets/", "/assets/style.css/..", "/assets//etc/passwd"]
)
def test_assets_are_names_and_no_paths(app, access, path):
    assert ask(app, path, cookie=f"{access.cookie}={access.session}").status == 404


def test_words_in_a_page_are_text_whatever_they_are(app, access):
    hostile = "%3Cscript%3Ealert(1)%3C/script%3E%E2%80%AE"
    answer = ask(app, f"/?why={hostile}", cookie=f"{access.cookie}={access.session}")
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e" in answer.text


def test_a_server_for_everybody_needs_no_link_and_still_knows_its_name():
    app = server(Everybody())
    assert ask(app, "/").status == 200
    assert ask(app, "/", host="evil.example").status == 421
