"""A snapshot of an Iceberg table, by a catalog that the environment configures, or by its metadata file."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from dpspin.curator.records.columns import ReadCell
from dpspin.curator.records.formats.file_format import Reason, guarded
from dpspin.curator.records.places import LakeTable
from dpspin.curator.records.tables.data_table import Cells, Column, require_files_once
from dpspin.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from pyiceberg.table import Table

REASON: Final = "it is damaged, not in the catalog, or store and catalog do not answer to these credentials"


class IcebergSnapshot:
    """One snapshot of a table."""

    def __init__(self, place: LakeTable) -> None:
        failed = f"{place.name!r} cannot be opened"
        self._place = place
        self._table = guarded(lambda: _opened(place), failed, self.reason)
        self.columns: Mapping[str, Column] = guarded(self._columns, failed, self.reason)

    @property
    def reason(self) -> Reason:
        """Say nothing of what the library said."""
        return REASON

    @property
    def is_fixed(self) -> bool:
        """Files can be changed by whoever can write to the store, so they are read again."""
        return False

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read one file after another: asked for all at once, the library would hold all of them."""
        from pyiceberg.io.pyarrow import ArrowScan  # noqa: PLC0415  an optional extra, and there with the table

        scan = self._table.scan(snapshot_id=self._place.version, selected_fields=tuple(reads))
        reader = ArrowScan(self._table.metadata, self._table.io, scan.projection(), scan.row_filter)
        tasks = [*scan.plan_files()]
        require_files_once(self._place.name, [task.file.file_path for task in tasks])
        for task in tasks:
            if task.delete_files:
                raise SourceError(
                    f"{self._place.name!r} marks rows as deleted without taking them out (delete files), and that is "
                    "not read here: rewrite its data files, or let Spark read it",
                    code="source.deleted-rows",
                )
            yield from (batch.select([*reads]) for batch in reader.to_record_batches([task]))

    def _columns(self) -> dict[str, Column]:
        fields = self._table.scan(snapshot_id=self._place.version).projection().fields
        return {field.name: Column(str(field.field_type), Cells.ANY) for field in fields}


def _opened(place: LakeTable) -> "Table":
    try:
        from pyiceberg.catalog import load_catalog  # noqa: PLC0415  an optional extra
        from pyiceberg.table import StaticTable  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("reading an Iceberg table", extra="lake") from None
    catalog, _, name = place.address.partition("/")  # a file's place is absolute, and begins with a slash
    table = load_catalog(catalog).load_table(name) if catalog else StaticTable.from_metadata(place.address)
    newest = table.current_snapshot()
    if place.version is None or table.snapshot_by_id(place.version) is None:
        known = "it has none yet" if newest is None else f"the newest is ?snapshot={newest.snapshot_id}"
        raise SourceError(
            f"{place.name!r} has no such snapshot, or none is named: a release is of one state, so write it behind the "
            f"address ({known})",
            code="source.version",
        )
    return table
