"""Two plans beside each other: what differs, in sentences that are verified, as a page, a table and a file."""
