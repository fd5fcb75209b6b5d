"""The paper's decoder contract, literally: it screens free prose and gives its measures. It verifies nothing."""
