"""Which of the three encodings of Chinese game files a file is in: UTF-8, GB18030 or Big5."""

from __future__ import annotations

import codecs
import re
from typing import Final

_MOVE = re.compile(r"[车車俥马馬傌炮砲兵卒相象仕士帅帥将將][一二三四五六七八九１-９1-9前后後][进進退平]")
_HANZI = re.compile("[\u4e00-\u9fff]")
_COMMON: Final = {"gb18030": (0xB0, 0xD7), "big5hkscs": (0xA4, 0xC6)}  # lead bytes of the usual characters


def decode(data: bytes) -> str:
    """The text of a file. Where it isn't UTF-8, the encoding that shows more moves, then more usual characters.

    Bytes that mean nothing in it become U+FFFD, which no move contains.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        texts = {encoding: data.decode(encoding, "replace") for encoding in _COMMON}
        return texts[max(texts, key=lambda encoding: _likeness(texts[encoding], encoding))]


def _likeness(text: str, encoding: str) -> tuple[int, float]:
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    low, high = _COMMON[encoding]
    usual = sum(low <= lead <= high for lead in "".join(_HANZI.findall(text)).encode(encoding)[::2])
    return len(_MOVE.findall(text)), usual / (foreign or 1)
