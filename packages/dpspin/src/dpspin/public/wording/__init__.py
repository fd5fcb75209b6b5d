"""Numbers, units and promises in words: what previews, reports and sentences share."""
