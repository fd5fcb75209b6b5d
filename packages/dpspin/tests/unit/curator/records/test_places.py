"""Addresses: what they mean, and that none of them holds a secret or is repeated where it is not understood."""

from pathlib import Path

import pytest

from dpspin.curator.records.columns import Columns
from dpspin.curator.records.conditions import conditions_in
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.places import Database, Server, SqlTable, dataset_at, place_of
from dpspin.errors import InputError, RequestError, SourceError
from dpspin.request import ReleaseRequest

SECRET = "hunter2"
ASKED = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 10}


def test_an_address_names_server_table_and_rows():
    place = place_of("postgresql://ann@db.example.org:6432/crm?table=sales.tickets&where=a = 'x&y' and b > 2")
    assert place == SqlTable(
        Database.POSTGRESQL,
        Server("crm", "db.example.org", "6432", "ann"),
        "sales",
        "tickets",
        conditions_in("a = 'x&y' and b > 2"),
    )
    assert place.dataset == "postgresql://db.example.org:6432/crm?table=sales.tickets"
    assert place.declared == {"where": '"a" = \'x&y\' and "b" > 2'}


def test_the_usual_schema_and_what_comes_from_the_environment_may_be_left_out():
    place = place_of("postgresql:///crm?table=tickets&view=row_by_row")
    assert (place.where, place.name, place.declared) == (Server("crm"), "public.tickets", {"view": "row_by_row"})
    assert place_of('postgresql://[::1]:5432/crm?table="my.schema"."Ta ble"').name == "my.schema.Ta ble"


def test_a_file_follows_three_slashes():
    assert place_of("sqlite:///here.db?table=t").where == Path("here.db")
    assert place_of("duckdb:////data/there.duckdb?table=s.t").where == Path("/data/there.duckdb")
    assert dataset_at("sqlite:///here.db?table=t&where=a = 1") == f"sqlite:///{Path('here.db').resolve()}?table=main.t"


def test_a_table_of_iceberg_has_one_name_though_each_state_has_a_file_of_its_own():
    """Else each state would begin an account of its own."""
    names = {dataset_at(f"iceberg:////lake/crm/t/metadata/0000{n}-a.metadata.json?snapshot={n}") for n in range(3)}
    assert names == {"iceberg:/lake/crm/t"}
    assert dataset_at("iceberg://shop/crm.t?snapshot=1") == "iceberg:shop/crm.t"


def test_a_path_is_no_address():
    for source in ("tickets.csv", Path("tickets.csv"), "C:/tickets.csv", "a:b", 17, None):
        assert place_of(source) is None
    assert dataset_at("tickets.csv") == str(Path("tickets.csv").resolve())


WITH_A_SECRET = [
    f"postgresql://ann:{SECRET}@db/crm?table=t",
    f"postgresql://ann:{SECRET}/with@slash@db/crm?table=t",
    f"postgresql://:{SECRET}@db/crm?table=t",
    f"postgresql://db/crm?table=t&password={SECRET}",
    f"postgresql://db/crm?table=t&{SECRET}",
    f"postgresql://db/crm?password={SECRET}&table=t",
    f"s3://KEY:{SECRET}@bucket/tickets.csv",
    f"s3://{SECRET}@bucket/tickets.csv",
    f"s3://bucket/tickets.csv?secret_key={SECRET}",
    f"abfs://:{SECRET}@account.dfs.core.windows.net/files",
    f"mysql://ann:{SECRET}@db/crm?table=t",
    f"sqlite://{SECRET}?table=t",
    f"postgresql://db/crm?table=t&where={SECRET} like '%'",
    f"postgresql://db/crm password={SECRET}?table=t",
    f"mysql://db/crm?user=ann&PASSWORD={SECRET}",
    f" postgresql://ann:{SECRET}@db/crm?table=t",
    f'"postgresql://ann:{SECRET}@db/crm?table=t"',
    f"\ufeffs3://KEY:{SECRET}@bucket/tickets.csv",
    f"s3:/KEY:{SECRET}@bucket/tickets.csv",
    f"jdbc:postgresql://db/crm?user=ann&password={SECRET}",
    f"jdbc:oracle:thin:ann/{SECRET}@//db:1521/crm",
    f"host=db dbname=crm password = '{SECRET}'",
    f"https://account.blob.core.windows.net/c/x.parquet?sv=1&sig={SECRET}",
    f"wasbs://c@account.blob.core.windows.net/x?{SECRET}=1",
    f"abfs://c@account.dfs.core.windows.net/x.parquet;sig={SECRET}",
    f"s3a://bucket/x.parquet?X-Amz-Signature={SECRET}",
]


@pytest.mark.parametrize("address", WITH_A_SECRET)
def test_a_secret_is_refused_everywhere_and_never_repeated(address):
    for ask in (
        lambda: place_of(address),
        lambda: open_corpus(address, Columns("body")),
        lambda: ReleaseRequest.of(address, **ASKED),
        lambda: ReleaseRequest.of(["late"], **ASKED, atoms_auxiliary=address),
        lambda: ReleaseRequest.of(["late"], **ASKED, auxiliary={"source": address}),
    ):
        with pytest.raises(InputError) as refused:
            ask()
        assert SECRET not in repr(refused.value) + str(refused.value.__cause__) + str(refused.value.__context__)


def test_an_address_of_another_kind_is_sparks_and_not_repeated_here():
    for address in (f"s3a://lake/{SECRET}.parquet", f"mysql://db/{SECRET}"):
        assert ReleaseRequest.of(address, **ASKED).dataset == address
        with pytest.raises(SourceError) as refused:
            open_corpus(address, Columns("body"))
        assert SECRET not in str(refused.value)


def test_an_address_that_became_a_path_is_not_repeated():
    with pytest.raises(RequestError) as refused:
        open_corpus(Path(f"postgresql://ann:{SECRET}@db/crm"), Columns("body"))
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://db/crm",
        "postgresql://db?table=t",
        "postgresql://db/crm?table=",
        "postgresql://db/crm?table=a.b.c",
        "postgresql://db/crm?table=t&view=anything",
        "postgresql://db/crm?table=t&query=SELECT 1",
        "postgresql://db/crm?view=row_by_row",
        'postgresql://db/crm?table=t"; drop table x; --',
        "sqlite://?table=t",
        "sqlite:///?table=t",
        "duckdb://file?table=t",
    ],
)
def test_what_is_no_table_is_refused_with_an_example(address):
    with pytest.raises(InputError, match=r"://.*table="):
        place_of(address)
