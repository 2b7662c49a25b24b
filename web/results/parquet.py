"""Streaming writer for Parquet files, which holds only one row group in memory.

The columns have the names of the CSV columns. Outcomes, levels, and difficulties are dictionaries
of all possible words in order, which pandas and Polars read as categories. Techniques are a map
from names to numbers of steps. Listed solutions and true candidates, which CSV doesn't have, are
nested columns. The same rows always produce the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
from msgspec import UNSET
from pyarrow import parquet as pq

from solver.board.result import Outcome
from solver.logic.rating.difficulty import LEVEL_WORDS, WORDS
from solver.logic.rating.own_rating import NOT_RATED
from solver.logic.technique_table import Level
from web.results.byte_sink import ByteSink
from web.results.rows import Row
from web.results.table import Table

# A row group ends with the page that reaches this size in memory. Chunks of rated jobs have only
# about a hundred records, and so small row groups would make files large and slow to read.
_GROUP_BYTES = 8 << 20
_TEXT, _NUMBER, _RATING = pa.string(), pa.int64(), pa.float64()
_COUNTS = pa.map_(_TEXT, _NUMBER)
# The words of columns that have few different values, in order.
_WORDS = {
    "outcome": [outcome.label for outcome in Outcome],
    "hodoku_level": [level.name.lower() for level in Level],
    "difficulty": [*WORDS],
    "sudokuq_difficulty": [*LEVEL_WORDS.values(), NOT_RATED],
    "split": ["train", "validation", "test"],
}
# The types of the columns that aren't text.
_TYPES: dict[str, pa.DataType] = {
    "n": _NUMBER,
    "line": _NUMBER,
    "solutions": _NUMBER,
    "unique": pa.bool_(),
    "minimal": pa.bool_(),
    "steps": _NUMBER,
    "rating": _RATING,
    "ep": _RATING,
    "ed": _RATING,
    "hodoku_score": _NUMBER,
    "sudokuq_rating": _NUMBER,
    "sudokuq_solved": _RATING,
    "copy": _NUMBER,
    "source_n": _NUMBER,
    "duplicate_of": _NUMBER,
    "techniques": _COUNTS,
    "true_candidates": pa.map_(_TEXT, _COUNTS),
    "all_solutions": pa.list_(_TEXT),
    **dict.fromkeys(_WORDS, pa.dictionary(pa.int8(), _TEXT, ordered=True)),
}
_NEVER_NULL = ("n", "line", "puzzle", "outcome", "solutions", "steps")
# Columns whose values are hardly ever repeated, so that encoding them with a dictionary costs time
# and saves nothing.
_DIFFERENT = ("n", "line", "puzzle", "solution", "minlex", "reduced", "all_solutions", "source_n")
_MAP_KEYS = (
    "techniques.key_value.key",
    "true_candidates.key_value.key",
    "true_candidates.key_value.value.key_value.key",
)


def parquet(pages: Iterable[Sequence[Row]], table: Table) -> Iterator[bytes]:
    """Yield the bytes of a Parquet file with the rows of all pages and the columns of a table."""
    schema = _schema(table)
    encoded = [name for name in schema.names if name not in _DIFFERENT]
    sink = ByteSink()
    with pq.ParquetWriter(
        sink, schema, compression="zstd", use_dictionary=[*encoded, *_MAP_KEYS]
    ) as writer:
        group: list[pa.RecordBatch] = []
        size = 0
        for rows in pages:
            batch = _batch(rows, table, schema)
            group.append(batch)
            size += batch.nbytes
            if size >= _GROUP_BYTES:
                writer.write_table(pa.Table.from_batches(group))
                group, size = [], 0
                yield sink.taken()
        if group:
            writer.write_table(pa.Table.from_batches(group))
    yield sink.taken()


def _schema(table: Table) -> pa.Schema:
    heading = table.heading
    own = heading[len(heading) - len(table.own) :]
    types = {name: _TYPES.get(name, _TEXT) for name in heading if name not in own}
    types |= dict.fromkeys(own, _TEXT) | {name: _TYPES[name] for name in table.nested}
    return pa.schema(
        [pa.field(name, type_, nullable=name not in _NEVER_NULL) for name, type_ in types.items()]
    )


def _batch(rows: Sequence[Row], table: Table, schema: pa.Schema) -> pa.RecordBatch:
    """Convert rows to one batch of columns, as the schema of the file requires.

    The columns are those of the table, and then its nested ones.
    """
    columns: list[Sequence[Any]] = [*zip(*map(table.cells, rows), strict=True)]
    columns += [[getattr(row, name) for row in rows] for name in table.nested]
    if "techniques" in schema.names:  # the cells contain them as text
        place = schema.get_field_index("techniques")
        columns[place] = [getattr(row, "techniques", None) for row in rows]
    arrays = [_array(field, values) for field, values in zip(schema, columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(field: pa.Field, values: Sequence[Any]) -> pa.Array:
    """Return the values of a column as an array. UNSET becomes null.

    Columns with a fixed list of words become dictionary arrays.
    """
    if pa.types.is_dictionary(field.type):
        words = _WORDS[field.name]
        codes = [None if value is None else words.index(value) for value in values]
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), words, ordered=True)
    return pa.array(map(_plain, values) if pa.types.is_nested(field.type) else values, field.type)


def _plain(value: Any) -> Any:
    """Return a nested value with its maps as lists of pairs, or None for UNSET."""
    if isinstance(value, dict):
        return [(key, _plain(each)) for key, each in value.items()]
    return None if value is UNSET else value
