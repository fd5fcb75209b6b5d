"""Measure the app: the live forecast, the memory of an idle server, and pages beside a release of many records.

python bench/app.py --records 200000
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))

from dpspin.app.worker import IDLE_SECONDS
from running_app import Visitor, digest_on, running_app

ASKED, SENTENCE = 200, "my parcel is late again and nobody answers the phone about order number"


def milliseconds(visitor: Visitor, path: str) -> float:
    begun = time.perf_counter()
    if visitor.ask("GET", path).status >= 400:
        sys.exit(f"{path} cannot be opened")
    return 1000 * (time.perf_counter() - begun)


def resident(process: int) -> float:
    told = Path(f"/proc/{process}/status").read_text()
    return int(told.partition("VmRSS:")[2].split()[0]) / 1024


def family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(each for child in children for each in family(int(child)))]


def write_many(file: Path, records: int) -> None:
    with file.open("w") as out:
        out.write("text,user\n")
        out.writelines(f"{SENTENCE} {number},u{number // 3}\n" for number in range(records))


def tell(what: str, values: list[float], unit: str) -> None:
    worst = max(values)
    print(f"{what}: median {statistics.median(values):.1f} {unit}, largest {worst:.1f} {unit} of {len(values)}")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--records", type=int, default=200_000)
    records = asked.parse_args().records
    with TemporaryDirectory() as room:
        folder = Path(room) / "folder"
        folder.mkdir()
        write_many(folder / "many.csv", records)
        os.environ["DPSPIN_LEDGER"] = str(Path(room) / "ledger.db")
        with running_app(folder, Path(room) / "log") as app:
            visitor = Visitor(app)
            visitor.post("/reports", file="many.csv")
            report = visitor.url.rpartition("/")[0]
            visitor.post(f"{report}/data", text="0", user="1")
            visitor.post(f"{report}/question", atoms="support-tickets")
            forecasts = [
                milliseconds(visitor, f"{report}/forecast?unit=user&epsilon={at % 10}&denominator={20_000 + at}")
                for at in range(ASKED)
            ]
            tell("live forecast", forecasts, "ms")
            visitor.post(f"{report}/protection", unit="user", denominator="70000", epsilon="5")
            begun = time.perf_counter()
            visitor.post(f"{report}/release", digest=digest_on(visitor.text))
            beside = []
            while "At work" in visitor.text:
                beside.append(milliseconds(visitor, "/"))
                beside.append(milliseconds(visitor, f"{report}/release"))
                time.sleep(0.2)
                visitor.get(f"{report}/release")
            if not visitor.url.endswith("/report"):
                sys.exit(visitor.text)
            print(f"release of {records:,} records: {time.perf_counter() - begun:.1f} s")
            tell("pages meanwhile", beside, "ms")
            time.sleep(IDLE_SECONDS + 15)
            members = family(app.process.pid)
            print(f"idle: {sum(map(resident, members)):.0f} MiB in {len(members)} processes")


if __name__ == "__main__":
    main()
