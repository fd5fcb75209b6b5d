"""The reading room: every page from plans alone, nothing to write, and nobody gets further than the shelf."""

import asyncio
import re
import subprocess
import sys
from urllib.parse import quote

import pytest

from asking_sites import HOST, get
from dpspin.boundary.atoms import Atom
from dpspin.reader.website import build_site
from dpspin.web.site import STRICT
from factories import plan_of, universe_of
from own_loop import run_apart
from reading_rooms import put, put_series, titled
from shop_plans import MASSES, SIMULATED, shop
from signed_releases import MARIA, released

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


@pytest.fixture
def shelf(tmp_path):
    root = tmp_path / "published"
    put(root / "march", titled("March"))
    put(root / "april", titled("April", shop([*MASSES[:2], 400.0, *MASSES[3:]])))
    put_series(root / "months")
    return root


@pytest.fixture
def site(shelf):
    return build_site(shelf, [HOST])


def test_the_shelf_leads_to_releases_reports_series_and_comparisons(site):
    first = get(site, "/")
    assert (first.status, first.headers["content-security-policy"]) == (200, STRICT)
    links = re.findall(r'href="(/release/[^"]+)"', first.text)
    assert links == ["/release/april", "/release/march", "/release/months"]
    march = get(site, "/release/march").text
    assert "app crashes" in march.lower()
    assert 'href="/report/march"' in march
    report = get(site, "/report/march")
    assert "sandbox" in report.headers["content-security-policy"]
    assert "March" in report.text
    assert 'href="/release/months/2026-01"' in get(site, "/release/months").text
    assert get(site, "/release/months/2026-01").status == 200
    assert get(site, "/report/months").status == 200
    assert "late delivery" in get(site, "/compare?a=march&b=april").text.lower()


def test_a_question_is_answered_or_it_is_said_that_the_release_cannot_say(site):
    assert "“Late delivery”" in get(site, "/release/march?question=late%20delivery").text
    assert "cannot say why" in get(site, "/release/march?question=why%20late%20delivery").text
    assert get(site, f"/release/march?question={'x' * 301}").status == 400


def test_a_report_that_lies_in_the_folder_is_not_shown(site, shelf):
    (shelf / "march" / "report.html").write_text("<h1>Everybody is happy</h1>")
    assert "Everybody is happy" not in get(site, "/report/march").text


def test_signatures_are_shown(site, shelf):
    released(shelf / "signed")
    released(shelf / "changed")
    (shelf / "changed" / "report.html").write_text("Everybody is happy.")
    assert "Maria Lopez" in get(site, "/release/signed").text
    assert MARIA.public.fingerprint in get(site, "/release/signed").text
    assert "does not verify" in get(site, "/release/changed").text
    shown = get(site, "/").text
    assert ("does not verify" in shown, "not signed" in shown) == (True, True)


def test_a_simulation_is_called_one(site, shelf):
    put(shelf / "try", SIMULATED)
    for path in ("/", "/release/try", "/report/try"):
        assert "SIMULATED" in get(site, path).text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_sent(site, method):
    form = ((b"content-type", b"application/x-www-form-urlencoded"),)
    assert get(site, "/", method=method, headers=form).status in {403, 404, 405}
    assert get(site, "/release/march", method=method, headers=form).status in {403, 404, 405}


@pytest.mark.parametrize("host", ["evil.example", "", "127.0.0.1.evil.example", f"{HOST}:81", f"{HOST}.", "march"])
def test_other_hosts_are_refused(site, host):
    assert get(site, "/", host=host).status == 421


@pytest.mark.parametrize(
    "path",
    [
        *("/release/../../etc/passwd", "/release/..%2f..%2fetc", "/report/march/../march", "/report//etc/passwd"),
        *("/release/march/plan.json", "/release/", "/report/%00", "/compare?a=../x&b=march", "/assets/../library.py"),
        *("/assets/..%2fwebsite.py", "/release/" + "x" * 5000, "/nothing", "/release/.", "/compare"),
    ],
)
def test_no_path_leads_out(site, path):
    got = get(site, path)
    assert got.status in {400, 404}
    assert "root:" not in got.text
    assert "import" not in got.text


def test_an_oversized_request_is_refused(site):
    assert get(site, "/", body=b"x" * 300_000).status == 413


def test_a_slow_request_is_refused(shelf):
    site = build_site(shelf, [HOST])
    object.__setattr__(site, "body_seconds", 0.05)
    sent = []

    async def never():
        await asyncio.sleep(10)

    async def keep(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"host", HOST.encode())]}
    run_apart(site(scope, never, keep))
    assert sent[0]["status"] == 408


def test_hostile_names_and_titles_are_text_on_every_page(site, shelf):
    universe = universe_of([Atom(id=0, label="late parcel", parent="a/b"), Atom(id=1, label="cold soup")])
    plan = plan_of(universe, [500.0, 400.0]).model_copy(update={"title": HOSTILE})
    put(shelf / "a name with 'quotes' & <b>", plan, universe)
    name = quote("a name with 'quotes' & <b>")
    for path in ("/", f"/release/{name}", f"/report/{name}", f"/release/{name}?question={quote(HOSTILE)}"):
        got = get(site, path)
        assert got.status == 200
        assert "<script>alert" not in got.text
        assert "<img src=x" not in got.text


def test_a_broken_release_takes_nobody_down(site, shelf):
    (put(shelf / "broken", titled("Broken")) / "plan.json").write_text("{" * 50_000)
    assert "Cannot be read" in get(site, "/").text
    got = get(site, "/release/broken")
    assert got.status == 422
    assert "cannot be read" in got.text
    assert get(site, "/compare?a=broken&b=march").status == 422
    assert get(site, "/release/march").status == 200


def test_every_answer_has_the_headers_of_a_guarded_house(site):
    for path in ("/", "/release/march", "/report/march", "/nothing", "/assets/reading.css"):
        headers = get(site, path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"]
        assert "set-cookie" not in headers
        assert "script-src 'unsafe" not in headers["content-security-policy"]


def test_long_lists_are_shown_a_part_at_a_time(tmp_path):
    for number in range(120):
        (tmp_path / f"r{number:03}").mkdir()
        (tmp_path / f"r{number:03}" / "plan.json").write_text("{}")
    site = build_site(tmp_path, [HOST])
    first, last = get(site, "/").text, get(site, "/?from=100").text
    assert 'href="?from=50"' in first
    assert ("r049" in first, "r119</bdi>" in first) == (True, False)
    assert "101 to 120 of 120" in last
    assert get(site, "/?from=999999").status == 200
    assert get(site, "/?from=-1e9").status == 200


def test_the_reading_room_never_loads_the_curators_code(shelf, tmp_path):
    program = (
        "import asyncio, sys\n"
        "from dpspin.reader.website import build_site\n"
        "from dpspin.reader.library import Library\n"
        "from dpspin.reader.mcp_server import build_mcp\n"
        f"site = build_site({str(shelf)!r}, ['x'])\n"
        "async def get(path):\n"
        "    async def receive(): return {'type': 'http.request', 'body': b''}\n"
        "    async def send(message): message['type'] == 'http.response.start' and print(message['status'])\n"
        "    where, _, query = path.partition('?')\n"
        "    await site({'type': 'http', 'method': 'GET', 'path': where, 'query_string': query.encode(),\n"
        "                'headers': [(b'host', b'x')]}, receive, send)\n"
        "for path in ('/', '/release/march?question=late', '/report/march', '/compare?a=march&b=april',\n"
        "             '/release/months', '/report/months'): asyncio.run(get(path))\n"
        f"server = build_mcp(Library({str(shelf)!r}))\n"
        "for tool, words in (('list', {}), ('plan', {'release': 'march'}), ('series', {'release': 'months'}),\n"
        "                    ('ask', {'release': 'march', 'question': 'late delivery'}),\n"
        "                    ('verify', {'release': 'march', 'text': 'x'}),\n"
        "                    ('compare', {'a': 'march', 'b': 'april'})): asyncio.run(server.call_tool(tool, words))\n"
        "names = ('dpspin.curator', 'dpspin.pipeline', 'dpspin.request', 'dpspin_lab', 'dpspin.series', 'opendp')\n"
        "print([name for name in sys.modules if name.startswith(names)])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.stdout.split("\n")[:-1] == [*["200"] * 6, "[]"], ran.stderr
