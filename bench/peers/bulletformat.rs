//! Counts the records of a file, and goes over the pieces of each.
use bulletformat::ChessBoard;

fn main() {
    let bytes = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let (mut n, mut pieces) = (0u64, 0u64);
    for record in bytes.chunks_exact(32) {
        let board: ChessBoard = unsafe { std::ptr::read_unaligned(record.as_ptr().cast()) };
        n += 1;
        pieces += board.into_iter().map(|(piece, square)| u64::from(piece ^ square)).sum::<u64>();
    }
    std::hint::black_box(pieces);
    println!("{n}");
}
