"""Where private records come in: files and frames of any size, as a stream of Arrow batches."""
