"""What the servers share: who may ask, what a page may do in a browser, and how pages look. It knows no records."""
