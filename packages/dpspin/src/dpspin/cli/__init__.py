"""The command line: thin commands. stdout is data, stderr is talk."""
