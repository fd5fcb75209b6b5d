"""Two hundred questions over ten releases: how many are answered, and does any answer say what no release supports?

python bench/questions.py            the table, through `ask`, through the server for agents, and of two rivals
python bench/questions.py --failing  also the questions that are not answered as they should be, never those held back
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests" / "questions"))

from judging import RELEASES, Put, disagreements, every_question, is_answered
from mcp import Client

from dpspin.public.narrate.verify import Status, check_text
from dpspin.reader.answers import answered, rows_of_plan
from dpspin.reader.library import Library, OpenSeries
from dpspin.reader.mcp_server import build_mcp

Reply = dict
LIBRARY = Library(RELEASES)


def by_ask(put: Put) -> Reply:
    return answered(LIBRARY, put.release, put.question).model_dump()


def by_agent(put: Put) -> Reply:
    async def called() -> Reply:
        async with Client(build_mcp(LIBRARY)) as client:
            told = await client.call_tool("ask", {"release": put.release, "question": put.question})
            return told.structured_content

    return asyncio.run(called())


def by_top_theme(put: Put) -> Reply:
    """A rival that needs no question: it always gives the report's first sentences."""
    told = rows_of_plan(LIBRARY, put.release).model_dump()
    return {"sentences": told["sentences"][:3], "beside": [], "rows": told["rows"][:1], "cannot_say": None}


def by_silence(put: Put) -> Reply:  # noqa: ARG001
    return {"sentences": [], "beside": [], "rows": [], "cannot_say": "no"}


def unsupported(put: Put, reply: Reply) -> int:
    """Count the sentences that the verifier refuses, or whose shares plan.json does not have."""
    opened = LIBRARY.open(put.release)
    languages = [opened.language]
    if isinstance(opened, OpenSeries):
        languages.append(LIBRARY.open(f"{put.release}/{opened.periods[-1]}").language)
    wrong = 0
    for each in (*reply["sentences"], *reply["beside"]):
        read = [check_text(each["sentence"], language).sentences for language in languages]
        wrong += not any(len(one) == 1 and one[0].status is Status.VERIFIED for one in read)
        wrong += bool(disagreements(put.folder, each["sentence"]))
    return wrong


def measured(ask: Callable[[Put], Reply], *, telling: bool) -> Counter:
    tally: Counter = Counter()
    for put in every_question():
        reply = ask(put)
        half = "held back" if put.held_back else "developing"
        good = is_answered(put, reply) if put.answerable else not reply["sentences"]
        tally[half if put.answerable else "refused", good] += 1
        tally["unsupported"] += unsupported(put, reply)
        if telling and not good and not (put.answerable and put.held_back):
            told = [each["sentence"] for each in reply["sentences"]][:3]
            print(f"  {put.release}: {put.question}\n    {told} {reply['cannot_say']}")
    return tally


def main() -> None:
    telling = "--failing" in sys.argv
    print(f"{'':<12} {'developing':>12} {'held back':>12} {'refused':>12} {'unsupported':>12}")
    ways = {"ask": by_ask, "agents": by_agent, "top theme": by_top_theme, "silence": by_silence}
    for name, way in list(ways.items())[: 1 if telling else None]:
        tally = measured(way, telling=telling)
        shown = [
            f"{tally[half, True]} of {tally[half, True] + tally[half, False]}"
            for half in ("developing", "held back", "refused")
        ]
        print(f"{name:<12} {shown[0]:>12} {shown[1]:>12} {shown[2]:>12} {tally['unsupported']:>12}")


if __name__ == "__main__":
    main()
