"""What was spent on each dataset: charged before noise is drawn, durable, and refusing beyond the budget."""

from dpspin.curator.ledger.amounts import Amount, Budget
from dpspin.curator.ledger.charges import Charge, Committed, Reserved
from dpspin.curator.ledger.ledger import Ledger, open_ledger
from dpspin.curator.ledger.overviews import HistoryRow

__all__ = ["Amount", "Budget", "Charge", "Committed", "HistoryRow", "Ledger", "Reserved", "open_ledger"]
