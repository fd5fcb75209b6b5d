"""Where private records come in: files and frames of any size, as a stream of Arrow batches.

The law of reading: *reading D plus one row gives exactly what reading D gives, plus one row* (or nothing, where that
row cannot be read). A schema, a header and a declared option are public and may decide how a column is read; rows never
decide anything about other rows. And read twice, records give the same (text, user) pairs. The proof of every mechanism
begins here: neighbours in the file must be neighbours in the sketch. ``cells`` says what one cell means, for all
formats; every faster path agrees with it cell by cell. ``tests/property/test_reading_law.py`` tries it.

    files, frames            what a source is         dialect, bytes_in, rows    how text files are written
    delimited, jsonl,        one reader each          cells, spelling, arrays    what a cell means
    workbook, formats                                 guard, naming              what a message may say
"""
