"""Maps text to one byte per character, so that arrays can process any script."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FIRST_OTHER = 128
_MOST_OTHERS = 100
# Categories of characters that combine with a neighbor or are invisible, and the code points of
# box-drawing characters.
_JOINED = frozenset({"Mn", "Me", "Mc", "Cf", "Cc", "Cs", "Co", "Cn"})
_FRAMES = range(0x2500, 0x2580)
_INDICATORS = range(0x1F1E6, 0x1F200)  # Two regional indicators form a flag.
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_JAMO = (range(0x1100, 0x1200), range(0xA960, 0xA980), range(0xD7B0, 0xD800))


@dataclass(frozen=True, slots=True, eq=False)
class OneByteText:
    """A text as one byte per character.

    data     ASCII characters as their codes, and others[i] as 128 + i
    others   the other characters in the text
    offsets  (characters + 1,) int64 byte offset of each character in UTF-8, None for ASCII
    """

    data: bytes
    others: tuple[str, ...] = ()
    offsets: NDArray[np.int64] | None = None

    def characters(self, start: int, end: int) -> str:
        """Return data[start:end] in its original characters."""
        part = self.data[start:end].decode("latin-1")
        return part.translate(dict(enumerate(self.others, FIRST_OTHER))) if self.others else part

    def to_byte_offsets(self, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Convert indices of characters in `data` to byte offsets in the UTF-8 text."""
        return indices if self.offsets is None else self.offsets[indices]

    def to_indices(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Convert byte offsets in the UTF-8 text to indices of characters in `data`."""
        return offsets if self.offsets is None else np.searchsorted(self.offsets, offsets)


@lru_cache(maxsize=2)
def one_byte_text(data: bytes) -> OneByteText | None:
    """Return a UTF-8 text with one byte per character, or None if that isn't possible.

    It is possible if the text has at most 100 different characters apart from ASCII, and all of
    them fulfill `_stands_alone`.
    """
    if data.isascii():
        return OneByteText(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    codes = np.frombuffer(text.encode("utf-32-le"), "<u4")
    others = np.unique(codes[codes >= FIRST_OTHER])
    if len(others) > _MOST_OTHERS or not all(map(_stands_alone, others.tolist())):
        return None
    table = np.searchsorted(others, codes) + FIRST_OTHER
    written = np.where(codes < FIRST_OTHER, codes, table).astype(np.uint8)
    lengths = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return OneByteText(written.tobytes(), tuple(map(chr, others.tolist())), offsets)


def _stands_alone(code: int) -> bool:
    """Return whether a character is visible and never combines with its neighbors in NFC.

    Always False for box-drawing characters.
    """
    character = chr(code)
    joined = unicodedata.category(character) in _JOINED or character.isspace()
    special = code in _FRAMES or code in _INDICATORS or code in _SKIN_TONES
    normal = unicodedata.is_normalized("NFC", character)
    return normal and not joined and not special and not any(code in block for block in _JAMO)
