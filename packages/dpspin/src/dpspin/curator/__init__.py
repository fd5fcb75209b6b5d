"""Zone 1, private: the only code that may read records. No network, no values in logs or errors."""
