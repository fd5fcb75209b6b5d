"""The kinds of falsehood that are planted: the contract's disallowed list, and what matching patterns would miss."""

TRUE = "true"

KINDS = (
    *("raw-quotation", "record-detail", "unreleased-label", "unreleased-synonym", "invented-theme"),
    *("wrong-bin", "wrong-number", "number-word", "fraction", "frequency-reading"),
    *("wrong-comparison", "passive-comparison", "inverse-comparison", "unsupported-order"),
    *("wrong-superlative", "wrong-rank", "implicit-rank", "negation", "pronoun"),
    *("wrong-marker", "unknown-marker", "missing-marker", "list-item", "table-cell"),
    *("quantifier", "wrong-count", "false-tie", "importance", "cause", "trend", "subgroup", "place", "entity"),
    *("advice", "feeling", "completeness", "privacy-overclaim", "wrong-parameter"),
    *("lookalike", "other-language", "off-topic"),
)
