"""Files of records, one module per format (CSV and TSV share one, and so do Parquet and Arrow).

A format is registered once, in ``find_files.FORMATS``. ``file_format`` says what one is; ``bytes_in`` and
``whole_rows`` are how text files are written, for whichever format is text.
"""
