"""What people write by mistake is told what was given, and what is expected."""
import pytest
from misuses import MISUSES, told

PLAIN = ("dtype", "dimensions", "shape", "of different lengths", "uint16", "records of 48")  # words that only NumPy's arrays bring about


@pytest.mark.parametrize("code, words", MISUSES, ids=[code for code, _ in MISUSES])
def test_misuse(code, words, request):
    if any(word in words for word in PLAIN):
        request.getfixturevalue("np")
    assert told(code).startswith(words)
