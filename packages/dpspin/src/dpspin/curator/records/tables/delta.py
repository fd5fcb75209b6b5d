"""A version of a Delta table. Its files are never changed by Delta itself; that nobody else did is looked at."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.dataset as pa_dataset

from dpspin.curator.records.columns import ReadCell
from dpspin.curator.records.formats.file_format import BATCH_ROWS, Reason, guarded
from dpspin.curator.records.places import LakeTable
from dpspin.curator.records.tables.data_table import Cells, Column, require_files_once
from dpspin.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from deltalake import DeltaTable

REASON: Final = "it is damaged, its files were removed (VACUUM), or the store does not answer to these credentials"
DELETED_ROWS: Final = "deletionVectors"
OTHER_NAMES: Final = "delta.columnMapping.mode"


class DeltaVersion:
    """One version of a table."""

    def __init__(self, place: LakeTable) -> None:
        table = guarded(lambda: _opened(place), f"{place.name!r} cannot be opened", self.reason)
        self._dataset = guarded(table.to_pyarrow_dataset, f"{place.name!r} cannot be opened", self.reason)
        require_files_once(place.name, self._dataset.files)
        self.columns: Mapping[str, Column] = {
            field.name: Column(str(field.type), Cells.ANY) for field in self._dataset.schema
        }

    @property
    def reason(self) -> Reason:
        """Say nothing of what the library said."""
        return REASON

    @property
    def is_fixed(self) -> bool:
        """Files can be changed by whoever can write to the store, so they are read again."""
        return False

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read one file after another, a batch at a time and nothing ahead."""
        parquet = pa_dataset.ParquetFragmentScanOptions(pre_buffer=False)
        ahead = {"batch_readahead": 0, "fragment_readahead": 0, "use_threads": False}
        scanner = self._dataset.scanner(columns=[*reads], batch_size=BATCH_ROWS, fragment_scan_options=parquet, **ahead)
        batches: Iterator[pa.RecordBatch] = scanner.to_batches()
        return batches


def _opened(place: LakeTable) -> "DeltaTable":
    try:
        from deltalake import DeltaTable  # noqa: PLC0415  an optional extra
    except ImportError:
        raise MissingExtra("reading a Delta table", extra="lake") from None
    newest = DeltaTable(place.address)
    if place.version is None or not 0 <= place.version <= newest.version():
        raise SourceError(
            f"{place.name!r} has no such version, or none is named: a release is of one state, so write it behind the "
            f"address (the newest is ?version={newest.version()})",
            code="source.version",
        )
    table = DeltaTable(place.address, version=place.version)
    if DELETED_ROWS in (table.protocol().reader_features or ()):
        raise SourceError(
            f"{place.name!r} marks rows as deleted without taking them out (deletion vectors), and they would be read: "
            "rewrite its files (REORG TABLE … APPLY (PURGE), and turn deletion vectors off), or let Spark read it",
            code="source.deleted-rows",
        )
    if table.metadata().configuration.get(OTHER_NAMES, "none") != "none":
        raise SourceError(
            f"{place.name!r} calls its columns otherwise in its files (column mapping), and every cell would be read "
            "as empty: write it anew without column mapping, or let Spark read it",
            code="source.other-names",
        )
    return table
