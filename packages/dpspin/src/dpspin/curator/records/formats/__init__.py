"""Files of records, one module per format (CSV and TSV share one, and so do Parquet and Arrow).

A format is registered once, in ``data_files.FORMATS``. ``data_file`` says what one is; ``bytes_in`` and ``whole_rows``
are how text files are written, for whichever format is text.
"""
