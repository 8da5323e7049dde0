"""Mistakes that people make, as they write them, and what each is told. `python misuses.py` prints every message, and
test_misuses.py finds the words below in it. What was a mistake once and is now right has its result there instead."""
import array
import os
import pathlib
import sys

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FEN = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -"

# The code, and what is raised: the name of an exception and words of its message; or the result, as repr() writes it.
MISUSES = [
    # Arguments in the order that people guess
    ("listed(sb.ge([FEN], ['Rxe5'], 100))", "[True]"),
    ("listed(sb.ge([FEN], ['Rxe5'], 101, 'swap'))", "[False]"),
    ("listed(sb.values([FEN], ['Rxe5'], 'swap'))", "[100]"),
    ("listed(sb.lengths([FEN], ['Rxe5'], 'swap'))", "[1]"),
    ("listed(sb.order([FEN], ['Rxe5'], 50)[2])", "[1]"),
    ("sb.values([FEN], ['Rxe5'], 5)", "TypeError: offsets is 5, an int, expected an array of integers, one more than positions"),
    ("sb.values([FEN], ['Rxe5'], 'swap', rules='legal,pins=none')", "TypeError: rules are given twice"),
    ("sb.values([FEN], ['Rxe5'], ['swap'])", "TypeError: offsets have the dtype <U4, such as 'swap', expected integers"),
    # Input in other forms
    ("listed(sb.values(FEN.encode(), b'Rxe5'))", "[100]"),
    ("listed(sb.maps(bytearray(FEN, 'ascii')))[0] == listed(sb.maps(FEN))[0]", "True"),
    ("listed(sb.values(f'{FEN}\\n{FEN}\\n', ['Rxe5', 'e5']))", "Error: move 1: 'e5' is not a legal move here"),
    ("listed(sb.values([sb.Position(FEN), FEN], ['Rxe5', 'Rxe5']))", "[100, 100]"),
    ("sb.values([1, 2, 3], ['e4'] * 3)", "TypeError: position 0 is 1, an int, expected a FEN"),
    ("sb.values([START, None], ['e4', 'e4'])", "TypeError: position 1 is None, expected a FEN, a Position, or a board"),
    ("sb.values(1, 2)", "TypeError: positions is 1, an int, expected"),
    ("sb.values({'fen': START}, ['e4'])", "TypeError: positions is a dict, expected FENs: one of its values, as positions['fen']"),
    ("sb.from_fen({'fen': START})", "TypeError: fens is a dict, expected FENs: one of its values, as fens['fen']"),
    ("sb.from_fen(5)", "TypeError: fens is 5, an int, expected"),
    ("sb.from_fen([sb.Position(FEN)])", "TypeError: FEN 0 is of the type Position, expected str or bytes"),
    ("sb.maps((fen for fen in [START]))", "TypeError: positions is a generator, expected"),
    ("sb.values([START], ['e4'], [[0, 1]])", "TypeError: offsets have 2 dimensions, of the shape (1, 2), expected one"),
    ("sb.values([START], [[796]])", "TypeError: moves have 2 dimensions, of the shape (1, 1), expected one"),
    ("sb.values([START], [796.0])", "TypeError: moves have the dtype float64, such as 796.0, expected integers"),
    ("sb.values([START], [None])", "TypeError: moves have the dtype object, such as None, expected integers"),
    ("sb.values([START], 'e9')", "Error: move 0"),
    ("sb.moves_from_text([START], 'e4')[0].tolist()", "[1804]"),
    ("sb.moves_from_text([START], {'e4': 1})", "TypeError: texts is a dict"),
    ("sb.columns.see(START, ['e4'])", "TypeError: fens is one text, 'rnbqkbnr"),
    ("sb.columns.captures({'fen': [START]})", "TypeError: fens is a dict, expected a column: one of its values, as fens['fen']"),
    ("sb.columns.see([START], None)", "TypeError: moves is None, expected a column of texts: a list, an array, or what Arrow reads"),
    ("sb.columns.captures(iter([START]))", "TypeError: fens is a list_iterator, expected a column of texts"),
    ("sb.columns.positions(['1. e4', '1. d4'], start=[START])", "Error: the columns start and games have different lengths, expected as many rows in each: start ends after 1"),
    ("sb.columns.see([START, START], ['e4'])", "Error: the columns FENs and moves have different lengths, expected as many rows in each: moves ends after 1"),
    # Numbers
    ("sb.values([START], ['e4'], threads=True)", "TypeError: threads is True, expected an integer"),
    ("sb.values([START], ['e4'], threads=1.0)", "TypeError: threads is 1.0, expected an integer"),
    ("sb.ge([START], ['e4'], threshold=True)", "TypeError: threshold is True, expected an integer"),
    ("sb.ge([START], ['e4'], threshold=0.5)", "TypeError: threshold is 0.5, expected an integer"),
    ("sb.to_fen(sb.take([START, FEN], [-1])) == sb.to_fen(FEN)", "True"),
    ("sb.take([START, FEN], [-3])", "IndexError: index 0 is -3, expected -2 to 1"),
    ("sb.values([START], ['e4'], piece_values=(1, 3, 3, 5, 9.5))", "TypeError: piece_values[4] is 9.5, expected an integer"),
    ("sb.values([START], ['e4'], piece_values={'p': 100})", "TypeError: piece_values is of the type dict, expected 5 numbers"),
    ("sb.values([START], ['e4'], piece_values='100')", "TypeError: piece_values is of the type str, expected 5 numbers"),
    ("sb.values([START], ['e4'], rules=5)", "TypeError: rules is 5, of the type int, expected the name of a rule set"),
    ("sb.values([START], [70000])", "OverflowError: moves have 70000, expected 0 to 65535, as uint16 holds"),
    # One position or move
    ("sb.see([FEN, START], 'e4')", "TypeError: position is of the type list, expected one: a Position, a FEN"),
    ("sb.see(FEN, True)", "TypeError: move is True, of the type bool, expected one: a str in UCI notation or SAN"),
    ("sb.see(sb.from_fen([FEN, START])[0], 'e4')", "Error: position has 96 bytes, expected one record of 48: positions[0]"),
    ("sb.maps(next(sb.open(data=START.encode() + b'\\n', format='fen')))", "TypeError: positions is a Batch, expected its positions: batch.positions"),
    ("sb.see(FEN, ['Rxe5'])", "TypeError: move is of the type list, expected one: a str in UCI notation or SAN"),
    ("sb.from_python_chess(FEN)", "TypeError: boards is '1k1r4/"),
    ("sb.moves_from_python_chess(5)", "TypeError: moves is 5, an int, expected a chess.Move, or an iterable of them"),
    # Shapes
    ("sb.from_boards([[12] * 63])", "TypeError: boards have the shape (1, 63), expected (n, 64)"),
    ("sb.from_boards([[12] * 64, [12] * 63])", "TypeError: boards have rows of different lengths"),
    ("sb.from_boards([12] * 63)", "TypeError: boards have the shape (63,), expected (n, 64)"),
    ("sb.take([START, FEN], [[True, False]])", "TypeError: indices have 2 dimensions"),
    ("sb.take([START, FEN], slice(1))", "TypeError: indices have the dtype object, such as slice(None, 1, None)"),
    ("sb.values([START], sb.from_fen([START])[0])", "TypeError: moves are records of 48 bytes, such as positions"),
    ("sb.columns.see([START], [['e4', 'd4']])", "TypeError: moves have lists as rows, expected a column of Arrow"),
    # Pictures
    ("sb.board_svg(FEN, ['e1e5'])", "TypeError: arrows have 'e1e5', a str, expected pairs of squares from 0 to 63"),
    ("sb.board_svg(FEN, [(4, 99)])", "Error: a square of arrows is 99, expected 0 to 63"),
    ("sb.board_svg(FEN, marked='e4')", "TypeError: a square of marked is 'e', expected an integer"),
    # Nonsense in the fields of an array
    ("sb.values(broken(32, 7), ['e4'])", "Error: position 0: the side to move is 7, expected 0"),
    ("sb.maps(broken(33, 200))", "Error: position 0: the en passant square is 200, expected 0 to 63, or 64 for none"),
    ("sb.any_capture(broken(34, 65))", "Error: position 0: white's kingside castling rook is on square 65, expected 0 to 63"),
    ("sb.to_fen(broken(38, 9))", "Error: position 0: the field shredder is 9, expected 0 or 1"),
    ("sb.to_fen(broken(34, 3))", "Error: position 0: white may castle kingside with a rook on d1, but no white rook is there"),
    ("sb.to_fen(broken(34, 3), check=False)[0].split()[2]", "'DAha'"),
    # Files
    ("sb.open('no-such.fen')", "FileNotFoundError: [Errno 2] cannot be opened: No such file or directory: 'no-such.fen'"),
    ("sb.open('')", "FileNotFoundError: [Errno 2] the path is empty, expected the name of a file: ''"),
    ("sb.open(5)", "TypeError: path is 5, an int, expected str, bytes, os.PathLike"),
    ("sb.open(data=FEN, format='fen')", "TypeError: data is '1k1r4/"),
    ("sb.open('a.fen', format=5)", "TypeError: format is 5, an int, expected the name of a format"),
    ("sb.open('a.fen', keep=5)", "TypeError: keep is 5, an int, expected a condition, or a list of them"),
    ("sb.open(data=b'', format='fen', batch=0)", "Error: batch is 0, expected 1"),
    ("sb.create('a.fen', lose=['score'])", "TypeError: lose is a list, expected what may be lost, by name"),
    ("sb.create('a.csv', columns=[1])", "TypeError: columns is [1], expected a list of names, each a str"),
    ("sb.stats(sb.sample_file(), played='swap')", "TypeError: played is 'swap', a str, expected a list of rule sets"),
    ("sb.stats(5)", "TypeError: path is 5, an int, expected str"),
    ("sb.stats('no-such.fen')", "FileNotFoundError: [Errno 2] No such file or directory: 'no-such.fen'"),
    ("sb.open('no-such.fen', part=3)", "TypeError: part is 3, expected (k, n)"),
    ("sb.open('no-such.fen', part='1/2')", "TypeError: part is '1/2', expected (k, n)"),
    ("sb.open('no-such.fen', part=(0, 2))", "Error: part is (0, 2), expected (k, n) with k from 1 to n"),
    ("sb.create(format='fen').write(5)", "TypeError: positions is 5, an int, expected"),
    ("repr(sb.create(format='csv', columns=['who']))", "'<seebatch.Writer of csv in memory, columns who: 0 records written>'"),
]


def listed(block):
    return memoryview(block).tolist()


def broken(byte, value):
    """A position with one byte changed, in an array that the library did not make."""
    import seebatch as sb
    data = bytearray(memoryview(sb.from_fen([START])[0]).tobytes())
    data[byte] = value
    return data


def told(code):
    """What a misuse prints: the result, or the exception."""
    import seebatch as sb
    try:
        return repr(eval(code, {"sb": sb, "array": array, "START": START, "FEN": FEN, "listed": listed, "broken": broken}))
    except Exception as error:  # pylint: disable=broad-exception-caught  # whatever a person would see
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.path.insert(0, os.fspath(pathlib.Path(__file__).parent))
    for code, _ in MISUSES:
        print(f">>> {code}\n{told(code)}")
