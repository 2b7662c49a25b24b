"""Single requests of a mebibyte are read in linear time, whatever they contain.

`benchmarks/request_costs.py` searches for more of them.
"""

import random

import pytest
from request_costs import BODY_BYTES, fill, read

from solver.formats.objects.lzstring import compress

# Each of these bodies takes less than a second on a machine that isn't busy. The limit only has to
# tell that from a cost that grows with the square of the size, which would be minutes.
MAX_SECONDS = 20
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
chance = random.Random(1)


def payload(text: str) -> bytes:
    return f"https://sudokupad.app/scl{compress(text)}\n".encode()


BODIES = {
    "digits in one line": fill(b"1"),
    "puzzles in one line": fill(b"." * 80 + b"1"),
    "words in one line": fill(b"ab, "),
    "nested lists": fill(b"["),
    "nested JSON objects": fill(b'{"puzzle":'),
    "nested lists after a puzzle": b"1" * 81 + b"\n" + fill(b"[", size=BODY_BYTES - 99),
    "tiny records": fill(b"1\n"),
    "tiny JSON records": fill(b"{}\n"),
    "one grid of bars": fill(b"|.|1"),
    "rules of a drawn grid": fill(b"+---"),
    "compressed JSON": payload('{"grid": [' + '{"value": 1},' * 20_000 + "1]}"),
    "compressed text without repetitions": payload(
        "".join(chr(chance.randrange(256, 55_000)) for _ in range(100_000))
    ),
    "random payload": b"https://sudokupad.app/sclN"
    + "".join(chance.choices(LETTERS, k=BODY_BYTES - 99)).encode(),
    "constraints of another program": fill(b".Thermo~R1C1~R1C2"),
    "XML": b"<opensudoku>" + fill(b'<game data="1"/>', size=BODY_BYTES - 99),
    "long numbers": fill(b"9" * 100_000 + b","),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_request_of_a_mebibyte_is_read_in_linear_time(body: bytes) -> None:
    cost = read(body[:BODY_BYTES])
    assert max(cost.split, cost.preview, cost.block) < MAX_SECONDS, cost
