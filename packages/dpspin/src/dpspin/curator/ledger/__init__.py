"""What was spent on each dataset: charged before noise is drawn, durable, and refusing beyond the budget."""

from dpspin.curator.ledger.account import Budget, Committed, HistoryRow, Reserved
from dpspin.curator.ledger.amounts import Amount
from dpspin.curator.ledger.ledger import Ledger, open_ledger

__all__ = ["Amount", "Budget", "Committed", "HistoryRow", "Ledger", "Reserved", "open_ledger"]
