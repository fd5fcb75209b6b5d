"""The paper's non-private references: they show what a text can say whose writer has seen the records. NOT private."""
