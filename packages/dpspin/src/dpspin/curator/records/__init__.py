"""Where private records come in: files and frames of any size, as a stream of Arrow batches.

The law of reading: *reading D plus one row gives exactly what reading D gives, plus one row* (or nothing, where that
row cannot be read). A schema, a header and a declared option are public and may decide how a column is read; rows never
decide anything about other rows. And read twice, records give the same (text, user) pairs. The proof of every mechanism
begins here: neighbours in the file must be neighbours in the sketch. ``cells`` says what one cell means, for all
formats; every faster path agrees with it cell by cell. ``tests/property/test_reading_law.py`` tries it.

    corpus                   all records, as a stream      columns                     which are read, and their kinds
    find_files, frames       what a source is              cells, arrays,              what a cell means
    formats/, dialect        one reader each, and how         cell_spelling
                                files are written          messages                    what a message may say
    auxiliary, disjoint      texts behind a map or a dictionary, which must not overlap with the records
"""
