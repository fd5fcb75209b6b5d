"""The audit from the file on: neighbours are files and tables, and releases go the whole way. Made-up records only."""
