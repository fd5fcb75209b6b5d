"""Releases with signatures for tests: honest ones, and what a forger makes of them."""

from datetime import date

from dpspin.boundary.accounting import AccountStatement, EpsilonBalance
from dpspin.boundary.approval import Approval, ApprovedRequest, FiledRequest
from dpspin.boundary.manifest import MANIFEST, Manifest, published
from dpspin.boundary.safe_files import today
from dpspin.boundary.signing import make_key
from dpspin.boundary.software import SOFTWARE
from dpspin.public.release_check.published_folder import PublishedFolder, read_folder
from dpspin.public.release_check.remade import data_of
from dpspin.public.release_check.sign import sign_release
from dpspin.public.report.folder import write_release
from factories import PAPER_BINS, PAPER_PLAN, PAPER_UNIVERSE, plan_of

MARIA, OFFICER, MALLORY = make_key("Maria Lopez"), make_key("Data protection"), make_key("Maria Lopez")
ANALYST = make_key("Anna Analyst")
DAY = date.fromisoformat(today())


def paid(plan, head="ab" * 32):
    balance = EpsilonBalance(scope="dataset", spent_epsilon=1.0, spent_delta=0.0, cap_epsilon=3.0, cap_delta=0.0)
    return plan.model_copy(update={"account": AccountStatement(balances=(balance,), head=head)})


PLAN = paid(PAPER_PLAN)
OTHER_PLAN = paid(plan_of(PAPER_UNIVERSE, [118.4, 571.9, 244.7, 1.3], bins=PAPER_BINS, size=3), "cd" * 32)


def terms_of(plan, **changed):
    """Return what an officer approves of a plan."""
    stated = plan.statement
    told = {"epsilon": stated.loss.epsilon, "delta": stated.loss.delta, "unit": stated.unit.kind}
    told |= {"adjacency": stated.adjacency, "dictionary": plan.dictionary.digest, "map": stated.contribution_map.digest}
    about = {
        "after": "0" * 64,
        "charge": f"sha256:{'0' * 64}",
        "mechanism": "laplace",
        "by": ANALYST.public,
        "day": DAY,
    }
    return FiledRequest.model_validate(about | told | changed)


TERMS = terms_of(PLAN)
REQUEST = TERMS.digest


def approval(key=OFFICER, *, request=REQUEST, decision="approved", day=DAY, expires=DAY):
    told = {"request": request, "decision": decision, "by": key.public, "reason": "as agreed in March"}
    return Approval.model_validate({**told, "day": day, "expires": expires}).signed_with(key)


def approved(*given, released=DAY, terms=TERMS):
    approvals = given or (approval(request=terms.digest),)
    return ApprovedRequest(request=terms.digest, terms=terms, released=released, approvals=approvals)


def released(folder, plan=PLAN, key=MARIA, behind=None):
    """Release, and sign as a curator does; return the folder as it was read."""
    write_release(folder, plan, PAPER_UNIVERSE)
    sign_release(folder, key, behind)
    return read_folder(folder)


def signed_anyhow(files, key=MARIA, **stated):
    """Sign whatever lies there, as a curator who cheats or a forger with a key could: nothing is checked."""
    files = {name: content for name, content in files.items() if name != MANIFEST}
    data = data_of(files)
    told = {"software": SOFTWARE, "day": today(), "plan": data.digest, "head": data.head, "approved": None}
    manifest = Manifest(**told | {"files": published(files), "curator": key.public} | stated).signed_with(key)
    return PublishedFolder({**files, MANIFEST: manifest.to_text().encode()}, ())
